/** Parses JSON from outside: input that `JSON.parse` accepts silently, and should not, is refused with its place. */

import { Wrong } from '../../domain/wrong.ts';

/**
 * Nesting of objects and lists. No document needs ten levels; a text of brackets alone would take 200 times its size.
 */
export const JSON_DEPTH_MAX = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

export type ReadJsonText =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly code: 'JSON_INVALID' | 'JSON_TOO_DEEP' | 'FIELD_REPEATED';
      /** Dotted path of the repeated key; empty for the text itself. */
      readonly field: string;
      readonly reason: Wrong;
    };

/** Never throws, whatever the text is. */
export function readJsonText(text: string): ReadJsonText {
  // Checked first: the parser would allocate memory for all levels.
  const memberCount = countMembers(text);
  if (memberCount === undefined) {
    const reason = new Wrong('jsonDeep', { max: JSON_DEPTH_MAX });
    return { ok: false, code: 'JSON_TOO_DEEP', field: '', reason };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = new Wrong('notJson', { why: (error as SyntaxError).message });
    return { ok: false, code: 'JSON_INVALID', field: '', reason };
  }
  // A repeated key yields one key of the value. Counting takes a tenth of the time of keeping all keys.
  const repeated = countKeys(value) === memberCount ? undefined : findRepeatedKey(text);
  if (repeated === undefined) return { ok: true, value };
  return {
    ok: false,
    code: 'FIELD_REPEATED',
    field: repeated,
    reason: new Wrong('repeatedField'),
  };
}

/** Members of all objects of a text, which need not be JSON; undefined if it is nested too deeply. */
function countMembers(text: string): number | undefined {
  let depth = 0;
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index);
        break;
      case COLON:
        count += 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        if (depth > JSON_DEPTH_MAX) return undefined;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
    }
  }
  return count;
}

/** Keys of all objects of a value, which must not be nested deeply. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: readonly unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : members.length;
  for (const member of members) count += countKeys(member);
  return count;
}

interface Frame {
  /** Undefined in an array. */
  readonly keys: Set<string> | undefined;
  /** The place of the value: the key, or the index. */
  place: string | number;
}

/**
 * The path of the first repeated key, such as `inventoryTypes[0].name`; undefined if there is none. `JSON.parse`
 * silently keeps the last value, so a hotel whose line has two rates would be sold at one of them. `text` must be JSON
 * that `JSON.parse` accepted.
 */
export function findRepeatedKey(text: string): string | undefined {
  const frames: Frame[] = [];
  let literalFrom = 0;
  let literalEnd = 0;
  for (let index = 0; index < text.length; index++) {
    const frame = frames.at(-1);
    switch (text.charCodeAt(index)) {
      case QUOTE:
        literalFrom = index;
        index = endOfString(text, index);
        literalEnd = index + 1;
        break;
      case COLON: {
        const key = readKey(text.slice(literalFrom, literalEnd));
        if (frame === undefined) break;
        frame.place = key;
        if (frame.keys?.has(key) === true) return formatPath(frames);
        frame.keys?.add(key);
        break;
      }
      case COMMA:
        if (typeof frame?.place === 'number') frame.place += 1;
        break;
      case OPEN_BRACE:
        frames.push({ keys: new Set(), place: '' });
        break;
      case OPEN_BRACKET:
        frames.push({ keys: undefined, place: 0 });
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        frames.pop();
    }
  }
  return undefined;
}

/** The index of the closing quote. */
function endOfString(text: string, from: number): number {
  let index = from + 1;
  while (index < text.length && text.charCodeAt(index) !== QUOTE) {
    index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
  }
  return index;
}

/** `"a"` and `"\u0061"` are one key. */
function readKey(literal: string): string {
  return literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
}

function formatPath(frames: readonly Frame[]): string {
  return frames
    .map(({ place }) => (typeof place === 'number' ? `[${place}]` : `.${place}`))
    .join('')
    .replace(/^\./, '');
}
