/** Splits a query string into the values of known parameters, strictly (RFC 3986 escapes, `+` as a blank). */
import { guessText } from './name-guess.ts';
import { Refusal } from './field-rules.ts';

export interface QueryText {
  /** By index of the known name: the decoded text, undefined when absent, or why it can't be read. */
  readonly values: (string | Refusal | undefined)[];
  /** Names that are none of the known ones, decoded where that is possible; each once, in order. */
  readonly unknownNames: ReadonlyMap<string, Refusal>;
}

const malformed = new Refusal('FORMAT_INVALID', 'Must be percent-encoded UTF-8.');
const duplicate = new Refusal('DUPLICATE_PARAMETER', 'Must be given once.');

/** With the name that was perhaps meant. */
function unknown(name: string, knownNames: Iterable<string>): Refusal {
  const guess = guessText(name, knownNames);
  return new Refusal('UNKNOWN_PARAMETER', `The operation has no query parameter of this name.${guess}`);
}

const NO_NAMES: ReadonlyMap<string, Refusal> = new Map();

/** `unknownMax` bounds how many unknown names are kept; the others are passed over. */
export function readQueryText(
  rawQuery: string,
  indexByName: ReadonlyMap<string, number>,
  unknownMax: number,
): QueryText {
  // Most queries have no escape at all: one check for the whole instead of one per part.
  const decode = NEEDS_DECODING.test(rawQuery) ? decodeQueryPart : asItIs;
  const values: (string | Refusal | undefined)[] = new Array(indexByName.size).fill(undefined);
  let unknownNames: Map<string, Refusal> | undefined;
  let start = 0;
  while (start < rawQuery.length) {
    const from = start;
    const end = indexOrEnd(rawQuery, '&', from, rawQuery.length);
    start = end + 1;
    if (end === from) continue;
    const equals = indexOrEnd(rawQuery, '=', from, end);
    const rawName = rawQuery.slice(from, equals);
    const name = decode(rawName);
    const index = name === undefined ? undefined : indexByName.get(name);
    if (index === undefined) {
      unknownNames ??= new Map();
      if (unknownNames.size < unknownMax)
        unknownNames.set(name ?? rawName, name === undefined ? malformed : unknown(name, indexByName.keys()));
    } else if (values[index] === undefined) {
      values[index] = equals === end ? '' : (decode(rawQuery.slice(equals + 1, end)) ?? malformed);
    } else {
      values[index] = duplicate;
    }
  }
  return { values, unknownNames: unknownNames ?? NO_NAMES };
}

/** The index of the character from `start` on and before `end`, else `end`. */
function indexOrEnd(text: string, character: string, start: number, end: number): number {
  const index = text.indexOf(character, start);
  return index === -1 || index > end ? end : index;
}

/** Anything but the visible ASCII that stands for itself. */
const NEEDS_DECODING = /[^!-$&-*,-~]/;
/** What a request target can not have at all (RFC 3986 2). */
const NOT_URI_TEXT = /[^!-~]/;

const asItIs = (raw: string): string => raw;

/** A name or value of a query, `+` being a blank; undefined when it is malformed. */
function decodeQueryPart(raw: string): string | undefined {
  return NEEDS_DECODING.test(raw) ? decodeEscapes(raw.replaceAll('+', ' '), raw) : raw;
}

/** A path segment, `+` being itself; undefined when it is malformed. */
export function decodePathSegment(raw: string): string | undefined {
  return NEEDS_DECODING.test(raw) ? decodeEscapes(raw, raw) : raw;
}

function decodeEscapes(text: string, raw: string): string | undefined {
  if (NOT_URI_TEXT.test(raw)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
