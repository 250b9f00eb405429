/** Says in the database that this process runs, and which release it is, so that others know who serves beside them. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { FollowerLogger } from '../../../read-model/following/retry-loop.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { type ProcessPlace, whereOf } from '../../../storage/processes/store.ts';
import { repeat } from '../../../storage/tasks/repeat.ts';
import { SchemaMismatch, type Storage, StorageUnavailable } from '../../../storage/storage.ts';

const ROUND_MS = 5_000;
/** A row counts for ten minutes: writing it in each round would only wear the disk. */
const WRITE_EVERY_MS = 60_000;
const THIS_PROCESS: ProcessPlace = { machine: hostname(), pid: process.pid };

export interface ProcessRegister {
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
      const isSeen = now.some(({ where, seenAtMs }) => where === whereOf(place) && seenAtMs >= writtenAtMs);
      if (!isSeen) writtenAtMs = -Infinity;
      isAway = false;
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      if (!isAway)
        logger.warn({ reason: error.message }, 'this process could not be registered; trying again');
      isAway = true;
    }
  }

  await round();
  // A contraction since the schema was checked did not see this process yet; from now on it is seen.
  const { refusal } = await storage.schemaState();
  if (refusal !== undefined) {
    await storage.forgetProcess(own.processId);
    throw new SchemaMismatch(refusal);
  }
  const rounds = repeat({ name: 'register this process', everyMs: roundMs, logger, round });
  return {
    async stop() {
      await rounds.stop();
      await storage.forgetProcess(own.processId).catch(() => undefined);
    },
  };
}
