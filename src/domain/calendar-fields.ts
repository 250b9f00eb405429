/**
 * The fields of a calendar, one row each. Bytes, layers, readers of files and messages, schemas, the evaluator, the
 * index, explanations, denial reasons and the tables of `docs/supply.md` derive from the rows. A new kind of limit does
 * not: docs/changing.md names the files that tell the kinds apart.
 */
import { type GuestRates, presentGuestRates } from './guest-rates.ts';
import { formatMoney } from './money.ts';

/** The form of a value. Numbers except `moneyByGuests`: units, nights, minor units; a flag is 0 or 1. */
export type FieldShape = 'units' | 'flag' | 'nights' | 'money' | 'moneyByGuests';

interface AnyRow {
  /** Code in the stored bytes: never changed, never reused for another field. */
  readonly code: number;
  /**
   * The highest migration of the first release that reads it: it is written when all running processes know that
   * migration. Absent: all releases read it.
   */
  readonly since?: number;
  readonly shape: FieldShape;
  /** Names in messages in the style of Channex; if a value has several, the last is used. */
  readonly ariNames: readonly string[];
  /** One sentence for schemas and docs. */
  readonly meaning: string;
  /** Further notes for the docs, in Markdown. */
  readonly notes?: string;
}

/** Refuses no stay. Among several sources, partners see the value of the price source. */
interface PriceRow extends AnyRow {
  readonly combine: 'price';
  readonly appliesTo: 'price';
}

interface RestrictionRow extends AnyRow {
  /** Picks the value that partners see when several sources set a night. */
  readonly combine: 'lowest' | 'highest';
  /**
   * `night`: each night by itself, whatever the stay, and whether it is open. `arrival`, `departure`: that date of a
   * stay. `through`: all its occupied nights.
   */
  readonly appliesTo: 'night' | 'arrival' | 'departure' | 'through';
  /** Sentence for a refused stay, with {date}, {value} and {nights} of the stay. */
  readonly refusal: string;
  /** Name in the report of searches without a result; several fields may share a reason. */
  readonly reason: string;
  /** Code of the reason that partners get; its row is in `stay-reasons.ts`. Several fields may share one. */
  readonly told: string;
}

type FieldRow = PriceRow | RestrictionRow;

// prettier-ignore
export const FIELD_ROWS = {
  availability: {
    code: 0, shape: 'units', combine: 'lowest', appliesTo: 'night', ariNames: ['availability'],
    meaning: 'Units left.', notes: 'A night on which it was never set has none.',
    refusal: 'no unit is left on {date}', reason: 'sold_out', told: 'NIGHTS_CLOSED',
  },
  rate: {
    code: 1, shape: 'money', combine: 'price', appliesTo: 'price', ariNames: ['rate'],
    meaning: 'Per night, such as "120.00".',
  },
  ratesByGuests: {
    code: 8, shape: 'moneyByGuests', combine: 'price', appliesTo: 'price', ariNames: ['rates'],
    meaning: 'Amounts by number of guests, such as {"1":"90.00","2":"110.00"}.',
    notes:
      'A stay of g guests pays the amount of the smallest number that is at least g; without one, the ' +
      'night has no price for them. If it is set, `rate` and `extraGuestRate` are ignored.',
  },
  stopSell: {
    code: 2, shape: 'flag', combine: 'highest', appliesTo: 'night', ariNames: ['stop_sell'],
    meaning: 'The night is not sold, whatever is left.',
    refusal: 'sale is stopped on {date}', reason: 'stop_sell', told: 'NIGHTS_CLOSED',
  },
  closedToArrival: {
    code: 3, shape: 'flag', combine: 'highest', appliesTo: 'arrival', ariNames: ['closed_to_arrival'],
    meaning: 'No stay begins on this date.',
    refusal: 'closed to arrival on {date}', reason: 'closed_to_arrival', told: 'CLOSED_TO_ARRIVAL',
  },
  closedToDeparture: {
    code: 4, shape: 'flag', combine: 'highest', appliesTo: 'departure', ariNames: ['closed_to_departure'],
    meaning: 'No stay ends on this date.',
    refusal: 'closed to departure on {date}', reason: 'closed_to_departure', told: 'CLOSED_TO_DEPARTURE',
  },
  minStayArrival: {
    code: 5, shape: 'nights', combine: 'highest', appliesTo: 'arrival',
    // `min_stay` does not name arrival or through; we read it as the arrival date's, as with `max_stay`.
    ariNames: ['min_stay', 'min_stay_arrival'],
    meaning: 'Minimum nights of a stay that arrives on this date.',
    refusal: 'arriving on {date} takes at least {value} nights, not {nights}', reason: 'min_stay', told: 'MIN_STAY',
  },
  minStayThrough: {
    code: 6, shape: 'nights', combine: 'highest', appliesTo: 'through', ariNames: ['min_stay_through'],
    meaning: 'Minimum nights of a stay that includes this night.',
    refusal: 'staying on {date} takes at least {value} nights, not {nights}', reason: 'min_stay', told: 'MIN_STAY',
  },
  maxStay: {
    code: 7, shape: 'nights', combine: 'lowest', appliesTo: 'arrival', ariNames: ['max_stay'],
    meaning: 'Maximum nights of a stay that arrives on this date.',
    refusal: 'arriving on {date} allows at most {value} nights, not {nights}', reason: 'max_stay', told: 'MAX_STAY',
  },
} as const satisfies Readonly<Record<string, FieldRow>>;

