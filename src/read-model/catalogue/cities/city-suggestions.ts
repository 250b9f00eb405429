/** Suggests the cities that a text begins: those of properties that the partner sees, and no others. */
import { compareCodePoints } from '../../../domain/code-points.ts';
import { foldPlaceName } from '../../../domain/place-name.ts';
import { type Locale, LOCALES } from '../../../domain/property.ts';
import { NO_ROWS } from '../index/bit-lines.ts';
import type { Block } from '../index/block.ts';
import { type SearchedMarket, searchMarkets } from '../index/market-search.ts';
import { readCitySpelling, type CitySpelling } from '../index/city-spellings.ts';
import { matchBeginnings, matchMistakes, MATCH_RANKS, type MatchRank, type WordPage } from './match-words.ts';

export interface CityQuery {
  /** Folds to at least one letter. */
  readonly text: string;
  /** ISO 3166-1 alpha-2; any country when absent. */
  readonly country: string | undefined;
  readonly locale: Locale;
  readonly limit: number;
  readonly partnerId: string;
}

export interface CitySuggestion {
  /** In the locale. */
  readonly city: string;
  readonly country: string;
  /** The name or alias that the text begins. */
  readonly matched: string;
  /** How many properties a search for the city finds. */
  readonly properties: number;
}

/** A market by its counts; blocks are opened only where some partners see less of it than others. */
export interface CountedMarket {
  readonly country: string;
  readonly restrictedCount: number;
  readonly nameCounts: ReadonlyMap<string, number>;
  readonly spellingCounts: ReadonlyMap<string, number>;
  readonly whole: () => SearchedMarket;
}

/** In one version of the catalogue. */
export interface CityNames {
  readonly pages: readonly WordPage[];
  /** Markets in which a folded name is known. */
  readonly named: (name: string) => readonly CountedMarket[];
}

/** A city: a country and a folded name. */
interface FoundCity {
  readonly country: string;
  readonly name: string;
  readonly rank: MatchRank;
  matched: Matched;
  properties: number;
}

interface Matched {
  readonly text: string;
  /** It is the city's own name in the locale. */
  readonly isOwn: boolean;
}

/** The best first, at most `limit`. */
export function suggestCities(cities: CityNames, query: CityQuery): readonly CitySuggestion[] {
  const text = foldPlaceName(query.text);
  const found = new Map<string, FoundCity>();
  for (const [rank, names] of namesByRank(cities.pages, text)) {
    for (const name of names) addCities(found, cities, name, rank, query);
    if (found.size >= query.limit) break;
  }
  for (const city of found.values())
    city.properties = countProperties(marketsOf(cities, city.name, city.country), city.name, query.partnerId);
  const shown = mostProperties([...found.values()], query.limit).map((city) => {
    return { ...city, city: writtenName(cities, city, query) };
  });
  return shown
    .toSorted(
      (one, other) =>
        one.rank - other.rank ||
        other.properties - one.properties ||
        compareCodePoints(one.city, other.city) ||
        compareCodePoints(one.country, other.country),
    )
    .slice(0, query.limit)
    .map(({ city, country, matched, properties }) => ({ city, country, matched: matched.text, properties }));
}

/** The cities among which a page of `limit` is chosen by name: those that have more, and all that have as many. */
function mostProperties(cities: readonly FoundCity[], limit: number): readonly FoundCity[] {
  const order = (one: FoundCity, other: FoundCity) =>
    one.rank - other.rank || other.properties - one.properties;
  const last = cities.toSorted(order)[limit - 1];
  return last === undefined ? cities : cities.filter((city) => order(city, last) <= 0);
}

