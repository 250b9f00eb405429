/** A worker on feeds in a test: a command, or one of several processes. */
import { inEnglish } from '../../src/domain/wrong.ts';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../src/runtime/clock.ts';
import { createMessageIds } from '../../src/storage/supply/message-id.ts';
import { type FeedDeps, type FeedOptions, subscribeFeed } from '../../src/supply/ical/feed-changes.ts';

export function feedDeps(
  storage: FeedDeps['storage'],
  clock: Clock,
  changes: Partial<FeedDeps> = {},
): FeedDeps {
  return {
    storage,
    clock,
    random: randomBytes,
    holder: 'test',
    newMessageId: createMessageIds(() => randomBytes(8).toString('hex')),
    horizonNights: 730,
    publicUrl: 'https://stay.example',
    fetching: { allowsPrivate: true },
    ...changes,
  };
}

/** The new feed's id; every half an hour unless the options says otherwise. */
export async function subscribed(
  deps: FeedDeps,
  options: Pick<FeedOptions, 'propertyId' | 'url'> & Partial<FeedOptions>,
): Promise<string> {
  const feed = await subscribeFeed(deps, {
    inventoryTypeId: 'double',
    everySeconds: 1800,
    name: null,
    ...options,
  });
  if (!feed.ok) throw new Error(inEnglish(feed.problem));
  return feed.value.feedId;
}
