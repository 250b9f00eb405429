import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { naiveInstead, naiveReasons, type NaiveStay, type NaiveWorld } from '../../test/kit/naive-model.ts';
import { stayArbitrary, worldArbitrary } from '../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import { dayOf } from '../../test/kit/property-fixtures.ts';
import { buildCalendar, type EntryFields } from './calendar.ts';
import { makeOfferedNights, type StayRequest } from './eligibility.ts';
import { findInstead, otherStays } from './instead-stays.ts';
import { formatLocalDate } from './local-date.ts';
import { readPriceTerms } from './price-terms.ts';
import { decideQuote } from './quote-decision.ts';
import { STAY_NIGHTS_MAX } from './stay-limits.ts';
import {
  explainRefused,
  presentReason,
  type PresentedReason,
  REASON_CODES,
  sayReason,
  type StayReason,
} from './stay-reasons.ts';
import { inOneTurn } from '../runtime/in-turns.ts';

function look(world: NaiveWorld) {
  const { property, entries, today, horizonNights } = world;
  const terms = readPriceTerms(property);
  const calendars = entries.map(buildCalendar);
  const offered = makeOfferedNights(today, horizonNights);
  const decide = (stay: StayRequest) => decideQuote({ property, terms }, calendars, stay, offered);
  const explain = (stay: StayRequest): readonly StayReason[] =>
    inOneTurn(explainRefused({ property, terms }, calendars, stay, offered));
  const instead = (stay: StayRequest) => {
    if (!property.quoting || decide(stay).outcome === 'priced') return [];
    const ask = (dates: Omit<StayRequest, 'guests'>) => {
      const decision = decide({ ...stay, ...dates });
      if (decision.outcome === 'STAY_UNAVAILABLE') return undefined;
      return decision.outcome === 'priced' ? decision.price.total : null;
    };
    return inOneTurn(findInstead(otherStays(stay), ask)).map(({ checkIn, checkOut, answer }) => ({
      checkIn: formatLocalDate(checkIn),
      checkOut: formatLocalDate(checkOut),
      nights: checkOut - checkIn,
      total: answer,
    }));
  };
  return { explain: (stay: StayRequest) => explain(stay).map(presentReason), instead };
}

describe('Reasons of a stay', () => {
  it('and the stays instead equal the naive model', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(worldArbitrary, fc.array(stayArbitrary, { minLength: 3, maxLength: 3 }), (world, stays) => {
        const { explain, instead } = look(world);
        for (const stay of stays) {
          const reasons = explain(stay);
          assert.deepEqual(reasons, naiveReasons(world, stay));
          assert.deepEqual(instead(stay), naiveInstead(world, stay));
          for (const { code } of reasons) seen.set(code, (seen.get(code) ?? 0) + 1);
        }
      }),
      { ...RUN_SEED, numRuns: 600 },
    );
    for (const code of REASON_CODES) assert.ok((seen.get(code) ?? 0) > 5, `${code} ${seen.get(code)}`);
  });

  it('are undone, each, by just its change', () => {
    const undone = new Map<string, number>();
    fc.assert(
      fc.property(worldArbitrary, stayArbitrary, (drawn, stay) => {
        const world = firstTypeOf(drawn);
        for (const reason of look(world).explain(stay)) {
          const changed = changedBy(reason, stay, world);
          if (changed === undefined) continue;
          const codes = look(changed.world ?? world).explain(changed.stay ?? stay);
          assert.ok(
            !codes.some(({ code }) => code === reason.code),
            `${reason.code} ${JSON.stringify(changed)}`,
          );
          undone.set(reason.code, (undone.get(reason.code) ?? 0) + 1);
        }
      }),
      { ...RUN_SEED, numRuns: 1_500 },
    );
    for (const code of REASON_CODES) assert.ok((undone.get(code) ?? 0) > 3, `${code} ${undone.get(code)}`);
  });

  it('have a sentence in each language, with what they say', () => {
    const format = {
      guestsMax: (guests: number) => `${guests} guests`,
      date: formatLocalDate,
      days: (days: number) => `${days} days`,
      dates: (dates: readonly number[]) => dates.map((date) => formatLocalDate(date)).join(' and '),
      nights: (nights: number) => `${nights} nights`,
    };
    const date = dayOf('2026-12-04');
    assert.equal(
      sayReason({ code: 'MIN_STAY', nights: 3 }, 'en-GB', format),
      'From this arrival date the shortest stay is 3 nights.',
    );
    assert.equal(
      sayReason({ code: 'NIGHTS_CLOSED', dates: [date, date + 1] }, 'it-IT', format),
      'Queste notti non sono libere: 2026-12-04 and 2026-12-05.',
    );
    assert.equal(sayReason({ code: 'NO_PRICE', dates: [] }, 'en-GB', format), 'Prices are not given online.');
  });
});

function firstTypeOf(world: NaiveWorld): NaiveWorld {
  const [type] = world.property.inventoryTypes;
  return {
    ...world,
    property: { ...world.property, inventoryTypes: [type!] },
    entries: world.entries.slice(0, 1),
  };
}

interface Changed {
  readonly stay?: NaiveStay;
  readonly world?: NaiveWorld;
}

/** The stay, or the nights, changed by just what the reason says; undefined where nothing would do. */
function changedBy(reason: PresentedReason, stay: NaiveStay, world: NaiveWorld): Changed | undefined {
  const length = stay.checkOut - stay.checkIn;
  const from = (checkIn: number) => ({ stay: { ...stay, checkIn, checkOut: checkIn + length } });
  const set = (dates: readonly string[], fields: EntryFields) => {
    const entries = dates.map((date) => ({ from: dayOf(date), to: dayOf(date), set: fields }));
    return { world: { ...world, entries: world.entries.map((own) => [...own, ...entries]) } };
  };
  switch (reason.code) {
    case 'CAPACITY':
      return { stay: { ...stay, guests: reason.guestsMax } };
    case 'PAST':
      return from(dayOf(reason.date));
    case 'BEYOND_HORIZON':
      return from(dayOf(reason.date) + 1 - length);
    case 'TOO_SOON':
    case 'TOO_FAR_AHEAD':
      return from(world.today + reason.days);
    case 'NIGHTS_CLOSED':
      return set(reason.dates, { availability: 1, stopSell: null });
    case 'CLOSED_TO_ARRIVAL':
      return set([reason.date], { closedToArrival: 0 });
    case 'CLOSED_TO_DEPARTURE':
      return set([reason.date], { closedToDeparture: 0 });
    case 'MIN_STAY':
      return reason.nights > STAY_NIGHTS_MAX
        ? undefined
        : { stay: { ...stay, checkOut: stay.checkIn + reason.nights } };
    case 'MAX_STAY':
      return { stay: { ...stay, checkOut: stay.checkIn + reason.nights } };
    case 'NO_PRICE':
      // Where there are no quotes at all, nothing is told of what else would be missing.
      return reason.dates.length === 0 ? undefined : set(reason.dates, { rate: 10_000, ratesByGuests: null });
  }
}
