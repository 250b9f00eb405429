/**
 * Reads the bodies of messages: small ones here and now, large ones in a thread that is started when the first one
 * comes.
 */
import { hash } from 'node:crypto';
import { openJobThread } from '../../runtime/job-thread.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { MappedPlace } from '../../storage/supply/store.ts';
import { mapAriValues, readAriValues } from './ari-message.ts';
import { readCalendarMessage, type ReadMessage } from './calendar-message.ts';
import type { EncodedProperty, RejectedItem } from '../run/supply-item.ts';
import {
  type ImportLineOptions,
  type PropertyReadOptions,
  readImportLine,
  type ReadProperty,
  readPropertyMessage,
} from './property-message.ts';
import { INLINE_BYTES_MAX, PARSER_HEAP_MB_MAX } from './message-limits.ts';
import type { ParseRequest } from './parse-requests.ts';

export type ReadAri = ReadMessage & { readonly unmappedCount: number };

/** Where the names of a message lead. */
export type FindMappings = (externalKeys: readonly string[]) => Promise<readonly MappedPlace[]>;

/** A large body is handed over to the thread that reads it: a caller that needs its hash computes that first. */
export interface MessageParser {
  /** SHA-256, hex; the body stays where it is. */
  hash(body: Uint8Array): Promise<string>;
  readCalendars(body: Uint8Array, options: { readonly replaces: boolean }): Promise<ReadMessage>;
  readAri(body: Uint8Array, findMappings: FindMappings): Promise<ReadAri>;
  readProperty(body: Uint8Array, options: PropertyReadOptions): Promise<ReadProperty>;
  /** Of an import. */
  readLine(options: ImportLineOptions): Promise<EncodedProperty | RejectedItem>;
  close(): Promise<void>;
}

/** `heapMbMax`: of the thread, in MiB. */
export function openMessageParser(heapMbMax = PARSER_HEAP_MB_MAX): MessageParser {
  const thread = openJobThread<ParseRequest>({
    program: new URL('./parse-thread.ts', import.meta.url),
    name: 'stayport supply parser',
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    whenLost: (cause) => new StorageUnavailable('the parser thread has ended', { cause }),
  });
  let messageCount = 0;

  /** The first message of all starts the thread, so that the first large one finds it ready. */
  function isSmall(body: Uint8Array): boolean {
    thread.start();
    return body.byteLength <= INLINE_BYTES_MAX;
  }

  async function readLargeAri(body: Uint8Array, findMappings: FindMappings): Promise<ReadAri> {
    const message = ++messageCount;
    const keys = await thread.ask<readonly string[]>({ kind: 'ari', message, body }, ownMemoryOf(body));
    const mappings = await findMappings(keys).catch(async (error: unknown) => {
      // The database is away, perhaps for long, and senders try again: what was read must not stay in the thread.
      await thread.ask({ kind: 'ari-given-up', message }).catch(() => undefined);
      throw error;
    });
    return thread.ask<ReadAri>({ kind: 'ari-mapped', message, mappings });
  }

  return {
    hash: async (body) =>
      isSmall(body) ? hash('sha256', body, 'hex') : thread.ask<string>({ kind: 'hash', body }),
    readCalendars: async (body, { replaces }) =>
      isSmall(body)
        ? readCalendarMessage(body, { replaces })
        : thread.ask<ReadMessage>({ kind: 'calendars', body, replaces }, ownMemoryOf(body)),
    readProperty: async (body, options) =>
      isSmall(body)
        ? readPropertyMessage(body, options)
        : thread.ask<ReadProperty>({ kind: 'property', body, options }, ownMemoryOf(body)),
    readLine: async (options) =>
      options.text.length <= INLINE_BYTES_MAX
        ? readImportLine(options)
        : thread.ask<EncodedProperty | RejectedItem>({ kind: 'line', options }),
    async readAri(body, findMappings) {
      if (!isSmall(body)) return readLargeAri(body, findMappings);
      const values = readAriValues(body);
      return mapAriValues(values, await findMappings(values.externalKeys));
    },
    close: () => thread.end(new StorageUnavailable('the service is being stopped')),
  };
}

/** Memory that can be handed over: none where the body shares it with others, and is copied. */
function ownMemoryOf({ buffer, byteLength }: Uint8Array): readonly ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