/** The best first; mistakes are looked for only when they are asked for. */
function* namesByRank(
  pages: readonly WordPage[],
  text: string,
): Generator<readonly [MatchRank, Iterable<string>]> {
  const beginnings = matchBeginnings(pages, text);
  const byRank = Map.groupBy(beginnings, ([, rank]) => rank);
  const last = MATCH_RANKS.length - 1;
  for (let rank = 0; rank < last; rank++) yield [rank, (byRank.get(rank) ?? []).map(([name]) => name)];
  yield [last, [...matchMistakes(pages, text)].filter((name) => !beginnings.has(name))];
}

/** Adds the cities that answer to a folded name, unless a better rank found them. */
function addCities(
  found: Map<string, FoundCity>,
  cities: CityNames,
  name: string,
  rank: MatchRank,
  query: CityQuery,
): void {
  const localeIndex = LOCALES.indexOf(query.locale);
  for (const { country, spelling } of visibleSpellings(
    marketsOf(cities, name, query.country),
    query.partnerId,
  )) {
    const city = spelling.cities[localeIndex]!;
    const cityName = spelling.cityNames[localeIndex]!;
    for (const { text, folded } of spelling.names) {
      if (folded !== name) continue;
      const key = `${country} ${cityName}`;
      const matched = { text, isOwn: text === city };
      const before = found.get(key);
      if (before === undefined) found.set(key, { country, name: cityName, rank, matched, properties: 0 });
      else if (before.rank === rank) before.matched = betterMatch(before.matched, matched);
    }
  }
}

function betterMatch(one: Matched, other: Matched): Matched {
  if (one.isOwn !== other.isOwn) return one.isOwn ? one : other;
  return compareCodePoints(one.text, other.text) <= 0 ? one : other;
}

function marketsOf(cities: CityNames, name: string, country: string | undefined): readonly CountedMarket[] {
  const named = cities.named(name);
  return country === undefined ? named : named.filter((market) => market.country === country);
}

/** How properties that the partner sees write their city. */
function* visibleSpellings(
  markets: readonly CountedMarket[],
  partnerId: string,
): Generator<{ readonly country: string; readonly spelling: CitySpelling }> {
  for (const market of markets) {
    const keys = market.restrictedCount === 0 ? market.spellingCounts.keys() : visibleKeys(market, partnerId);
    for (const key of keys) yield { country: market.country, spelling: readCitySpelling(key) };
  }
}

/** Spellings of hidden properties are not looked at: the time of an answer would tell that they are there. */
function* visibleKeys(market: CountedMarket, partnerId: string): Generator<string> {
  for (const block of market.whole().blocks) {
    const visible = visibleRows(block, partnerId);
    if (!visible.some((word) => word !== 0)) continue;
    for (const [key, { words }] of block.lines.citySpellings)
      if (words.some((word, index) => (word & visible[index]!) !== 0)) yield key;
  }
}

function visibleRows({ lines }: Block, partnerId: string): Int32Array {
  const own = lines.visibleToPartner.get(partnerId)?.words ?? NO_ROWS;
  return lines.visibleToAll.words.map((word, index) => word | own[index]!);
}

function countProperties(markets: readonly CountedMarket[], cityName: string, partnerId: string): number {
  if (markets.every(({ restrictedCount }) => restrictedCount === 0))
    return markets.reduce((sum, { nameCounts }) => sum + nameCounts.get(cityName)!, 0);
  const whole = markets.map((market) => market.whole());
  const hits = searchMarkets(whole, { cityName, partnerId, guests: undefined, stay: undefined });
  return hits.reduce((sum, { count }) => sum + count, 0);
}

/** The least by code point of those that properties write. */
function writtenName(
  cities: CityNames,
  { name, country }: FoundCity,
  { locale, partnerId }: CityQuery,
): string {
  const localeIndex = LOCALES.indexOf(locale);
  const written = [...visibleSpellings(marketsOf(cities, name, country), partnerId)]
    .filter(({ spelling }) => spelling.cityNames[localeIndex] === name)
    .map(({ spelling }) => spelling.cities[localeIndex]!);
  return written.toSorted(compareCodePoints)[0]!;
}
