/** Discounts are kept as they are written, and price a stored property as the naive model does. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { DAY_MS } from '../../../src/domain/local-date.ts';
import type { Discount } from '../../../src/domain/property.ts';
import { decideStored } from '../../../src/domain/quote-decision.ts';
import { encodeProperty } from '../../../src/supply/run/encode-property.ts';
import { naiveQuote } from '../../kit/naive-model.ts';
import { stayArbitrary, worldArbitrary } from '../../kit/property-arbitraries.ts';
import { FIXED_SEED } from '../../kit/seeds.ts';
import { makeDiscount } from '../../kit/property-fixtures.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { sampleWrite } from './sample-rows.ts';
import { calendarWork, nightEntry, OPEN, send, suppliedWrite } from './supply-samples.ts';

const EARLY: Discount = {
  code: 'early \0 bird 🐦',
  name: { 'it-IT': 'Prenota prima', 'en-GB': 'Early bird' },
  percent: '12.50',
  minNights: 2,
  maxNights: 60,
  minAdvanceDays: 0,
  maxAdvanceDays: 730,
  stayFrom: '2026-12-01',
  stayTo: '2027-03-31',
  bookFrom: '2026-10-01',
  bookTo: '2026-11-30',
  inventoryTypeIds: ['double'],
};
const WORLDS = 60;
const STAYS_OF_EACH = 10;
const HOURS_TO_NOON = 12;

export function describeDiscounts(open: OpenFixture): void {
  describe('discounts', () => {
    it('are kept as they are, in their order, until a write has others or none', () =>
      withStorage(open, async (storage) => {
        const discounts = [EARLY, makeDiscount({ percent: '10' })];
        const write = (given: Partial<{ discounts: readonly Discount[] }>) =>
          storage.writeProperties([sampleWrite('a', given)]);
        const stored = async () => (await storage.findProperty('a'))?.property.discounts;
        assert.deepEqual(await write({ discounts }), ['created']);
        assert.deepEqual(await stored(), discounts);
        const turned = Object.fromEntries(Object.entries(EARLY).toReversed()) as unknown as Discount;
        assert.deepEqual(await write({ discounts: [turned, discounts[1]!] }), ['unchanged']);
        assert.deepEqual(await write({ discounts: discounts.toReversed() }), ['changed']);
        assert.deepEqual(await write({ discounts: [{ ...EARLY, percent: '12.5' }] }), ['changed']);
        assert.deepEqual(await write({}), ['changed']);
        assert.equal(await stored(), undefined);
      }));

    it('keep nothing that is not a field of theirs', () =>
      withStorage(open, async (storage) => {
        const widened = { ...EARLY, address: 'x' };
        await storage.writeProperties([sampleWrite('a', { discounts: [widened] })]);
        assert.deepEqual((await storage.findProperty('a'))?.property.discounts, [EARLY]);
      }));

    it('stay where a message changes the calendar', () =>
      withStorage(open, async (storage) => {
        const supplied = suppliedWrite('a', [[OPEN]]);
        const discounts = [makeDiscount()];
        await storage.writeProperties([{ ...supplied, property: { ...supplied.property, discounts } }]);
        const entries = [nightEntry(2, 3, { availability: 1 })];
        const sent = await send(storage, 'channel', calendarWork([{ propertyId: 'a', entries }]));
        assert.equal(sent.changed, 1);
        assert.deepEqual((await storage.findProperty('a'))?.property.discounts, discounts);
      }));

    it('price stored properties as the naive model does', () =>
      withStorage(open, async (storage) => {
        const worlds = fc.sample(worldArbitrary, { ...FIXED_SEED, numRuns: WORLDS }).map((world, index) => ({
          ...world,
          property: { ...world.property, propertyId: `p${index}` },
        }));
        await storage.writeProperties(
          worlds.map(({ property, entries, horizonNights }) =>
            encodeProperty(property, entries, { source: 'catalogue', horizonNights }),
          ),
        );
        const stays = fc.sample(stayArbitrary, { ...FIXED_SEED, numRuns: WORLDS * STAYS_OF_EACH });
        let discounted = 0;
        for (const [index, stay] of stays.entries()) {
          const world = worlds[index % WORLDS]!;
          const { property, today, horizonNights } = world;
          const stored = await storage.findProperty(property.propertyId);
          assert.deepEqual(stored?.property.discounts, property.discounts);
          // Noon in UTC is of the same day in Rome.
          const nowMs = today * DAY_MS + (HOURS_TO_NOON * DAY_MS) / 24;
          const { decision } = decideStored(stored!, stay, { nowMs, horizonNights });
          const expected = naiveQuote(world, stay);
          assert.equal(decision.outcome, expected.outcome);
          if (decision.outcome !== 'priced' || expected.outcome !== 'priced') continue;
          const { price, type } = decision;
          assert.deepEqual(
            [
              type.inventoryTypeId,
              price.discount?.terms.code,
              price.discount && BigInt(price.discount.amount),
              price.total,
            ],
            [
              expected.inventoryTypeId,
              expected.price.discount?.code,
              expected.price.discount?.amount ?? null,
              expected.price.total,
            ],
          );
          if (price.discount !== null) discounted++;
        }
        assert.ok(discounted > 20, `${discounted} were discounted`);
      }));
  });
}
