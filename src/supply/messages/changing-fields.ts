/** Reads or refuses the fields of a value that change what its other fields mean. */
import { Wrong } from '../../domain/wrong.ts';
import {
  CHANGING_FIELDS,
  type ChangingField,
  FRACTION_DIGITS_MAX,
  PER_ROOM,
} from '../../domain/changing-fields.ts';
import { type Fields, notGiven } from '../../domain/document/document-fields.ts';

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
    if (typeof row.reading === 'object') {
      value.report(name, new Wrong('changesMeaning', { cure: row.reading.refused }));
      continue;
    }
    switch (row.reading) {
      case 'currency':
        checkCurrency(value, name, currency);
        break;
      case 'digits':
        digits = value.integer(name, 0, FRACTION_DIGITS_MAX);
        break;
      case 'perRoom':
        if (!PER_ROOM.includes(given))
          value.report(name, notGiven(new Wrong('notPerRoom', { form: 'per_room' }), given));
    }
  }
  return digits;
}

/** Reports another currency than the property's. */
export function checkCurrency(fields: Fields, name: string, currency: string | null): void {
  const named = fields.isNull(name) ? null : fields.value(name);
  if (named !== null && currency !== null && named !== currency)
    fields.report(name, notGiven(new Wrong('otherCurrency', { currency }), named));
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
