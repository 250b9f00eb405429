/** The language of a text that is not in that of the page. */
import { type Locale, type LocalizedText, otherLanguageOf } from '../../domain/property.ts';
import { type Content, html } from '../kit/html.ts';

/** ` lang="en-GB"` where the text is not in the language of the page: a screen reader changes its voice. */
export function langOf(text: LocalizedText, locale: Locale): Content {
  const language = otherLanguageOf(text, locale);
  return language === undefined ? '' : html` lang="${language}"`;
}
