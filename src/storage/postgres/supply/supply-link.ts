/**
 * The main thread's end of the thread that applies large supply messages: working one out takes seconds of processor
 * time and, worse, makes so much garbage that its collection would stop every answer for a tenth of a second.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { propertyIdsOf } from '../../layers/plan-rows.ts';
import type { SupplyAnswer, SupplyMessage } from '../../port/supply-store.ts';
import { StorageUnavailable } from '../../storage.ts';
import { restoreError, type ThreadError } from '../../thread-errors.ts';
import { CLOSE_MS_MAX } from '../connection/pool-sockets.ts';

/** Messages of more properties together are large. A thread that has to start first takes some 0.2 s. */
export const SMALL_PROPERTIES_MAX = 100;

export interface SupplyRequest {
  readonly job: number;
  readonly messages: readonly SupplyMessage[];
  readonly nowMs: number;
}

export type SupplyReply = { readonly job: number } & ({ readonly answers: SupplyAnswer[] } | ThreadError);

export interface SupplyLink {
  /** As `applySupplyMessages`; also `StorageUnavailable` when the thread ends. */
  apply(messages: readonly SupplyMessage[], nowMs: number): Promise<SupplyAnswer[]>;
  /** Waits for what is under way, CLOSE_MS_MAX at most; what is then not committed never will be. */
  end(): Promise<void>;
}

interface Waiting {
  readonly resolve: (answers: SupplyAnswer[]) => void;
  readonly reject: (error: Error) => void;
  readonly settled: Promise<unknown>;
}

export function isLarge(messages: readonly SupplyMessage[]): boolean {
  const count = messages.reduce((sum, message) => sum + propertyIdsOf(message).length, 0);
  return count > SMALL_PROPERTIES_MAX;
}

/**
 * The memory of a message that is alone, to be handed over: a copy of megabytes makes the main thread collect garbage.
 * Of several, each may have to be sent once more by itself, so they are copied.
 */
function memoryOf(messages: readonly SupplyMessage[]): ArrayBuffer[] {
  const [message] = messages;
  if (message === undefined || messages.length > 1 || message.work.kind !== 'calendars') return [];
  const buffers = message.work.changes.map(({ buffer }) => buffer);
  return [...new Set(buffers.filter((buffer) => buffer instanceof ArrayBuffer))];
}

/** The thread starts with the first message. */
export function makeSupplyLink(databaseUrl: string): SupplyLink {
  let worker: Worker | undefined;
  let jobCount = 0;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const started = new Worker(new URL('./supply-thread.ts', import.meta.url), {
      name: 'stayport supply writer',
      workerData: databaseUrl,
    });
    started.on('message', (reply: SupplyReply) => {
      const asker = waiting.get(reply.job);
      waiting.delete(reply.job);
      // Only work in progress keeps the process alive.
      if (waiting.size === 0) started.unref();
      if ('answers' in reply) asker?.resolve(reply.answers);
      else asker?.reject(restoreError(reply));
    });
    // Out of memory, or a crash: the database takes back what was under way, the next message starts a new thread.
    started.on('error', (cause) => lose(started, cause));
    started.on('exit', () => lose(started, undefined));
    return started;
  }

  function lose(lost: Worker, cause: unknown): void {
    if (worker !== lost) return;
    worker = undefined;
    rejectAll(new StorageUnavailable('the thread for large messages has ended', { cause }));
  }

  function rejectAll(error: Error): void {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  return {
    apply(messages, nowMs) {
      const { promise, resolve, reject } = Promise.withResolvers<SupplyAnswer[]>();
      const job = ++jobCount;
      const to = (worker ??= start());
      waiting.set(job, { resolve, reject, settled: promise.catch(() => undefined) });
      to.postMessage({ job, messages, nowMs } satisfies SupplyRequest, memoryOf(messages));
      to.ref();
      return promise;
    },
    async end() {
      const underWay = Promise.all(Array.from(waiting.values(), ({ settled }) => settled));
      await Promise.race([underWay, sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
      const ended = worker;
      worker = undefined;
      rejectAll(new StorageUnavailable('the database is being closed'));
      await ended?.terminate();
    },
  };
}
