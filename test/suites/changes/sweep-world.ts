/**
 * A partner that reads the feed of changes from several threads, each of which shows a state of its own, while the
 * database changes between any two of their reads. The database is a list of its states in memory.
 */
import { CatalogueFeed } from '../../../src/partner/changes/catalogue-feed.ts';
import type { FeedAnswer } from '../../../src/partner/changes/change-feed.ts';
import { isBefore, placeOf, type ShownCatalogue } from '../../../src/partner/changes/recent-changes.ts';
import { systemRandom } from '../../../src/runtime/random.ts';
import {
  advanceRow,
  type ChangeRow,
  type StoredContentState,
} from '../../../src/storage/catalogue/change-row.ts';
import type { ChangeStore, ReadChange } from '../../../src/storage/catalogue/change-store.ts';
import type { HistoryMark, Revision } from '../../../src/storage/history/revision.ts';
import { NOW_MS, seededRandom } from '../../kit/catalogue-samples.ts';
import { keyring } from './feed-fixture.ts';
import { machineUptime } from '../../../src/runtime/clock.ts';

export const PARTNER = 'acme';
const PROPERTY_IDS = ['p1', 'p2', 'p3', 'p4', 'p5'];
/** Few, so that most sweeps take several statements. */
const ROWS_PER_STATEMENT = 2;

interface Listed {
  readonly name: number;
  readonly rate: number;
  readonly isVisible: boolean;
}

interface StoredProperty {
  readonly revision: Revision;
  readonly row: ChangeRow;
  /** Null when it is withdrawn. */
  readonly listed: Listed | null;
}

type State = ReadonlyMap<string, StoredProperty>;

/** The same seed makes the same story. */
export class SweepWorld {
  readonly #random: () => number;
  /** By revision, with the stamps of one history: after a failover, a revision has another stamp. */
  readonly #states: State[] = [new Map()];
  readonly #stamps: string[] = ['0'];
  #stampCount = 0;
  #isQuiet = false;
  readonly #threads: Thread[];

  constructor(seed: number, threadCount: number) {
    this.#random = seededRandom(seed);
    this.#threads = Array.from({ length: threadCount }, () => new Thread(this));
  }

