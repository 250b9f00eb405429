/**
 * Looks up published calendars by secret, in memory, so that guessing secrets causes no database load. Follows the rows
 * by revision. Reads all rows again now and then, and when the database went back to a backup or a standby.
 */
import { timingSafeEqual } from 'node:crypto';
import type { PublishedCalendar, PublishedKey, PublishedStore } from '../../storage/published/store.ts';
import {
  HistoryLost,
  type HistoryMark,
  type HistoryStore,
  NOTHING_READ,
  type Revision,
} from '../../storage/history/revision.ts';
import { repeat, type RepeatLogger } from '../../storage/tasks/repeat.ts';
import { hashCalendarSecret } from './calendar-secret.ts';

export interface PublishedWatch {
  /** Undefined for an unknown secret; `away` if the rows have been unknown for too long. */
  find(secret: string): PublishedKey | undefined | 'away';
  stop(): Promise<void>;
}

export interface PublishedWatchDeps {
  readonly storage: Pick<PublishedStore, 'readPublishedChanges'> & HistoryStore;
  /** After this long without the database, every lookup answers `away`. */
  readonly stalenessMaxMs: number;
  readonly logger: RepeatLogger & { info(fields: object, message: string): void };
  /** Monotonic milliseconds. */
  readonly uptimeMs?: () => number;
  /** Shorter in tests. */
  readonly lookMs?: number;
  readonly rereadMs?: number;
}

/** Unpublishing takes effect within a second. */
const LOOK_MS = 200;
const REREAD_MS = 60_000;
/** About a millisecond. */
const ROWS_PER_SLICE = 500;
/** Lines per look; a restored database may change thousands of rows. */
const LINES_MAX = 100;

export function watchPublished(deps: PublishedWatchDeps): PublishedWatch {
  const { storage, stalenessMaxMs, uptimeMs = () => performance.now() } = deps;
  const { lookMs = LOOK_MS, rereadMs = REREAD_MS } = deps;
  let known = new PublishedTable();
  let levelAtMs = Number.NEGATIVE_INFINITY;
  let readAtMs = Number.NEGATIVE_INFINITY;

  async function look(signal: AbortSignal): Promise<void> {
    const askedAtMs = uptimeMs();
    const { newest, isLost } = await readNewest(storage, known.history);
    if (isLost || askedAtMs - readAtMs >= rereadMs) {
      const read = new PublishedTable();
      await follow(storage, read, newest, { signal, onRow: () => undefined });
      known = read;
      readAtMs = askedAtMs;
    } else if (newest.revision > known.revision) {
      await follow(storage, known, newest, { signal, onRow: logRows(deps.logger) });
    }
    levelAtMs = askedAtMs;
  }

  const { logger } = deps;
  const looks = repeat({
    name: 'follow published calendars',
    everyMs: lookMs,
    firstMs: 0,
    logger,
    round: look,
  });
  return {
    find: (secret) => (uptimeMs() - levelAtMs > stalenessMaxMs ? 'away' : known.find(secret)),
    stop: looks.stop,
  };
}

/** `isLost`: the database no longer has what was read. */
async function readNewest(
  storage: HistoryStore,
  known: HistoryMark,
): Promise<{ readonly newest: HistoryMark; readonly isLost: boolean }> {
  try {
    return { newest: await storage.readHistory(known), isLost: false };
  } catch (error) {
    if (!(error instanceof HistoryLost)) throw error;
    return { newest: error.newest, isLost: true };
  }
}

interface Following {
  readonly signal: AbortSignal;
  readonly onRow: (row: PublishedCalendar) => void;
}

/** Follows up to `newest` at least. */
async function follow(
  storage: PublishedWatchDeps['storage'],
  table: PublishedTable,
  newest: HistoryMark,
  { signal, onRow }: Following,
): Promise<void> {
  for (let isMore = true; isMore && !signal.aborted;) {
    const rows = await storage.readPublishedChanges(table.revision, ROWS_PER_SLICE);
    for (const row of rows) {
      table.take(row);
      onRow(row);
    }
    isMore = rows.length === ROWS_PER_SLICE;
  }
  table.revision = Math.max(table.revision, newest.revision);
  table.history = newest;
}

/** Logs it as other administrative acts, on whichever machine the command ran. */
function logRows(logger: PublishedWatchDeps['logger']): (row: PublishedCalendar) => void {
  let lines = 0;
  return ({ propertyId, inventoryTypeId, secretHash }) => {
    lines += 1;
    if (lines > LINES_MAX) return;
    const act = secretHash === null ? 'calendar_unpublished' : 'calendar_published';
    logger.info({ act, propertyId, inventoryTypeId }, 'access changed');
  };
}

interface Known extends PublishedKey {
  readonly hashBytes: Uint8Array;
}

class PublishedTable {
  /** Rows up to here are in it. */
  revision: Revision = 0;
  /** The state that was read at least. */
  history: HistoryMark = NOTHING_READ;
  readonly #byHash = new Map<string, Known>();
  readonly #hashOf = new Map<string, string>();

  take({ propertyId, inventoryTypeId, secretHash, revision }: PublishedCalendar): void {
    const name = `${propertyId}\n${inventoryTypeId}`;
    const former = this.#hashOf.get(name);
    if (former !== undefined) this.#byHash.delete(former);
    if (secretHash === null) this.#hashOf.delete(name);
    else {
      this.#hashOf.set(name, secretHash);
      const hashBytes = Buffer.from(secretHash, 'hex');
      this.#byHash.set(secretHash, { propertyId, inventoryTypeId, hashBytes });
    }
    this.revision = Math.max(this.revision, revision);
  }

  /**
   * Looks up the hash, so the timing depends on a value that nobody can choose; the final comparison is constant-time.
   */
  find(secret: string): PublishedKey | undefined {
    const secretHash = hashCalendarSecret(secret);
    const known = this.#byHash.get(secretHash);
    if (known === undefined) return undefined;
    return timingSafeEqual(known.hashBytes, Buffer.from(secretHash, 'hex')) ? known : undefined;
  }
}
