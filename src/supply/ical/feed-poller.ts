/** The feeds of this database, as one kind of what is read by the clock. */
import { conditionOf, type Feed, type FeedStore } from '../../storage/feeds/store.ts';
import type { ClaimDeps } from '../polling/claims.ts';
import { type Poller, type PollerDeps, startPoller } from '../polling/poller.ts';
import { pollFeed, type PollDeps, type PolledFeed, type PollOutcome } from './poll-feed.ts';

const FAILING = 'iCal feed cannot be read: its nights stay as they are';
const RECOVERED = 'iCal feed can be read again';
const HELD = 'iCal feed held back: it would open half or more of its closed nights';

type Log = (fields: object, message: string) => void;

export interface FeedPollerDeps extends PollDeps, Omit<PollerDeps, 'storage'> {
  readonly storage: PollDeps['storage'] & ClaimDeps['storage'] & Pick<FeedStore, 'listDueFeeds' | 'findFeed'>;
  readonly logger: PollerDeps['logger'] & { readonly info: Log; readonly warn: Log };
  /** Polls by outcome, counted for the metrics. */
  readonly counts: Record<PollOutcome, number>;
}

export function createPollCounts(): Record<PollOutcome, number> {
  return { changed: 0, unchanged: 0, held: 0, failed: 0 };
}

/** The task of a feed, for all that work on it. */
export function taskOfFeed({ feedId }: Pick<Feed, 'feedId'>): string {
  return `ical feed ${feedId}`;
}

export function startFeedPoller(deps: FeedPollerDeps): Poller {
  const { storage, fetching } = deps;
  return startPoller<Feed>(deps, {
    name: 'poll feeds',
    idOf: ({ feedId }) => feedId,
    taskOf: taskOfFeed,
    listDue: (nowMs, limit) => storage.listDueFeeds(nowMs, limit),
    find: (feedId) => storage.findFeed(feedId),
    async poll(feed, { signal }) {
      const polled = await pollFeed({ ...deps, fetching: { ...fetching, signal } }, feed);
      deps.counts[polled.outcome] += 1;
      report(deps, feed, polled);
    },
  });
}

/** One line per change of a feed's condition. Never the URL: it is as good as a password. */
function report({ logger }: FeedPollerDeps, before: Feed, { outcome, feed }: PolledFeed): void {
  const { feedId, propertyId, inventoryTypeId, failure: reason } = feed;
  const fields = { feedId, propertyId, inventoryTypeId };
  const [was, is] = [conditionOf(before), conditionOf(feed)];
  if (is !== was) {
    if (was === 'failing') logger.info({ ...fields, failedPolls: before.failureCount }, RECOVERED);
    if (was === 'held' && is === 'ok') logger.info(fields, 'iCal feed no longer held back');
    if (is === 'failing') logger.warn({ ...fields, reason }, FAILING);
    if (is === 'held') logger.warn(fields, HELD);
  }
  if (outcome === 'changed') logger.info(fields, 'iCal feed changed nights');
}
