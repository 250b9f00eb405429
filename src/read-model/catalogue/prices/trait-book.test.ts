/** Traits of properties that are read once, and again for each other state and memory that they are asked of. */
import type { FoundMarket } from '../../../domain/found-markets.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { followed, HORIZON_NIGHTS, makeProperty, NOW_MS } from '../../../../test/kit/catalogue-samples.ts';
import { buildCalendar } from '../../../domain/calendar.ts';
import { Catalogue } from '../catalogue.ts';
import type { SearchedMarket } from '../index/market-search.ts';
import { TraitBook, TraitCursor } from './trait-book.ts';

const CITIES = ['Lucca', 'Pisa'];

function writeInto(catalogue: Catalogue, propertyType: string, revision: number): void {
  for (const city of CITIES) {
    const location = { city, country: 'IT', area: null };
    const property = makeProperty(city, { location, propertyType: `${propertyType} of ${city}` }, [2]);
    catalogue.apply(followed({ property, calendars: [buildCalendar([])] }, revision));
  }
}

function blockOf(catalogue: Catalogue, city: string) {
  let found: readonly FoundMarket[] = [];
  const query = { city, page: 1, pageSize: 1, locale: 'it-IT', partnerId: 'p1' } as const;
  catalogue.search(query, (_list, { markets }) => {
    found = markets;
    return true;
  });
  // The market that was searched, which is more than its name.
  return (found[0]!.market as (typeof found)[0]['market'] & SearchedMarket).blocks[0]!;
}

describe('A book of traits', () => {
  const options = { clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS };

  it('reads them again of a block that has changed, of another block, and of another memory', () => {
    const book = new TraitBook();
    const place = new TraitCursor(book);
    // Both are written alike, so that what is at an address of the one is at that of the other, in the same version.
    const catalogues = [new Catalogue(options), new Catalogue(options)];
    for (const [revision, kinds] of [
      [1, ['villa', 'flat']],
      [2, ['hotel', 'hut']],
    ] as const) {
      for (const [index, catalogue] of catalogues.entries()) writeInto(catalogue, kinds[index]!, revision);
      for (const city of CITIES) {
        for (const [index, catalogue] of catalogues.entries()) {
          place.seek(blockOf(catalogue, city), 0);
          const type = book.text(place.traits.types[place.index]!);
          assert.equal(type, `${kinds[index]} of ${city}`);
        }
      }
    }
  });
});
