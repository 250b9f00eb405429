/**
 * Visits of travellers on their way into the database: gathered in memory, written in batches after the answers. A
 * database that is away delays no traveller; visits wait up to a bound, then count as lost.
 */
import type { HandoffVisit, VisitOutcome, VisitStore } from '../../storage/attribution/store.ts';
import { writeBehind, type WriteBehindWork } from '../../storage/tasks/write-behind.ts';

export interface VisitLog {
  /** `outcome` is null when the database was unreachable; the change of price as in HandoffVisit. */
  opened(
    quoteId: string,
    atMs: number,
    outcome: VisitOutcome | null,
    priceChangePerMille?: number | null,
  ): void;
  continued(quoteId: string, atMs: number): void;
  /** The operator's own page resolved it: nothing is counted, and the quote counts as opened. */
  resolved(quoteId: string): void;
  /** Writes waiting visits, if the database takes them. */
  close(): Promise<void>;
}

export interface VisitLogDeps {
  readonly storage: VisitStore;
  readonly onLost: (count: number) => void;
  readonly logger: WriteBehindWork['logger'];
  /** For tests. */
  readonly writeEveryMs?: number;
}

/** Quotes with something to write; some 3 MB. */
export const VISITS_WAITING_MAX = 10_000;
export const VISITS_PER_WRITE_MAX = 500;
const WRITE_EVERY_MS = 500;
/** After a failure, so that a returning database is not flooded. */
const RETRY_MS = 2_000;

export function startVisitLog({
  storage,
  onLost,
  logger,
  writeEveryMs = WRITE_EVERY_MS,
}: VisitLogDeps): VisitLog {
  const waiting = new WaitingVisits();
  const behind = writeBehind({
    name: 'write visits',
    everyMs: writeEveryMs,
    awayMs: RETRY_MS,
    logger,
    awayMessage: 'visits of travellers wait for the database',
    async write() {
      while (waiting.size > 0) {
        const batch = waiting.take();
        await storage.recordVisits(batch).catch((error: unknown) => {
          waiting.takeBack(batch);
          throw error;
        });
      }
    },
  });
  const note = (visit: HandoffVisit): void => {
    if (!waiting.add(visit)) onLost(1);
  };
  return {
    opened: (quoteId, atMs, outcome, priceChangePerMille = null) =>
      note({ ...UNSEEN, quoteId, openedCount: 1, firstOpenedAtMs: atMs, outcome, priceChangePerMille }),
    continued: (quoteId, atMs) => note({ ...UNSEEN, quoteId, continuedAtMs: atMs }),
    resolved: (quoteId) => note({ ...UNSEEN, quoteId }),
    async close() {
      await behind.close();
      if (waiting.size > 0) onLost(waiting.size);
    },
  };
}

const UNSEEN = {
  openedCount: 0,
  firstOpenedAtMs: null,
  outcome: null,
  priceChangePerMille: null,
  continuedAtMs: null,
};

class WaitingVisits {
  readonly #byQuoteId = new Map<string, HandoffVisit>();

  get size(): number {
    return this.#byQuoteId.size;
  }

  /** False when the queue is full. */
  add(visit: HandoffVisit): boolean {
    const known = this.#byQuoteId.get(visit.quoteId);
    if (known === undefined && this.size >= VISITS_WAITING_MAX) return false;
    this.#byQuoteId.set(visit.quoteId, known === undefined ? visit : mergeVisits(known, visit));
    return true;
  }

  /** Removes and returns the oldest, VISITS_PER_WRITE_MAX at most. */
  take(): HandoffVisit[] {
    const batch = [...this.#byQuoteId.values()].slice(0, VISITS_PER_WRITE_MAX);
    for (const { quoteId } of batch) this.#byQuoteId.delete(quoteId);
    return batch;
  }

  takeBack(batch: readonly HandoffVisit[]): void {
    for (const visit of batch) {
      const since = this.#byQuoteId.get(visit.quoteId);
      this.#byQuoteId.set(visit.quoteId, since === undefined ? visit : mergeVisits(visit, since));
    }
  }
}

/** Merges two visits: the first of each fact, and the sum of each count. */
function mergeVisits(earlier: HandoffVisit, later: HandoffVisit): HandoffVisit {
  return {
    quoteId: earlier.quoteId,
    openedCount: earlier.openedCount + later.openedCount,
    firstOpenedAtMs: earlier.firstOpenedAtMs ?? later.firstOpenedAtMs,
    outcome: earlier.outcome ?? later.outcome,
    priceChangePerMille: (earlier.outcome === null ? later : earlier).priceChangePerMille,
    continuedAtMs: earlier.continuedAtMs ?? later.continuedAtMs,
  };
}