type Rows = typeof FIELD_ROWS;
type FieldsWhere<Shape> = { [Field in keyof Rows]: Rows[Field] extends Shape ? Field : never }[keyof Rows];

export type AnyField = keyof Rows;
export type CalendarField = Exclude<AnyField, FieldsWhere<{ readonly shape: 'moneyByGuests' }>>;
/** A field that can refuse a stay: all except prices. */
export type RestrictionField = FieldsWhere<{ readonly refusal: string }>;
export type StayLengthField = FieldsWhere<{ readonly shape: 'nights' }>;
/** Flags that close a date to arrivals or departures, but not the night itself. */
export type ClosingField = Exclude<FieldsWhere<{ readonly shape: 'flag' }>, NightField>;
type NightField = FieldsWhere<{ readonly appliesTo: 'night' }>;
/** Names of restrictions in the report of searches without a result. */
export type RestrictionReason = Rows[RestrictionField]['reason'];
/** Refuses a stay below one unit, always, below a number of nights, or above it. */
export type LimitKind = 'units' | 'closed' | 'minimum' | 'maximum';
/** The form in documents, and in everything for people. */
export type PresentedValue = number | boolean | string | Readonly<Record<string, string>>;

/** All fields, in the order in which people read them. */
export const FIELDS = Object.keys(FIELD_ROWS) as readonly AnyField[];
export const CALENDAR_FIELDS: readonly CalendarField[] = FIELDS.filter((field) => field !== 'ratesByGuests');
export const ALL_FIELDS: readonly AnyField[] = [...CALENDAR_FIELDS, 'ratesByGuests'];
export const RESTRICTION_FIELDS = FIELDS.filter(isRestriction);
export const STAY_LENGTH_FIELDS = FIELDS.filter(isStayLength);
export const CLOSING_FIELDS = FIELDS.filter(isClosing);
export const RESTRICTION_REASONS: readonly RestrictionReason[] = [
  ...new Set(RESTRICTION_FIELDS.map((field) => FIELD_ROWS[field].reason)),
];

export function rowOf(field: AnyField): FieldRow {
  return FIELD_ROWS[field];
}

export function isRestriction(name: string): name is RestrictionField {
  return FIELDS.some((field) => field === name && !isPrice(field));
}

export function isStayLength(field: AnyField): field is StayLengthField {
  return rowOf(field).shape === 'nights';
}

export function isClosing(field: AnyField): field is ClosingField {
  const { shape, appliesTo } = rowOf(field);
  return shape === 'flag' && appliesTo !== 'night';
}

/** The highest minimum is the strictest, and the lowest maximum. */
export function limitKindOf(field: RestrictionField): LimitKind {
  const { shape, combine } = FIELD_ROWS[field];
  switch (shape) {
    case 'units':
      return 'units';
    case 'flag':
      return 'closed';
    case 'nights':
      return combine === 'highest' ? 'minimum' : 'maximum';
  }
}

/** Prices come from one source; everything else combines all sources. */
export function isPrice(field: AnyField): boolean {
  return rowOf(field).combine === 'price';
}

/** 1 as true, 12000 minor units as `"120.00"`, rates by guests as an object. */
export function presentValue(field: AnyField, value: number | GuestRates): PresentedValue {
  if (typeof value !== 'number') return presentGuestRates(value);
  switch (rowOf(field).shape) {
    case 'units':
    case 'nights':
      return value;
    case 'flag':
      return value === 1;
    case 'money':
      return formatMoney(value);
    case 'moneyByGuests':
      throw new TypeError(`${field} is not a number`);
  }
}
