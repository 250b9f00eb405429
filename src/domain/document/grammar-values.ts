/** Values of several documents: ids, ranges and percentages. */
import { parseLocalDate } from '../local-date.ts';
import { MONEY_INTEGER_DIGITS_MAX, parseMoney } from '../money.ts';
import { ID_CHARACTERS, ID_LENGTH_MAX, ID_PATTERN } from '../property.ts';
import { Wrong } from '../wrong.ts';
import { NOT_ID } from './document-fields.ts';
import * as g from './grammar.ts';

/** Digits before the point, as many as an amount may have. */
export const UNITS_PATTERN = `(0|[1-9][0-9]{0,${MONEY_INTEGER_DIGITS_MAX - 1}})`;
export const MONEY_SCHEMA = { type: 'string', pattern: `^${UNITS_PATTERN}(\\.[0-9]{1,2})?$` };

export const ID_SCHEMA = { pattern: `^(?!\\.{1,2}$)${ID_CHARACTERS}{1,${ID_LENGTH_MAX}}$` };
export const isId = (given: string): boolean => ID_PATTERN.test(given);
export const id = g.word('text', ID_SCHEMA, isId, NOT_ID);

/** The second of two bounds, both included. */
export function notBelow(lowName: string, part: g.Grammar<number>): g.Grammar<number> {
  return g.ruled(part, (high, { [lowName]: low }) =>
    typeof low === 'number' && high < low
      ? new Wrong('belowOther', { other: lowName, value: low })
      : undefined,
  );
}

const date = g.word(
  'date',
  { format: 'date' },
  (given) => parseLocalDate(given) !== undefined,
  new Wrong('notDate'),
);

/** Two LocalDates as written, both included. */
export function dateRange(fromName: string): {
  readonly from: g.Grammar<string>;
  readonly to: g.Grammar<string>;
} {
  const to = g.ruled(date, (last, { [fromName]: first }) =>
    typeof first === 'string' && last < first
      ? new Wrong('beforeOther', { other: fromName, value: first })
      : undefined,
  );
  return { from: date, to };
}

/** Hundredths of a percent. */
export const WHOLE_PERCENT = 10_000n;

/** A percentage as written: from `least` hundredths to 100, with at most two decimals. */
export function partOfHundred(least: bigint, reason: Wrong): g.Grammar<string> {
  const isPart = (given: string): boolean => {
    const hundredths = parseMoney(given);
    return hundredths !== undefined && hundredths >= least && hundredths <= WHOLE_PERCENT;
  };
  const aboveZero = least === 0n ? '' : '(?!0(\\.0{1,2})?$)';
  return g.word(
    'decimal',
    { pattern: `^${aboveZero}(100(\\.0{1,2})?|[1-9]?[0-9](\\.[0-9]{1,2})?)$` },
    isPart,
    reason,
  );
}
