/** A text of the console in each of its languages, both in one row: a left-out language does not compile. */
import { countAdults, type Party } from '../../../domain/child-ages.ts';
import type { Locale } from '../../../domain/property.ts';
import { makeCounted, makeDecimal, makeFormats } from '../../../http/html/formats.ts';

export type Said<Text = string> = Readonly<Record<Locale, Text>>;

export function said<Text>(inEnglish: Text, inItalian: NoInfer<Text>): Said<Text> {
  return { 'en-GB': inEnglish, 'it-IT': inItalian };
}

/** The texts of a table in one language. */
type Texts<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Said<infer Text> ? Text : Texts<Table[Name]>;
};

/** A table of texts, picked once for each language: `TEXTS[view.locale]`. */
export function inLanguages<Table extends object>(table: Table): Said<Texts<Table>> {
  return { 'en-GB': pick(table, 'en-GB'), 'it-IT': pick(table, 'it-IT') };
}

function pick<Table extends object>(table: Table, locale: Locale): Texts<Table> {
  const texts = Object.entries(table as Readonly<Record<string, object>>).map(([name, row]) => [
    name,
    locale in row ? (row as Said<unknown>)[locale] : pick(row, locale),
  ]);
  return Object.fromEntries(texts) as Texts<Table>;
}

// Numbers within texts.

const englishCounted = makeCounted('en-GB');
const englishList = makeFormats('en-GB').list;
const englishAge = (age: number): string => (age === 0 ? 'under 1' : String(age));
export const english = {
  counted: englishCounted,
  decimal: makeDecimal('en-GB'),
  nights: (count: number) => englishCounted(count, 'night', 'nights'),
  guests: (count: number) => englishCounted(count, 'guest', 'guests'),
  children: (ages: readonly number[]) =>
    `${englishCounted(ages.length, 'child', 'children')} (${englishList(ages.map(englishAge))})`,
  /** `2 adults, 2 children (4 and 9)`; without ages `4 guests`. */
  party: (party: Party) =>
    party.childAges === undefined
      ? english.guests(party.guests)
      : `${englishCounted(countAdults(party), 'adult', 'adults')}, ${english.children(party.childAges)}`,
  days: (count: number) => englishCounted(count, 'day', 'days'),
  properties: (count: number) => englishCounted(count, 'property', 'properties'),
};

const italianCounted = makeCounted('it-IT');
const italianList = makeFormats('it-IT').list;
const italianAge = (age: number): string => (age === 0 ? 'meno di 1' : String(age));
export const italian = {
  counted: italianCounted,
  decimal: makeDecimal('it-IT'),
  nights: (count: number) => italianCounted(count, 'notte', 'notti'),
  guests: (count: number) => italianCounted(count, 'ospite', 'ospiti'),
  children: (ages: readonly number[]) =>
    `${italianCounted(ages.length, 'bambino', 'bambini')} (${italianList(ages.map(italianAge))})`,
  party: (party: Party) =>
    party.childAges === undefined
      ? italian.guests(party.guests)
      : `${italianCounted(countAdults(party), 'adulto', 'adulti')}, ${italian.children(party.childAges)}`,
  days: (count: number) => italianCounted(count, 'giorno', 'giorni'),
  properties: (count: number) => italianCounted(count, 'struttura', 'strutture'),
};
