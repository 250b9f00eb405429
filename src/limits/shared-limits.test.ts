import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOwnLimits } from './own-limits.ts';
import { countNow, type CountRequest } from './request-limits.ts';
import {
  ANSWER_MS_MAX,
  createSharedLimits,
  fallbackTo,
  PROBE_INTERVAL_MS,
  REQUESTS_PER_QUESTION_MAX,
  type SharedCounter,
} from './shared-limits.ts';

describe('shared limits', () => {
  it('ask once for all requests of a turn of the event loop', async () => {
    const { limits, questions } = open();
    const hits = await Promise.all(['a', 'b', 'a'].map(async (key) => limits.quota.hit(key)));
    assert.deepEqual(
      hits.map(({ count }) => count),
      [1, 1, 2],
    );
    assert.deepEqual(sizesOf(questions), [3]);
  });

  it('count every one of many concurrent hits exactly once', async () => {
    const { limits, questions } = open();
    const size = 3 * REQUESTS_PER_QUESTION_MAX + 7;
    const hits = await Promise.all(Array.from({ length: size }, async () => limits.quota.hit('a')));
    const counts = hits.map(({ count }) => count).sort((one, other) => one - other);
    assert.deepEqual(
      counts,
      Array.from({ length: size }, (_, index) => index + 1),
    );
    assert.ok(sizesOf(questions).every((count) => count <= REQUESTS_PER_QUESTION_MAX));
  });

  it('count for the credential only what the ingress limit lets pass, in the same question', async () => {
    const { limits, questions } = open();
    const both = [1, 2, 3].map(async () => limits.hitBoth!('source', 2, 'credential'));
    const counts = (await Promise.all(both)).map(({ ingress, quota }) => [ingress.count, quota?.count]);
    assert.deepEqual(counts, [
      [1, 1],
      [2, 2],
      [3, undefined],
    ]);
    assert.deepEqual(sizesOf(questions), [3]);
  });

  it('never mix up sources and credentials of one name', async () => {
    const { limits } = open();
    assert.equal((await limits.ingress.hit('a')).count, 1);
    assert.equal((await limits.quota.hit('a')).count, 1);
  });

  it('count for themselves, at once, when the counter fails, until it is back', async () => {
    const { limits, counter, events } = open();
    await limits.quota.hit('a');
    counter.mode = 'fails';
    assert.equal((await limits.quota.hit('a')).count, 1);
    assert.deepEqual(events, ['lost: out of order']);
    // No promise: nobody is asked any more.
    assert.deepEqual((limits.quota.hit('a') as { count: number }).count, 2);
    assert.deepEqual(limits.state(), { isShared: false, lossCount: 1, fallbackCount: 2 });
    counter.mode = 'answers';
    await sleep(2 * PROBE_INTERVAL_MS);
    assert.deepEqual(events, ['lost: out of order', 'back']);
    assert.equal((await limits.quota.hit('a')).count, 2);
    limits.close();
  });

  it('wait for no answer longer than ANSWER_MS_MAX, and those who came after wait no longer', async () => {
    const { limits, counter, events } = open();
    counter.mode = 'hangs';
    const startedAtMs = performance.now();
    const first = limits.quota.hit('a');
    await sleep(ANSWER_MS_MAX / 2);
    const counts = await Promise.all([first, limits.quota.hit('a')]);
    const waitedMs = performance.now() - startedAtMs;
    assert.ok(waitedMs >= ANSWER_MS_MAX - 5 && waitedMs < ANSWER_MS_MAX + 300, `${waitedMs} ms`);
    assert.deepEqual(
      counts.map(({ count }) => count),
      [1, 2],
    );
    assert.deepEqual(events, [`lost: no answer within ${ANSWER_MS_MAX} ms`]);
    limits.close();
  });

  it('go on sharing with the counters that are left', async () => {
    const counters = [openCounter(), openCounter()] as const;
    const events: string[] = [];
    const limits = createSharedLimits({
      counters,
      counterOf: ({ key }) => Number(key),
      fallback: fallbackTo(createOwnLimits()),
      onLost: (reason) => events.push(`lost: ${reason}`),
      onBack: () => events.push('back'),
    });
    assert.equal(limits.hitBoth, undefined, 'two keys may be at two counters');
    for (const key of ['0', '1']) await limits.quota.hit(key);
    counters[0].mode = 'fails';
    assert.equal((await limits.quota.hit('0')).count, 1, 'from the start');
    assert.equal((await limits.quota.hit('1')).count, 2, 'goes on');
    assert.deepEqual(events, ['lost: out of order']);
    limits.close();
  });

  it('know from a probe at the start that nobody answers', async () => {
    const { limits, counter, events } = open();
    counter.mode = 'fails';
    await limits.probe();
    assert.deepEqual(events, ['lost: out of order']);
    assert.equal(limits.state().isShared, false);
    limits.close();
  });
});

interface TestCounter extends SharedCounter {
  mode: 'answers' | 'fails' | 'hangs';
  readonly questions: (readonly CountRequest[])[];
}

/** A real counter on a connection that tests can cut. */
function openCounter(): TestCounter {
  const limits = createOwnLimits();
  const counter: TestCounter = {
    mode: 'answers',
    questions: [],
    async count(orders) {
      counter.questions.push(orders);
      await sleep(1);
      if (counter.mode === 'fails') throw new Error('out of order');
      if (counter.mode === 'hangs') return new Promise(() => {});
      return orders.map((order) => countNow(limits, order));
    },
  };
  return counter;
}

function open() {
  const counter = openCounter();
  const events: string[] = [];
  const limits = createSharedLimits({
    counters: [counter],
    fallback: fallbackTo(createOwnLimits()),
    onLost: (reason) => events.push(`lost: ${reason}`),
    onBack: () => events.push('back'),
  });
  return { limits, counter, events, questions: counter.questions };
}

function sizesOf(questions: readonly (readonly CountRequest[])[]): number[] {
  return questions.map((orders) => orders.length);
}
