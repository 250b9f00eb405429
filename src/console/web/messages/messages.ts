/**
 * The console's texts that many pages share. Those of one page are in its folder. Ids, codes, commands and JSON field
 * names are the same in every language.
 */
import type { Locale } from '../../../domain/property.ts';
import { FORM_TEXTS } from './form-texts.ts';
import { FRAME_TEXTS } from './frame-texts.ts';
import { english, inLanguages, italian, said } from './said.ts';
import { WORDS } from './words.ts';

export type Messages = (typeof MESSAGES)[Locale];

export const MESSAGES = inLanguages({
  locale: said<Locale>('en-GB', 'it-IT'),
  nights: said(english.nights, italian.nights),
  guests: said(english.guests, italian.guests),
  party: said(english.party, italian.party),
  days: said(english.days, italian.days),
  /** `1,250.00` of an amount or a count, as the language writes it. */
  decimal: said(english.decimal, italian.decimal),
  words: WORDS,
  ...FRAME_TEXTS,
  ...FORM_TEXTS,
});
