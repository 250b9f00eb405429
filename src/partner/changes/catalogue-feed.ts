/**
 * Changes in the catalogue for one partner, in the order of the properties' revisions. Each property has one place: its
 * newest revision. A change is reported only once the catalogue in memory shows it.
 */
import type { HandoffKeyring } from '../../handoff/handoff-keys.ts';
import { DAY_MS } from '../../domain/local-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import { changeFor } from '../../storage/catalogue/change-row.ts';
import type { ChangePosition, ChangeStore, ReadChange } from '../../storage/catalogue/change-store.ts';
import { hasReached, type HistoryMark, type Revision } from '../../storage/history/revision.ts';
import type { ChangeFeed, FeedAnswer, FeedQuestion, ListedChange } from './change-feed.ts';
import { type FeedCursor, openCursor, sealCursor } from './feed-cursor.ts';
import {
  behind,
  FEED_SIZES,
  type FeedSizes,
  isBefore,
  placeOf,
  type RecentChanges,
  RecentReader,
  type ShownCatalogue,
} from './recent-changes.ts';
import type { LookedForChanges, LookFrom, VisibleChanges } from './visible-changes.ts';
import { type Retention, type RetentionDeps, startRetention } from '../../storage/tasks/retention.ts';

/** How long equal questions share an answer. */
const SHARED_MS = 1_000;

export interface CatalogueFeedDeps {
  readonly storage: Omit<ChangeStore, 'forgetViews'>;
  /** Undefined while memory shows another history than the database has. */
  readonly shown: () => ShownCatalogue | undefined;
  readonly pause: (ms: number) => Promise<void>;
  /** Monotonic. */
  readonly uptimeMs: Clock;
  readonly keys: () => HandoffKeyring;
  readonly clock: Clock;
  readonly random: Random;
  /** Days that a cursor stays valid. */
  readonly keptDays: number;
  /** Smaller in tests. */
  readonly sizes?: FeedSizes | undefined;
}

const AWAY = { refused: 'away', reason: 'the catalogue in memory is not that of the database' } as const;
const BEHIND_PARTNER = {
  refused: 'away',
  reason: 'the catalogue in memory is older than this partner',
} as const;

export class CatalogueFeed implements ChangeFeed, VisibleChanges {
  readonly #deps: CatalogueFeedDeps;
  readonly #sizes: FeedSizes;
  readonly #recent: RecentReader;
  /** Answers by question, for one state of the recent changes. */
  readonly #shared = new Map<string, FeedAnswer>();
  #sharedOf: RecentChanges | undefined;
  #sharedUntilMs = 0;

  constructor(deps: CatalogueFeedDeps) {
    this.#deps = deps;
    this.#sizes = deps.sizes ?? FEED_SIZES;
    this.#recent = new RecentReader(deps);
  }

  version(): number {
    return this.#deps.shown()?.revision ?? -1;
  }

