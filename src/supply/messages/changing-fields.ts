/**
 * Fields that change what the other fields of a value mean, as Channex, SiteMinder (OTA XML as JSON) and Cloudbeds name
 * them. Such a field is read or refused, never left out with a warning as others are.
 */
import { type Fields, shown } from '../../domain/document/document-fields.ts';

/**
 * `currency`: must be the property's. `digits`: of whole minor units. `perRoom`: the one kind of rate that there is
 * here. `refused`: has no meaning here, so its value would change another one without a word.
 */
type Reading = 'currency' | 'digits' | 'perRoom' | 'refused';

interface ChangingField {
  readonly names: readonly string[];
  readonly reading: Reading;
  /** For a refusal: how to say the same. */
  readonly cure?: string;
}

const BY_GUESTS = 'send rates, such as [{"occupancy":2,"rate":"120.00"}]';
const OWN_AMOUNT = 'send the amount that the night costs';

/** Names are compared without case, `_` and `-`. Null is absent. */
export const CHANGING_FIELDS: readonly ChangingField[] = [
  { names: ['currency', 'currency_code'], reading: 'currency' },
  { names: ['fraction_size', 'decimal_places'], reading: 'digits' },
  { names: ['sell_mode', 'price_mode', 'pricing_type', 'charge_type'], reading: 'perRoom' },
  {
    names: ['occupancy', 'number_of_guests', 'guests', 'adults', 'children', 'age_qualifying_code'],
    reading: 'refused',
    cure: BY_GUESTS,
  },
  {
    names: ['extra_adult_rate', 'extra_child_rate', 'additional_guest_amounts', 'additional_guest_amount'],
    reading: 'refused',
    cure: BY_GUESTS,
  },
  {
    names: [
      'tax_inclusive',
      'tax_included',
      'taxes_included',
      'includes_tax',
      'is_inclusive',
      'inclusive',
      'amount_before_tax',
      'amount_after_tax',
    ],
    reading: 'refused',
    cure: 'the taxes of the property say whether a rate has them',
  },
  {
    names: ['rate_mode', 'rate_type', 'rate_time_unit', 'unit_multiplier', 'derived_option', 'multiplier'],
    reading: 'refused',
    cure: OWN_AMOUNT,
  },
  { names: ['percent', 'percentage', 'adjustment', 'discount'], reading: 'refused', cure: OWN_AMOUNT },
  {
    names: ['length_of_stay', 'los', 'number_of_nights'],
    reading: 'refused',
    cure: 'a rate is that of a night, whatever the length of the stay',
  },
];

/** Names of a rate for a whole room. */
const PER_ROOM: ReadonlySet<unknown> = new Set(['per_room', 'PerRoom', 'room']);
const FRACTION_DIGITS_MAX = 4;
const ROWS: ReadonlyMap<string, ChangingField> = new Map(
  CHANGING_FIELDS.flatMap((row) => row.names.map((name) => [plain(name), row] as const)),
);
/** A longer name is none of them. */
const NAME_LENGTH_MAX = 40;

export function isChangingField(name: string): boolean {
  return rowOf(name) !== undefined;
}

/**
 * Reports the fields of a value that change its meaning and are not what it has here; returns the digits of whole minor
 * units, if it names them. `currency` is the property's; null if it is not known, and then any is taken.
 */
export function checkChangingFields(value: Fields, currency: string | null): number | undefined {
  let digits: number | undefined;
  for (const name of value.names()) {
    const row = rowOf(name);
    if (row === undefined || value.isNull(name)) continue;
    const given = value.value(name);
    switch (row.reading) {
      case 'currency':
        checkCurrency(value, name, currency);
        break;
      case 'digits':
        digits = value.integer(name, 0, FRACTION_DIGITS_MAX);
        break;
      case 'perRoom':
        if (!PER_ROOM.has(given)) value.report(name, `must be "per_room", not ${shown(given)}`);
        break;
      case 'refused':
        value.report(name, `changes what the rate means and is not read: leave it out, and ${row.cure}`);
    }
  }
  return digits;
}

/** Reports another currency than the property's. */
export function checkCurrency(fields: Fields, name: string, currency: string | null): void {
  const named = fields.isNull(name) ? null : fields.value(name);
  if (named !== null && currency !== null && named !== currency)
    fields.report(name, `must be that of the property, ${currency}, not ${shown(named)}`);
}

function rowOf(name: string): ChangingField | undefined {
  return name.length > NAME_LENGTH_MAX ? undefined : ROWS.get(plain(name));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** The fields of an object around values that change their meaning too. */
export function changingFieldsOf(around: unknown): Readonly<Record<string, unknown>> {
  if (typeof around !== 'object' || around === null || Array.isArray(around)) return {};
  return Object.fromEntries(Object.entries(around).filter(([name]) => isChangingField(name)));
}
