/** One poll of one feed: fetch, read, and replace the feed's layer, unless that opens too many nights. */
import { hash } from 'node:crypto';
import { type EpochDay, localToday, utcDay } from '../../domain/local-date.ts';
import { inEnglish, type Told, Wrong } from '../../domain/wrong.ts';
import { parseRetryAfter } from '../../runtime/outbound/retry-after.ts';
import type { Random } from '../../runtime/random.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { Feed, FeedState, FeedStore } from '../../storage/feeds/store.ts';
import type { NightsDeps } from '../messages/receive-message.ts';
import { nextPollMs } from '../polling/next-poll.ts';
import { ownEventMark } from '../published/own-events.ts';
import { fetchFeed, type FetchOptions, parseFeedUrl, type Validators } from './fetch-feed.ts';
import {
  confirmLayer,
  extendLayer,
  findLayer,
  type LayerName,
  refusalOf,
  replaceLayer,
  sourceOfFeed,
} from './feed-layer.ts';
import {
  closesNothingMore,
  EMPTY_HELD_MS,
  formatHeld,
  type HeldNights,
  isSameFromToday,
  isSuddenlyEmpty,
  opensTooMuch,
  parseHeld,
} from '../polling/held-back.ts';
import { countNights } from '../../domain/night-runs.ts';
import { readOffThread } from './read-off-thread.ts';

export interface PollDeps extends NightsDeps {
  readonly storage: NightsDeps['storage'] & Pick<FeedStore, 'saveFeedState'>;
  readonly random: Random;
  readonly fetching: FetchOptions;
  /** For tests. */
  readonly fetchFeed?: typeof fetchFeed;
  readonly publicUrl: string;
}

export type PollOutcome = 'changed' | 'unchanged' | 'held' | 'failed';

export interface PolledFeed {
  readonly outcome: PollOutcome;
  readonly feed: Feed;
  /** Our own events, which closed nothing; only if the calendar was read. */
  readonly ownEvents?: number | undefined;
  /** Names of lines that were left out; only if the calendar was read. */
  readonly leftOut?: readonly string[] | undefined;
}

const SECOND_MS = 1_000;
/** Days before today to read as well: yesterday may still be today in another zone. */
const DAYS_BACK = 1;
/**
 * A calendar is read in full once a day. Until the next read the horizon moves on by a night, and by another if the
 * timezone differs.
 */
const READ_AHEAD_NIGHTS = 7;
const FAILURE_LENGTH_MAX = 500;
const NO_FAILURE = { failure: null, failureWrong: null };

type Settled = Pick<PolledFeed, 'outcome' | 'ownEvents' | 'leftOut'> & {
  readonly state: Partial<FeedState>;
  /** The wait that the server asked for. */
  readonly retryAfterMs?: number | undefined;
};

/**
 * Rejects with `StorageUnavailable`, or if `fetching.signal` aborts. Every other failure is an outcome, stored with the
 * feed.
 */
export async function pollFeed(deps: PollDeps, feed: Feed): Promise<PolledFeed> {
  const polledAtMs = deps.clock();
  const { outcome, state, retryAfterMs, ownEvents, leftOut } = await settle(deps, feed, polledAtMs).catch(
    (error: unknown) => {
      if (error instanceof StorageUnavailable || deps.fetching.signal?.aborted === true) throw error;
      // A faulty feed must not stop the others.
      return failed(new Wrong('internalError', { error: cut(String(error)) }));
    },
  );
  const isFailed = outcome === 'failed';
  const failureCount = isFailed ? feed.failureCount + 1 : 0;
  const everyMs = feed.everySeconds * SECOND_MS;
  const after: Feed = {
    ...feed,
    ...NO_FAILURE,
    ...state,
    polledAtMs,
    failureCount,
    nextPollAtMs: deps.clock() + nextPollMs(everyMs, failureCount, { random: deps.random, retryAfterMs }),
  };
  await deps.storage.saveFeedState(feed.feedId, after);
  return { outcome, feed: after, ownEvents, leftOut };
}

