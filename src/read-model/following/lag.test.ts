import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Lag } from './lag.ts';

describe('the lag', () => {
  it('is the time since the start until anything was applied', () => {
    const lag = new Lag(1_000);
    assert.equal(1_000 - lag.levelAtMs, 0);
    lag.saw(7, 2_000);
    assert.deepEqual([lag.revisions, 3_000 - lag.levelAtMs], [7, 2_000]);
  });

  it('is none at rest: each look at a database that has nothing new is level with it', () => {
    const lag = new Lag(0);
    lag.apply(5);
    for (const askedAtMs of [100, 200, 300]) lag.saw(5, askedAtMs);
    assert.deepEqual([lag.revisions, 300 - lag.levelAtMs, 310 - lag.levelAtMs], [0, 0, 10]);
  });

  it('counts from when the database was asked, not from when the answer was applied', () => {
    const lag = new Lag(0);
    lag.saw(1, 500);
    lag.apply(1);
    assert.equal(900 - lag.levelAtMs, 400);
  });

  it('shows the whole backlog, however it is worked off', () => {
    const lag = new Lag(0);
    lag.apply(10);
    lag.saw(10, 100);
    for (let second = 1; second <= 30; second++) lag.saw(10 + second * 5, second * 1_000);
    lag.apply(12);
    assert.deepEqual([lag.revisions, 30_000 - lag.levelAtMs], [148, 29_900]);
    lag.apply(15);
    assert.equal(30_000 - lag.levelAtMs, 29_000, 'level with what there was after the first second');
  });

  it('stays bounded while a writer never stops', () => {
    const lag = new Lag(0);
    // 20 ms behind, for a minute: never level with the database as it is now.
    for (let nowMs = 20; nowMs < 60_000; nowMs += 10) {
      lag.saw(nowMs, nowMs);
      lag.apply(nowMs - 20);
      if (nowMs > 100)
        assert.ok(
          nowMs - lag.levelAtMs >= 20 && nowMs - lag.levelAtMs <= 50,
          `${nowMs - lag.levelAtMs} at ${nowMs}`,
        );
    }
  });

  it('never goes back, in whatever order answers arrive', () => {
    const lag = new Lag(0);
    lag.saw(9, 400);
    lag.saw(8, 300);
    lag.apply(9);
    lag.apply(3);
    assert.deepEqual([lag.revisions, 1_000 - lag.levelAtMs], [0, 600]);
    lag.saw(9, 100);
    assert.equal(1_000 - lag.levelAtMs, 600);
  });

  it('goes down with a database that went back, also when an answer of before it comes late', () => {
    const lag = new Lag(0);
    lag.saw(9, 100);
    lag.apply(9);
    lag.lose();
    lag.saw(12, 200);
    lag.saw(4, 300);
    lag.saw(11, 250);
    assert.equal(lag.revisions, 4);
    lag.apply(4);
    assert.deepEqual([lag.revisions, 400 - lag.levelAtMs], [0, 100]);
  });
});
