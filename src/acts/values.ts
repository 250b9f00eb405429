/** Values that people type in commands and forms: each with its parser and the reason for a refusal. */
import { parseOrigin } from '../access/origins.ts';
import { parseDuration, parseInstant } from '../access/parse-duration.ts';
import type { Kind } from '../domain/document/grammar.ts';
import { findReservedReason, isSourceName, SOURCE_FORM } from '../domain/layers.ts';
import { type EpochDay, parseLocalDate } from '../domain/local-date.ts';
import { parseMoney } from '../domain/money.ts';

/** Why a text is refused. */
export class Wrong {
  /** A sentence. */
  readonly reason: string;
  /** Well-formed, but refused anyway. */
  readonly isReserved: boolean;

  constructor(reason: string, isReserved = false) {
    this.reason = reason;
    this.isReserved = isReserved;
  }
}

export interface Value<T> {
  /** The kind of form field. */
  readonly kind: Kind;
  readonly parse: (text: string) => T | Wrong;
  readonly choices?: readonly string[];
}

/** If `parse` returns `undefined`, the text is refused with the reason. */
function value<T>(kind: Kind, parse: (text: string) => T | undefined, reason: string): Value<T> {
  return { kind, parse: (text) => parse(text) ?? new Wrong(`It must ${reason}.`) };
}

/** Any text, unchanged. */
export const anyText: Value<string> = { kind: 'text', parse: (text) => text };

const unlessBlank = (text: string): string | undefined => (text.trim() === '' ? undefined : text);
export const notBlank = value('text', unlessBlank, 'not be empty');

export const originUrl = value('text', parseOrigin, 'be an origin such as https://shop.example');

/** Milliseconds. */
export const duration = value('text', parseDuration, 'be a duration such as 90s, 30m, 24h or 7d');

/** Unix milliseconds; a date without a time is its midnight in UTC. */
export const instant = value(
  'date',
  (text) => parseInstant(parseLocalDate(text) === undefined ? text : `${text}T00:00:00Z`),
  'be an instant such as 2027-01-31T00:00:00Z',
);

export const localDate: Value<EpochDay> = value('date', parseLocalDate, 'be a date such as 2026-12-01');

export function wholeNumber(min: number, max: number): Value<number> {
  const parse = (text: string): number | undefined => {
    const number = Number(text);
    return /^\d{1,15}$/.test(text) && number >= min && number <= max ? number : undefined;
  };
  return value('whole', parse, `be a whole number from ${min} to ${max}`);
}

export function oneOf<const T extends string>(choices: readonly T[]): Value<T> {
  const parse = (text: string): T | undefined => choices.find((choice) => choice === text);
  return { ...value('choice', parse, `be one of ${choices.join(', ')}`), choices };
}

/** The name of a source that any system may use. */
export const sourceName: Value<string> = {
  kind: 'text',
  parse(text) {
    const reserved = findReservedReason(text);
    if (reserved !== undefined) return new Wrong(reserved, true);
    return isSourceName(text) ? text : new Wrong(`It ${SOURCE_FORM}.`);
  },
};

/** Minor units, from a text such as 120 or 120.00. */
export const money = value(
  'decimal',
  (text) => {
    const minorUnits = parseMoney(text);
    return minorUnits === undefined ? undefined : Number(minorUnits);
  },
  'be an amount such as 120.00',
);

/** The value, or `none`, which clears the stored one. */
export function orNone<T>({ kind, parse }: Value<T>): Value<T | null> {
  return {
    kind: kind === 'whole' ? 'text' : kind,
    parse(text) {
      const parsed = text === 'none' ? null : parse(text);
      return parsed instanceof Wrong ? new Wrong(parsed.reason.replace(/\.$/, ', or none.')) : parsed;
    },
  };
}
