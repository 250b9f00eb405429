/** All that the operator's systems can ask of supply, as the listener calls it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Revision } from '../../storage/history/revision.ts';
import { type Storage, StorageUnavailable } from '../../storage/storage.ts';
import type { JsonObject } from '../../domain/document/document-fields.ts';
import { TRACED_MESSAGES_MAX } from '../../ledger/trace-property.ts';
import type { MessageFilter, SupplyStore } from '../../storage/supply/store.ts';
import { publishCalendar } from '../published/published-calendar.ts';
import type { WrittenCalendar } from '../published/write-calendar.ts';
import { type OpenSpan, presentLayered, readMessage, readMessages } from './read-supply.ts';
import { type ImportDeps, type ImportRequest, type ImportResult, receiveImport } from './receive-import.ts';
import {
  type EntriesRequest,
  receiveAri,
  receiveCalendars,
  receiveProperty,
  receiveWithdrawal,
  type SupplyDeps,
  type SupplyRequest,
} from './receive-message.ts';
import type { SupplyResult } from './supply-result.ts';

/** Callers that wait for a revision at once. */
export const REVISION_WAITERS_MAX = 200;
const REVISION_POLL_MS = 10;

export interface Revisions {
  readonly revision: Revision;
  /** That of now, which is lower than it was when the database went back. */
  readonly databaseRevision: Revision;
  /** When this process last noticed that the database went back, Unix ms; undefined: it did not. */
  readonly historyLostAtMs: number | undefined;
  /** What was waited for is not in the database: it went back meanwhile, or before. */
  readonly isLost: boolean;
}

export interface SupplyApi {
  readonly receiveCalendars: (request: EntriesRequest) => Promise<SupplyResult>;
  readonly receiveAri: (request: EntriesRequest) => Promise<SupplyResult>;
  readonly receiveProperty: (
    request: SupplyRequest & { readonly propertyId: string },
  ) => Promise<SupplyResult>;
  readonly receiveWithdrawal: (
    request: SupplyRequest & { readonly propertyId: string },
  ) => Promise<SupplyResult>;
  readonly receiveImport: (request: ImportRequest) => Promise<ImportResult>;
  /** Undefined when unknown or withdrawn. */
  readonly findProperty: (propertyId: string, span?: OpenSpan) => Promise<JsonObject | undefined>;
  /** The closed nights as an iCalendar file; undefined when property or type are unknown. */
  readonly publishCalendar: (
    propertyId: string,
    inventoryTypeId: string,
  ) => Promise<WrittenCalendar | undefined>;
  readonly listMessages: (filter: MessageFilter) => Promise<readonly JsonObject[]>;
  /** Undefined when there is none of this id. */
  readonly findMessage: (messageId: string) => Promise<JsonObject | undefined>;
  /** Waits until this process shows `atLeast` (the newest revision unless given), `waitMs` at most, or it is lost. */
  readonly readRevision: (options: {
    readonly waitMs: number;
    readonly atLeast: Revision | undefined;
  }) => Promise<Revisions>;
}

export interface HistoryLosses {
  readonly count: number;
  /** Of the last one, Unix ms. */
  readonly lastAtMs: number | undefined;
}

export interface SupplyApiDeps extends Omit<SupplyDeps, 'storage'> {
  readonly storage: ImportDeps['storage'] & SupplyStore & Pick<Storage, 'readRevision'>;
  readonly publicUrl: string;
  /** Up to where this process shows changes to partners. */
  readonly followedRevision: () => Revision;
  /** What this process noticed of databases that went back. */
  readonly losses: () => HistoryLosses;
}

export function createSupplyApi(deps: SupplyApiDeps): SupplyApi {
  const { storage, followedRevision, losses } = deps;
  let waiterCount = 0;

  async function waitFor(revision: Revision, waitMs: number): Promise<void> {
    if (followedRevision() >= revision || waitMs === 0) return;
    if (waiterCount >= REVISION_WAITERS_MAX)
      throw new StorageUnavailable('too many callers wait for a revision');
    waiterCount++;
    try {
      const untilMs = performance.now() + waitMs;
      const { count } = losses();
      const isDue = () => followedRevision() >= revision || losses().count !== count;
      while (!isDue() && performance.now() < untilMs) await delay(REVISION_POLL_MS);
    } finally {
      waiterCount--;
    }
  }

  return {
    receiveCalendars: (request) => receiveCalendars(deps, request),
    receiveAri: (request) => receiveAri(deps, request),
    receiveProperty: (request) => receiveProperty(deps, request),
    receiveWithdrawal: (request) => receiveWithdrawal(deps, request),
    receiveImport: (request) => receiveImport(deps, request),
    async findProperty(propertyId, span) {
      const found = await storage.findLayers(propertyId);
      if (found === undefined) return undefined;
      return presentLayered(found, await storage.listSourceHistory(propertyId, TRACED_MESSAGES_MAX), span);
    },
    publishCalendar: (propertyId, inventoryTypeId) => publishCalendar(deps, propertyId, inventoryTypeId),
    listMessages: (filter) => readMessages(storage, filter),
    findMessage: (messageId) => readMessage(storage, messageId),
    async readRevision({ waitMs, atLeast }) {
      const lostBefore = losses().count;
      const newest = await storage.readRevision();
      const wanted = atLeast ?? newest;
      // After a loss, a number that the database does not have yet is one that it lost.
      const isGone = waitMs > 0 && lostBefore > 0 && wanted > newest;
      if (!isGone) await waitFor(wanted, waitMs);
      const revision = followedRevision();
      return {
        revision,
        databaseRevision: await storage.readRevision(),
        historyLostAtMs: losses().lastAtMs,
        isLost: isGone || (waitMs > 0 && losses().count !== lostBefore),
      };
    },
  };
}
