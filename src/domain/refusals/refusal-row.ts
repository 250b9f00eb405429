/**
 * A row of the reasons for which a text or a value is refused: the end of a sentence in each language. `{name}` stands
 * for a value. A left-out language does not compile, nor a value that one language has and the other lacks.
 */

/** The values that a text names. */
export type ValueNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ValueNames<Rest>
  : never;

type SameNames<One extends string, Other extends string> = [ValueNames<One>] extends [ValueNames<Other>]
  ? [ValueNames<Other>] extends [ValueNames<One>]
    ? Other
    : never
  : never;

/** In each `Locale`. */
export interface RefusalRow {
  readonly 'en-GB': string;
  readonly 'it-IT': string;
  /** With a subject of its own; left out: the end of a sentence that begins with what is refused. */
  readonly kind?: 'clause' | 'sentence';
  /** The option of the command, and the input of its act, that the reason is about; may stand for a value. */
  readonly option?: string;
}

interface RowOf<English extends string> extends RefusalRow {
  readonly 'en-GB': English;
}

/** Goes on after what is refused: `must be a list`. */
export function row<const English extends string, const Italian extends string>(
  inEnglish: English,
  inItalian: Italian & SameNames<English, Italian>,
): RowOf<English> {
  return { 'en-GB': inEnglish, 'it-IT': inItalian };
}

/** Stands alone: `there is no property "a"`. */
export function clause<const English extends string, const Italian extends string>(
  inEnglish: English,
  inItalian: Italian & SameNames<English, Italian>,
): RowOf<English> {
  return { 'en-GB': inEnglish, 'it-IT': inItalian, kind: 'clause' };
}

/** Has a full stop where it stands alone, and a capital where it begins with a word: `The body is not valid UTF-8`. */
export function sentence<const English extends string, const Italian extends string>(
  inEnglish: English,
  inItalian: Italian & SameNames<English, Italian>,
): RowOf<English> {
  return { 'en-GB': inEnglish, 'it-IT': inItalian, kind: 'sentence' };
}

/** Commands put the option in front: `must be a duration` is `--every must be a duration`. */
export function ofOption<const Option extends string, Row extends RefusalRow>(
  option: Option,
  own: Row,
): Row & { readonly option: Option } {
  return { ...own, option };
}