  async ask({ partnerId, since, limit, mayBeOldMs = 0 }: FeedQuestion): Promise<FeedAnswer> {
    const { keys, clock, keptDays } = this.#deps;
    if (since === undefined) return this.#begin(partnerId);
    const recent = await this.#recent.read(mayBeOldMs);
    const question = [partnerId, since, String(limit)].join(' ');
    const shared = recent && this.#sharedAnswers(recent).get(question);
    if (shared !== undefined) return shared;
    const cursor = openCursor(keys(), { partnerId, isTest: false }, since);
    if (cursor === undefined) return { refused: 'invalid' };
    if (cursor === 'retired' || clock() - cursor.atMs > keptDays * DAY_MS) return { refused: 'reset' };
    if (recent === undefined) return AWAY;
    if (!(await this.#recent.continues([cursor.since, cursor.seen], recent))) return { refused: 'reset' };
    // A thread behind the sweep must not pass its places in a history that it has not noticed to be lost.
    if (!hasReached(recent.upTo, cursor.seen) && !(await this.#isStored(recent.upTo))) return AWAY;
    const answer = await this.#answerOnce({ partnerId, limit }, cursor, recent);
    this.#sharedAnswers(recent).set(question, answer);
    return answer;
  }

  async hasChanges(
    partnerId: string,
    { revision, place: from }: LookFrom,
    upTo: Revision,
  ): Promise<LookedForChanges> {
    const { read, scanned: scannedMax } = this.#sizes;
    let place = from ?? behind(revision);
    for (let scanned = 0; scanned < scannedMax; scanned += read) {
      const { changes, hasMore } = await this.#deps.storage.readChanges(place, read);
      const changed = changes.some(({ row }) => changeFor(row, partnerId, revision) !== undefined);
      if (changed || !hasMore) return { changed, from: { revision: upTo } };
      place = placeOf(changes.at(-1)!);
      if (place.revision > upTo) return { changed: false, from: { revision: upTo } };
    }
    return { changed: false, from: { revision, place } };
  }

  /**
   * Starts with the current cursor. Memory that is not yet at a partner's first revision shows it what it could see if it
   * had been there: of that it could not be told later whether it had seen it.
   */
  async #begin(partnerId: string): Promise<FeedAnswer> {
    const { storage, clock } = this.#deps;
    const partnerRevision = await storage.findPartnerRevision(partnerId);
    const now = await this.#recent.untilShown(partnerRevision);
    if (now === undefined) return AWAY;
    const { revision, history } = now;
    if (revision < partnerRevision) return BEHIND_PARTNER;
    const { continues, stamp } = await storage.readMarks({ marks: [history], revision });
    if (!continues[0]) return AWAY;
    const mark = { revision, stamp };
    const cursor = { since: mark, place: behind(revision), seen: mark, atMs: clock() };
    return { changes: [], next: this.#seal(partnerId, cursor), hasMore: false, version: revision };
  }

  /** Followers of one partner at one place get the same changes and the same next cursor. */
  async #answerOnce(
    { partnerId, limit }: Pick<FeedQuestion, 'partnerId' | 'limit'>,
    cursor: FeedCursor,
    recent: RecentChanges,
  ): Promise<FeedAnswer> {
    const { since, place, seen } = cursor;
    const key = JSON.stringify([partnerId, limit, since, place, seen]);
    const known = this.#sharedAnswers(recent).get(key);
    if (known !== undefined) return known;
    const page = new Page(partnerId, cursor, limit);
    const isFar = isBefore(place, recent.from);
    const answer = isFar ? await this.#catchUp(page, cursor, recent) : this.#tell(page, cursor, recent);
    // A cursor of a further page holds the time when its sweep began, so it cannot be shared.
    if (answer.refused === undefined && !answer.hasMore) this.#sharedAnswers(recent).set(key, answer);
    return answer;
  }

  async #isStored(mark: HistoryMark): Promise<boolean> {
    const { continues } = await this.#deps.storage.readMarks({ marks: [mark] });
    return continues[0] === true;
  }

  #sharedAnswers(recent: RecentChanges): Map<string, FeedAnswer> {
    const nowMs = this.#deps.uptimeMs();
    if (recent !== this.#sharedOf || nowMs > this.#sharedUntilMs || this.#shared.size >= this.#sizes.shared) {
      this.#shared.clear();
      this.#sharedOf = recent;
      this.#sharedUntilMs = nowMs + SHARED_MS;
    }
    return this.#shared;
  }

  #tell(page: Page, cursor: FeedCursor, recent: RecentChanges): FeedAnswer {
    const { changes, upTo, readTo } = recent;
    for (let index = firstBehind(changes, cursor.place); index < changes.length; index += 1)
      if (!page.add(changes[index]!))
        return this.#goOn(page, cursor, { place: page.place, seen: readTo }, true);
    // Another thread may have told more than this one shows.
    if (cursor.place.revision > upTo.revision) return this.#answer(page, cursor, false);
    return this.#end(page, cursor, recent);
  }

