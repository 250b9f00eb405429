/** A person's acts on feeds: subscribe, list, accept a calendar that was held back, unsubscribe. */
import { randomBase62 } from '../../runtime/random.ts';
import { conditionOf, type Feed, type FeedCondition, type FeedStore } from '../../storage/feeds/store.ts';
import { hash } from 'node:crypto';
import { done, type Outcome, refuse } from '../../domain/outcome.ts';
import { type Told, Wrong } from '../../domain/wrong.ts';
import { type ClaimDeps, withClaim } from '../polling/claims.ts';
import { dropLayer, findLayer, sourceOfFeed } from './feed-layer.ts';
import { taskOfFeed } from './feed-poller.ts';
import { parseFeedUrl } from './fetch-feed.ts';
import { acceptHeld, nameOf, type PollDeps, pollFeed, type PollOutcome } from './poll-feed.ts';

export interface FeedDeps extends PollDeps, ClaimDeps {
  readonly storage: PollDeps['storage'] & ClaimDeps['storage'] & FeedStore;
}

export type FeedOptions = Pick<Feed, 'propertyId' | 'inventoryTypeId' | 'url' | 'everySeconds' | 'name'>;

/** A feed for people and scripts; instants are texts of RFC 3339. */
export interface FeedView extends Pick<
  Feed,
  'feedId' | 'name' | 'propertyId' | 'inventoryTypeId' | 'failure'
> {
  /** Host of the calendar; the rest of a URL is often a secret. */
  readonly host: string;
  readonly every: string;
  readonly state: FeedCondition;
  readonly confirmedAt: string | null;
  readonly nextPollAt: string;
  /**
   * For the calendar read last: its events, and the nights that it closes from yesterday on. Null before the first
   * read.
   */
  readonly events: number | null;
  readonly nights: number | null;
}

const FEED_ID_LENGTH = 12;
const FEED_ID_DIGITS = 24;
/** A running poll ends within this time, unless its process has died. */
const CLAIM_WAIT_MS = 35_000;
const EVERY_SECONDS_MAX = 24 * 60 * 60;
const EVERY_SECONDS_MIN = 1;
/** Nothing is known of a calendar that was not read yet. */
const UNREAD = {
  failureCount: 0,
  failure: null,
  failureWrong: null,
  etag: null,
  lastModified: null,
  contentHash: null,
  heldHash: null,
  heldNights: null,
};
const NEVER = { ...UNREAD, polledAtMs: null, confirmedAtMs: null, eventCount: null, nightCount: null };

/**
 * A running service polls the new feed at once. With a key of the request, at most once for each: the id is made of it,
 * so that the same key can't make a second feed, in any process.
 */
export async function subscribeFeed(
  deps: FeedDeps,
  options: FeedOptions,
  requestKey?: string,
): Promise<Outcome<FeedView>> {
  const url = parseFeedUrl(options.url);
  if (url instanceof Wrong) return refuse(new Wrong('optionWrong', { option: 'url', wrong: url }));
  const { everySeconds } = options;
  if (!isInterval(everySeconds)) return refuse(NO_INTERVAL);
  const feedId = `feed_${requestKey === undefined ? randomBase62(FEED_ID_LENGTH, deps.random) : digitsOf(requestKey)}`;
  const nowMs = deps.clock();
  const feed: Feed = { ...options, ...NEVER, feedId, url: url.href, createdAtMs: nowMs, nextPollAtMs: nowMs };
  const found = await findLayer(deps, nameOf(feed));
  if (!found.ok) return found;
  const known = await deps.storage.findFeed(feedId);
  if (known !== undefined) return answerKnown(known, feed);
  try {
    await deps.storage.insertFeed(feed);
  } catch (error) {
    // The same request through another process was faster.
    const faster = await deps.storage.findFeed(feedId);
    if (faster === undefined) throw error;
    return answerKnown(faster, feed);
  }
  return done(viewFeed(feed));
}

function digitsOf(key: string): string {
  return hash('sha256', key).slice(0, FEED_ID_DIGITS);
}

/** The key came before. */
function answerKnown(known: Feed, asked: Feed): Outcome<FeedView> {
  const isSame = (['propertyId', 'inventoryTypeId', 'url', 'everySeconds', 'name'] as const).every(
    (name) => known[name] === asked[name],
  );
  return isSame ? done(viewFeed(known)) : refuse(new Wrong('keyReused'), 'key-reused');
}

/** Absent: stays as it is. */
export interface FeedChanges {
  readonly url?: string | undefined;
  readonly everySeconds?: number | undefined;
  readonly name?: string | null | undefined;
}

/**
 * Nights that the feed closed stay closed until it is fetched again; from another URL that is done at once, and the held-back
 * calendar, which came from the old one, is dropped.
 */
