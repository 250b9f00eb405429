/** How a property writes its city: in each locale, and by its aliases. One key stands for all properties that write alike. */
import { foldPlaceName } from '../../../domain/place-name.ts';
import { allTexts, LOCALES, type Property, textFor } from '../../../domain/property.ts';

/** Some 300 bytes each. */
const KNOWN_MAX = 16_384;

export interface CitySpelling {
  /** In the order of LOCALES. */
  readonly cities: readonly string[];
  /** The same, folded. */
  readonly cityNames: readonly string[];
  /** Every text, with its folded name. */
  readonly names: readonly { readonly text: string; readonly folded: string }[];
}

export function citySpellingKey({ location, cityAliases }: Property): string {
  const cities = LOCALES.map((locale) => textFor(location.city, locale));
  return JSON.stringify([cities, [...allTexts(location.city), ...cityAliases]]);
}

const known = new Map<string, CitySpelling>();

/** Reads a key; at most KNOWN_MAX are remembered. */
export function readCitySpelling(key: string): CitySpelling {
  const read = known.get(key);
  if (read !== undefined) return read;
  const [cities, texts] = JSON.parse(key) as [string[], string[]];
  const names = [...new Set(texts)].map((text) => ({ text, folded: foldPlaceName(text) }));
  const spelling = { cities, cityNames: cities.map(foldPlaceName), names };
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(key, spelling);
  return spelling;
}