async function settle(deps: PollDeps, feed: Feed, nowMs: number): Promise<Settled> {
  const name = nameOf(feed);
  const layer = await findLayer(deps, name);
  if (!layer.ok) return failed(layer.problem);
  const url = parseFeedUrl(feed.url);
  if (url instanceof Wrong) return failed(new Wrong('urlWrong', { wrong: url }));
  const known = knownOf(feed, nowMs);
  const fetched = await (deps.fetchFeed ?? fetchFeed)(url, known, deps.fetching);
  if (fetched.kind === 'failed') {
    return { ...failed(fetched.reason), retryAfterMs: parseRetryAfter(fetched.retryAfter, deps.clock()) };
  }
  if (fetched.kind === 'not-modified') return confirm(deps, feed, {});
  const contentHash = hash('sha256', fetched.body, 'hex');
  if (contentHash === known.contentHash) return confirm(deps, feed, fetched.validators);
  const today = localToday(layer.value.timezone, nowMs);
  const until = readUntil(today, deps.horizonNights);
  const { signal } = deps.fetching;
  const ownMark = ownEventMark({ ...feed, publicUrl: deps.publicUrl });
  const options = { timezone: layer.value.timezone, from: today - DAYS_BACK, until, ownMark };
  const read = await readOffThread(fetched.body, options, { signal });
  signal?.throwIfAborted();
  if (!read.ok) {
    const { mediaType } = fetched;
    const why = read.problem;
    return failed(
      mediaType === ''
        ? new Wrong('calendarUnusable', { why })
        : new Wrong('calendarUnusableAs', { why, mediaType: cut(mediaType) }),
    );
  }
  const said = { ownEvents: read.ownCount, leftOut: read.leftOut };
  const now: HeldNights = { closed: read.closed, until };
  const counts = { eventCount: read.eventCount, nightCount: countNights(read.closed) };
  const before = feed.heldNights === null ? undefined : parseHeld(feed.heldNights);
  const isRepeated =
    before !== undefined && (contentHash === feed.heldHash || isSameFromToday(before, now, today));
  if (isRepeated && nowMs < (before.notBeforeMs ?? 0)) {
    return { ...HELD, ...said, state: { ...counts, heldHash: contentHash } };
  }
  if (!isRepeated && opensTooMuch(layer.value.closed, now.closed, today)) {
    const stayCount = before === undefined ? (feed.eventCount ?? 0) : 0;
    const isEmpty = isSuddenlyEmpty(layer.value.closed, now.closed, today, stayCount);
    const nights = isEmpty ? { ...now, notBeforeMs: nowMs + EMPTY_HELD_MS } : now;
    const held = closesNothingMore(now.closed, layer.value.closed, today)
      ? HELD
      : await close(deps, feed, now);
    const state = { ...held.state, ...counts, heldNights: formatHeld(nights), heldHash: contentHash };
    return held.outcome === 'failed' ? held : { ...held, ...said, state };
  }
  const applied = await apply(deps, feed, now, { ...fetched.validators, ...counts, contentHash });
  return { ...applied, ...said };
}

/** Applies the calendar that was held back; a refusal says why that is not possible. */
export async function acceptHeld(deps: PollDeps, feed: Feed): Promise<PolledFeed | Wrong> {
  if (feed.heldNights === null) return new Wrong('nothingHeld', { id: feed.feedId });
  const { outcome, state } = await apply(deps, feed, parseHeld(feed.heldNights), NOTHING_KNOWN);
  if (outcome === 'failed')
    return new Wrong('layerGone', { propertyId: feed.propertyId, typeId: feed.inventoryTypeId });
  const after: Feed = { ...feed, ...NO_FAILURE, ...state };
  await deps.storage.saveFeedState(feed.feedId, after);
  return { outcome, feed: after };
}

export function nameOf({ feedId, propertyId, inventoryTypeId }: Feed): LayerName {
  return { propertyId, inventoryTypeId, source: sourceOfFeed(feedId) };
}

/** End of the nights taken from a calendar, which begin today. */
export function readUntil(today: EpochDay, horizonNights: number): EpochDay {
  return today + horizonNights + READ_AHEAD_NIGHTS;
}

/** Identifies the calendar applied last, to its server and to us. */
type Known = Validators & Pick<FeedState, 'contentHash'>;

const NOTHING_KNOWN: Known = { etag: null, lastModified: null, contentHash: null };

/** The first good answer of each day is read in full: the horizon moves on, and a known calendar adds no nights. */
function knownOf({ confirmedAtMs, etag, lastModified, contentHash }: Feed, nowMs: number): Known {
  const isOfToday = confirmedAtMs !== null && utcDay(confirmedAtMs) === utcDay(nowMs);
  return isOfToday ? { etag, lastModified, contentHash } : NOTHING_KNOWN;
}

const HELD: Settled = { outcome: 'held', state: {} };

/**
 * Closes the nights of a calendar whose openings are held back. The layer then equals no calendar that the feed sent,
 * so no stored validator or hash may match it. Store that first: the process may end in between.
 */
async function close(deps: PollDeps, feed: Feed, { closed }: HeldNights): Promise<Settled> {
  await deps.storage.saveFeedState(feed.feedId, { ...feed, ...NOTHING_KNOWN });
  const name = nameOf(feed);
  const refusal = refusalOf(await extendLayer(deps, name, closed), name);
  return refusal === undefined ? { outcome: 'held', state: NOTHING_KNOWN } : failed(refusal);
}

const NOTHING_HELD = { heldNights: null, heldHash: null };

async function apply(
  deps: PollDeps,
  feed: Feed,
  { closed }: HeldNights,
  state: Partial<FeedState>,
): Promise<Settled> {
  const name = nameOf(feed);
  const replaced = await replaceLayer(deps, name, closed);
  const refusal = refusalOf(replaced, name);
  if (refusal !== undefined) return failed(refusal);
  const outcome = replaced.changed > 0 ? 'changed' : 'unchanged';
  return { outcome, state: { ...state, ...NOTHING_HELD, confirmedAtMs: deps.clock() } };
}

/** The feed again sends the calendar applied last: drops the one held back. */
async function confirm(deps: PollDeps, feed: Feed, validators: Partial<Validators>): Promise<Settled> {
  const name = nameOf(feed);
  const refusal = refusalOf(await confirmLayer(deps, name), name);
  if (refusal !== undefined) return failed(refusal);
  const state = { ...validators, ...NOTHING_HELD, confirmedAtMs: deps.clock() };
  return { outcome: 'unchanged', state };
}

function failed(failureWrong: Told): Settled {
  return { outcome: 'failed', state: { failure: cut(inEnglish(failureWrong)), failureWrong } };
}

/** A stranger's text: characters that no column can hold must not prevent storing the failure. */
function cut(text: string): string {
  return text.slice(0, FAILURE_LENGTH_MAX).toWellFormed().replaceAll('\0', '');
}
