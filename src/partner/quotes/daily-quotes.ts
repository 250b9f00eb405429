/**
 * Quotes of each credential today (UTC), over all processes on the database. Each process counts in memory, adds its
 * count to the stored one every few seconds, and reads the sum. So the bound can be exceeded by the quotes of one
 * interval; it protects the disk.
 */
import { DAY_MS, utcDay } from '../../domain/local-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { QuoteCount, QuoteStore } from '../../storage/quotes/store.ts';
import { writeBehind, type WriteBehindWork } from '../../storage/tasks/write-behind.ts';

export interface DailyQuotes {
  /** Today's quotes of this credential, as far as this process knows. */
  readonly quotesOf: (credentialId: string) => number;
  /** Counts a stored quote. */
  readonly note: (credentialId: string) => void;
  /** Writes waiting counts, if the database takes them. */
  close(): Promise<void>;
}

export interface DailyQuotesDeps {
  readonly storage: Pick<QuoteStore, 'addQuoteCounts'>;
  readonly clock: Clock;
  readonly logger: WriteBehindWork['logger'];
  /** For tests. */
  readonly writeEveryMs?: number;
}

const WRITE_EVERY_MS = 2_000;

interface Today {
  readonly day: number;
  /** The sum of all processes at the last write, plus later quotes of this one. */
  readonly totals: Map<string, number>;
  /** Not written yet. */
  readonly waiting: Map<string, number>;
}

/** Holds one number for each credential that has quoted today. */
export function startDailyQuotes({
  storage,
  clock,
  logger,
  writeEveryMs = WRITE_EVERY_MS,
}: DailyQuotesDeps): DailyQuotes {
  let today: Today = emptyDay(utcDay(clock()));
  function current(): Today {
    const day = utcDay(clock());
    if (day === today.day) return today;
    // Unsaved counts of the old day are dropped: no later check needs them.
    today = emptyDay(day);
    return today;
  }

  const behind = writeBehind({
    name: 'write counts of quotes',
    everyMs: writeEveryMs,
    logger,
    awayMessage: 'counts of quotes wait for the database',
    async write() {
      if (today.waiting.size > 0) await writeWaiting(storage, today);
    },
  });
  return {
    quotesOf: (credentialId) => current().totals.get(credentialId) ?? 0,
    note(credentialId) {
      const { totals, waiting } = current();
      add(totals, credentialId, 1);
      add(waiting, credentialId, 1);
    },
    close: () => behind.close(),
  };
}

/** Milliseconds from the instant to the next day, UTC; at least 1. */
export function msUntilTomorrow(nowMs: number): number {
  return DAY_MS - (nowMs % DAY_MS);
}

/** Rejects when the database is away; the counts then wait again. */
async function writeWaiting(
  storage: DailyQuotesDeps['storage'],
  { day, totals, waiting }: Today,
): Promise<void> {
  const counts: QuoteCount[] = [...waiting].map(([credentialId, quotes]) => ({ credentialId, quotes }));
  waiting.clear();
  try {
    for (const { credentialId, quotes } of await storage.addQuoteCounts(day, counts))
      totals.set(credentialId, quotes + (waiting.get(credentialId) ?? 0));
  } catch (err) {
    for (const { credentialId, quotes } of counts) add(waiting, credentialId, quotes);
    throw err;
  }
}

function emptyDay(day: number): Today {
  return { day, totals: new Map(), waiting: new Map() };
}

function add(counts: Map<string, number>, credentialId: string, quotes: number): void {
  counts.set(credentialId, (counts.get(credentialId) ?? 0) + quotes);
}
