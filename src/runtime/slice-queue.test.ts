import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ADVANTAGE_SLICES, SliceQueue } from './slice-queue.ts';

it('lets work that goes on take turns with work that begins, in the order asked', async () => {
  const queue = new SliceQueue(10);
  const order: string[] = [];
  const work = async (name: string, slices: number): Promise<void> => {
    await queue.begin();
    for (let slice = 0; slice < slices; slice += 1) {
      order.push(name);
      if (slice < slices - 1) await queue.continue();
    }
  };
  await Promise.all([work('a', 3), work('b', 1), work('c', 1), work('d', 2), work('e', 1)]);
  assert.deepEqual(order, ['a', 'b', 'a', 'c', 'a', 'd', 'd', 'e']);
});

it('refuses a caller who would wait beyond the bound, but none who has begun', async () => {
  const queue = new SliceQueue(2);
  assert.equal(await queue.begin(), true);
  const waiting = [queue.begin(), queue.begin()];
  assert.equal(await queue.begin(), false);
  const goingOn = [queue.continue(), queue.continue(), queue.continue()];
  assert.deepEqual(await Promise.all(waiting), [true, true]);
  await Promise.all(goingOn);
  assert.equal(await queue.begin(), true);
});

it('lets askers take turns, and the greediest give a place up', async () => {
  const queue = new SliceQueue(4);
  const order: string[] = [];
  const begin = async (asker: string): Promise<boolean> => {
    const isBegun = await queue.begin(asker);
    if (isBegun) order.push(asker);
    return isBegun;
  };
  const greedy = Array.from({ length: 5 }, () => begin('greedy'));
  assert.equal(await queue.begin('greedy'), false);
  const other = begin('other');
  assert.deepEqual(await Promise.all(greedy), [true, true, true, true, false]);
  assert.equal(await other, true);
  assert.deepEqual(order, ['greedy', 'other', 'greedy', 'greedy', 'greedy']);
});

it('lets an asker who was away go first, and not for longer than it says', async () => {
  const queue = new SliceQueue(10);
  const order: string[] = [];
  const work = async (asker: string, slices: number): Promise<void> => {
    await queue.begin(asker);
    for (let slice = 0; slice < slices; slice += 1) {
      order.push(asker);
      if (slice < slices - 1) await queue.continue(asker);
    }
  };
  const crowd = Array.from({ length: 4 }, () => work('crowd', ADVANTAGE_SLICES));
  while (order.length < 2 * ADVANTAGE_SLICES) await queue.begin('crowd');
  const beforeIt = order.length;
  await work('guest', 6);
  assert.deepEqual(order.slice(beforeIt, beforeIt + 7).filter((asker) => asker === 'guest').length, 6);
  const long = work('long', 3 * ADVANTAGE_SLICES);
  await Promise.all([...crowd, long]);
  const since = order.slice(order.indexOf('long'));
  assert.ok(since.indexOf('crowd') <= ADVANTAGE_SLICES, 'others go on after its advantage');
  assert.deepEqual(since.slice(ADVANTAGE_SLICES, ADVANTAGE_SLICES + 4).toSorted(), [
    'crowd',
    'crowd',
    'long',
    'long',
  ]);
});
