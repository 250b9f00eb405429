/** Says in the database that this process runs, and knows from it which releases serve beside it. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { FollowerLogger } from '../../read-model/following/retry-loop.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { StoredProperty } from '../../storage/catalogue/store.ts';
import { type ProcessPlace, whereOf } from '../../storage/processes/store.ts';
import { repeat } from '../../storage/tasks/repeat.ts';
import { SchemaMismatch, type SeenProcess, type Storage, StorageUnavailable } from '../../storage/storage.ts';

const ROUND_MS = 5_000;
/** A row counts for ten minutes: writing it in each round would only wear the disk. */
const WRITE_EVERY_MS = 60_000;
/** The migration that came with discounts: programs that know it compute them. */
const DISCOUNTS_SINCE = 10;
const THIS_PROCESS: ProcessPlace = { machine: hostname(), pid: process.pid };

export interface ProcessRegister {
  /** No process is seen that computes prices without discounts. */
  readonly allKnowDiscounts: () => boolean;
  /** Resolves when this process is not registered any more. */
  stop(): Promise<void>;
}

interface RegisterDeps {
  readonly storage: Pick<Storage, 'registerProcess' | 'forgetProcess' | 'readProcesses' | 'schemaState'>;
  readonly clock: Clock;
  readonly logger: FollowerLogger;
  /** Shorter in tests. */
  readonly roundMs?: number;
  /** Simulated processes have their own. */
  readonly place?: ProcessPlace;
}

/** Resolves when the first round is done: what is served afterwards knows who serves beside it. */
export async function startRegister(deps: RegisterDeps): Promise<ProcessRegister> {
  const { storage, clock, logger, roundMs = ROUND_MS, place = THIS_PROCESS } = deps;
  const own = { processId: randomUUID(), ...place, startedAtMs: clock() };
  let seen: readonly SeenProcess[] = [];
  let older: readonly SeenProcess[] = [];
  let isAway = false;
  let writtenAtMs = -Infinity;

  async function round(): Promise<void> {
    try {
      // Also when the clock was set back.
      if (Math.abs(clock() - writtenAtMs) >= WRITE_EVERY_MS) {
        const atMs = clock();
        await storage.registerProcess(own, atMs);
        writtenAtMs = atMs;
      }
      const now = await storage.readProcesses(clock());
      // A restore or a failover has lost the row: the next round writes it again.
      const isSeen = now.some(({ where, seenAtMs }) => where === whereOf(place) && seenAtMs! >= writtenAtMs);
      if (!isSeen) writtenAtMs = -Infinity;
      take(countedOf(now, seen));
      seen = now;
      isAway = false;
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      if (!isAway)
        logger.warn({ reason: error.message }, 'this process could not be registered; trying again');
      isAway = true;
    }
  }

  function take(counted: readonly SeenProcess[]): void {
    const wasHeld = older.length > 0;
    older = counted.filter(({ knows }) => knows < DISCOUNTS_SINCE);
    if (wasHeld === older.length > 0) return;
    if (wasHeld) logger.info({}, 'all processes know discounts: they apply again');
    else
      logger.warn(
        { processes: older.map(({ where }) => where) },
        'an older release serves: discounts wait for its end',
      );
  }

  await round();
  // A contraction since the schema was checked did not see this process yet; from now on it is seen.
  const { tooNew } = await storage.schemaState();
  if (tooNew !== undefined) {
    await storage.forgetProcess(own.processId);
    throw new SchemaMismatch(tooNew);
  }
  const rounds = repeat({ name: 'register this process', everyMs: roundMs, logger, round });
  return {
    allKnowDiscounts: () => older.length === 0,
    async stop() {
      await rounds.stop();
      await storage.forgetProcess(own.processId).catch(() => undefined);
    },
  };
}

/** A process that starts has the database open for a moment before it registers, so it counts when it is seen twice. */
function countedOf(now: readonly SeenProcess[], seenBefore: readonly SeenProcess[]): readonly SeenProcess[] {
  const before = new Set(seenBefore.map(({ where }) => where));
  const isFirst = seenBefore.length === 0;
  return now.filter(({ release, where }) => release !== null || isFirst || before.has(where));
}

type QuoteStorage = Pick<Storage, 'findProperty' | 'insertQuote' | 'findQuote'>;

/**
 * The storage of quotes, whose properties have no discounts while a process serves that computes none: otherwise a
 * traveller could see a higher price than the partner showed, by the luck of which process answers.
 */
export function holdDiscounts(
  storage: QuoteStorage,
  { allKnowDiscounts }: Pick<ProcessRegister, 'allKnowDiscounts'>,
): QuoteStorage {
  return {
    insertQuote: (quote) => storage.insertQuote(quote),
    findQuote: (quoteId) => storage.findQuote(quoteId),
    findProperty(propertyId) {
      const finding = storage.findProperty(propertyId);
      return allKnowDiscounts() ? finding : finding.then(withoutDiscounts);
    },
  };
}

function withoutDiscounts(found: StoredProperty | undefined): StoredProperty | undefined {
  if (found?.property.discounts === undefined) return found;
  const { discounts: _held, ...property } = found.property;
  return { ...found, property, terms: { ...found.terms, discounts: [] } };
}
