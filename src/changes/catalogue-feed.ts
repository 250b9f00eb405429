/**
 * Changes in the catalogue for one partner, in the order of the properties' revisions. Each property has one place: its
 * newest revision. A change is reported only once the catalogue in memory shows it.
 */
import type { HandoffKeyring } from '../handoff/handoff-keys.ts';
import { DAY_MS } from '../domain/local-date.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { SliceQueue } from '../runtime/slice-queue.ts';
import { changeFor, type ToldUntil } from '../storage/catalogue/change-row.ts';
import type {
  ChangePlace,
  ChangeStore,
  HistoryAnswer,
  ReadChange,
} from '../storage/catalogue/change-store.ts';
import type { HistoryMark, Revision } from '../storage/history/revision.ts';
import type { ChangeFeed, FeedAnswer, FeedQuestion, ToldChange } from './change-feed.ts';
import { type FeedCursor, openCursor, sealCursor } from './feed-cursor.ts';
import type { LookedForChanges, VisibleChanges } from './visible-changes.ts';

/** Properties that one answer reads: those visible only to others cost time too. */
export const SCANNED_MAX = 20_000;
/** Properties per query. */
const READ_MAX = 1_001;
/** The longest that an answer waits for the catalogue in memory to catch up with the database. */
const SHOWN_WAIT_MS = 700;
const SHOWN_LOOK_MS = 10;
/** By this age, every process has a new partner in memory. */
const NEWBORN_MS = 60_000;
/** How long followers at the same place share one read, and how many places are kept for it. */
const SHARED_MS = 100;
const SHARED_MAX = 50;

/** The state of the catalogue in memory. */
export interface ShownCatalogue {
  /** Everything up to this revision is visible. */
  readonly revision: Revision;
  /** The history of that revision. */
  readonly history: HistoryMark;
}

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

/** Properties after a place, up to a state of the database. */
interface ReadPart {
  readonly changes: readonly ReadChange[];
  /** Contains everything up to `marks.newest`. */
  readonly isWhole: boolean;
  readonly marks: HistoryAnswer;
}

const AWAY = { refused: 'away', reason: 'the catalogue in memory is not that of the database' } as const;

/** Sorts after every property id. */
const BEHIND_ALL_IDS = '\u007f';

function behind(revision: Revision): ChangePlace {
  return { revision, propertyId: BEHIND_ALL_IDS };
}

export class CatalogueFeed implements ChangeFeed, VisibleChanges {
  readonly #deps: CatalogueFeedDeps;
  /** By place; for one state of the catalogue. */
  readonly #shared = new Map<string, Promise<ReadPart>>();
  #sharedUntilMs = Number.NEGATIVE_INFINITY;
  /** By part; dropped together with it. */
  readonly #told = new WeakMap<ReadPart, Map<string, readonly ToldChange[]>>();
  readonly #turns = new SliceQueue(0);

  constructor(deps: CatalogueFeedDeps) {
    this.#deps = deps;
  }

  version(): number {
    return this.#deps.shown()?.revision ?? -1;
  }

  async ask({ partnerId, since, limit }: FeedQuestion): Promise<FeedAnswer> {
    const { keys, clock, keptDays } = this.#deps;
    if (since === undefined) return this.#begin(partnerId);
    const cursor = openCursor(keys(), { partnerId, isTest: false }, since);
    if (cursor === undefined) return { refused: 'invalid' };
    if (clock() - cursor.atMs > keptDays * DAY_MS) return { refused: 'reset' };
    return this.#goOn(partnerId, cursor, limit);
  }

