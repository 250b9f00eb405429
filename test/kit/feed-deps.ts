/** What works on feeds in a test: as a command, or as one process of several. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../src/runtime/clock.ts';
import { makeMessageIds } from '../../src/storage/message-id.ts';
import { type FeedDeps, type FeedWish, subscribeFeed } from '../../src/supply/ical/feed-changes.ts';

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
    newMessageId: makeMessageIds(() => randomBytes(8).toString('hex')),
    horizonNights: 730,
    publicUrl: 'https://stay.example',
    fetching: { allowsPrivate: true },
    ...changes,
  };
}

/** The new feed's id; every half an hour unless the wish says otherwise. */
export async function subscribed(
  deps: FeedDeps,
  wish: Pick<FeedWish, 'propertyId' | 'url'> & Partial<FeedWish>,
): Promise<string> {
  const feed = await subscribeFeed(deps, {
    inventoryTypeId: 'double',
    everySeconds: 1800,
    name: null,
    ...wish,
  });
  if (!feed.ok) throw new Error(feed.problem);
  return feed.value.feedId;
}
