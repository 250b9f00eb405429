/**
 * Recent changes, read from the database once for all followers. They belong to one state of the database, which the
 * catalogue in memory shows.
 */
import type { Clock } from '../../runtime/clock.ts';
import type { ChangePosition, ChangeStore, ReadChange } from '../../storage/catalogue/change-store.ts';
import { type HistoryMark, isSameHistory, type Revision } from '../../storage/history/revision.ts';

/** How much a feed reads and keeps. */
export interface FeedSizes {
  /** Properties per query. */
  readonly read: number;
  /** Queries for what changed since the last read. */
  readonly reads: number;
  /** Followers farther behind read from the database. */
  readonly recent: number;
  /** Marks known to be part of the history; further ones are looked up again. */
  readonly marks: number;
  /** Properties that one answer reads: those visible only to others cost time too. */
  readonly scanned: number;
  /** Equal questions share an answer: so many answers are kept for that. */
  readonly shared: number;
}

export const FEED_SIZES: FeedSizes = {
  read: 1_001,
  reads: 5,
  recent: 5_000,
  marks: 1_000,
  scanned: 20_000,
  shared: 500,
};
/** The longest that an answer waits for the catalogue in memory to catch up with the database. */
const SHOWN_WAIT_MS = 700;
const SHOWN_LOOK_MS = 10;

/** The state of the catalogue in memory. */
export interface ShownCatalogue {
  /** Everything up to this revision is visible. */
  readonly revision: Revision;
  /** The history of that revision. */
  readonly history: HistoryMark;
}

export interface RecentDeps {
  readonly storage: Pick<ChangeStore, 'readMarks' | 'readChanges'>;
  /** Undefined while memory shows another history than the database has. */
  readonly shown: () => ShownCatalogue | undefined;
  readonly pause: (ms: number) => Promise<void>;
  /** Monotonic. */
  readonly uptimeMs: Clock;
  /** Smaller in tests. */
  readonly sizes?: FeedSizes | undefined;
}

export interface RecentChanges {
  /** `changes` has every change after this place, up to `upTo`: ascending, each property once. */
  readonly from: ChangePosition;
  readonly changes: readonly ReadChange[];
  readonly upTo: HistoryMark;
  /**
   * The newest state that was read for it. Later than `upTo`: something that changed before may have changed again
   * since, and is not among the changes for that.
   */
  readonly readTo: HistoryMark;
}

/** Sorts after every property id. */
const BEHIND_ALL_IDS = '\u007f';

export function behind(revision: Revision): ChangePosition {
  return { revision, propertyId: BEHIND_ALL_IDS };
}

export function placeOf({ revision, propertyId }: ReadChange): ChangePosition {
  return { revision, propertyId };
}

export function isBefore(one: ChangePosition, other: ChangePosition): boolean {
  if (one.revision !== other.revision) return one.revision < other.revision;
  return one.propertyId < other.propertyId;
}

export class RecentReader {
  readonly #deps: RecentDeps;
  readonly #sizes: FeedSizes;
  #recent: RecentChanges | undefined;
  #readAtMs = 0;
  #reading: Promise<RecentChanges | undefined> | undefined;
  readonly #marks = new Set<string>();

  constructor(deps: RecentDeps) {
    this.#deps = deps;
    this.#sizes = deps.sizes ?? FEED_SIZES;
  }