  async hasChanges(partnerId: string, afterRevision: Revision): Promise<LookedForChanges> {
    const told = { revision: afterRevision, bornRevision: 0 };
    let place = behind(afterRevision);
    for (let scanned = 0; scanned < SCANNED_MAX; scanned += READ_MAX) {
      const { changes, isWhole, marks } = await this.#read(place, []);
      const changed = changes.some(({ row }) => changeFor(row, partnerId, told) !== undefined);
      if (changed || isWhole) return { newest: Math.max(marks.newest, afterRevision), changed };
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
    return { changes: [], next: this.#seal(partnerId, cursor), hasMore: false };
  }

  async #goOn(partnerId: string, cursor: FeedCursor, limit: number): Promise<FeedAnswer> {
    const told: ToldUntil = { revision: cursor.since.revision, bornRevision: cursor.bornRevision };
    const changes: ToldChange[] = [];
    let { place } = cursor;
    for (let scanned = 0; ;) {
      const part = await this.#readShown(place, cursor.since);
      if (part === 'away') return AWAY;
      if (part === 'reset') return { refused: 'reset' };
      if (part === 'hidden') return this.#page(partnerId, changes, { ...cursor, place }, false);
      // One follower per turn of the event loop: a single change may wake a thousand.
      await this.#turns.continue();
      const own = this.#toldOf(part, partnerId, told);
      if (changes.length + own.length <= limit) {
        changes.push(...own);
        if (part.isWhole) return this.#page(partnerId, changes, this.#endOf(cursor, part.marks), false);
        place = placeOf(part.changes.at(-1)!);
        scanned += part.changes.length;
        if (scanned >= SCANNED_MAX) return this.#page(partnerId, changes, { ...cursor, place }, true);
        continue;
      }
      for (const found of part.changes) {
        const change = changeFor(found.row, partnerId, told);
        if (change !== undefined) {
          if (changes.length === limit) return this.#page(partnerId, changes, { ...cursor, place }, true);
          changes.push({ propertyId: found.propertyId, change });
        }
        // Nothing after the last reported change needs reporting up to here.
        place = placeOf(found);
      }
    }
  }

  /** Followers of one partner at the same place get the same changes, which are computed once. */
  #toldOf(part: ReadPart, partnerId: string, told: ToldUntil): readonly ToldChange[] {
    const byPartner = this.#told.get(part) ?? new Map<string, readonly ToldChange[]>();
    this.#told.set(part, byPartner);
    const key = JSON.stringify([partnerId, told.revision, told.bornRevision]);
    let changes = byPartner.get(key);
    if (changes === undefined) {
      changes = part.changes.flatMap(({ row, propertyId }) => {
        const change = changeFor(row, partnerId, told);
        return change === undefined ? [] : [{ propertyId, change }];
      });
      byPartner.set(key, changes);
    }
    return changes;
  }

  #endOf(cursor: FeedCursor, { newest, stamp }: HistoryAnswer): FeedCursor {
    return {
      since: { revision: newest, stamp },
      bornRevision: cursor.bornRevision > newest ? cursor.bornRevision : 0,
      place: behind(newest),
      atMs: this.#deps.clock(),
    };
  }

  #page(partnerId: string, changes: readonly ToldChange[], next: FeedCursor, hasMore: boolean): FeedAnswer {
    return { changes, next: this.#seal(partnerId, next), hasMore };
  }

  #seal(partnerId: string, cursor: FeedCursor): string {
    return sealCursor(this.#deps.keys(), { partnerId, isTest: false }, cursor, this.#deps.random);
  }

  /** Reads changes and waits until memory shows them all; those not shown in time are left for the next answer. */
  async #readShown(place: ChangePlace, since: HistoryMark): Promise<ReadPart | 'away' | 'hidden' | 'reset'> {
    const { shown } = this.#deps;
    const before = shown();
    if (before === undefined) return 'away';
    const part = await this.#readOnce(place, since, before);
    const [isShownHistory, isCursorHistory] = part.marks.continues;
    if (!isCursorHistory) return 'reset';
    if (!isShownHistory) return 'away';
    const last = part.changes.at(-1)?.revision ?? 0;
    const now = await this.#untilShown(last);
    if (now === undefined) return 'away';
    if (now.revision >= last) return part;
    const changes = part.changes.filter((found) => found.revision <= now.revision);
    if (changes.length === 0) return 'hidden';
    const { stamp } = await this.#deps.storage.readMarks({ marks: [], revision: now.revision });
    return { changes, isWhole: true, marks: { ...part.marks, newest: now.revision, stamp } };
  }

  async #untilShown(revision: Revision): Promise<ShownCatalogue | undefined> {
    const { shown } = this.#deps;
    for (let waitedMs = 0; waitedMs < SHOWN_WAIT_MS; waitedMs += SHOWN_LOOK_MS) {
      const now = shown();
      if (now === undefined || now.revision >= revision) return now;
      await new Promise((resolve) => setTimeout(resolve, SHOWN_LOOK_MS));
    }
    return shown();
  }

  /** A thousand followers at the same place cost one query. */
  #readOnce(place: ChangePlace, since: HistoryMark, shown: ShownCatalogue): Promise<ReadPart> {
    const nowMs = performance.now();
    if (nowMs > this.#sharedUntilMs || this.#shared.size >= SHARED_MAX) {
      this.#shared.clear();
      this.#sharedUntilMs = nowMs + SHARED_MS;
    }
    const key = JSON.stringify([place, since, shown]);
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const read = this.#read(place, [shown.history, since]);
    this.#shared.set(key, read);
    return read;
  }

  async #read(place: ChangePlace, marks: readonly HistoryMark[]): Promise<ReadPart> {
    const { storage } = this.#deps;
    // Read the database's newest revision first: everything up to it is then found, unless it changes again and is
    // found later.
    const answer = await storage.readMarks({ marks });
    const { changes, hasMore } = await storage.readChanges(place, READ_MAX);
    const upTo = changes.filter(({ revision }) => revision <= answer.newest);
    return { changes: upTo, isWhole: upTo.length < changes.length || !hasMore, marks: answer };
  }
}

function placeOf({ revision, propertyId }: ReadChange): ChangePlace {
  return { revision, propertyId };
}
