import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../test/kit/command-line.ts';
import type { FeedSummary } from '../../storage/feeds/store.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { watchFeeds } from './watch-feeds.ts';

const LOOK_MS = 1;
function summary(ok: number): FeedSummary {
  return { counts: { new: 0, ok, held: 0, failing: 0 }, confirmationDueMs: ok };
}

const LOGGER = { error: () => undefined };

describe('the watch over feeds', () => {
  it('shows nothing before the first look, then what the last look saw', async () => {
    let looks = 0;
    const watch = watchFeeds({
      storage: { summarizeFeeds: async () => summary((looks += 1)) },
      logger: LOGGER,
      lookMs: LOOK_MS,
    });
    assert.deepEqual(watch.state(), { ...summary(0), confirmationDueMs: null });
    await until(async () => looks > 3);
    assert.ok(watch.state().counts.ok >= 3);
    await watch.stop();
    const ended = looks;
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(looks, ended, 'a watch that was stopped does not look');
  });

  it('keeps what it saw while the database is away, and goes on', async () => {
    let looks = 0;
    let isAway = false;
    const storage = {
      async summarizeFeeds() {
        looks += 1;
        if (isAway) throw new StorageUnavailable('away');
        return summary(looks);
      },
    };
    const watch = watchFeeds({ storage, logger: LOGGER, lookMs: LOOK_MS });
    await until(async () => watch.state().counts.ok >= 1);
    isAway = true;
    const seen = watch.state().counts.ok;
    const before = looks;
    await until(async () => looks >= before + 3);
    assert.equal(watch.state().counts.ok, seen);
    isAway = false;
    await until(async () => watch.state().counts.ok > seen);
    await watch.stop();
  });

  it('ends at once, however long it would wait', async () => {
    const patient = watchFeeds({ storage: { summarizeFeeds: async () => summary(1) }, logger: LOGGER });
    await patient.stop();
  });

  it('goes on after a bug, which would end the process as a rejection that nobody awaits', async () => {
    const rejections: unknown[] = [];
    const take = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', take);
    const errors: object[] = [];
    let looks = 0;
    const summarizeFeeds = async () => {
      looks += 1;
      if (looks === 1) throw new TypeError('a bug');
      return summary(looks);
    };
    const logger = { error: (fields: object) => void errors.push(fields) };
    const watch = watchFeeds({ storage: { summarizeFeeds }, logger, lookMs: LOOK_MS });
    await until(async () => watch.state().counts.ok === looks && looks > 1);
    await watch.stop();
    process.off('unhandledRejection', take);
    assert.deepEqual([rejections.length, errors.length], [0, 1]);
  });
});
