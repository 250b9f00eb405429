/**
 * Random catalogues through the whole stack: imported, served and asked over HTTP, held against a model that walks
 * one night at a time. The dated list is the catalogue filtered by availability; an available stay is a quotable
 * one, prices aside; pages together are the list; and all of it stays so while the catalogue changes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { formatLocalDate } from '../../../src/domain/local-date.ts';
import { formatMoney } from '../../../src/domain/money.ts';
import type { PartnerPropertySummary } from '../../../src/contract/partner/property-schemas.ts';
import { formatPropertyDocument } from '../../../src/supply/native/format-property-document.ts';
import { until } from '../../kit/command-line.ts';
import {
  naiveDays,
  naiveIsAvailable,
  naiveQuote,
  naiveStartingRate,
  type NaiveStay,
  type NaiveWorld,
} from '../../kit/naive-model.ts';
import { FIRST_DAY, FIXED_SEED, stayArbitrary, worldArbitrary } from '../../kit/property-arbitraries.ts';
import { hotel, inCity, type Line } from '../../kit/catalogue-lines.ts';
import { type Installation, openInstallation } from '../../kit/installation.ts';
import { PartnerClient, type Query, quoteBody } from '../../kit/partner-client.ts';

const PROPERTY_COUNT = 60;
const HORIZON_NIGHTS = 30;
/** The third day of the random calendars in UTC; half an hour before noon it is another day in two of the zones. */
const TODAY = FIRST_DAY + 3;
const NOW_MS = TODAY * 86_400_000 + 11.5 * 3_600_000;
const TODAY_IN: Readonly<Record<string, number>> = {
  'Europe/Rome': TODAY,
  'Pacific/Kiritimati': TODAY + 1,
  'Etc/GMT+12': TODAY - 1,
};
const CITIES = ['City 0', 'City 1', 'City 2'];
const COUNTRIES = ['IT', 'FR'];
const PARTNERS = ['acme', 'bits'];
const VISIBILITIES = ['all', 'all', ['acme'], ['bits'], ['acme', 'bits'], []] as const;

/** Of the service by property, as it should be now. */
const worlds = new Map<string, NaiveWorld>();
const clients = new Map<string, PartnerClient>();
let installation: Installation;

before(async () => {
  installation = await openInstallation();
  installation.time.nowMs = NOW_MS;
  const sampled = fc.sample(worldArbitrary, { ...FIXED_SEED, numRuns: PROPERTY_COUNT });
  await write(sampled.map((world, index) => placeWorld(world, index)));
  const tokens = new Map<string, string>();
  for (const partnerId of PARTNERS) tokens.set(partnerId, (await installation.issue({ partnerId })).token);
  const { partnerUrl } = await installation.serve({ HORIZON_NIGHTS: `${HORIZON_NIGHTS}` });
  for (const [partnerId, token] of tokens) clients.set(partnerId, new PartnerClient(partnerUrl, token));
});
after(() => installation.close());

const cityOf = (index: number) => CITIES[index % CITIES.length]!;

/** The random property at a place of the catalogue, which decides its city, zone and visibility. */
function placeWorld(world: NaiveWorld, index: number): NaiveWorld {
  const timezone = Object.keys(TODAY_IN)[index % 3]!;
  const property = {
    ...world.property,
    propertyId: `p${index}`,
    timezone,
    location: { city: cityOf(index), country: COUNTRIES[index % 2]!, area: null },
    visibleTo: VISIBILITIES[index % VISIBILITIES.length]!,
  };
  return { ...world, property, today: TODAY_IN[timezone]!, horizonNights: HORIZON_NIGHTS };
}

async function write(changed: readonly NaiveWorld[], ...others: readonly Line[]): Promise<void> {
  for (const world of changed) worlds.set(world.property.propertyId, world);
  const lines = changed.map(({ property, entries }) => formatPropertyDocument(property, entries));
  const { rejections } = await installation.importLines([...lines, ...others]);
  assert.deepEqual(rejections, []);
}

