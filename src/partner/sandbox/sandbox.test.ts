import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { utcDay } from '../../domain/local-date.ts';
import { createSandbox, SANDBOX_DAYS_MAX, SANDBOX_DAYS_WAITING_MAX } from './sandbox.ts';

const NOW_MS = Date.parse('2026-11-20T10:30:00Z');
const TODAY = utcDay(NOW_MS);
/** 59 properties, four to a slice. */
const SLICES = 15;

describe('Sandboxes of other days', () => {
  it('are kept for a few days, whatever is asked', async () => {
    const sandbox = createSandbox({ clock: () => NOW_MS, horizonNights: 30 });
    const first = await sandbox.on(TODAY);
    assert.equal(await sandbox.on(TODAY), first);
    const kept = new Set<unknown>();
    for (let ahead = 1; ahead <= 300; ahead += 1) kept.add(await sandbox.on(TODAY + ahead));
    assert.equal(kept.size, 300);
    for (let ahead = 301 - SANDBOX_DAYS_MAX; ahead <= 300; ahead += 1)
      assert.ok(kept.has(await sandbox.on(TODAY + ahead)));
    assert.notEqual(await sandbox.on(TODAY), first, 'forgotten');
  });

  it('wait to be generated up to a limit; one that waits is not asked for twice', async () => {
    const sandbox = createSandbox({ clock: () => NOW_MS, horizonNights: 30 });
    const waiting = Array.from({ length: SANDBOX_DAYS_WAITING_MAX }, (_, ahead) => sandbox.on(TODAY + ahead));
    assert.ok(waiting.every((day) => day !== undefined));
    assert.equal(sandbox.on(TODAY + 100), undefined);
    assert.equal(sandbox.on(TODAY + SANDBOX_DAYS_WAITING_MAX - 1), waiting.at(-1));
    await Promise.all(waiting);
    assert.ok(await sandbox.on(TODAY + 100));
  });

  it('are generated in slices, one day after the other', async () => {
    const sandbox = createSandbox({ clock: () => NOW_MS, horizonNights: 30 });
    let turns = 0;
    let isDone = false;
    const days = Promise.all([sandbox.on(TODAY + 1), sandbox.on(TODAY + 2)]).finally(() => (isDone = true));
    while (!isDone) {
      await nextTurn();
      turns += 1;
    }
    await days;
    assert.ok(turns >= 2 * SLICES, `${turns} turns of the event loop`);
  });
});

describe('A sandbox that could not be generated', () => {
  it('is tried again by the next request, today and any other day', async () => {
    let isBroken = false;
    const clock = (): number => {
      if (isBroken) throw new Error('the sandbox is broken');
      return NOW_MS;
    };
    const sandbox = createSandbox({ clock, horizonNights: 30 });
    const failing = [sandbox.today(), sandbox.on(TODAY + 1)!];
    isBroken = true;
    for (const day of failing) await assert.rejects(day, /the sandbox is broken/);
    isBroken = false;
    assert.ok((await sandbox.today()).findProperty('test-gap'));
    assert.ok((await sandbox.on(TODAY + 1))?.findProperty('test-gap'));
  });
});
