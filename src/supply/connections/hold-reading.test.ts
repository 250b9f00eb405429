/** Holding back a reading, against a model that looks at one night after the other. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '../../../test/kit/catalogue-samples.ts';
import { buildCalendar, type Calendar, type CalendarEntry } from '../../domain/calendar.ts';
import { valueAt } from '../../domain/night-runs.ts';
import { holdReading } from './hold-reading.ts';

const TODAY = 1_000;
const NIGHTS = 24;
const CASES = 20_000;

/** Nights around today. A layer may lack some, which were never read; a reading has all. */
function randomCalendar(random: () => number, { isWhole }: { readonly isWhole: boolean }): Calendar {
  const below = (count: number): number => Math.floor(random() * count);
  const closed = [0.1, 0.5, 0.9][below(3)]!;
  const entries: CalendarEntry[] = [];
  for (let night = TODAY - 3; night < TODAY + NIGHTS; night += 1) {
    if (!isWhole && random() < 0.1) continue;
    const price = random() < 0.2 ? {} : priceOf(below, random);
    const stop = random() < 0.1 ? { stopSell: below(2) } : {};
    const availability = random() < closed ? 0 : 1 + below(2);
    entries.push({ from: night, to: night, set: { availability, ...price, ...stop } });
  }
  return buildCalendar(entries);
}

function priceOf(below: (count: number) => number, random: () => number): CalendarEntry['set'] {
  const rate = [1, 49, 50, 99, 100, 200][below(6)]!;
  if (random() < 0.7) return { rate };
  return {
    ratesByGuests: [
      { guests: 1, rate },
      { guests: 2, rate: rate + below(50) },
    ],
  };
}

interface Night {
  readonly units: number | undefined;
  readonly isOpen: boolean;
  readonly price: number | undefined;
}

function nightOf(calendar: Calendar, night: number): Night {
  const units = valueAt(calendar.availability, night);
  const isStopped = valueAt(calendar.stopSell, night) === 1;
  const byGuests = valueAt(calendar.ratesByGuests, night);
  const price = byGuests === undefined ? valueAt(calendar.rate, night) : byGuests[0]!.rate;
  return { units, isOpen: units !== undefined && units > 0 && !isStopped, price };
}

/** As OPERATOR says it: half or more of the closed nights open, or of the prices fall by more than half. */
function naive(before: Calendar, after: Calendar, isRepeated: boolean) {
  let [closed, opened, priced, fallen] = [0, 0, 0, 0];
  for (let night = TODAY; night < TODAY + NIGHTS; night += 1) {
    const [was, is] = [nightOf(before, night), nightOf(after, night)];
    if (was.units !== undefined && !was.isOpen) {
      closed += 1;
      if (is.isOpen) opened += 1;
    }
    if (was.price === undefined) continue;
    priced += 1;
    if (is.price !== undefined && is.price * 2 < was.price) fallen += 1;
  }
  return {
    opens: !isRepeated && closed > 0 && opened * 2 >= closed,
    cheapens: fallen > 0 && fallen * 2 >= priced,
  };
}

describe('Holding back a reading', () => {
  it(`decides as the model does, and keeps what it holds, in ${CASES} random pairs`, () => {
    const random = seededRandom(20_261_130);
    const seen = { opens: 0, cheapens: 0, both: 0 };
    for (let index = 0; index < CASES; index += 1) {
      const before = randomCalendar(random, { isWhole: false });
      const after = randomCalendar(random, { isWhole: true });
      const isRepeated = random() < 0.2;
      const { applied, opens, cheapens } = holdReading(before, after, { today: TODAY, isRepeated });
      assert.deepEqual({ opens, cheapens }, naive(before, after, isRepeated), `pair ${index}`);
      seen.opens += Number(opens);
      seen.cheapens += Number(cheapens);
      seen.both += Number(opens && cheapens);
      if (!opens && !cheapens) assert.deepEqual(applied, after);
      for (let night = TODAY; night < TODAY + NIGHTS; night += 1) {
        const [was, is, becomes] = [before, after, applied].map((one) => nightOf(one, night)) as [
          Night,
          Night,
          Night,
        ];
        const wasClosed = was.units !== undefined && !was.isOpen;
        assert.equal(becomes.isOpen, opens && wasClosed ? false : is.isOpen, `pair ${index}, night ${night}`);
        const isFallen = was.price !== undefined && is.price !== undefined && is.price * 2 < was.price;
        assert.equal(
          becomes.price,
          cheapens && isFallen ? was.price : is.price,
          `pair ${index}, night ${night}`,
        );
      }
    }
    assert.ok(seen.opens > 500 && seen.cheapens > 100 && seen.both > 50, JSON.stringify(seen));
  });

  it('holds nothing of the first reading', () => {
    const random = seededRandom(7);
    for (let index = 0; index < 100; index += 1) {
      const held = holdReading(buildCalendar([]), randomCalendar(random, { isWhole: true }), {
        today: TODAY,
        isRepeated: false,
      });
      assert.deepEqual([held.opens, held.cheapens], [false, false]);
    }
  });
});