interface Search {
  readonly partnerId: string;
  readonly city: string;
  readonly country: string | undefined;
  readonly guests: number | undefined;
  readonly stay: NaiveStay | undefined;
}

const searchArbitrary = (stay: fc.Arbitrary<NaiveStay | undefined>): fc.Arbitrary<Search> =>
  fc.record({
    partnerId: fc.constantFrom(...PARTNERS),
    city: fc.constantFrom(...CITIES),
    country: fc.constantFrom(undefined, undefined, ...COUNTRIES),
    guests: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
    stay,
  });
const placeArbitrary = fc.record({
  index: fc.nat(PROPERTY_COUNT - 1),
  partnerId: fc.constantFrom(...PARTNERS),
  stay: stayArbitrary,
});

const isVisible = ({ property: { visibleTo } }: NaiveWorld, partnerId: string) =>
  visibleTo === 'all' || visibleTo.includes(partnerId);

/** What the list must hold, in its order. */
function expectedIds({ partnerId, city, country, guests, stay }: Search): readonly string[] {
  const found = [...worlds.values()].filter((world) => {
    const { location, inventoryTypes } = world.property;
    if (!isVisible(world, partnerId) || location.city !== city) return false;
    if (country !== undefined && location.country !== country) return false;
    if (stay !== undefined) return naiveIsAvailable(world, stay);
    return inventoryTypes.some(({ guestsMax }) => guestsMax >= (guests ?? 1));
  });
  return found.map(({ property }) => property.propertyId).toSorted();
}

/** All pages, one behind the other, each asked for by its number. */
async function findAll(search: Search, pageSize: number): Promise<readonly PartnerPropertySummary[]> {
  const { partnerId, city, country, guests, stay } = search;
  const query: Query = { city, country, ...(stay === undefined ? { guests } : datesOf(stay)), pageSize };
  const items: PartnerPropertySummary[] = [];
  for (let page = 1; ; page++) {
    const { success } = await clients.get(partnerId)!.search({ ...query, page });
    items.push(...success.items);
    if (success.pagination.hasMore) continue;
    assert.equal(success.pagination.total, items.length);
    return items;
  }
}

function datesOf({ checkIn, checkOut, guests }: NaiveStay) {
  return { checkIn: formatLocalDate(checkIn), checkOut: formatLocalDate(checkOut), guests };
}

const pageSizeArbitrary = fc.constantFrom(1, 3, 20, 50);

async function assertList(search: Search, pageSize: number): Promise<void> {
  const items = await findAll(search, pageSize);
  assert.deepEqual(
    items.map(({ propertyId }) => propertyId),
    expectedIds(search),
  );
}

/** Availability and quote of one property for one stay against the model. */
async function assertStay(world: NaiveWorld, partnerId: string, stay: NaiveStay): Promise<void> {
  const { propertyId } = world.property;
  const client = clients.get(partnerId)!;
  const { checkIn, checkOut, guests } = datesOf(stay);
  const availability = await client.availability(propertyId, { checkIn, checkOut, guests });
  const quote = await client.quote(quoteBody(propertyId, checkIn, checkOut, guests));
  if (!isVisible(world, partnerId)) {
    assert.deepEqual([availability.status, quote.status], [404, 404]);
    return;
  }
  const { available, days } = availability.success;
  assert.equal(available, naiveIsAvailable(world, stay));
  assert.deepEqual(
    days.map((day) => day.available),
    naiveDays(world, stay),
  );
  assert.equal(quote.outcome !== '409 STAY_UNAVAILABLE', available, 'quotable, prices aside');

  const expected = naiveQuote(world, stay);
  if (expected.outcome !== 'priced') {
    assert.equal(quote.outcome, `409 ${expected.outcome}`);
    return;
  }
  const { price, inventoryTypeId } = expected;
  const { pricing, quoteId } = quote.success;
  assert.deepEqual(
    [pricing.accommodation, pricing.cleaningFee, pricing.taxes, pricing.total],
    [price.accommodation, price.cleaningFee, price.taxes, price.total].map(formatMoney),
  );
  assert.equal((await installation.storage.findQuote(quoteId))?.inventoryTypeId, inventoryTypeId);
}

