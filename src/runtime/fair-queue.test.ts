import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import { ADVANTAGE_MS, FairQueue } from './fair-queue.ts';

const ROOMY = { waitingMax: 1_000, waitingPerAskerMax: 1_000 };

/** Takes all; each work takes so many ms. The askers, in order. */
function takeAll(queue: FairQueue<number>): string[] {
  const order: string[] = [];
  for (let taken = queue.take(); taken !== undefined; taken = queue.take()) {
    order.push(taken.asker);
    queue.charge(taken.asker, taken.work);
  }
  return order;
}

describe('A fair queue', () => {
  it('lets askers take turns, each in the order of its own work', () => {
    const queue = new FairQueue<string>(ROOMY);
    for (const work of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.add(work[0]!, work);
    const order: string[] = [];
    for (let taken = queue.take(); taken !== undefined; taken = queue.take()) {
      order.push(taken.work);
      queue.charge(taken.asker, 1);
    }
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('shares time, not numbers of questions', () => {
    const queue = new FairQueue<number>(ROOMY);
    for (let index = 0; index < 3; index += 1) queue.add('dear', 8);
    for (let index = 0; index < 20; index += 1) queue.add('cheap', 1);
    const order = takeAll(queue);
    assert.deepEqual(order.slice(0, 10), ['dear', ...Array<string>(8).fill('cheap'), 'dear']);
  });

  it('lets an asker who was away go first, and not for longer than it says', () => {
    const queue = new FairQueue<number>(ROOMY);
    for (let index = 0; index < 200; index += 1) queue.add('crowd', 1);
    for (let index = 0; index < 100; index += 1) {
      const taken = queue.take()!;
      queue.charge(taken.asker, taken.work);
    }
    for (let index = 0; index < 60; index += 1) queue.add('guest', 1);
    const order = takeAll(queue);
    const first = order.indexOf('crowd');
    assert.equal(first, ADVANTAGE_MS);
    assert.deepEqual(order.slice(first, first + 4).toSorted(), ['crowd', 'crowd', 'guest', 'guest']);
  });

  it('refuses the last of who has most waiting, in all and of one', () => {
    const queue = new FairQueue<string>({ waitingMax: 4, waitingPerAskerMax: 3 });
    for (const work of ['g1', 'g2', 'g3']) assert.equal(queue.add('greedy', work), undefined);
    assert.equal(queue.add('greedy', 'g4'), 'g4');
    assert.equal(queue.add('one', 'o1'), undefined);
    assert.equal(queue.add('two', 't1'), 'g3');
    assert.equal(queue.add('three', 'h1'), 'g2');
    assert.equal(queue.add('four', 'f1'), 'f1', 'nobody has more than it would have');
  });

  it('holds no more than its limits, loses nothing, and refuses nobody for one who has more', () => {
    const limits = { waitingMax: 6, waitingPerAskerMax: 4 };
    const act = fc.record({
      act: fc.constantFrom('add', 'add', 'add', 'take', 'remove'),
      asker: fc.integer({ min: 0, max: 4 }).map(String),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const queue = new FairQueue<string>(limits);
        /** Works that wait, by asker. */
        const waiting = new Map<string, string[]>();
        const of = (asker: string): string[] => waiting.get(asker) ?? waiting.set(asker, []).get(asker)!;
        for (const [number, { act: what, asker }] of acts.entries()) {
          if (what === 'add') {
            const work = `${asker} ${number}`;
            const before = [...waiting.values()].map(({ length }) => length);
            const refused = queue.add(asker, work);
            const all = before.reduce((sum, one) => sum + one, 0);
            const mayHave = of(asker).length < limits.waitingPerAskerMax;
            if (refused === undefined) assert.ok(mayHave && all < limits.waitingMax);
            else if (refused === work)
              assert.ok(!mayHave || Math.max(...before) <= of(asker).length + 1, 'nobody has more');
            else {
              const greedy = of(refused.split(' ')[0]!);
              assert.equal(greedy.length, Math.max(...before));
              assert.equal(greedy.pop(), refused);
            }
            if (refused !== work) of(asker).push(work);
          } else if (what === 'take') {
            const taken = queue.take();
            if (taken === undefined) assert.equal(queue.count, 0);
            else {
              assert.equal(of(taken.asker).shift(), taken.work);
              queue.charge(taken.asker, 1);
            }
          } else {
            const last = of(asker).at(-1) ?? 'none';
            assert.equal(queue.remove(asker, last), of(asker).pop() !== undefined);
          }
          assert.equal(
            queue.count,
            [...waiting.values()].reduce((sum, { length }) => sum + length, 0),
          );
        }
        assert.deepEqual([...queue.clear()].toSorted(), [...waiting.values()].flat().toSorted());
      }),
      { ...RUN_SEED, numRuns: 500 },
    );
  });
});
