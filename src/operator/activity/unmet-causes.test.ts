/** Causes and nearest openings equal those of the naive model, for cities of several properties and sources. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { NaiveStay } from '../../../test/kit/naive-model.ts';
import { type NaiveLayered, naiveUnmet } from '../../../test/kit/naive-unmet.ts';
import {
  calendarEntriesArbitrary,
  DAY_COUNT,
  FIRST_DAY,
  FIXED_SEED,
  stayArbitrary,
} from '../../../test/kit/property-arbitraries.ts';
import { makeInventoryType } from '../../../test/kit/property-fixtures.ts';
import { buildCalendar } from '../../domain/calendar.ts';
import { RESTRICTION_REASONS } from '../../domain/calendar-fields.ts';
import { makeOfferedNights } from '../../domain/eligibility.ts';
import { combineLayers } from '../../domain/layers.ts';
import { shiftAt } from '../../domain/nearest-shifts.ts';
import {
  addJudgements,
  type JudgedProperty,
  judgeProperty,
  NOTHING_JUDGED,
  type StayJudgement,
  type StayToJudge,
  UNMET_RULES,
} from './unmet-causes.ts';

const SOURCES = ['pms', 'manual', 'ical:x'];

const layersArbitrary = fc
  .uniqueArray(fc.record({ source: fc.constantFrom(...SOURCES), entries: calendarEntriesArbitrary }), {
    minLength: 0,
    maxLength: 3,
    selector: ({ source }) => source,
  })
  .chain((layers) =>
    // A single source half of the time, as most properties have it.
    fc.boolean().map((isSingle) => (isSingle ? layers.slice(0, 1) : layers)),
  );

const advance = fc.option(fc.constantFrom(0, 1, 3, 10), { nil: undefined, freq: 2 });
const typeArbitrary = fc
  .record({
    guestsMax: fc.constantFrom(1, 2, 2, 4, 30),
    minAdvanceDays: advance,
    maxAdvanceDays: fc.option(fc.constantFrom(5, 20, 40), { nil: undefined, freq: 2 }),
    layers: layersArbitrary,
  })
  .map(({ guestsMax, minAdvanceDays, maxAdvanceDays, layers }) => ({
    type: makeInventoryType({
      guestsMax,
      ...(minAdvanceDays === undefined ? {} : { minAdvanceDays }),
      ...(maxAdvanceDays === undefined ? {} : { maxAdvanceDays }),
    }),
    layers,
  }));

const horizon = fc.constantFrom(8, 24);
const propertyArbitrary: fc.Arbitrary<Omit<NaiveLayered, 'horizonNights'>> = fc.record({
  source: fc.constantFrom('pms', 'other'),
  types: fc.array(typeArbitrary, { minLength: 1, maxLength: 3 }),
  // Two timezones, one of which is a day further.
  today: fc.constantFrom(FIRST_DAY - 2, FIRST_DAY - 1),
});
const cityArbitrary: fc.Arbitrary<NaiveLayered[]> = horizon.chain((horizonNights) =>
  fc.array(
    propertyArbitrary.map((property) => ({ ...property, horizonNights })),
    { minLength: 1, maxLength: 3 },
  ),
);

const PROPERTY_ID = 'ponte';

function judgedOf({ source, types, today, horizonNights }: NaiveLayered): JudgedProperty {
  return {
    propertyId: PROPERTY_ID,
    source,
    offered: makeOfferedNights(today, horizonNights),
    types: types.map(({ type, layers }) => {
      const calendars = layers.map((layer) => ({
        source: layer.source,
        calendar: buildCalendar(layer.entries),
      }));
      return { type, calendar: combineLayers(calendars, 'pms'), layers: calendars };
    }),
  };
}

/** As the judging thread and its caller do: the nearest opening so far goes with each question. */
function judgeCity(city: readonly NaiveLayered[], stays: readonly NaiveStay[]): StayJudgement[] {
  let judged: StayJudgement[] = stays.map(() => NOTHING_JUDGED);
  for (const property of city) {
    const asked = stays.map(({ checkIn, checkOut, guests }, index): StayToJudge => ({
      checkIn,
      nights: checkOut - checkIn,
      guests,
      nearestDistance: judged[index]!.nearest?.distance,
    }));
    const found = judgeProperty(judgedOf(property), asked);
    judged = judged.map((one, index) => addJudgements(one, found[index]!));
  }
  return judged;
}

