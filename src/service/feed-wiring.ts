/** The poller of iCal feeds, put together from the settings. */
import { randomUUID } from 'node:crypto';
import type { Settings } from '../settings/settings.ts';
import { randomMessageIds } from '../storage/message-id.ts';
import type { Storage } from '../storage/storage.ts';
import { type FeedPoller, type PollerDeps, startFeedPoller } from '../supply/ical/feed-poller.ts';
import type { ServiceDeps } from './parts.ts';

export function startPolling(
  settings: Settings,
  storage: Storage,
  { clock, random, logger }: ServiceDeps,
  counts: PollerDeps['counts'],
): FeedPoller {
  return startFeedPoller({
    ...{ storage, clock, random, logger, counts },
    holder: randomUUID(),
    newMessageId: randomMessageIds(random),
    horizonNights: settings.horizonNights,
    fetching: { allowsPrivate: settings.icalAllowPrivate },
  });
}
