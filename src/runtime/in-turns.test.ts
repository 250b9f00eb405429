import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inOneTurn, inTurns, type Steps } from './in-turns.ts';

const STEPS = 20;

/** Each step takes a millisecond. */
function* work(onStep: () => void): Steps<string> {
  for (let step = 0; step < STEPS; step += 1) {
    for (const untilMs = performance.now() + 1; performance.now() < untilMs;);
    onStep();
    yield;
  }
  return 'done';
}

describe('Work in steps', () => {
  it('lets other work come in after each long step', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const seen: number[] = [];
    assert.equal(await inTurns(work(() => void seen.push(turns))), 'done');
    isOver = true;
    assert.equal(new Set(seen).size, STEPS, seen.join());
  });

  it('gives the same in one turn', () => {
    let steps = 0;
    assert.equal(inOneTurn(work(() => (steps += 1))), 'done');
    assert.equal(steps, STEPS);
  });
});
