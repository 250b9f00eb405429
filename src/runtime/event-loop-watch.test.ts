import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CALM_MS_MAX,
  CALM_SAMPLES_MIN,
  createOverloadVerdict,
  type EventLoopWatch,
  LATE_MS_MAX,
  LATE_SAMPLES_MIN,
  SAMPLE_INTERVAL_MS,
  watchEventLoop,
} from './event-loop-watch.ts';

describe('The verdict', () => {
  it('is overloaded after 2 samples over 500 ms, and calm after 10 of at most 100 ms', () => {
    assert.deepEqual(
      { SAMPLE_INTERVAL_MS, LATE_MS_MAX, LATE_SAMPLES_MIN, CALM_MS_MAX, CALM_SAMPLES_MIN },
      {
        SAMPLE_INTERVAL_MS: 100,
        LATE_MS_MAX: 500,
        LATE_SAMPLES_MIN: 2,
        CALM_MS_MAX: 100,
        CALM_SAMPLES_MIN: 10,
      },
    );
  });

  it('takes one late sample for a pause, however long', () => {
    const verdict = createOverloadVerdict();
    for (const lateMs of [60_000, 0, 2000, LATE_MS_MAX - 1, 3000, 0]) {
      assert.equal(verdict.take(lateMs), false);
      assert.equal(verdict.isOverloaded(), false);
    }
  });

  it('begins with late samples in a row, ends with calm ones in a row, and tells each change once', () => {
    const verdict = createOverloadVerdict();
    assert.equal(verdict.take(LATE_MS_MAX), false);
    assert.equal(verdict.take(LATE_MS_MAX), true);
    assert.equal(verdict.isOverloaded(), true);
    assert.equal(verdict.take(LATE_MS_MAX * 2), false);
    for (let sample = 1; sample < CALM_SAMPLES_MIN; sample += 1) assert.equal(verdict.take(0), false);
    // Neither late nor calm: the overload goes on, and the calm ones count from the start.
    assert.equal(verdict.take(CALM_MS_MAX), false);
    for (let sample = 1; sample < CALM_SAMPLES_MIN; sample += 1) assert.equal(verdict.take(0), false);
    assert.equal(verdict.isOverloaded(), true);
    assert.equal(verdict.take(0), true);
    assert.equal(verdict.isOverloaded(), false);
  });
});

describe('The watch', () => {
  let watch: EventLoopWatch | undefined;
  afterEach(() => watch?.stop());

  it('sees an event loop whose every turn takes too long, and its end', async () => {
    const changes: { readonly isOverloaded: boolean; readonly lateMs: number }[] = [];
    watch = watchEventLoop((isOverloaded, lateMs) => changes.push({ isOverloaded, lateMs }));
    await delay(3 * SAMPLE_INTERVAL_MS);
    assert.equal(changes.length, 0);
    for (let turn = 0; turn < 5 && changes.length === 0; turn += 1) {
      block(LATE_MS_MAX + 2 * SAMPLE_INTERVAL_MS);
      await delay(1);
    }
    assert.equal(watch.isOverloaded(), true);
    assert.ok((changes.at(0)?.lateMs ?? 0) >= LATE_MS_MAX);
    assert.ok(watch.delay().maxMs >= LATE_MS_MAX, String(watch.delay().maxMs));
    assert.ok(watch.delay().p50Ms < watch.delay().maxMs);

    await delay((CALM_SAMPLES_MIN - 2) * SAMPLE_INTERVAL_MS);
    assert.equal(watch.isOverloaded(), true);
    for (let sample = 0; sample < 100 && watch.isOverloaded(); sample += 1) await delay(SAMPLE_INTERVAL_MS);
    assert.deepEqual(
      changes.map(({ isOverloaded }) => isOverloaded),
      [true, false],
    );
  });
});

function block(milliseconds: number): void {
  const untilMs = performance.now() + milliseconds;
  while (performance.now() < untilMs);
}
