/**
 * Changes in the catalogue for one partner, in the order of the properties' revisions. Each property has one place: its
 * newest revision. A change is reported only once the catalogue in memory shows it.
 */
import type { HandoffKeyring } from '../handoff/handoff-keys.ts';
import { DAY_MS } from '../domain/local-date.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { changeFor, type ToldUntil } from '../storage/catalogue/change-row.ts';
import type { ChangePlace, ChangeStore, ReadChange } from '../storage/catalogue/change-store.ts';
import type { HistoryMark, Revision } from '../storage/history/revision.ts';
import type { ChangeFeed, FeedAnswer, FeedQuestion, ToldChange } from './change-feed.ts';
import { type FeedCursor, openCursor, sealCursor } from './feed-cursor.ts';
import {
  behind,
  isBefore,
  placeOf,
  READ_MAX,
  type RecentChanges,
  RecentReader,
  type ShownCatalogue,
} from './recent-changes.ts';
import type { LookedForChanges, VisibleChanges } from './visible-changes.ts';
import { type Retention, type RetentionDeps, startRetention } from '../storage/tasks/retention.ts';

/** Properties that one answer reads: those visible only to others cost time too. */
export const SCANNED_MAX = 20_000;
/** By this age, every process has a new partner in memory. */
const NEWBORN_MS = 60_000;
/** How long equal questions share an answer, and how many answers are kept for that. */
const SHARED_MS = 1_000;
const SHARED_MAX = 500;

export interface CatalogueFeedDeps {
  readonly storage: Omit<ChangeStore, 'forgetViews'>;
  /** Undefined while memory shows another history than the database has. */
  readonly shown: () => ShownCatalogue | undefined;
  readonly keys: () => HandoffKeyring;
  readonly clock: Clock;
  readonly random: Random;
  /** Days that a cursor stays valid. */
  readonly keptDays: number;
}

const AWAY = { refused: 'away', reason: 'the catalogue in memory is not that of the database' } as const;

export class CatalogueFeed implements ChangeFeed, VisibleChanges {
  readonly #deps: CatalogueFeedDeps;
  readonly #recent: RecentReader;
  /** Answers by question, for one state of the recent changes. */
  readonly #shared = new Map<string, FeedAnswer>();
  #sharedOf: RecentChanges | undefined;
  #sharedUntilMs = 0;

  constructor(deps: CatalogueFeedDeps) {
    this.#deps = deps;
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
    if (!(await this.#recent.continues(cursor.since, recent))) return { refused: 'reset' };
    const answer = await this.#tellOnce({ partnerId, limit }, cursor, recent);
    this.#sharedAnswers(recent).set(question, answer);
    return answer;
  }

  async hasChanges(partnerId: string, afterRevision: Revision): Promise<LookedForChanges> {
    const { storage } = this.#deps;
    const told = { revision: afterRevision, bornRevision: 0 };
    const { newest } = await storage.readMarks({ marks: [] });
    let place = behind(afterRevision);
    for (let scanned = 0; scanned < SCANNED_MAX; scanned += READ_MAX) {
      const { changes, hasMore } = await storage.readChanges(place, READ_MAX);
      const changed = changes.some(({ row }) => changeFor(row, partnerId, told) !== undefined);
      // One statement saw everything that was committed before what it found last.
      const last = hasMore ? newest : Math.max(newest, changes.at(-1)?.revision ?? 0);
      if (changed || !hasMore) return { newest: Math.max(last, afterRevision), changed };
      place = placeOf(changes.at(-1)!);
    }
    return { newest: place.revision - 1, changed: false };
  }

  /** Starts with the current cursor. */
  async #begin(partnerId: string): Promise<FeedAnswer> {
    const { shown, storage, clock } = this.#deps;
    const { revision, history } = shown() ?? { revision: -1, history: undefined };
    if (history === undefined) return AWAY;
    const { continues, stamp } = await storage.readMarks({ marks: [history], revision });
    if (!continues[0]) return AWAY;
    const nowMs = clock();
    const bornRevision = await storage.findBirth(partnerId, nowMs - NEWBORN_MS);
    const cursor = { since: { revision, stamp }, bornRevision, place: behind(revision), atMs: nowMs };
    return { changes: [], next: this.#seal(partnerId, cursor), hasMore: false, version: revision };
  }

  /** Followers of one partner at one place get the same changes and the same next cursor. */
  async #tellOnce(
    { partnerId, limit }: Pick<FeedQuestion, 'partnerId' | 'limit'>,
    cursor: FeedCursor,
    recent: RecentChanges,
  ): Promise<FeedAnswer> {
    const { since, bornRevision, place } = cursor;
    const key = JSON.stringify([partnerId, limit, since, bornRevision, place]);
    const known = this.#sharedAnswers(recent).get(key);
    if (known !== undefined) return known;
    const page = new Page(partnerId, cursor, limit);
    const isFar = isBefore(place, recent.from);
    const answer = isFar ? await this.#catchUp(page, cursor, recent) : this.#tell(page, cursor, recent);
    // A cursor of a further page holds the time when its sweep began, so it cannot be shared.
    if (answer.refused === undefined && !answer.hasMore) this.#sharedAnswers(recent).set(key, answer);
    return answer;
  }

  #sharedAnswers(recent: RecentChanges): Map<string, FeedAnswer> {
    const nowMs = performance.now();
    if (recent !== this.#sharedOf || nowMs > this.#sharedUntilMs || this.#shared.size >= SHARED_MAX) {
      this.#shared.clear();
      this.#sharedOf = recent;
      this.#sharedUntilMs = nowMs + SHARED_MS;
    }
    return this.#shared;
  }

