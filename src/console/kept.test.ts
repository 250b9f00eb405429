import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createKept } from './kept.ts';

/** Each making takes `tookMs` of a clock that only stands still or is moved. */
function keptFor(tookMs: number, failing: { now: boolean } = { now: false }) {
  const clock = { nowMs: 0, made: 0 };
  const kept = createKept({
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
