/** A city of which each generation is told from every other one by each of its fields, and what a reader finds in it. */
import assert from 'node:assert/strict';
import type { CatalogueReader } from '../../src/read-model/catalogue/catalogue-reader.ts';
import { buildCalendar } from '../../src/domain/calendar.ts';
import type { FollowedProperty, WithdrawnProperty } from '../../src/storage/catalogue/store.ts';
import { followed, makeProperty, TODAY } from './catalogue-samples.ts';

const PROPERTY_COUNT = 60;
/** Properties in every generation. */
const ALWAYS_COUNT = 30;
const PAGE_SIZE = 20;
const STAY = { checkIn: TODAY + 3, checkOut: TODAY + 6 };

const idOf = (index: number): string => `h${String(index).padStart(3, '0')}`;

/** How many properties a generation has: those with the lowest ids. */
function countOf(generation: number): number {
  return ALWAYS_COUNT + (generation % (PROPERTY_COUNT - ALWAYS_COUNT + 1));
}

/** Everything that leads from the generation before to this one. */
export function* changesTo(generation: number): Generator<FollowedProperty | WithdrawnProperty> {
  for (let index = 0; index < PROPERTY_COUNT; index++) {
    if (index < countOf(generation)) yield propertyOf(index, generation);
    else yield { propertyId: idOf(index), revision: generation };
  }
  // Beside it, in memory that is used again and again.
  yield followed(
    {
      property: { ...makeProperty('other', {}, [2]), location: inCity('Milano', generation) },
      calendars: [buildCalendar([])],
    },
    generation,
  );
}

function inCity(city: string, generation: number) {
  return { city, country: 'IT', area: `area ${generation}` };
}

function propertyOf(index: number, generation: number): FollowedProperty {
  const given = {
    name: `name ${generation}`,
    description: `${generation} `.repeat(1 + ((generation * 7 + index) % 90)),
    location: inCity('Venezia', generation),
    amenities: [`amenity-${generation}`],
    rating: { score: 4, count: generation },
  };
  // Its second type is there in every other generation, so that rows move.
  const guestsMax = (generation + index) % 2 === 0 ? [2] : [2, 3];
  const open = buildCalendar([
    { from: TODAY, to: TODAY + 20, set: { availability: 1, rate: 100 * generation } },
  ]);
  return followed(
    { property: makeProperty(idOf(index), given, guestsMax), calendars: guestsMax.map(() => open) },
    generation,
  );
}

interface Item {
  readonly propertyId: string;
  readonly name: string;
  readonly description: string;
  readonly location: { readonly city: string; readonly area: string };
  readonly amenities: readonly string[];
  readonly rating: { readonly count: number };
  readonly startingPrice: string;
}

export interface JudgedRead {
  readonly generation: number;
  /** Properties of which every field was looked at. */
  readonly itemCount: number;
}

/** Reads a page and a property; throws unless each answer is of one generation. */
export function readOnce(catalogue: CatalogueReader, turn: number): JudgedRead {
  const page = 1 + (turn % 2);
  const query = { city: 'venezia', page, pageSize: PAGE_SIZE, partnerId: 'p1', locale: 'it-IT' } as const;
  const stay = turn % 3 === 0 ? undefined : STAY;
  const list = catalogue.list({ ...query, stay, guests: 2 });
  const { items, pagination } = JSON.parse(Buffer.from(list).toString()) as {
    readonly items: readonly Item[];
    readonly pagination: { readonly total: number };
  };
  const generation = items[0]!.rating.count;
  assert.equal(pagination.total, countOf(generation), `total of generation ${generation}`);
  assert.equal(items.length, Math.min(PAGE_SIZE, pagination.total - (page - 1) * PAGE_SIZE));
  for (const [index, item] of items.entries()) {
    assert.equal(item.propertyId, idOf((page - 1) * PAGE_SIZE + index));
    assertGeneration(item, generation);
  }
  const summary = catalogue.findSummary(idOf(turn % ALWAYS_COUNT), 'it-IT', 'p1')!;
  const one = JSON.parse(summary) as Item;
  assert.equal(one.propertyId, idOf(turn % ALWAYS_COUNT));
  assertGeneration(one, one.rating.count);
  const availability = catalogue.findAvailability({
    ...STAY,
    propertyId: idOf(turn % ALWAYS_COUNT),
    guests: 2,
    partnerId: 'p1',
  });
  assert.match(availability!, /"available":true,"days"/);
  assert.ok(one.rating.count >= generation, 'nothing that was seen is unseen');
  return { generation: one.rating.count, itemCount: items.length + 1 };
}

function assertGeneration(item: Item, generation: number): void {
  assert.equal(item.name, `name ${generation}`);
  assert.equal(item.description.replaceAll(`${generation} `, ''), '');
  assert.deepEqual(item.location, inCity('Venezia', generation));
  assert.deepEqual(item.amenities, [`amenity-${generation}`]);
  assert.equal(item.startingPrice, `${generation}.00`);
}