  #tell(page: Page, cursor: FeedCursor, recent: RecentChanges): FeedAnswer {
    const { changes, upTo } = recent;
    for (let index = firstBehind(changes, cursor.place); index < changes.length; index += 1)
      if (!page.add(changes[index]!)) return this.#answer(page, { ...cursor, place: page.place }, true);
    // Another thread may have told more than this one shows.
    if (cursor.place.revision > upTo.revision) return this.#answer(page, cursor, false);
    return this.#end(page, cursor, recent);
  }

  /** For those who are far behind: from the database, up to what is read once for all. */
  async #catchUp(page: Page, cursor: FeedCursor, recent: RecentChanges): Promise<FeedAnswer> {
    const { upTo } = recent;
    for (let scanned = 0; scanned < SCANNED_MAX; scanned += READ_MAX) {
      const { changes, hasMore } = await this.#deps.storage.readChanges(page.place, READ_MAX);
      for (const change of changes) {
        if (change.revision > upTo.revision) return this.#end(page, cursor, { upTo, isWhole: false });
        if (!page.add(change)) return this.#answer(page, { ...cursor, place: page.place }, true);
      }
      if (!hasMore) return this.#end(page, cursor, recent);
    }
    return this.#answer(page, { ...cursor, place: page.place }, true);
  }

  /** Everything up to `upTo` is told; or else the sweep goes on with what has changed again since. */
  #end(
    page: Page,
    cursor: FeedCursor,
    { upTo, isWhole }: Pick<RecentChanges, 'upTo' | 'isWhole'>,
  ): FeedAnswer {
    const next = isWhole ? this.#endOf(cursor, upTo) : { ...cursor, place: behind(upTo.revision) };
    return this.#answer(page, next, false);
  }

  #endOf({ bornRevision }: FeedCursor, upTo: HistoryMark): FeedCursor {
    return {
      since: upTo,
      bornRevision: bornRevision > upTo.revision ? bornRevision : 0,
      place: behind(upTo.revision),
      atMs: this.#deps.clock(),
    };
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
  readonly changes: ToldChange[] = [];
  /** Everything up to this place is reported or not visible to this partner. */
  place: ChangePlace;
  readonly #told: ToldUntil;
  readonly #limit: number;

  constructor(partnerId: string, { since, bornRevision, place }: FeedCursor, limit: number) {
    this.partnerId = partnerId;
    this.place = place;
    this.#told = { revision: since.revision, bornRevision };
    this.#limit = limit;
  }

  /** False if the page is full. */
  add(found: ReadChange): boolean {
    const change = changeFor(found.row, this.partnerId, this.#told);
    if (change !== undefined) {
      if (this.changes.length === this.#limit) return false;
      this.changes.push({ propertyId: found.propertyId, change });
    }
    this.place = placeOf(found);
    return true;
  }
}

function firstBehind(changes: readonly ReadChange[], place: ChangePlace): number {
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
}

const PROPERTIES_PER_SLICE = 200;
/** Clocks of several machines differ. */
const LONGER_MS = DAY_MS;

export function startChangeRetention(deps: ChangeRetentionDeps): Retention {
  const { storage, retentionDays } = deps;
  return startRetention(deps, {
    what: 'who saw properties come and go',
    sliceMax: PROPERTIES_PER_SLICE,
    deleteSlice: (nowMs) =>
      storage.forgetViews(nowMs - retentionDays * DAY_MS - LONGER_MS, PROPERTIES_PER_SLICE),
  });
}
