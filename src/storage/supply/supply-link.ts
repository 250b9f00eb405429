/**
 * The main thread's end of the thread that applies large supply messages: working one out takes seconds of processor
 * time and, worse, makes so much garbage that its collection would stop every answer for a tenth of a second.
 */
import { openJobThread } from '../../runtime/job-thread.ts';
import { propertyIdsOf } from '../../domain/ledger/rows.ts';
import { memoryOf } from '../../domain/ledger/property-change.ts';
import type { SupplyAnswer, SupplyMessage } from '../../domain/ledger/message.ts';
import type { SupplyJob } from './supply-thread.ts';
import { restoreError, StorageUnavailable, type ThreadError } from '../engine/errors.ts';
import { CLOSE_MS_MAX } from '../engine/postgres/pool-sockets.ts';
import { inTime } from '../../runtime/time-limit.ts';

/** Messages of more properties together are large. A thread that has to start first takes some 0.2 s. */
export const SMALL_PROPERTIES_MAX = 100;

export interface SupplyLink {
  /** As `applySupplyMessages`; also `StorageUnavailable` when the thread ends. */
  apply(messages: readonly SupplyMessage[], nowMs: number): Promise<SupplyAnswer[]>;
  /** Waits for what is under way, CLOSE_MS_MAX at most; what is then not committed never will be. */
  end(): Promise<void>;
}

export function isLarge(messages: readonly SupplyMessage[]): boolean {
  const count = messages.reduce((sum, message) => sum + propertyIdsOf(message).length, 0);
  return count > SMALL_PROPERTIES_MAX;
}

/** The thread starts with the first message. */
export function openSupplyLink(databaseUrl: string): SupplyLink {
  const thread = openJobThread<SupplyJob>({
    program: new URL('./supply-thread.ts', import.meta.url),
    name: 'stayport supply writer',
    workerData: databaseUrl,
    // The database takes back what was under way.
    whenLost: (cause) => new StorageUnavailable('the thread for large messages has ended', { cause }),
    restoreError: (packed) => restoreError(packed as ThreadError),
  });
  return {
    apply: (messages, nowMs) => thread.ask<SupplyAnswer[]>({ messages, nowMs }, memoryOf(messages)),
    async end() {
      await inTime(thread.settled(), CLOSE_MS_MAX, () => undefined);
      await thread.end(new StorageUnavailable('the database is being closed'));
    },
  };
}