describe('a random catalogue, served', () => {
  it('lists with dates exactly what is available then, page by page', async () => {
    const property = fc.asyncProperty(searchArbitrary(stayArbitrary), pageSizeArbitrary, assertList);
    await fc.assert(property, { ...FIXED_SEED, numRuns: 80 });
  });

  it('lists without dates what is visible there and has room, page by page', async () => {
    const property = fc.asyncProperty(searchArbitrary(fc.constant(undefined)), pageSizeArbitrary, assertList);
    await fc.assert(property, { ...FIXED_SEED, numRuns: 40 });
  });

  it('lists a property with dates exactly when it says that it is available', async () => {
    const property = fc.asyncProperty(placeArbitrary, async ({ index, partnerId, stay }) => {
      const { propertyId } = worlds.get(`p${index}`)!.property;
      const client = clients.get(partnerId)!;
      const { items } = (await client.search({ city: cityOf(index), pageSize: 50, ...datesOf(stay) }))
        .success;
      const availability = await client.availability(propertyId, datesOf(stay));
      const isAvailable = availability.status === 200 && availability.success.available;
      assert.equal(
        items.some((item) => item.propertyId === propertyId),
        isAvailable,
      );
    });
    await fc.assert(property, { ...FIXED_SEED, numRuns: 80 });
  });

  it('decides and prices every stay as the model does, night by night', async () => {
    const property = fc.asyncProperty(placeArbitrary, ({ index, partnerId, stay }) =>
      assertStay(worlds.get(`p${index}`)!, partnerId, stay),
    );
    await fc.assert(property, { ...FIXED_SEED, numRuns: 200 });
  });

  it('starts every price at the lowest rate of an open night within the horizon', async () => {
    const stay = undefined;
    for (const [partnerId, city] of PARTNERS.flatMap((id) => CITIES.map((name) => [id, name] as const))) {
      const items = await findAll({ partnerId, city, country: undefined, guests: undefined, stay }, 50);
      for (const { propertyId, startingPrice } of items) {
        const rate = naiveStartingRate(worlds.get(propertyId)!);
        assert.equal(startingPrice, rate === null ? null : formatMoney(BigInt(rate)), propertyId);
      }
    }
  });
});

describe('a random catalogue that changes while it is served', () => {
  it('is listed, decided and priced as if it had been served so from the start', async () => {
    let round = 0;
    const changesArbitrary = fc.array(fc.tuple(fc.nat(PROPERTY_COUNT - 1), worldArbitrary), {
      minLength: 5,
      maxLength: 15,
    });
    const property = fc.asyncProperty(
      changesArbitrary,
      fc.array(searchArbitrary(stayArbitrary), { minLength: 5, maxLength: 5 }),
      fc.array(placeArbitrary, { minLength: 5, maxLength: 5 }),
      async (changes, searches, places) => {
        const changed = new Map(changes.map(([index, world]) => [index, placeWorld(world, index)]));
        const marker = `marker-${(round += 1)}`;
        await write([...changed.values()], hotel(marker, inCity('Elsewhere')));
        // Written in the same transaction as all the others, or after them.
        await until(async () => (await clients.get('acme')!.property(marker)).status === 200);
        for (const search of searches) await assertList(search, 50);
        for (const { index, partnerId, stay } of places) {
          await assertStay(worlds.get(`p${index}`)!, partnerId, stay);
        }
      },
    );
    await fc.assert(property, { ...FIXED_SEED, numRuns: 12 });
  });
});