  get newest(): Revision {
    return this.#states.length - 1;
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)]!;
  }

  markOf(revision: Revision): HistoryMark {
    return { revision, stamp: this.#stamps[revision]! };
  }

  thread(): Thread {
    return this.pick(this.#threads);
  }

  stateAt(revision: Revision): State {
    return this.#states[revision]!;
  }

  statesUpTo(revision: Revision): readonly State[] {
    return this.#states.slice(0, revision + 1);
  }

  isStored({ revision, stamp }: HistoryMark): boolean {
    return this.#stamps[revision] === stamp;
  }

  commit(): void {
    const ids = new Set([this.pick(PROPERTY_IDS), ...(this.chance(0.3) ? [this.pick(PROPERTY_IDS)] : [])]);
    this.write([...ids].map((id) => [id, this.#next(this.stateAt(this.newest).get(id)?.listed ?? null)]));
  }

  write(changes: readonly (readonly [propertyId: string, listed: Listed | null])[]): void {
    const revision = this.newest + 1;
    const state = new Map(this.stateAt(this.newest));
    for (const [propertyId, listed] of changes) {
      const row = advanceRow(state.get(propertyId)?.row, {
        content: listed === null ? undefined : contentOf(listed),
        revision,
        nowMs: NOW_MS,
      });
      state.set(propertyId, { revision, row, listed });
    }
    this.#states.push(state);
    this.#stamps.push(`${(this.#stampCount += 1)}`);
  }

  /** The database goes back by a few revisions. Threads show what it lost until they follow again. */
  lose(): void {
    const kept = Math.max(0, this.newest - this.pick([1, 2, 3]));
    this.#states.length = kept + 1;
    this.#stamps.length = kept + 1;
  }

  /** From now on nothing changes, and every thread shows everything. */
  settle(): void {
    this.#isQuiet = true;
    for (const thread of this.#threads) thread.show(this.newest);
  }

  get isQuiet(): boolean {
    return this.#isQuiet;
  }

  #change(): void {
    if (!this.#isQuiet && this.chance(0.15)) this.commit();
  }

  #next(before: Listed | null): Listed | null {
    const revision = this.newest + 1;
    if (before === null) return { name: revision, rate: revision, isVisible: this.chance(0.8) };
    const kind = this.#random();
    if (kind < 0.1) return null;
    if (kind < 0.35) return { ...before, rate: revision };
    if (kind < 0.6) return { ...before, name: revision };
    return { ...before, isVisible: !before.isVisible };
  }

  /** Statements of one thread. Each sees the state at its time; others write between them. */
  storage(): ChangeStore {
    const between = async <T>(read: () => T): Promise<T> => {
      await Promise.resolve();
      this.#change();
      const found = read();
      this.#change();
      return found;
    };
    return {
      readChanges: (after) =>
        between(() => {
          const changes: ReadChange[] = [...this.stateAt(this.newest)]
            .map(([propertyId, { revision, row }]) => ({ propertyId, revision, row }))
            .filter((change) => isBefore(after, placeOf(change)))
            .toSorted((one, other) => (isBefore(placeOf(one), placeOf(other)) ? -1 : 1));
          const page = changes.slice(0, ROWS_PER_STATEMENT);
          const readFrom =
            page.length === 0 ? undefined : { revision: this.newest, stamp: this.#stamps[this.newest] ?? '' };
          return { changes: page, hasMore: changes.length > page.length, readFrom };
        }),
      readMarks: ({ marks, revision }) =>
        between(() => ({
          continues: marks.map((mark) => this.isStored(mark)),
          stamp: this.#stamps[revision ?? this.newest] ?? '',
          newest: this.newest,
        })),
      findPartnerRevision: async () => 0,
      forgetViews: async () => 0,
    };
  }
}

function contentOf({ name, rate, isVisible }: Listed): StoredContentState {
  return {
    visibleTo: isVisible ? [PARTNER] : [],
    contentDigest: String(name),
    calendarDigest: String(rate),
  };
}

/** What the partner can read of a property in a state: undefined where it can't see it. */
function seenIn(state: State, propertyId: string): Listed | undefined {
  const listed = state.get(propertyId)?.listed;
  return listed?.isVisible === true ? listed : undefined;
}

/** A serving thread: its feed, and the state that it shows. */
export class Thread {
  readonly #world: SweepWorld;
  readonly feed: CatalogueFeed;
  #shown: ShownCatalogue;
  /** The states that led to what it shows, which the database may have lost. */
  #states: readonly State[];

  constructor(world: SweepWorld) {
    this.#world = world;
    this.#shown = { revision: 0, history: world.markOf(0) };
    this.#states = world.statesUpTo(0);
    this.feed = new CatalogueFeed({
      storage: world.storage(),
      shown: () => this.#shown,
      pause: async () => {
        if (world.chance(0.02)) this.follow();
      },
      uptimeMs: machineUptime,
      keys: () => keyring,
      clock: () => NOW_MS,
      random: systemRandom,
      keptDays: 90,
    });
  }

  /** What the partner reads of this thread, at the earliest state that has what it was told. */
  read(propertyId: string, revision: Revision): Listed | undefined {
    return seenIn(this.#states[Math.min(revision, this.#shown.revision)]!, propertyId);
  }

  show(revision: Revision): void {
    this.#shown = { revision, history: this.#world.markOf(revision) };
    this.#states = this.#world.statesUpTo(revision);
  }

  /** Shows a later state, not always the newest; after a loss, what the database still has. */
  follow(): void {
    const { newest } = this.#world;
    const { revision, history } = this.#shown;
    const isNewest = this.#world.chance(0.7) || !this.#world.isStored(history);
    this.show(isNewest ? newest : Math.max(revision, newest - 1));
  }
}

/** A copy that a partner keeps by the feed alone, reading what changed from the thread that told it. */
export class SweepCopy {
  readonly #world: SweepWorld;
  #cursor: string | undefined;
  #copy = new Map<string, Listed>();

  constructor(world: SweepWorld) {
    this.#world = world;
  }

  /** One page from any thread. Returns whether there may be more. */
  async ask(): Promise<boolean> {
    const thread = this.#world.thread();
    const limit = this.#world.pick([1, 1, 2, 9]);
    const mayBeOldMs = this.#world.isQuiet ? 0 : this.#world.pick([0, 10_000]);
    const answer = await thread.feed.ask({ partnerId: PARTNER, since: this.#cursor, limit, mayBeOldMs });
    return this.#take(thread, answer);
  }

  /** Undefined where the copy equals what the partner can read now. */
  difference(): string | undefined {
    const state = this.#world.stateAt(this.#world.newest);
    for (const id of PROPERTY_IDS) {
      const [seen, kept] = [seenIn(state, id), this.#copy.get(id)].map((one) => JSON.stringify(one));
      if (seen !== kept) return `${id}: the partner can read ${seen} and keeps ${kept}`;
    }
    return undefined;
  }

  #take(thread: Thread, answer: FeedAnswer): boolean {
    if (answer.refused === 'reset') this.#cursor = undefined;
    if (answer.refused !== undefined) return true;
    const read = (propertyId: string) => thread.read(propertyId, answer.version);
    if (this.#cursor === undefined) for (const id of PROPERTY_IDS) this.#change(id, 'content', read(id));
    for (const { propertyId, change } of answer.changes) this.#change(propertyId, change, read(propertyId));
    this.#cursor = answer.next;
    return answer.hasMore || answer.changes.length > 0;
  }

  #change(propertyId: string, change: string, seen: Listed | undefined): void {
    const kept = this.#copy.get(propertyId);
    if (change === 'gone' || seen === undefined) this.#copy.delete(propertyId);
    // A partner that is told of the calendar reads the calendar alone.
    else if (change === 'content') this.#copy.set(propertyId, seen);
    else if (kept !== undefined) this.#copy.set(propertyId, { ...kept, rate: seen.rate });
  }
}