describe('Why nothing was found', () => {
  it('causes and nearest openings equal those of the naive model, for every rule and source', () => {
    const seen = new Set<string>();
    let [openings, layered] = [0, 0];
    fc.assert(
      fc.property(cityArbitrary, fc.array(stayArbitrary, { minLength: 1, maxLength: 2 }), (city, stays) => {
        const judged = judgeCity(city, stays);
        for (const [index, stay] of stays.entries()) {
          const { causes, nearest } = judged[index]!;
          const expected = naiveUnmet(city, stay);
          const named = causes.map(({ rule, source, properties }) => [`${rule} ${source}`, properties]);
          assert.deepEqual(Object.fromEntries(named), expected.causes);
          const opening = nearest && {
            checkIn: stay.checkIn + shiftAt(nearest.distance),
            properties: nearest.properties,
          };
          assert.deepEqual(opening, expected.nearest);
          assert.equal(
            judged[index]!.isPassed,
            city.every(({ today }) => stay.checkIn < today),
          );
          for (const { rule } of causes) seen.add(rule);
          const [first, ...others] = judged[index]!.blocked;
          assert.ok(others.length <= 1);
          const ofNights = RESTRICTION_REASONS.find((reason) => causes.some(({ rule }) => rule === reason));
          assert.equal(first?.rule, ofNights);
          if (nearest !== null && nearest.distance > 0) openings += 1;
          if (new Set(causes.map(({ source }) => source)).size > 1) layered += 1;
        }
      }),
      { ...FIXED_SEED, numRuns: 2_000 },
    );
    assert.deepEqual(seen, new Set(UNMET_RULES));
    assert.ok(openings > 500 && layered > 500, `${openings} openings, ${layered} with several sources`);
  });

  it('names the room and the first night that stand in the way of the first rules', () => {
    const open = { from: FIRST_DAY, to: FIRST_DAY + DAY_COUNT, set: { availability: 2 } };
    const closing = { from: FIRST_DAY + 5, to: FIRST_DAY + 6, set: { availability: 0 } };
    const cityOf = (...entries: (typeof open)[]) => ({
      source: 'pms',
      types: [{ type: makeInventoryType(), layers: [{ source: 'pms', entries }] }],
      today: FIRST_DAY,
      horizonNights: 60,
    });
    const stay = { checkIn: FIRST_DAY + 4, checkOut: FIRST_DAY + 6, guests: 2 };
    const [type] = cityOf(open).types;
    const small = {
      ...cityOf(open),
      types: [{ ...type!, type: makeInventoryType({ guestsMax: 1 }) }],
    };
    const { inventoryTypeId } = makeInventoryType();
    const common = { propertyId: PROPERTY_ID, inventoryTypeId };
    const shut = { ...common, rule: 'sold_out', night: FIRST_DAY + 5 };
    assert.deepEqual(
      judgeCity([small, cityOf(open, closing)], [stay])[0]!.blocked,
      [shut],
      'no night makes room',
    );
    assert.deepEqual(judgeCity([cityOf(open)], [stay])[0]!.blocked, []);
  });

  it('goes away from the arrival asked for by a day more each time, later before earlier', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((distance) => shiftAt(distance) + 0),
      [0, 1, -1, 2, -2],
    );
  });

  it('names who has closed a night, or the document where nobody has opened it', () => {
    const open = { from: FIRST_DAY, to: FIRST_DAY + DAY_COUNT, set: { availability: 2 } };
    const closing = { from: FIRST_DAY + 5, to: FIRST_DAY + 6, set: { availability: 0 } };
    const causeWith = (layers: NaiveLayered['types'][number]['layers']) => {
      const property = { source: 'pms', types: [{ type: makeInventoryType(), layers }] };
      const days = { today: FIRST_DAY, horizonNights: 60 };
      const stay = { checkIn: FIRST_DAY + 4, checkOut: FIRST_DAY + 6, guests: 2 };
      return judgeCity([{ ...property, ...days }], [stay])[0]!.causes;
    };
    const soldOut = { rule: 'sold_out', properties: 1 };
    const pms = { source: 'pms', entries: [open] };
    const manual = { source: 'manual', entries: [closing] };
    assert.deepEqual(causeWith([pms, manual]), [{ ...soldOut, source: 'manual' }]);
    assert.deepEqual(causeWith([{ source: 'pms', entries: [open, closing] }]), [
      { ...soldOut, source: 'pms' },
    ]);
    assert.deepEqual(causeWith([]), [{ ...soldOut, source: 'pms' }]);
  });

  it('calls no property too small whose larger type is only closed', () => {
    const entriesWith = (set: object) => [{ from: FIRST_DAY, to: FIRST_DAY + DAY_COUNT, set }];
    const typeOf = (guestsMax: number, set: object) => ({
      type: makeInventoryType({ guestsMax }),
      layers: [{ source: 'pms', entries: entriesWith({ availability: 2, ...set }) }],
    });
    const causesOf = (guests: number, ofLarger: object) => {
      const types = [typeOf(2, {}), typeOf(4, ofLarger)];
      const property = { source: 'pms', types, today: FIRST_DAY, horizonNights: 60 };
      const stay = { checkIn: FIRST_DAY + 4, checkOut: FIRST_DAY + 6, guests };
      return judgeCity([property], [stay])[0]!.causes.map(({ rule }) => rule);
    };
    assert.deepEqual(causesOf(4, { stopSell: 1 }), ['stop_sell']);
    assert.deepEqual(causesOf(4, { stopSell: 1, minStayThrough: 9 }), ['guests'], 'it fails fewer rules');
    assert.deepEqual(causesOf(5, { stopSell: 1 }), ['guests']);
  });
});