  /** For those who are far behind: from the database, up to what is read once for all. */
  async #catchUp(page: Page, cursor: FeedCursor, { upTo, readTo }: RecentChanges): Promise<FeedAnswer> {
    const { storage } = this.#deps;
    const { read: readMax, scanned: scannedMax } = this.#sizes;
    const read: HistoryMark[] = [];
    let isEnd = false;
    let isWhole = false;
    let isFull = false;
    for (let scanned = 0; scanned < scannedMax && !isEnd && !isFull; scanned += readMax) {
      const { changes, hasMore, readFrom } = await storage.readChanges(page.place, readMax);
      if (readFrom !== undefined) read.push(readFrom);
      const shown = changes.filter(({ revision }) => revision <= upTo.revision);
      isFull = !shown.every((change) => page.add(change));
      isEnd = !isFull && (!hasMore || shown.length < changes.length);
      isWhole = isEnd && shown.length === changes.length;
    }
    // Each statement saw its own state: the last of them at most this one, and all of one history.
    const { continues, newest, stamp } = await storage.readMarks({ marks: [upTo, ...read] });
    if (continues.includes(false)) return AWAY;
    if (isWhole) return this.#end(page, cursor, { upTo, readTo });
    const seen = { revision: newest, stamp };
    if (isEnd) return this.#end(page, cursor, { upTo, readTo: seen });
    return this.#goOn(page, cursor, { place: page.place, seen }, true);
  }

  /**
   * Everything up to `upTo` is told, unless a page of this sweep came from a later state: what had changed again by
   * then was no longer at its earlier place, so the sweep goes on until a page shows that state.
   */
  #end(page: Page, cursor: FeedCursor, { upTo, readTo }: Pick<RecentChanges, 'upTo' | 'readTo'>): FeedAnswer {
    const isWhole = Math.max(readTo.revision, cursor.seen.revision) <= upTo.revision;
    if (!isWhole) return this.#goOn(page, cursor, { place: behind(upTo.revision), seen: readTo }, false);
    const next = { since: upTo, place: behind(upTo.revision), seen: upTo, atMs: this.#deps.clock() };
    return this.#answer(page, next, false);
  }

  #goOn(
    page: Page,
    cursor: FeedCursor,
    { place, seen }: Pick<FeedCursor, 'place' | 'seen'>,
    hasMore: boolean,
  ): FeedAnswer {
    const newest = seen.revision > cursor.seen.revision ? seen : cursor.seen;
    return this.#answer(page, { ...cursor, place, seen: newest }, hasMore);
  }

  #answer({ partnerId, changes }: Page, next: FeedCursor, hasMore: boolean): FeedAnswer {
    return { changes, next: this.#seal(partnerId, next), hasMore, version: next.place.revision };
  }

  #seal(partnerId: string, cursor: FeedCursor): string {
    return sealCursor(this.#deps.keys(), { partnerId, isTest: false }, cursor, this.#deps.random);
  }
}

/** The changes of one answer to a partner. */
class Page {
  readonly partnerId: string;
  readonly changes: ListedChange[] = [];
  /** Everything up to this place is reported or not visible to this partner. */
  place: ChangePosition;
  readonly #since: Revision;
  readonly #limit: number;

  constructor(partnerId: string, { since, place }: FeedCursor, limit: number) {
    this.partnerId = partnerId;
    this.place = place;
    this.#since = since.revision;
    this.#limit = limit;
  }

  /** False if the page is full. */
  add(found: ReadChange): boolean {
    const change = changeFor(found.row, this.partnerId, this.#since);
    if (change !== undefined) {
      if (this.changes.length === this.#limit) return false;
      this.changes.push({ propertyId: found.propertyId, change });
    }
    this.place = placeOf(found);
    return true;
  }
}

function firstBehind(changes: readonly ReadChange[], place: ChangePosition): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(place, placeOf(changes[middle]!))) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Retention: which partners saw properties come and go is forgotten once no cursor is so old.

interface ChangeRetentionDeps extends RetentionDeps {
  readonly storage: RetentionDeps['storage'] & Pick<ChangeStore, 'forgetViews'>;
  /** Smaller in tests. */
  readonly sliceMax?: number | undefined;
}

const PROPERTIES_PER_SLICE = 200;
/** Clocks of several machines differ. */
const LONGER_MS = DAY_MS;

export function startChangeRetention(deps: ChangeRetentionDeps): Retention {
  const { storage, retentionDays, sliceMax = PROPERTIES_PER_SLICE } = deps;
  return startRetention(deps, {
    what: 'who saw properties come and go',
    sliceMax,
    deleteSlice: (nowMs) => storage.forgetViews(nowMs - retentionDays * DAY_MS - LONGER_MS, sliceMax),
  });
}
