/**
 * Encodings of a CSV file, and what tells that a file is not in Windows-1252: each of its bytes can be read so, but
 * letters of other encodings become signs that stand in no word.
 */
import { Wrong } from '../../domain/wrong.ts';
import { shown } from '../../domain/document/document-fields.ts';

/** `UTF-8`, `Windows-1252`, or the name of another one as the Encoding Standard has it: `windows-1250`. */
export type Encoding = string;

export const UTF8 = 'UTF-8';
export const WINDOWS_1252 = 'Windows-1252';
const OWN_NAMES: Readonly<Record<string, Encoding>> = { 'utf-8': UTF8, 'windows-1252': WINDOWS_1252 };

/** The choice for people; any other that `readEncoding` knows is taken too. Central Europe, and old Macs. */
export const USUAL_ENCODINGS = [UTF8, WINDOWS_1252, 'windows-1250', 'iso-8859-2', 'macintosh'] as const;
/** Encodings of one byte a letter, in which a doubtful word is shown. */
export const READINGS = USUAL_ENCODINGS.filter((name) => name !== UTF8);

/** The longest label of the Encoding Standard has 19 characters. */
const LABEL_LENGTH_MAX = 40;
/** A label for bytes that mean nothing. */
const NO_ENCODINGS: ReadonlySet<string> = new Set(['x-user-defined', 'replacement']);

/** By any label of the Encoding Standard, whatever its case; undefined for another text. */
export function readEncoding(label: string): Encoding | undefined {
  if (label.length > LABEL_LENGTH_MAX) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    return NO_ENCODINGS.has(encoding) ? undefined : (OWN_NAMES[encoding] ?? encoding);
  } catch {
    return undefined;
  }
}

/** The Encoding Standard reads an undefined byte as a control character, which no sheet has. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
export const UNDEFINED_SIGN = /[\u0080-\u009f]/g;

/** A word that Windows-1252 garbles, as each of READINGS has it. */
export type DoubtfulWord = Readonly<Record<string, string>>;

export interface DoubtfulLine {
  /** The line of the file, counted from 1. */
  readonly line: number;
  readonly word: DoubtfulWord;
}

/** Why Windows-1252 may not be meant. */
export interface EncodingDoubt {
  /** The first ones. */
  readonly lines: readonly DoubtfulLine[];
  /** Doubtful lines that `lines` leaves out. */
  readonly leftOut: number;
}

/** `line 2: "Cittˆ" (macintosh: "Città", ...)`: the first line in words. */
export function doubtReason({ lines: [first], leftOut: _leftOut }: EncodingDoubt): Wrong | string {
  if (first === undefined) return '';
  const others = READINGS.slice(1).map((name) => `${name}: ${shown(first.word[name] ?? '')}`);
  const word = shown(first.word[WINDOWS_1252] ?? '');
  return new Wrong('doubtfulLine', { line: first.line, word, others: others.join(', ') });
}

// Signs inside words, as Windows-1252 reads them.

/** Bytes that Windows-1252 does not define. */
const UNDEFINED = String.raw`[\u0081\u008D\u008F\u0090\u009D]`;
/** Signs that no word has inside: not ’ ‘ ´ · – — … ° and the soft hyphen, which words have in one language or another. */
const INSIDE = '[ˆ˜‡†‰£¥¢¤€¹²³¼½¾¶§¦¨¸¯±×÷¬¿¡©®™•„‚“”«»‹›]';
/** Signs at the end of no word: besides those, ² € ® © ™ • » › ” close or follow one. */
const AT_END = '[ˆ˜‡†£¥¢¤¹¼½¾¶§¦¨¸¯±¬¿¡„‚]';
/** Signs that begin no word; ¿ ¡ and quotes do. */
const AT_START = '[£¥¹³¼½¾¦¯ˆ˜‡†¨¸]';
const LETTER = String.raw`\p{L}`;

const DOUBTS: readonly RegExp[] = [
  UNDEFINED,
  `${LETTER}${INSIDE}${LETTER}`,
  `${LETTER}${AT_END}`,
  `(?<![\\p{L}\\d.])${AT_START}${LETTER}`,
  // m³ is a measure.
  '(?<!(?:^|[^\\p{L}])[cdk]?m)(?<=\\p{L})³',
  // A dash with few small letters at a side is an ñ or ó: Espa–a, Espa–ola, Le—n. Others are dashes: lun–ven.
  '\\p{Ll}[–—]\\p{Ll}{1,2}(?!\\p{L})',
  '\\p{L}{3}\\p{Ll}[–—]\\p{Ll}{3}(?!\\p{L})',
  '(?<!\\p{L})\\p{L}{1,2}[–—]\\p{Ll}',
  // Matar—, where a dash would have a blank before it.
  '\\p{L}[–—](?=[;,\\t\\r"]|$)',
  // Capitals begin words, or stand among capitals: CafŽ, £ódŸ.
  '\\p{Ll}(?=\\p{Lu})[^\\0-\\x7f]',
  'Ÿ\\p{Ll}',
].map((text) => new RegExp(text, 'u'));

/** A quote that closes, with none before it in the line that opens. */
function findLoneQuote(text: string): number[] {
  const at = text.search(/[„‚“]/);
  return text[at] === '“' && /\p{L}/u.test(text[at - 1] ?? '') ? [at] : [];
}

/** The first doubtful word of a line that is not UTF-8; undefined where Windows-1252 may be meant. */
export function findDoubt(line: Buffer): DoubtfulWord | undefined {
  const text = decodeBytes(line, WINDOWS_1252);
  const places = [...DOUBTS.flatMap((doubt) => doubt.exec(text)?.index ?? []), ...findLoneQuote(text)];
  return places.length === 0 ? undefined : readWord(line, text, Math.min(...places));
}

const WORD_LENGTH_MAX = 30;

/** Each byte is a letter in each of READINGS, so a word has the same place in all of them. */
function readWord(bytes: Buffer, text: string, at: number): DoubtfulWord {
  let from = at;
  while (from > 0 && at - from < WORD_LENGTH_MAX && isOfWord(text[from - 1]!)) from -= 1;
  let to = at + 1;
  while (to < text.length && to - at < WORD_LENGTH_MAX && isOfWord(text[to]!)) to += 1;
  const word = bytes.subarray(from, to);
  return Object.fromEntries(
    READINGS.map((name) => [name, decodeBytes(word, name).replaceAll(UNDEFINED_SIGN, '\u{fffd}')]),
  );
}

function isOfWord(letter: string): boolean {
  return !/[\s;,"|]/.test(letter);
}

export function decodeBytes(bytes: Buffer, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(bytes);
}