  /** Undefined: unavailable now. Accepts a state read less than `mayBeOldMs` ago. */
  async read(mayBeOldMs: number): Promise<RecentChanges | undefined> {
    const shown = this.#deps.shown();
    if (shown === undefined) return undefined;
    const recent = this.#recent;
    if (recent !== undefined && this.#deps.uptimeMs() - this.#readAtMs < mayBeOldMs) return recent;
    // While memory lags behind, this asks the database: long polls, which accept an older state, came back before.
    if (recent !== undefined && isPresent(recent, shown) && (await this.continues([recent.readTo], recent)))
      return recent;
    this.#reading ??= this.#readOn(shown).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** Whether the database continues all these histories of an earlier answer. */
  async continues(marks: readonly HistoryMark[], { upTo }: RecentChanges): Promise<boolean> {
    const unknown = marks.filter((mark) => !this.#marks.has(keyOf(mark)));
    if (unknown.length === 0) return true;
    const { continues } = await this.#deps.storage.readMarks({ marks: unknown });
    if (continues.includes(false)) return false;
    // A later mark may belong to another history.
    for (const mark of unknown)
      if (mark.revision <= upTo.revision && this.#marks.size < this.#sizes.marks)
        this.#marks.add(keyOf(mark));
    return true;
  }

  async #readOn(shown: ShownCatalogue): Promise<RecentChanges | undefined> {
    const { storage } = this.#deps;
    const before = this.#recent;
    // Changes that a lost state had moved are not among those read from it.
    const marks = [shown.history, ...(before === undefined ? [] : [before.readTo])];
    const { continues, newest, stamp } = await storage.readMarks({ marks });
    if (continues[0] !== true) return undefined;
    const begun: HistoryMark = { revision: newest, stamp };
    const known = continues[1] === true ? before : undefined;
    const read = known && (await this.#readBehind(known.upTo.revision));
    const last = read?.from.at(-1) ?? begun;
    const now = await this.untilShown(last.revision);
    if (now === undefined) return undefined;
    // Changes not shown in time are left for the next read.
    const revision = Math.min(last.revision, now.revision);
    // Each statement saw its own state: all of one history, to which memory belongs?
    const seen = [begun, ...(read?.from ?? []), now.history];
    const end = await storage.readMarks({ marks: seen, revision });
    if (end.continues.includes(false)) return undefined;
    const upTo = { revision, stamp: end.stamp };
    const kept =
      known === undefined || read === undefined || revision < known.upTo.revision
        ? { from: behind(revision), changes: [] }
        : merge(known, read.changes, { upTo: revision, keptMax: this.#sizes.recent });
    if (known === undefined || this.#marks.size >= this.#sizes.marks) this.#marks.clear();
    this.#marks.add(keyOf(upTo));
    this.#readAtMs = this.#deps.uptimeMs();
    return (this.#recent = { ...kept, upTo, readTo: revision === last.revision ? upTo : last });
  }

  /** With the states that they were read from. Undefined: too many changes. */
  async #readBehind(
    revision: Revision,
  ): Promise<{ readonly changes: readonly ReadChange[]; readonly from: readonly HistoryMark[] } | undefined> {
    const read: ReadChange[] = [];
    const from: HistoryMark[] = [];
    let place = behind(revision);
    for (let reads = 0; reads < this.#sizes.reads; reads += 1) {
      const { changes, hasMore, readFrom } = await this.#deps.storage.readChanges(place, this.#sizes.read);
      read.push(...changes);
      if (readFrom !== undefined) from.push(readFrom);
      if (!hasMore) return { changes: read, from };
      place = placeOf(changes.at(-1)!);
    }
    return undefined;
  }

  /** The state of memory, once it has this revision or the wait is over; undefined: of another history. */
  async untilShown(revision: Revision): Promise<ShownCatalogue | undefined> {
    const { shown, pause } = this.#deps;
    for (let waitedMs = 0; waitedMs < SHOWN_WAIT_MS; waitedMs += SHOWN_LOOK_MS) {
      const now = shown();
      if (now === undefined || now.revision >= revision) return now;
      await pause(SHOWN_LOOK_MS);
    }
    return shown();
  }
}

function isPresent({ upTo }: RecentChanges, { revision, history }: ShownCatalogue): boolean {
  return revision === upTo.revision && isSameHistory(history, upTo);
}

function merge(
  { from, changes }: RecentChanges,
  later: readonly ReadChange[],
  { upTo, keptMax }: { readonly upTo: Revision; readonly keptMax: number },
): Pick<RecentChanges, 'from' | 'changes'> {
  const byId = new Map(changes.map((change) => [change.propertyId, change]));
  for (const change of later) {
    if (change.revision > upTo) break;
    byId.delete(change.propertyId);
    byId.set(change.propertyId, change);
  }
  const all = [...byId.values()];
  const forgotten = all.at(-keptMax - 1);
  return { from: forgotten === undefined ? from : placeOf(forgotten), changes: all.slice(-keptMax) };
}

function keyOf({ revision, stamp }: HistoryMark): string {
  return `${revision} ${stamp}`;
}
