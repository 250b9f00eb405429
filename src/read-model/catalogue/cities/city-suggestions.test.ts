import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { followed, HORIZON_NIGHTS, makeProperty, NOW_MS } from '../../../../test/kit/catalogue-samples.ts';
import { naiveRank } from '../../../../test/kit/naive-cities.ts';
import { RUN_SEED } from '../../../../test/kit/seeds.ts';
import { buildCalendar } from '../../../domain/calendar.ts';
import { foldPlaceName } from '../../../domain/place-name.ts';
import {
  allTexts,
  isVisibleTo,
  LOCALES,
  type Locale,
  type Property,
  textFor,
} from '../../../domain/property.ts';
import { Catalogue } from '../catalogue.ts';
import type { CityQuery, CitySuggestion } from './city-suggestions.ts';

const NAMES = [
  'Roma',
  'ROMA',
  'Rome',
  "L'Aquila",
  'L’Aquila',
  'Aquila',
  'San Marino',
  'Marino',
  'Romans',
  'Rom',
];
const TEXTS = [
  'r',
  'rom',
  'ROMA',
  'roam',
  'romans',
  'aquila',
  'acquila',
  'l aquila',
  'san',
  'marino',
  'marnio',
];
const PARTNERS = ['p1', 'p2'];

const name = fc.constantFrom(...NAMES);
const propertyArbitrary = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
  city: fc.oneof(
    name,
    fc.tuple(name, name).map(([it, en]) => ({ 'it-IT': it, 'en-GB': en })),
    name.map((en) => ({ 'en-GB': en })),
  ),
  country: fc.constantFrom('IT', 'FR'),
  cityAliases: fc.array(name, { maxLength: 2 }),
  visibleTo: fc.constantFrom<Property['visibleTo']>('all', ['p1'], ['p2'], []),
  isGone: fc.boolean(),
});

type Drawn = typeof propertyArbitrary extends fc.Arbitrary<infer T> ? T : never;

function propertyOf({ id, city, country, cityAliases, visibleTo }: Drawn): Property {
  return makeProperty(id, { location: { city, country, area: null }, cityAliases, visibleTo }, [2]);
}

const namesOf = ({ location, cityAliases }: Property) => [...allTexts(location.city), ...cityAliases];

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** One after the other: every property that the partner sees, every name of it. */
function naiveCities(
  properties: readonly Property[],
  { text, country, locale, partnerId, limit }: CityQuery,
): CitySuggestion[] {
  const seen = properties.filter((property) => isVisibleTo(property, partnerId));
  const asked = foldPlaceName(text);
  const cityOf = ({ location }: Property) => textFor(location.city, locale);
  const cities = new Map<string, Property[]>();
  for (const property of seen) {
    if (country !== undefined && property.location.country !== country) continue;
    const key = `${property.location.country} ${foldPlaceName(cityOf(property))}`;
    cities.set(key, [...(cities.get(key) ?? []), property]);
  }
  const found = [...cities].flatMap(([key, own]) => {
    const folded = key.slice(3);
    const matches = own.flatMap((property) =>
      namesOf(property).flatMap((written) => {
        const rank = naiveRank(foldPlaceName(written), asked);
        return rank === undefined ? [] : [{ rank, text: written, isOwn: written === cityOf(property) }];
      }),
    );
    if (matches.length === 0) return [];
    const [best] = matches.toSorted(
      (one, other) =>
        one.rank - other.rank || Number(other.isOwn) - Number(one.isOwn) || compare(one.text, other.text),
    );
    const finds = seen.filter(
      (property) =>
        property.location.country === key.slice(0, 2) &&
        namesOf(property).some((written) => foldPlaceName(written) === folded),
    );
    const city = own.map(cityOf).toSorted(compare)[0]!;
    return [
      { rank: best!.rank, city, country: key.slice(0, 2), matched: best!.text, properties: finds.length },
    ];
  });
  return found
    .toSorted(
      (one, other) =>
        one.rank - other.rank ||
        other.properties - one.properties ||
        compare(one.city, other.city) ||
        compare(one.country, other.country),
    )
    .slice(0, limit)
    .map(({ city, country: of, matched, properties: count }) => ({
      city,
      country: of,
      matched,
      properties: count,
    }));
}

function suggest({ questions }: Catalogue, query: CityQuery): readonly CitySuggestion[] {
  return questions.answer('cities', query);
}

describe('City suggestions', () => {
  it('are those of a naive recount for each partner, after changes', () => {
    fc.assert(
      fc.property(
        fc.array(propertyArbitrary, { maxLength: 14 }),
        fc.constantFrom(...TEXTS),
        fc.constantFrom<Locale>(...LOCALES),
        fc.constantFrom(...PARTNERS),
        fc.option(fc.constantFrom('IT', 'FR'), { nil: undefined }),
        fc.integer({ min: 1, max: 4 }),
        (drawn, text, locale, partnerId, country, limit) => {
          const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
          const held = new Map<string, Property>();
          for (const [index, one] of drawn.entries()) {
            const property = propertyOf(one);
            if (one.isGone) catalogue.forget(one.id);
            else catalogue.apply(followed({ property, calendars: [buildCalendar([])] }, index + 1));
            if (one.isGone) held.delete(one.id);
            else held.set(one.id, property);
          }
          const query = { text, locale, partnerId, country, limit, asker: 'c1' };
          assert.deepEqual(suggest(catalogue, query), naiveCities([...held.values()], query));
        },
      ),
      { ...RUN_SEED, numRuns: 150 },
    );
  });

  it('find the properties of each city in a search', () => {
    const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
    const cities = ['Aix-en-Provence', 'Aix en Provence', 'Łódź', 'Ærøskøbing', '東京'];
    for (const [index, city] of cities.entries()) {
      const property = makeProperty(`h${index}`, { location: { city, country: 'FR', area: null } }, [2]);
      catalogue.apply(followed({ property, calendars: [buildCalendar([])] }, index + 1));
    }
    const ask = (text: string) =>
      suggest(catalogue, {
        text,
        locale: 'en-GB',
        partnerId: 'p1',
        country: undefined,
        limit: 5,
      });
    for (const text of ['aix', 'provence', 'lodz', 'aeroskobing', 'aroskobing', '東', 'AIX EN PROVENZE']) {
      const [city] = ask(text);
      assert.ok(city !== undefined, text);
      const query = {
        city: city.city,
        country: city.country,
        page: 1,
        pageSize: 9,
        locale: 'en-GB',
        partnerId: 'p1',
      } as const;
      assert.equal(catalogue.findPage(query).found.total, city.properties);
    }
    assert.deepEqual(ask('nowhere'), []);
  });
});
