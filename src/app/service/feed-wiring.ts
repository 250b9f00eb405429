/** Builds the polling and counting of iCal feeds from the settings. */
import { randomUUID } from 'node:crypto';
import type { FeedNumbers } from '../../http/observability/metrics/supply-families.ts';
import type { Settings } from '../settings/settings.ts';
import { randomMessageIds } from '../../storage/supply/message-id.ts';
import type { Storage } from '../../storage/storage.ts';
import { createPollCounts, startFeedPoller } from '../../supply/ical/feed-poller.ts';
import { watchFeeds } from '../../supply/ical/watch-feeds.ts';
import type { ServiceDeps } from './context/service-context.ts';

export interface Feeds extends FeedNumbers {
  stop(): Promise<void>;
}

export function startFeeds(
  settings: Settings,
  storage: Storage,
  { clock, random, logger }: ServiceDeps,
): Feeds {
  const polls = createPollCounts();
  const poller = startFeedPoller({
    storage,
    clock,
    random,
    logger,
    counts: polls,
    holder: randomUUID(),
    newMessageId: randomMessageIds(random),
    horizonNights: settings.horizonNights,
    publicUrl: settings.publicUrl,
    fetching: { allowsPrivate: settings.icalAllowPrivate },
  });
  const watch = watchFeeds({ storage, logger });
  return {
    polls,
    state: () => watch.state(),
    async stop() {
      await Promise.all([poller.stop(), watch.stop()]);
    },
  };
}
