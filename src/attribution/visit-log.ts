/**
 * What travellers did, on its way into the database: gathered in memory, written behind their answers in batches. A
 * database that is away costs no traveller anything; visits wait for it up to a bound, then are counted as lost.
 */
import type { HandoffVisit, VisitOutcome, VisitStore } from '../storage/port/attribution-store.ts';

export interface VisitLog {
  /** `outcome` is null when the database could not be asked. */
  opened(quoteId: string, atMs: number, outcome: VisitOutcome | null): void;
  continued(quoteId: string, atMs: number): void;
  /** Writes what waits, as far as the database takes it. */
  close(): Promise<void>;
}

export interface VisitLogDeps {
  readonly storage: VisitStore;
  readonly onLost: (count: number) => void;
  readonly logger: { warn(fields: object, message: string): void };
  /** For tests. */
  readonly writeEveryMs?: number;
}

/** Quotes with something to write; some 3 MB. */
export const VISITS_WAITING_MAX = 10_000;
export const VISITS_PER_WRITE_MAX = 500;
const WRITE_EVERY_MS = 500;
/** After a failure, so that a database that comes back isn't met by everything at once. */
const RETRY_MS = 2_000;

export function startVisitLog({
  storage,
  onLost,
  logger,
  writeEveryMs = WRITE_EVERY_MS,
}: VisitLogDeps): VisitLog {
  const waiting = new Map<string, HandoffVisit>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let wasAway = false;

  function note(visit: HandoffVisit): void {
    const known = waiting.get(visit.quoteId);
    if (known === undefined && waiting.size >= VISITS_WAITING_MAX) return onLost(1);
    waiting.set(visit.quoteId, known === undefined ? visit : mergeVisits(known, visit));
    schedule(writeEveryMs);
  }

  function schedule(delayMs: number): void {
    if (timer !== undefined || writing !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      writing = writeBatch().finally(() => {
        writing = undefined;
        if (waiting.size > 0) schedule(wasAway ? RETRY_MS : 0);
      });
    }, delayMs);
    timer.unref();
  }

  /** Never rejects. */
  async function writeBatch(): Promise<void> {
    const batch = [...waiting.values()].slice(0, VISITS_PER_WRITE_MAX);
    for (const { quoteId } of batch) waiting.delete(quoteId);
    try {
      await storage.recordVisits(batch);
      wasAway = false;
    } catch (err) {
      if (!wasAway) logger.warn({ err }, 'visits of travellers wait for the database');
      wasAway = true;
      takeBack(batch);
    }
  }

  function takeBack(batch: readonly HandoffVisit[]): void {
    for (const visit of batch) {
      const since = waiting.get(visit.quoteId);
      waiting.set(visit.quoteId, since === undefined ? visit : mergeVisits(visit, since));
    }
  }

  return {
    opened: (quoteId, atMs, outcome) =>
      note({ quoteId, openedCount: 1, firstOpenedAtMs: atMs, outcome, continuedAtMs: null }),
    continued: (quoteId, atMs) =>
      note({ quoteId, openedCount: 0, firstOpenedAtMs: null, outcome: null, continuedAtMs: atMs }),
    async close() {
      clearTimeout(timer);
      timer = undefined;
      await writing;
      clearTimeout(timer);
      wasAway = false;
      while (waiting.size > 0 && !wasAway) await writeBatch();
      if (waiting.size > 0) onLost(waiting.size);
    },
  };
}

/** What both say together: the first of each, and the sum of what is counted. */
function mergeVisits(earlier: HandoffVisit, later: HandoffVisit): HandoffVisit {
  return {
    quoteId: earlier.quoteId,
    openedCount: earlier.openedCount + later.openedCount,
    firstOpenedAtMs: earlier.firstOpenedAtMs ?? later.firstOpenedAtMs,
    outcome: earlier.outcome ?? later.outcome,
    continuedAtMs: earlier.continuedAtMs ?? later.continuedAtMs,
  };
}
