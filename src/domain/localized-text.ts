/** Texts that the operator may give once for all locales, or locale by locale. */
import { DEFAULT_LOCALE, LOCALES, type Locale, type LocalizedText } from './property.ts';

/** The text for `locale`; where it is missing the one for it-IT, then any other that there is. */
export function textFor(text: LocalizedText, locale: Locale): string {
  if (typeof text === 'string') return text;
  const found = text[locale] ?? text[DEFAULT_LOCALE] ?? allTexts(text)[0];
  if (found === undefined) throw new TypeError('a localized text needs at least one locale');
  return found;
}

/** Every distinct text, the default locale's first. */
export function allTexts(text: LocalizedText): readonly string[] {
  if (typeof text === 'string') return [text];
  return [...new Set(LOCALES.map((locale) => text[locale]).filter((entry) => entry !== undefined))];
}
