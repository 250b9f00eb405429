import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS } from '../../domain/local-date.ts';
import { createCache, createDayCache, CACHED_QUESTIONS_MAX } from './cache.ts';
import type { AskedDays } from './paths.ts';

/** Each making takes `tookMs` of a clock that only stands still or is moved. */
function keptFor(tookMs: number, failing: { now: boolean } = { now: false }) {
  const clock = { nowMs: 0, made: 0 };
  const kept = createCache({
    make: async () => {
      await Promise.resolve();
      clock.nowMs += tookMs;
      if (failing.now) throw new Error('away');
      return (clock.made += 1);
    },
    isOutdated: (ageMs) => ageMs >= 100,
    monotonicMs: () => clock.nowMs,
  });
  return { kept, clock };
}

describe('What is kept', () => {
  it('is made on the first question, once for all who ask at the same time', async () => {
    const { kept } = keptFor(1);
    assert.deepEqual(await Promise.all([kept.get(), kept.get(), kept.get()]), [1, 1, 1]);
  });

  it('is made again when it is outdated, and waited for where that is quick', async () => {
    const { kept, clock } = keptFor(1);
    await kept.get();
    clock.nowMs += 99;
    assert.equal(await kept.get(), 1);
    clock.nowMs += 1;
    assert.equal(await kept.get(), 2);
  });

  it('is shown as it was, and made again behind, where that is slow', async () => {
    const { kept, clock } = keptFor(31);
    await kept.get();
    clock.nowMs += 31 * 20 - 1;
    assert.equal(await kept.get(), 1);
    assert.equal(clock.made, 1, 'it takes at most a twentieth of the time');
    clock.nowMs += 1;
    assert.equal(await kept.get(), 1);
    await new Promise(setImmediate);
    assert.equal(await kept.get(), 2);
  });

  it('fails those who have nothing else to show, and is tried again for the next', async () => {
    const failing = { now: true };
    const { kept } = keptFor(1, failing);
    await assert.rejects(kept.get(), /away/);
    failing.now = false;
    assert.equal(await kept.get(), 1);
  });
});

const TODAY = 20_000;
const HOUR_MS = 3_600_000;

function keptAt(hour: number) {
  const clock = { nowMs: TODAY * DAY_MS + hour * HOUR_MS, monotonicMs: 0 };
  const kept = createDayCache(
    () => clock.nowMs,
    () => clock.monotonicMs,
  );
  const asked: string[] = [];
  const read = (what: string, from: number, to: number) =>
    kept.read(what, { from, to }, async (days: AskedDays) => {
      asked.push(`${days.from - TODAY} to ${days.to - TODAY}`);
      return Array.from({ length: days.to - days.from + 1 }, (_, index) => ({ day: days.from + index }));
    });
  return { asked, clock, read };
}

describe('Days of a page', () => {
  it('are read once where they have ended, and today each time', async () => {
    const { asked, read } = keptAt(12);
    const first = await read('demand', TODAY - 2, TODAY);
    assert.deepEqual(
      first.map(({ day }) => day - TODAY),
      [-2, -1, 0],
    );
    assert.deepEqual(await read('demand', TODAY - 2, TODAY), first);
    assert.deepEqual(asked, ['-2 to -1', '0 to 0', '0 to 0']);
  });

  it('are others where the days begin or end on another one', async () => {
    const { asked, read } = keptAt(12);
    for (const [from, to] of [
      [-4, -2],
      [-3, -2],
      [-4, -1],
      [-4, -2],
    ] as const) {
      const found = await read('demand', TODAY + from, TODAY + to);
      assert.deepEqual([found[0]!.day - TODAY, found.at(-1)!.day - TODAY], [from, to]);
    }
    assert.deepEqual(asked, ['-4 to -2', '-3 to -2', '-4 to -1']);
  });

  it('have not ended in the hour after their midnight', async () => {
    const { asked, read } = keptAt(0.99);
    await read('demand', TODAY - 2, TODAY);
    assert.deepEqual(asked, ['-2 to -2', '-1 to 0']);
  });

  it('days of a page are read as one part when all have ended, or none has', async () => {
    const { asked, read } = keptAt(12);
    await read('demand', TODAY - 9, TODAY - 5);
    await read('demand', TODAY, TODAY + 1);
    assert.deepEqual(asked, ['-9 to -5', '0 to 1']);
  });

  it('are read again after ten minutes', async () => {
    const { asked, clock, read } = keptAt(12);
    await read('demand', TODAY - 2, TODAY - 1);
    clock.monotonicMs += 599_999;
    await read('demand', TODAY - 2, TODAY - 1);
    assert.equal(asked.length, 1);
    clock.monotonicMs += 1;
    await read('demand', TODAY - 2, TODAY - 1);
    assert.equal(asked.length, 2);
  });

  it(`are kept for ${CACHED_QUESTIONS_MAX} questions: the one that was asked longest ago goes`, async () => {
    const { asked, read } = keptAt(12);
    const ask = (index: number) => read(`question ${index}`, TODAY - 1, TODAY - 1);
    for (let index = 0; index < CACHED_QUESTIONS_MAX; index += 1) await ask(index);
    await ask(0);
    await ask(CACHED_QUESTIONS_MAX);
    await ask(0);
    assert.equal(asked.length, CACHED_QUESTIONS_MAX + 1);
    await ask(1);
    assert.equal(asked.length, CACHED_QUESTIONS_MAX + 2);
  });
});
