/** Subscribing over HTTP, where a request may be sent again. */
import { createHash } from 'node:crypto';
import { done, type Outcome, refuse } from '../../domain/outcome.ts';
import type { Feed } from '../../storage/feeds/store.ts';
import { type FeedDeps, type FeedOptions, type FeedView, subscribeFeed, viewFeed } from './feed-changes.ts';

const FEED_ID_DIGITS = 24;

/**
 * Subscribes at most once for each key; null: without one. The id is made of the key, so that the same key can't make a second feed, in any
 * process.
 */
export async function subscribeOnce(
  deps: FeedDeps,
  options: FeedOptions,
  key: string | null,
): Promise<Outcome<FeedView>> {
  if (key === null) return subscribeFeed(deps, options);
  const digits = createHash('sha256').update(key).digest('hex').slice(0, FEED_ID_DIGITS);
  const feedId = `feed_${digits}`;
  const known = await deps.storage.findFeed(feedId);
  if (known !== undefined) return answerKnown(known, options);
  try {
    return await subscribeFeed(deps, options, feedId);
  } catch (error) {
    // The same request through another process was faster.
    const faster = await deps.storage.findFeed(feedId);
    if (faster === undefined) throw error;
    return answerKnown(faster, options);
  }
}

function answerKnown(feed: Feed, options: FeedOptions): Outcome<FeedView> {
  const isSame =
    feed.propertyId === options.propertyId &&
    feed.inventoryTypeId === options.inventoryTypeId &&
    feed.url === new URL(options.url.replace(/^\s*webcal:/i, 'https:')).href &&
    feed.everySeconds === options.everySeconds &&
    feed.name === options.name;
  return isSame ? done(viewFeed(feed)) : refuse('the key was used for another feed', 'key-reused');
}
