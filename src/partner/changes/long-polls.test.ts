import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChangeFeed } from './change-feed.ts';
import { type LongPoll, LongPolls, WAITING_MAX, WAITING_PER_CREDENTIAL_MAX } from './long-polls.ts';

const QUIET: ChangeFeed = {
  version: () => 1,
  ask: ({ since = '' }) => Promise.resolve({ changes: [], next: since, hasMore: false, version: 1 }),
};

function poll(credentialId: string): LongPoll {
  return {
    feed: QUIET,
    question: { partnerId: 'acme', since: 'x', limit: 1 },
    credentialId,
    waitMs: 20_000,
    signal: new AbortController().signal,
  };
}

/** As many as may wait at once, of a credential each or of the same one. */
async function countWaiting(polls: LongPolls, askedCount: number, credentialOf: (index: number) => string) {
  const answers = Array.from({ length: askedCount }, (_, index) => polls.ask(poll(credentialOf(index))));
  const { count } = polls;
  polls.end();
  const full = (await Promise.all(answers)).filter((answer) => answer === 'full').length;
  assert.deepEqual([count + full, polls.count], [askedCount, 0]);
  return count;
}

describe('Requests that wait for changes', () => {
  it('share one timer, however many they are', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const polls = new LongPolls(() => performance.now());
    const answers = Array.from({ length: 100 }, (_, index) => polls.ask(poll(`credential-${index}`)));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([polls.count, timers() - before], [100, 1]);
    polls.end();
    await Promise.all(answers);
    assert.equal(timers(), before);
  });

  for (const workerCount of [1, 2, 3, 64]) {
    it(`share the limits of a process among ${workerCount} of its threads`, async () => {
      const newPolls = () => new LongPolls(() => performance.now(), workerCount);
      const ofOne = await countWaiting(newPolls(), WAITING_PER_CREDENTIAL_MAX + 1, () => 'one');
      assert.equal(ofOne, Math.max(1, Math.floor(WAITING_PER_CREDENTIAL_MAX / workerCount)));
      const ofAll = await countWaiting(newPolls(), WAITING_MAX + 1, (index) => `credential-${index}`);
      assert.equal(ofAll, Math.floor(WAITING_MAX / workerCount));
    });
  }
});