export async function updateFeed(
  deps: FeedDeps,
  feedId: string,
  { url: urlText, everySeconds, name }: FeedChanges,
  onChange?: (before: Feed, after: Feed) => void,
): Promise<Outcome<FeedView>> {
  const url = urlText === undefined ? undefined : parseFeedUrl(urlText);
  if (url instanceof Wrong) return refuse(new Wrong('optionWrong', { option: 'url', wrong: url }));
  if (everySeconds !== undefined && !isInterval(everySeconds)) return refuse(NO_INTERVAL);
  return onFeed(deps, feedId, async (feed) => {
    const changed: Feed = {
      ...feed,
      ...(url !== undefined && url.href !== feed.url && fromElsewhere(deps, url)),
      ...(everySeconds !== undefined && { everySeconds }),
      ...(name !== undefined && { name }),
    };
    const dueMs = deps.clock() + changed.everySeconds * 1_000;
    // A feed that fails keeps its pause: its server may have asked for it.
    const nextPollAtMs =
      changed.failureCount > 0 ? changed.nextPollAtMs : Math.min(changed.nextPollAtMs, dueMs);
    const stored = { ...changed, nextPollAtMs };
    await deps.storage.updateFeed(stored);
    onChange?.(feed, stored);
    return done(viewFeed(stored));
  });
}

/** The events and nights of the last calendar stay: they are in force. */
function fromElsewhere({ clock }: FeedDeps, url: URL): Partial<Feed> {
  return { ...UNREAD, url: url.href, nextPollAtMs: clock() };
}

const NO_INTERVAL = new Wrong('everyForm', { min: '1s', max: '24h', example: '30m' });

function isInterval(seconds: number): boolean {
  return seconds >= EVERY_SECONDS_MIN && seconds <= EVERY_SECONDS_MAX;
}

export async function listFeeds({ storage }: Pick<FeedDeps, 'storage'>): Promise<FeedView[]> {
  return (await storage.listFeeds()).map(viewFeed);
}

export type PollView = FeedView & {
  readonly outcome: PollOutcome;
  /** Events that were our own, from `calendar.ics`, and closed nothing; null if the calendar was not read. */
  readonly ownEvents: number | null;
  /** Names of its lines that may mean something and are not read; null if the calendar was not read. */
  readonly leftOut: readonly string[] | null;
};

/** Polls now, even if no poll is due. A feed that fails is an answer with `failed`. */
export function pollNow(deps: FeedDeps, feedId: string): Promise<Outcome<PollView>> {
  return onFeed(deps, feedId, async (feed) => {
    const polled = await pollFeed(deps, feed);
    const { outcome, ownEvents = null, leftOut = null } = polled;
    const why = polled.feed.failureWrong;
    const failed =
      outcome === 'failed' && why !== null ? new Wrong('feedUnread', { id: feedId, why }) : undefined;
    return done({ ...viewFeed(polled.feed), outcome, ownEvents, leftOut }, failed);
  });
}

export function acceptFeed(deps: FeedDeps, feedId: string): Promise<Outcome<PollView>> {
  return onFeed(deps, feedId, async (feed) => {
    const accepted = await acceptHeld(deps, feed);
    if (accepted instanceof Wrong) return refuse(accepted);
    return done({ ...viewFeed(accepted.feed), outcome: accepted.outcome, ownEvents: null, leftOut: null });
  });
}

/** Reopens the nights that the feed closed, unless another source closes them. */
export function unsubscribeFeed(deps: FeedDeps, feedId: string): Promise<Outcome<FeedView>> {
  return onFeed(deps, feedId, async (feed) => {
    await dropLayer(deps, nameOf(feed));
    await deps.storage.deleteFeed(feedId, sourceOfFeed(feedId));
    return done(viewFeed(feed));
  });
}

async function onFeed<T>(
  deps: FeedDeps,
  feedId: string,
  work: (feed: Feed) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const unknown = refuse(new Wrong('unknownFeed', { id: JSON.stringify(feedId) }), 'unknown');
  if ((await deps.storage.findFeed(feedId)) === undefined) return unknown;
  const run = async (): Promise<Outcome<T>> => {
    const feed = await deps.storage.findFeed(feedId);
    return feed === undefined ? unknown : work(feed);
  };
  const claimed = await withClaim(deps, taskOfFeed({ feedId }), run, CLAIM_WAIT_MS);
  return claimed?.value ?? refuse(new Wrong('feedBusy', { id: feedId }));
}

/** Why feeds fail, by their id. */
export type FeedFailures = ReadonlyMap<string, Told>;

export function failuresOf(feeds: readonly Feed[]): FeedFailures {
  return new Map(
    feeds.flatMap(({ feedId, failureWrong }) => (failureWrong === null ? [] : [[feedId, failureWrong]])),
  );
}

/** Without secrets. */
export function viewFeed(feed: Feed): FeedView {
  const { feedId, name, propertyId, inventoryTypeId, failure, confirmedAtMs } = feed;
  return {
    feedId,
    name,
    propertyId,
    inventoryTypeId,
    host: new URL(feed.url).host,
    every: `${feed.everySeconds}s`,
    state: conditionOf(feed),
    confirmedAt: confirmedAtMs === null ? null : new Date(confirmedAtMs).toISOString(),
    nextPollAt: new Date(feed.nextPollAtMs).toISOString(),
    events: feed.eventCount,
    nights: feed.nightCount,
    failure,
  };
}
