/**
 * Reads the bodies of messages: small ones on this thread, large ones on a thread that starts with the first message.
 */
import { openJobThread } from '../../runtime/job-thread.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { FoundMapping } from '../../storage/supply/store.ts';
import { type AriValues, mapAriValues, readAriValues } from './ari-message.ts';
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
import { hashOf } from './message-body.ts';
import type { BodyRequest, Hashed, ParseRequest } from './parse-thread.ts';

export type ReadAri = ReadMessage & { readonly unmappedCount: number };

/** Looks up the mappings of a message's names. */
export type FindMappings = (externalKeys: readonly string[]) => Promise<readonly FoundMapping[]>;

/** A body; a large one is transferred to the thread that reads it. `isHashed` requests its hash too. */
export interface SentBody {
  readonly body: Uint8Array;
  readonly isHashed: boolean;
}

export interface MessageParser {
  /** Only computes the hash. */
  readEmpty(sent: SentBody): Promise<Hashed>;
  readCalendars(sent: SentBody, options: { readonly replaces: boolean }): Promise<ReadMessage & Hashed>;
  readAri(sent: SentBody, findMappings: FindMappings): Promise<ReadAri & Hashed>;
  readProperty(sent: SentBody, options: PropertyReadOptions): Promise<ReadProperty & Hashed>;
  readLine(options: ImportLineOptions): Promise<EncodedProperty | RejectedItem>;
  close(): Promise<void>;
}

/** `heapMbMax`: heap limit of the thread, in MiB. */
export function openMessageParser(heapMbMax = PARSER_HEAP_MB_MAX): MessageParser {
  const thread = openJobThread<ParseRequest>({
    program: new URL('./parse-thread.ts', import.meta.url),
    name: 'stayport supply parser',
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    whenLost: (cause) => new StorageUnavailable('the parser thread has ended', { cause }),
  });
  let messageCount = 0;

  /** The first message starts the thread, so that it is ready for the first large one. */
  function isSmall(body: Uint8Array): boolean {
    thread.start();
    return body.byteLength <= INLINE_BYTES_MAX;
  }

  async function readLargeAri(sent: SentBody, findMappings: FindMappings): Promise<ReadAri & Hashed> {
    const message = ++messageCount;
    const { externalKeys, bodyHash } = await askThread<Pick<AriValues, 'externalKeys'> & Hashed>({
      ...sent,
      kind: 'ari',
      message,
    });
    const mappings = await findMappings(externalKeys).catch(async (error: unknown) => {
      // The database may stay away for long, and senders retry: the thread must not keep what it read.
      await thread.ask({ kind: 'ari-given-up', message }).catch(() => undefined);
      throw error;
    });
    return { ...(await thread.ask<ReadAri>({ kind: 'ari-mapped', message, mappings })), bodyHash };
  }

  const askThread = <Read>(request: BodyRequest): Promise<Read> =>
    thread.ask<Read>(request, ownMemoryOf(request.body));

  return {
    readEmpty: async (sent) =>
      isSmall(sent.body) ? { bodyHash: hashOf(sent) } : askThread<Hashed>({ ...sent, kind: 'empty' }),
    readCalendars: async (sent, { replaces }) =>
      isSmall(sent.body)
        ? { ...readCalendarMessage(sent.body, { replaces }), bodyHash: hashOf(sent) }
        : askThread<ReadMessage & Hashed>({ ...sent, kind: 'calendars', replaces }),
    readProperty: async (sent, options) =>
      isSmall(sent.body)
        ? { ...readPropertyMessage(sent.body, options), bodyHash: hashOf(sent) }
        : askThread<ReadProperty & Hashed>({ ...sent, kind: 'property', options }),
    readLine: async (options) =>
      options.text.length <= INLINE_BYTES_MAX
        ? readImportLine(options)
        : thread.ask<EncodedProperty | RejectedItem>({ kind: 'line', options }),
    async readAri(sent, findMappings) {
      if (!isSmall(sent.body)) return readLargeAri(sent, findMappings);
      const values = readAriValues(sent.body);
      const bodyHash = hashOf(sent);
      return { ...mapAriValues(values, await findMappings(values.externalKeys)), bodyHash };
    },
    close: () => thread.end(new StorageUnavailable('the service is being stopped')),
  };
}

/** Memory that can be transferred: none if the body shares its buffer with others; then it is copied. */
function ownMemoryOf({ buffer, byteLength }: Uint8Array): readonly ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
