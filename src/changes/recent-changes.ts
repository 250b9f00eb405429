/**
 * What changed lately, read from the database once for everybody who follows, however many they are. It is of one state
 * of the database, which the catalogue in memory shows.
 */
import type { ChangePlace, ChangeStore, ReadChange } from '../storage/catalogue/change-store.ts';
import type { HistoryMark, Revision } from '../storage/history/revision.ts';

/** Properties of one query. */
export const READ_MAX = 1_001;
/** Who is farther behind reads from the database. */
const RECENT_MAX = 5_000;
const READS_MAX = 5;
/** Marks that are known to be of the history; more are asked for again. */
const MARKS_MAX = 1_000;
/** How long an answer waits for the catalogue in memory to show what the database has. */
const SHOWN_WAIT_MS = 700;
const SHOWN_LOOK_MS = 10;

/** What the catalogue in memory shows. */
export interface ShownCatalogue {
  /** Everything up to here is shown. */
  readonly revision: Revision;
  /** Of which history. */
  readonly history: HistoryMark;
}

export interface RecentDeps {
  readonly storage: Pick<ChangeStore, 'readMarks' | 'readChanges'>;
  /** Undefined while the history that is shown is not that of the database. */
  readonly shown: () => ShownCatalogue | undefined;
}

export interface RecentChanges {
  /** All of them behind this place, up to `upTo`: ascending, each property once. */
  readonly from: ChangePlace;
  readonly changes: readonly ReadChange[];
  readonly upTo: HistoryMark;
  /** False: something that changed before has changed again since, and is not among them for that. */
  readonly isWhole: boolean;
}

/** Sorts behind every property id. */
const BEHIND_ALL_IDS = '\u007f';

export function behind(revision: Revision): ChangePlace {
  return { revision, propertyId: BEHIND_ALL_IDS };
}

export function placeOf({ revision, propertyId }: ReadChange): ChangePlace {
  return { revision, propertyId };
}

export function isBefore(one: ChangePlace, other: ChangePlace): boolean {
  if (one.revision !== other.revision) return one.revision < other.revision;
  return one.propertyId < other.propertyId;
}

export class RecentReader {
  readonly #deps: RecentDeps;
  #recent: RecentChanges | undefined;
  #readAtMs = 0;
  #reading: Promise<RecentChanges | undefined> | undefined;
  readonly #marks = new Set<string>();

  constructor(deps: RecentDeps) {
    this.#deps = deps;
  }

  /** Undefined: nothing can be told at present. What was read less than `mayBeOldMs` ago counts as present. */
  async read(mayBeOldMs: number): Promise<RecentChanges | undefined> {
    const shown = this.#deps.shown();
    if (shown === undefined) return undefined;
    const recent = this.#recent;
    if (recent !== undefined && isPresent(recent, shown)) return recent;
    if (recent !== undefined && performance.now() - this.#readAtMs < mayBeOldMs) return recent;
    this.#reading ??= this.#readOn(shown).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** Whether the database continues a history that was told before. */
  async continues(mark: HistoryMark, { upTo }: RecentChanges): Promise<boolean> {
    const key = keyOf(mark);
    if (this.#marks.has(key)) return true;
    const { continues } = await this.#deps.storage.readMarks({ marks: [mark] });
    // A later one is not of a history that is known.
    if (continues[0] === true && mark.revision <= upTo.revision && this.#marks.size < MARKS_MAX)
      this.#marks.add(key);
    return continues[0] === true;
  }

  async #readOn(shown: ShownCatalogue): Promise<RecentChanges | undefined> {
    const { storage } = this.#deps;
    const before = this.#recent;
    const marks = [shown.history, ...(before === undefined ? [] : [before.upTo])];
    const { continues, newest } = await storage.readMarks({ marks });
    if (continues[0] !== true) return undefined;
    const known = continues[1] === true ? before : undefined;
    const read = known && (await this.#readBehind(known.upTo.revision));
    // One statement saw everything that was committed before what it found last.
    const last = Math.max(newest, read?.at(-1)?.revision ?? 0);
    const now = await this.#untilShown(last);
    if (now === undefined) return undefined;
    // What is not shown in time is left for the next look.
    const revision = Math.min(last, now.revision);
    const { stamp } = await storage.readMarks({ marks: [], revision });
    const kept =
      known === undefined || read === undefined || revision < known.upTo.revision
        ? { from: behind(revision), changes: [] }
        : merge(known, read, revision);
    if (known === undefined || this.#marks.size >= MARKS_MAX) this.#marks.clear();
    this.#marks.add(keyOf({ revision, stamp }));
    this.#readAtMs = performance.now();
    return (this.#recent = { ...kept, upTo: { revision, stamp }, isWhole: revision === last });
  }

  /** Undefined: too much. */
  async #readBehind(revision: Revision): Promise<readonly ReadChange[] | undefined> {
    const read: ReadChange[] = [];
    let place = behind(revision);
    for (let reads = 0; reads < READS_MAX; reads += 1) {
      const { changes, hasMore } = await this.#deps.storage.readChanges(place, READ_MAX);
      read.push(...changes);
      if (!hasMore) return read;
      place = placeOf(changes.at(-1)!);
    }
    return undefined;
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
}

function isPresent({ upTo }: RecentChanges, { revision, history }: ShownCatalogue): boolean {
  return revision === upTo.revision && keyOf(history) === keyOf(upTo);
}

function merge(
  { from, changes }: RecentChanges,
  later: readonly ReadChange[],
  upTo: Revision,
): Pick<RecentChanges, 'from' | 'changes'> {
  const byId = new Map(changes.map((change) => [change.propertyId, change]));
  for (const change of later) {
    if (change.revision > upTo) break;
    byId.delete(change.propertyId);
    byId.set(change.propertyId, change);
  }
  const all = [...byId.values()];
  const forgotten = all.at(-RECENT_MAX - 1);
  return { from: forgotten === undefined ? from : placeOf(forgotten), changes: all.slice(-RECENT_MAX) };
}

function keyOf({ revision, stamp }: HistoryMark): string {
  return `${revision} ${stamp}`;
}
