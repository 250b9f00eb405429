/** Texts of a property document: one for all locales, or one per locale. */
import { LOCALES, type Locale, type LocalizedText } from '../../domain/property.ts';
import { Fields, readText, type TextRules } from './document-fields.ts';

const LOCALE_NAMES: ReadonlySet<string> = new Set(LOCALES);

/** A required text that is not blank in any locale. */
export function readLocalizedText(fields: Fields, name: string, lengthMax: number): LocalizedText {
  if (!fields.isPresent(name)) return '';
  return readLocalized(fields, name, { lengthMax });
}

/** A text that may be missing, null or blank. */
export function readOptionalLocalizedText(
  fields: Fields,
  name: string,
  lengthMax: number,
): LocalizedText | null {
  if (fields.isNull(name)) return null;
  return readLocalized(fields, name, { lengthMax, mayBeBlank: true });
}

function readLocalized(fields: Fields, name: string, rules: TextRules): LocalizedText {
  const value = fields.value(name);
  const path = fields.path(name);
  if (typeof value === 'string') return readText(value, path, rules, fields.findings);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fields.report(name, `must be a string, or an object of strings by locale (${LOCALES.join(', ')})`);
    return '';
  }
  const byLocale = Fields.of(value, path, LOCALE_NAMES, fields.findings);
  const texts: Partial<Record<Locale, string>> = {};
  for (const locale of LOCALES) {
    if (!byLocale.has(locale)) continue;
    texts[locale] = readText(byLocale.value(locale), byLocale.path(locale), rules, fields.findings);
  }
  if (Object.keys(texts).length === 0) fields.report(name, `must have a text for ${LOCALES.join(' or ')}`);
  return texts;
}
