import assert from 'node:assert/strict';
import { executionAsyncResource } from 'node:async_hooks';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext, runInThisContext } from 'node:vm';
import { keepTickShape, keptTick } from './v8.ts';

setFlagsFromString('--expose-gc');
setFlagsFromString('--allow-natives-syntax');
const collectGarbage = runInNewContext('gc') as () => void;
const haveSameShape = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (
  one: object,
  other: object,
) => boolean;

function tick(): Promise<object> {
  return new Promise((resolve) => process.nextTick(() => resolve(executionAsyncResource())));
}

describe('The shape of ticks', () => {
  it('the shape of ticks stays that of the kept one, however much garbage was collected', async () => {
    keepTickShape();
    await sleep(1);
    const kept = keptTick();
    assert.ok(kept !== undefined && 'callback' in kept, 'it is what process.nextTick makes');
    for (let round = 0; round < 3; round += 1) {
      collectGarbage();
      await sleep(1);
      assert.ok(haveSameShape(kept, await tick()));
    }
    keepTickShape();
    await sleep(1);
    assert.equal(keptTick(), kept, 'asked again, it keeps the one that it has');
  });
});
