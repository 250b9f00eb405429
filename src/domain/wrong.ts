/** Why a text or a value is refused: the one answer of all that read what people and systems write. */
import type { Locale } from './property.ts';
import type { RefusalRow } from './refusals/refusal-row.ts';
import { type NamesOf, type RefusalCode, REFUSALS } from './refusals/refusals.ts';

/** As it is written; a reason within a reason is said in the same language. */
export type WrongValue = string | number | Told;

/** A `Wrong` as data, as it crosses threads and is stored. */
export interface Told {
  readonly code: RefusalCode;
  readonly values: Readonly<Record<string, WrongValue>>;
}

type Given<Code extends RefusalCode> = [NamesOf<Code>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<Code>, WrongValue>>];

/** A code with the values that its row names. */
export class Wrong<Code extends RefusalCode = RefusalCode> implements Told {
  readonly code: Code;
  readonly values: Readonly<Record<string, WrongValue>>;

  constructor(code: Code, ...[values]: Given<Code>) {
    this.code = code;
    this.values = values ?? {};
  }
}

/** One of these codes with the values that its row names, for rooms that know no rows. */
export type ToldOf<Code extends RefusalCode> = {
  readonly [Own in Code]: { readonly code: Own; readonly values: Readonly<Record<NamesOf<Own>, WrongValue>> };
}[Code];

export type Parse<T> = (text: string) => T | Wrong;

/** The end of a sentence that begins with what is refused, without its full stop: `must be a list, not "a"`. */
export function sayWrong({ code, values }: Told, locale: Locale): string {
  return fill(REFUSALS[code][locale], values, locale);
}

const PLACES = /\{(\w+)\}/g;

/** For what is stored: a newer release has codes that this one lacks, and an earlier one stored none. */
export function isSayable(stored: unknown): stored is Told {
  if (typeof stored !== 'object' || stored === null) return false;
  const { code = '', values } = stored as { readonly code?: string; readonly values?: Told['values'] };
  if (!Object.hasOwn(REFUSALS, code) || typeof values !== 'object' || values === null) return false;
  const { 'en-GB': text, option = '' }: RefusalRow = REFUSALS[code as RefusalCode];
  return Array.from(`${text}${option}`.matchAll(PLACES), ([, name]) => values[name!]).every(
    (value) => typeof value === 'string' || typeof value === 'number' || isSayable(value),
  );
}

function fill(text: string, values: Told['values'], locale: Locale): string {
  return text.replaceAll(PLACES, (_place, name: string) => {
    const value = values[name]!;
    return typeof value === 'object' ? sayWrong(value, locale) : printable(`${value}`);
  });
}

/** A value quotes what somebody wrote, which must not steer the terminal that shows it. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is replaced
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\u{fffd}');
}

/** For commands, logs and programs: with the option that it is about in front. */
export function inEnglish(wrong: Told): string {
  const option = optionOf(wrong);
  const said = sayWrong(wrong, 'en-GB');
  return option === undefined ? said : `--${option} ${said}`;
}

/** `It is not a host name.`, with what is refused as the subject. */
export function sayAlone(wrong: Told, locale: Locale): string {
  const said = sayWrong(wrong, locale);
  const { kind } = rowOf(wrong);
  if (kind === 'clause') return said;
  return kind === undefined && locale === 'en-GB' ? `It ${said}.` : sayDetail(wrong, locale);
}

/** `Must be a list.`, beside the name or place of what is refused. */
export function sayDetail(wrong: Told, locale: Locale): string {
  const said = sayWrong(wrong, locale);
  return rowOf(wrong).kind === 'sentence' ? `${said}.` : asSentence(said);
}

function rowOf({ code }: Told): RefusalRow {
  return REFUSALS[code];
}

/** The option that it is about: `every` of `--every must be a duration`. Undefined: none, or several. */
export function optionOf(wrong: Told): string | undefined {
  const { option } = rowOf(wrong);
  return option === undefined ? undefined : fill(option, wrong.values, 'en-GB');
}

/** In English, and as a code: for pages in the language of their reader, and for all others. */
export function inBoth(wrong: Wrong): { readonly reason: string; readonly wrong: Wrong } {
  return { reason: sayAlone(wrong, 'en-GB'), wrong };
}

/** `must be a date` becomes `Must be a date.` */
export function asSentence(said: string): string {
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}
