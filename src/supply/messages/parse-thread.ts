/**
 * The thread that reads large bodies: parsing and checking 10 MB takes some hundred milliseconds, which nobody else
 * should wait for.
 */
import { lowerThisThread } from '../../runtime/v8.ts';
import { type Answer, serveJobs } from '../../runtime/job-thread.ts';
import { packChanges } from '../../domain/ledger/property-change.ts';
import { mapAriValues, readAriValues } from './ari-message.ts';
import { readCalendarMessage, type ReadMessage } from './calendar-message.ts';
import { hashOf } from './message-body.ts';
import {
  type ImportLineOptions,
  type PropertyReadOptions,
  readImportLine,
  readPropertyMessage,
} from './property-message.ts';
import type { FoundMapping } from '../../storage/supply/store.ts';

/** A body that is read in one step; `isHashed` requests its hash too. */
export type BodyRequest = { readonly body: Uint8Array; readonly isHashed: boolean } & (
  | { readonly kind: 'calendars'; readonly replaces: boolean }
  | { readonly kind: 'property'; readonly options: PropertyReadOptions }
  /** Requests only the hash. */
  | { readonly kind: 'empty' }
  /** The first step of a message with names to look up. */
  | { readonly kind: 'ari'; readonly message: number }
);

export type ParseRequest =
  | BodyRequest
  | { readonly kind: 'line'; readonly options: ImportLineOptions }
  /** The second step of the same `message`. */
  | { readonly kind: 'ari-mapped'; readonly message: number; readonly mappings: readonly FoundMapping[] }
  | { readonly kind: 'ari-given-up'; readonly message: number };

export interface Hashed {
  /** SHA-256, hex; empty if not requested. */
  readonly bodyHash: string;
}

/** Bodies between the two steps of a message with names to look up: what is made of one takes far more memory. */
const waiting = new Map<number, Uint8Array>();

lowerThisThread();
serveJobs<ParseRequest>({ answer });

function answer(request: ParseRequest): Answer {
  switch (request.kind) {
    case 'empty':
      return { result: { bodyHash: hashOf(request) } };
    case 'calendars':
      return handOver({ ...readCalendarMessage(request.body, request), bodyHash: hashOf(request) });
    case 'property':
      return {
        result: { ...readPropertyMessage(request.body, request.options), bodyHash: hashOf(request) },
      };
    case 'line':
      return { result: readImportLine(request.options) };
    case 'ari': {
      const { externalKeys } = readAriValues(request.body);
      waiting.set(request.message, request.body);
      return { result: { externalKeys, bodyHash: hashOf(request) } };
    }
    case 'ari-mapped': {
      const body = waiting.get(request.message);
      waiting.delete(request.message);
      if (body === undefined) throw new Error('the values of this message are not here');
      return handOver(mapAriValues(readAriValues(body), request.mappings));
    }
    case 'ari-given-up':
      return { result: waiting.delete(request.message) };
  }
}

/** Not copied: the other side has no turn to spare for megabytes. */
function handOver<Read extends ReadMessage>(read: Read): Answer {
  const { changes, memory } = packChanges(read.changes);
  return { result: { ...read, changes }, transfer: [memory] };
}
