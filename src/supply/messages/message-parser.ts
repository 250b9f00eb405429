/**
 * Reads the bodies of messages: small ones here and now, large ones in a thread that is started when the first one
 * comes.
 */
import { hash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { SupplyMapping } from '../../storage/port/supply-store.ts';
import { mapAriValues, readAriValues } from './ari-message.ts';
import { readCalendarMessage, type ReadMessage } from './calendar-message.ts';
import type { EncodedProperty, RejectedItem } from '../run/supply-item.ts';
import { type LineWish, readImportLine } from './import-line.ts';
import { INLINE_BYTES_MAX } from './message-limits.ts';
import type { ParseReply, ParseRequest } from './parse-requests.ts';
import { type PropertyWish, type ReadProperty, readPropertyMessage } from './property-message.ts';

export type ReadAri = ReadMessage & { readonly unmappedCount: number };

/** Where the names of a message lead. */
export type FindMappings = (externalKeys: readonly string[]) => Promise<readonly SupplyMapping[]>;

/** A large body is handed over to the thread that reads it: a caller that wants its hash asks for that first. */
export interface MessageParser {
  /** SHA-256, hex; the body stays where it is. */
  hash(body: Uint8Array): Promise<string>;
  readCalendars(body: Uint8Array): Promise<ReadMessage>;
  readAri(body: Uint8Array, findMappings: FindMappings): Promise<ReadAri>;
  readProperty(body: Uint8Array, wish: PropertyWish): Promise<ReadProperty>;
  /** Of an import. */
  readLine(wish: LineWish): Promise<EncodedProperty | RejectedItem>;
  close(): Promise<void>;
}

export function makeMessageParser(): MessageParser {
  const thread = makeParseThread();
  /** The first message of all starts the thread, so that the first large one finds it ready. */
  function isSmall(body: Uint8Array): boolean {
    thread.start();
    return body.byteLength <= INLINE_BYTES_MAX;
  }

  return {
    hash: async (body) =>
      isSmall(body) ? hash('sha256', body, 'hex') : thread.ask({ kind: 'hash', body }, thread.nextJob()),
    readCalendars: async (body) =>
      isSmall(body)
        ? readCalendarMessage(body)
        : thread.give<ReadMessage>({ kind: 'calendars', body }, thread.nextJob()),
    readProperty: async (body, wish) =>
      isSmall(body)
        ? readPropertyMessage(body, wish)
        : thread.give<ReadProperty>({ kind: 'property', body, wish }, thread.nextJob()),
    readLine: (wish) =>
      wish.text.length <= INLINE_BYTES_MAX
        ? Promise.resolve(readImportLine(wish))
        : thread.ask<EncodedProperty | RejectedItem>({ kind: 'line', wish }, thread.nextJob()),
    async readAri(body, findMappings) {
      if (isSmall(body)) {
        const values = readAriValues(body);
        return mapAriValues(values, await findMappings(values.externalKeys));
      }
      const job = thread.nextJob();
      const keys = await thread.give<readonly string[]>({ kind: 'ari', body }, job);
      return thread.ask<ReadAri>({ kind: 'ari-mapped', mappings: await findMappings(keys) }, job);
    },
    close: () => thread.close(),
  };
}

type Asked = ParseRequest extends infer Request
  ? Request extends unknown
    ? Omit<Request, 'job'>
    : never
  : never;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

function ownMemoryOf({ buffer, byteLength }: Uint8Array): readonly ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

function makeParseThread() {
  let worker: Worker | undefined;
  let jobCount = 0;
  const waiting = new Map<number, Waiting>();

  function startWorker(): Worker {
    const started = new Worker(new URL('./parse-thread.ts', import.meta.url), {
      name: 'stayport supply parser',
    });
    started.on('message', (reply: ParseReply) => {
      const asker = waiting.get(reply.job);
      waiting.delete(reply.job);
      // Only work in progress keeps the process alive.
      if (waiting.size === 0) started.unref();
      if ('error' in reply) asker?.reject(reply.error);
      else asker?.resolve(reply.result);
    });
    // Out of memory, or a crash: what was under way is refused, the next message starts a new thread.
    started.on('error', () => lose(started));
    started.on('exit', () => lose(started));
    started.unref();
    return started;
  }

  function lose(lost: Worker): void {
    if (worker !== lost) return;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new StorageUnavailable('the parser thread has ended'));
    waiting.clear();
  }

  function send<T>(request: Asked, job: number, transferred: readonly ArrayBuffer[]): Promise<T> {
    return new Promise((resolve, reject) => {
      worker ??= startWorker();
      waiting.set(job, { resolve: resolve as (result: unknown) => void, reject });
      worker.postMessage({ ...request, job }, transferred);
      worker.ref();
    });
  }

  return {
    start(): void {
      worker ??= startWorker();
    },
    nextJob: (): number => ++jobCount,
    ask: <T>(request: Asked, job: number): Promise<T> => send(request, job, []),
    /** The body is gone afterwards; one that shares its memory with others is copied. */
    give: <T>(request: Asked & { readonly body: Uint8Array }, job: number): Promise<T> =>
      send(request, job, ownMemoryOf(request.body)),
    async close(): Promise<void> {
      const ended = worker;
      worker = undefined;
      for (const { reject } of waiting.values())
        reject(new StorageUnavailable('the service is being stopped'));
      waiting.clear();
      await ended?.terminate();
    },
  };
}
