/**
 * Finds a key that an object of a JSON text has twice. `JSON.parse` takes the last without a word, so a hotel whose
 * line says two rates would be sold at one of them.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

interface Frame {
  /** Undefined in an array. */
  readonly keys: Set<string> | undefined;
  /** Where the value stands: the key, or the index. */
  place: string | number;
}

/**
 * The path of the repeated key, such as `inventoryTypes[0].name`; undefined when there is none. `text` is known to be
 * JSON, and one that `JSON.parse` has taken.
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
    .slice(1);
}
