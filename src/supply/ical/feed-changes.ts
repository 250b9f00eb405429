/** What a person does with feeds: subscribe, look, accept what was held back, unsubscribe. */
import { randomBase62 } from '../../runtime/random.ts';
import { conditionOf, type Feed, type FeedCondition, type FeedStore } from '../../storage/feeds/store.ts';
import { type ClaimDeps, withFeed } from './feed-claims.ts';
import { findLayer, replaceLayer, sourceOfFeed } from './feed-layer.ts';
import { parseFeedUrl } from './fetch-feed.ts';
import { acceptHeld, nameOf, type PollDeps, pollFeed, type PollOutcome } from './poll-feed.ts';

export interface FeedDeps extends PollDeps, ClaimDeps {
  readonly storage: PollDeps['storage'] & ClaimDeps['storage'] & FeedStore;
}

export interface FeedOptions {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
  readonly url: string;
  readonly everySeconds: number;
  readonly name: string | null;
}

/** A feed for people and scripts; instants are texts of RFC 3339. */
export interface FeedView {
  readonly feedId: string;
  readonly name: string | null;
  readonly propertyId: string;
  readonly inventoryTypeId: string;
  /** Where the calendar comes from; the rest of a URL is often a secret. */
  readonly host: string;
  readonly every: string;
  readonly state: FeedCondition;
  readonly confirmedAt: string | null;
  readonly nextPollAt: string;
  /**
   * Of the calendar that was read last, null before the first: its events, and the nights from yesterday on that it
   * closes.
   */
  readonly events: number | null;
  readonly nights: number | null;
  readonly failure: string | null;
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

const FEED_ID_LENGTH = 12;
/** A poll that is under way ends within this time, unless its process has died. */
const CLAIM_WAIT_MS = 35_000;
export const EVERY_SECONDS_MAX = 24 * 60 * 60;
export const EVERY_SECONDS_MIN = 1;
const NEVER = {
  polledAtMs: null,
  confirmedAtMs: null,
  failureCount: 0,
  failure: null,
  etag: null,
  lastModified: null,
  contentHash: null,
  heldHash: null,
  heldNights: null,
  eventCount: null,
  nightCount: null,
};

/** The feed is polled as soon as a service runs; rejects where one with the id exists. */
export async function subscribeFeed(
  deps: FeedDeps,
  options: FeedOptions,
  feedId = `feed_${randomBase62(FEED_ID_LENGTH, deps.random)}`,
): Promise<Outcome<FeedView>> {
  const url = parseFeedUrl(options.url);
  if (!(url instanceof URL)) return { ok: false, problem: `--url ${url}` };
  const { everySeconds } = options;
  if (!isInterval(everySeconds)) {
    return { ok: false, problem: NO_INTERVAL };
  }
  const nowMs = deps.clock();
  const feed: Feed = { ...options, ...NEVER, feedId, url: url.href, createdAtMs: nowMs, nextPollAtMs: nowMs };
  const found = await findLayer(deps, nameOf(feed));
  if (!found.ok) return found;
  await deps.storage.insertFeed(feed);
  return { ok: true, value: viewFeed(feed) };
}

/** Absent: stays as it is. */
export interface FeedChanges {
  readonly url?: string | undefined;
  readonly everySeconds?: number | undefined;
  readonly name?: string | null | undefined;
}

/**
 * What the feed closed stays closed until it is fetched again; from another URL that is done at once, and the held-back
 * calendar, which came from the old one, is dropped.
 */
export async function updateFeed(
  deps: FeedDeps,
  feedId: string,
  { url: urlText, everySeconds, name }: FeedChanges,
  onChange?: (before: Feed, after: Feed) => void,
): Promise<Outcome<FeedView>> {
  const url = urlText === undefined ? undefined : parseFeedUrl(urlText);
  if (typeof url === 'string') return { ok: false, problem: `--url ${url}` };
  if (everySeconds !== undefined && !isInterval(everySeconds)) return { ok: false, problem: NO_INTERVAL };
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
    return { ok: true, value: viewFeed(stored) };
  });
}

/** Nothing is known of a calendar there. The events and nights of the last one stay: they are in force. */
function fromElsewhere({ clock }: FeedDeps, url: URL): Partial<Feed> {
  const { failureCount, failure, etag, lastModified, contentHash, heldHash, heldNights } = NEVER;
  const forgotten = { failureCount, failure, etag, lastModified, contentHash, heldHash, heldNights };
  return { ...forgotten, url: url.href, nextPollAtMs: clock() };
}

const NO_INTERVAL = '--every must be from 1s to 24h';

function isInterval(seconds: number): boolean {
  return seconds >= EVERY_SECONDS_MIN && seconds <= EVERY_SECONDS_MAX;
}

export async function listFeeds({ storage }: Pick<FeedDeps, 'storage'>): Promise<FeedView[]> {
  return (await storage.listFeeds()).map(viewFeed);
}

export type PollView = FeedView & {
  readonly outcome: PollOutcome;
  /** Events that were our own, from `calendar.ics`, and closed nothing; null when the calendar was not read. */
  readonly ownEvents: number | null;
};

/** Polls now, whenever it is due. */
export function pollNow(deps: FeedDeps, feedId: string): Promise<Outcome<PollView>> {
  return onFeed(deps, feedId, async (feed) => {
    const polled = await pollFeed(deps, feed);
    return {
      ok: true,
      value: { ...viewFeed(polled.feed), outcome: polled.outcome, ownEvents: polled.ownEvents ?? null },
    };
  });
}

export function acceptFeed(deps: FeedDeps, feedId: string): Promise<Outcome<PollView>> {
  return onFeed(deps, feedId, async (feed) => {
    const accepted = await acceptHeld(deps, feed);
    if (typeof accepted === 'string') return { ok: false, problem: accepted };
    return { ok: true, value: { ...viewFeed(accepted.feed), outcome: accepted.outcome, ownEvents: null } };
  });
}

/** What the feed closed is open again, as far as nobody else closes it. */
export function unsubscribeFeed(deps: FeedDeps, feedId: string): Promise<Outcome<FeedView>> {
  return onFeed(deps, feedId, async (feed) => {
    // Refused if the property no longer exists: then there is no layer either.
    await replaceLayer(deps, nameOf(feed), []);
    await deps.storage.deleteFeed(feedId, sourceOfFeed(feedId));
    return { ok: true, value: viewFeed(feed) };
  });
}

async function onFeed<T>(
  deps: FeedDeps,
  feedId: string,
  work: (feed: Feed) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const unknown = {
    ok: false,
    problem: `there is no feed ${JSON.stringify(feedId)}; "ical list" shows them`,
  } as const;
  if ((await deps.storage.findFeed(feedId)) === undefined) return unknown;
  const run = async (): Promise<Outcome<T>> => {
    const feed = await deps.storage.findFeed(feedId);
    return feed === undefined ? unknown : work(feed);
  };
  const done = await withFeed(deps, feedId, run, CLAIM_WAIT_MS);
  return (
    done?.value ?? { ok: false, problem: `the feed ${feedId} is being polled; try again in two minutes` }
  );
}

/** Without what may be secret. */
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
