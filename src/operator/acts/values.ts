/**
 * Values of acts: as people type them in commands and forms, and as JSON documents have them, each with the reason for
 * a refusal.
 */
import { parseNetwork } from '../../access/networks.ts';
import { parseOrigin } from '../../access/origins.ts';
import { parseDuration, parseInstant } from '../../access/parse-duration.ts';
import { notGiven } from '../../domain/document/document-fields.ts';
import * as g from '../../domain/document/grammar.ts';
import { id } from '../../domain/document/grammar-values.ts';
import { connectionOf, findReservedReason, isSourceName, SOURCE_FORM } from '../../domain/layers.ts';
import { type EpochDay, parseLocalDate } from '../../domain/local-date.ts';
import { parseMoney } from '../../domain/money.ts';
import { findDirectionProblem } from '../../domain/text-direction.ts';
import { type Parse, Wrong } from '../../domain/wrong.ts';
import { readEncoding } from '../../supply/sheet/encodings.ts';

/** The grammar reads JSON; `parse` reads text that people type. */
export interface Value<T> extends g.Grammar<T> {
  readonly parse: Parse<T>;
}

/** If `parse` returns `undefined`, the text is refused with `wrong`. */
function value<T>(kind: g.Kind, parse: (text: string) => T | undefined, wrong: Wrong): Value<T> {
  const code = kind === 'date' ? 'DATE_INVALID' : 'FIELD_INVALID';
  return {
    kind,
    schema: { type: 'string' },
    parse: (text) => parse(text) ?? wrong,
    read: (given, name, reader) =>
      (typeof given === 'string' ? parse(given) : undefined) ??
      reader.wrong(name, notGiven(wrong, given), code),
  };
}

const TEXT_LENGTH_MAX = 255;

/** Any text, unchanged. */
export const anyText: Value<string> = { ...g.text(TEXT_LENGTH_MAX), parse: (text) => text };

/** The grammar reads JSON; a typed text may be anything else, and the act says what is wrong with it. */
export function typedText(part: g.Grammar<string>): Value<string> {
  return {
    ...part,
    parse: (text) => {
      const problem = text.trim() === '' ? new Wrong('empty') : findDirectionProblem(text);
      return problem ?? text;
    },
    read(given, name, reader, owner) {
      const problem = typeof given === 'string' ? findDirectionProblem(given) : undefined;
      return problem === undefined ? part.read(given, name, reader, owner) : reader.wrong(name, problem);
    },
  };
}

export const notBlank = typedText(g.text(TEXT_LENGTH_MAX));
/** The id of a property or of an inventory type. */
export const supplyId = typedText(id);

export const originUrl = value(
  'text',
  parseOrigin,
  new Wrong('notOriginUrl', { example: 'https://shop.example' }),
);

/** Returns the canonical spelling. */
export const network = value(
  'text',
  parseNetwork,
  new Wrong('notNetworkOrAddress', { one: '192.0.2.0/24', other: '2001:db8::/32' }),
);

/** Milliseconds. */
export const duration = value(
  'text',
  parseDuration,
  new Wrong('notDuration', { examples: '90s, 30m, 24h', last: '7d' }),
);

/** Unix milliseconds; a date without a time is its midnight in UTC. */
export const instant = value(
  'date',
  (text) => parseInstant(parseLocalDate(text) === undefined ? text : `${text}T00:00:00Z`),
  new Wrong('notInstant', { example: '2027-01-31T00:00:00Z' }),
);

export const localDate: Value<EpochDay> = {
  ...value('date', parseLocalDate, new Wrong('notDate')),
  schema: { type: 'string', format: 'date' },
  parse: value('date', parseLocalDate, new Wrong('notDay', { example: '2026-12-01' })).parse,
};

export function wholeNumber(min: number, max: number): Value<number> {
  const parse = (text: string): number | undefined => {
    const number = Number(text);
    return /^\d{1,15}$/.test(text) && number >= min && number <= max ? number : undefined;
  };
  return { ...value('whole', parse, new Wrong('notWhole', { min, max })), ...g.whole(min, max) };
}

export function oneOf<const T extends string>(choices: readonly T[]): Value<T> {
  const parse = (text: string): T | undefined => choices.find((choice) => choice === text);
  return {
    ...value('choice', parse, new Wrong('notChoice', { choices: choices.join(', ') })),
    ...g.choice(choices),
  };
}

const unlessReserved = (text: string): string | undefined =>
  isSourceName(text) && findReservedReason(text) === undefined ? text : undefined;

/** The name of a source that any system may use. */
export const sourceName: Value<string> = {
  ...value('text', unlessReserved, new Wrong('notSource')),
  parse(text) {
    const reserved = findReservedReason(text);
    return reserved ?? (isSourceName(text) ? text : SOURCE_FORM);
  },
};

/** The source of a mapping: a system's, or a connection, whose rooms are mapped too. */
export const mappedSource: Value<string> = {
  ...sourceName,
  parse: (text) => (connectionOf(text) !== undefined && isSourceName(text) ? text : sourceName.parse(text)),
};

/** The encoding of a CSV file, by any label of the Encoding Standard. */
export const encodingName = value(
  'text',
  (text) => readEncoding(text.trim()),
  new Wrong('notEncoding', { examples: 'windows-1250, iso-8859-2, macintosh', last: 'utf-8' }),
);

/** Minor units, from a text such as 120 or 120.00. */
export const money = value(
  'decimal',
  (text) => {
    const minorUnits = parseMoney(text);
    return minorUnits === undefined ? undefined : Number(minorUnits);
  },
  new Wrong('notAmount', { example: '120.00' }),
);

/** The value, or `none` (null in JSON), which clears the stored one. */
export function orNone<T>(own: Value<T>): Value<T | null> {
  return {
    kind: own.kind === 'whole' ? 'text' : own.kind,
    schema: own.schema,
    parse(text) {
      const parsed = text === 'none' ? null : own.parse(text);
      return parsed instanceof Wrong ? new Wrong('orNone', { wrong: parsed }) : parsed;
    },
    read: (given, name, reader, owner) => (given === null ? null : own.read(given, name, reader, owner)),
  };
}
