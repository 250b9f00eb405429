/**
 * Lists of the form with names in the reader's language: countries, currencies, zones, kinds and amenities. A field
 * takes a code, or a name in either language, without case and accents; other texts stay as they were typed.
 */
import { COUNTRY_CODES } from '../../../domain/document/country-codes.ts';
import { CURRENCY_CODES } from '../../../domain/currency-codes.ts';
import type { JsonObject } from '../../../domain/document/document-fields.ts';
import { foldPlaceName } from '../../../domain/place-name.ts';
import { LOCALES, type Locale } from '../../../domain/property.ts';
import { readable } from '../../../http/html/formats.ts';
import { EN_GB } from '../../../traveller/web/messages/en-gb.ts';
import { IT_IT } from '../../../traveller/web/messages/it-it.ts';
import { drawFields, type FormFields } from './fields.ts';

export interface Listed {
  readonly code: string;
  readonly name: string;
}

/** Kinds that travellers read by a name in both languages; any other text is a kind, too. */
const KINDS =
  'apartment hotel bed-and-breakfast guest-house holiday-home house villa farmhouse hostel inn studio loft room chalet cottage bungalow aparthotel resort campsite boat';
/** Amenities in the order of the form; any other text is an amenity, too. */
export const AMENITY_CODES: readonly string[] = (
  'wifi kitchen parking air-conditioning heating tv washer dryer dishwasher lift balcony terrace garden pool sauna gym ' +
  'fireplace breakfast refrigerator oven microwave coffee-maker hair-dryer iron dedicated-workspace pets-allowed ' +
  'private-entrance self-check-in smoke-alarm first-aid-kit'
).split(' ');

const TEXTS = { 'en-GB': EN_GB, 'it-IT': IT_IT } as const;

const LISTS = {
  'location.country': listOf(COUNTRY_CODES, (code, locale) => displayName('region', code, locale)),
  currency: listOf(CURRENCY_CODES, (code, locale) => displayName('currency', code, locale)),
  timezone: listOf(Intl.supportedValuesOf('timeZone'), (code) => code),
  propertyType: listOf(
    KINDS.split(' '),
    (code, locale) => TEXTS[locale].propertyType(code) ?? readable(code),
  ),
  amenities: listOf(AMENITY_CODES, (code, locale) => TEXTS[locale].amenityName(code) ?? readable(code)),
} as const;
export type ListName = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as readonly ListName[];

export function isListed(template: string): template is ListName {
  return Object.hasOwn(LISTS, template);
}

/** Sorted by name; amenities in the order of the form. */
export function listed(name: ListName, locale: Locale): readonly Listed[] {
  const list = LISTS[name].listed(locale);
  const names = name === 'timezone' ? zoneNames.get(locale) : undefined;
  return names === undefined ? list : list.map(({ code }) => ({ code, name: names.get(code) ?? code }));
}

/** Made when it is first asked for. */
function listOf(codes: Iterable<string>, nameOf: (code: string, locale: Locale) => string) {
  const made = new Map<Locale, readonly Listed[]>();
  const listedIn = (locale: Locale): readonly Listed[] => {
    const known = made.get(locale);
    if (known !== undefined) return known;
    const list = Array.from(codes, (code) => ({ code, name: nameOf(code, locale) }));
    made.set(locale, list);
    return list;
  };
  return { codes: [...codes], listed: listedIn };
}

const namesIn = (locale: Locale) => ({
  region: new Intl.DisplayNames(locale, { type: 'region' }),
  currency: new Intl.DisplayNames(locale, { type: 'currency' }),
});
const DISPLAY_NAMES = { 'en-GB': namesIn('en-GB'), 'it-IT': namesIn('it-IT') } as const;

function displayName(type: 'region' | 'currency', code: string, locale: Locale): string {
  return DISPLAY_NAMES[locale][type].of(code) ?? code;
}

/** The names of all zones take a tenth of a second, in which nobody may wait: the thread of pages makes them. */
const zoneNames = new Map<Locale, ReadonlyMap<string, string>>();

/** For the thread of pages; without it zones have no names. */
export function prepareZoneNames(locale: Locale): void {
  if (zoneNames.has(locale)) return;
  const names = LISTS.timezone.codes.map((code) => [code, zoneName(code, locale)] as const);
  zoneNames.set(locale, new Map(names));
}

function zoneName(timeZone: string, locale: Locale): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(0);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

const codes = new Map<ListName, ReadonlyMap<string, string>>();

/** The code of a text that is a code or a name; undefined: neither. Names of zones are of many zones, and name none. */
export function findCode(list: ListName, text: string): string | undefined {
  let known = codes.get(list);
  if (known === undefined) {
    const made = new Map<string, string>();
    const add = (name: string, code: string): unknown =>
      made.has(foldPlaceName(name)) || made.set(foldPlaceName(name), code);
    for (const code of LISTS[list].codes) add(code, code);
    if (list !== 'timezone')
      for (const locale of LOCALES) for (const { code, name } of listed(list, locale)) add(name, code);
    codes.set(list, (known = made));
  }
  return known.get(foldPlaceName(text));
}

/** The field of an amenity's box, and the one that says that boxes were shown. */
export const amenityField = (code: string): string => `amenities.${code}`;
export const BOXES_FIELD = 'amenities.boxes';

/**
 * The fields with codes in place of names, and the amenities of boxes and lines in one field. A value that is as it was
 * in `base` stays, however it is written.
 */
export function withCodes(fields: FormFields, base: JsonObject): FormFields {
  const read = new Map(fields);
  const before = drawFields(base);
  for (const name of ['location.country', 'currency', 'timezone', 'propertyType'] as const) {
    const text = read.get(name);
    if (text === undefined || text === before.get(name)) continue;
    read.set(name, findCode(name, text) ?? text);
  }
  const lines = read.get('amenities');
  if (lines !== undefined) read.set('amenities', amenitiesOf(read, lines, before.get('amenities') ?? ''));
  for (const name of fields.keys()) if (name.startsWith('amenities.')) read.delete(name);
  return read;
}

/** Those of `before` first, in their order. */
function amenitiesOf(fields: FormFields, lines: string, before: string): string {
  const split = (text: string): string[] => text.split('\n').map((line) => line.trim());
  const known = split(before).filter((line) => line !== '');
  const typed = split(lines).filter((line) => line !== '');
  const coded = typed.map((line) => (known.includes(line) ? line : (findCode('amenities', line) ?? line)));
  const boxes = AMENITY_CODES.filter((code) => fields.has(amenityField(code)));
  if (!fields.has(BOXES_FIELD) && coded.join('\n') === typed.join('\n')) return lines;
  const all = new Set([...coded, ...boxes]);
  return [...known.filter((one) => all.has(one)), ...[...all].filter((one) => !known.includes(one))].join(
    '\n',
  );
}
