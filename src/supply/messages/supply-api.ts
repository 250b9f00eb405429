/** All that the operator's systems can ask of supply, as the listener calls it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Revision } from '../../storage/port/revision.ts';
import type { FollowedCatalogue } from '../../storage/port/catalogue-store.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { JsonObject } from '../native/document-fields.ts';
import { TRACED_MESSAGES_MAX } from '../../storage/layers/trace-property.ts';
import type { MessageFilter, SupplyStore } from '../../storage/port/supply-store.ts';
import { publishCalendar } from '../published/published-calendar.ts';
import type { WrittenCalendar } from '../published/write-calendar.ts';
import { presentLayered, presentMessage } from './read-supply.ts';
import { type ImportDeps, type ImportRequest, type ImportResult, sendImport } from './send-import.ts';
import {
  type EntriesRequest,
  sendAri,
  sendCalendars,
  sendProperty,
  sendWithdrawal,
  type SupplyDeps,
  type SupplyRequest,
} from './send-message.ts';
import type { SupplyResult } from './supply-result.ts';

/** Callers that wait for a revision at once. */
export const REVISION_WAITERS_MAX = 200;
const REVISION_POLL_MS = 10;

export interface Revisions {
  readonly revision: Revision;
  readonly databaseRevision: Revision;
}

export interface SupplyApi {
  readonly sendCalendars: (request: EntriesRequest) => Promise<SupplyResult>;
  readonly sendAri: (request: EntriesRequest) => Promise<SupplyResult>;
  readonly sendProperty: (request: SupplyRequest & { readonly propertyId: string }) => Promise<SupplyResult>;
  readonly sendWithdrawal: (
    request: SupplyRequest & { readonly propertyId: string },
  ) => Promise<SupplyResult>;
  readonly sendImport: (request: ImportRequest) => Promise<ImportResult>;
  /** Undefined when unknown or withdrawn. */
  readonly findProperty: (propertyId: string) => Promise<JsonObject | undefined>;
  /** The closed nights as an iCalendar file; undefined when property or type are unknown. */
  readonly publishCalendar: (
    propertyId: string,
    inventoryTypeId: string,
  ) => Promise<WrittenCalendar | undefined>;
  readonly listMessages: (filter: MessageFilter) => Promise<readonly JsonObject[]>;
  /** Waits until this process shows `atLeast` (the newest revision unless given), `waitMs` at most. */
  readonly readRevision: (wish: {
    readonly waitMs: number;
    readonly atLeast: Revision | undefined;
  }) => Promise<Revisions>;
}

export interface SupplyApiDeps extends Omit<SupplyDeps, 'storage'> {
  readonly storage: ImportDeps['storage'] & SupplyStore & Pick<FollowedCatalogue, 'readRevision'>;
  readonly publicUrl: string;
  /** Up to where this process shows changes to partners. */
  readonly followedRevision: () => Revision;
}

export function makeSupplyApi(deps: SupplyApiDeps): SupplyApi {
  const { storage, followedRevision } = deps;
  let waiterCount = 0;

  async function waitFor(revision: Revision, waitMs: number): Promise<void> {
    if (followedRevision() >= revision || waitMs === 0) return;
    if (waiterCount >= REVISION_WAITERS_MAX)
      throw new StorageUnavailable('too many callers wait for a revision');
    waiterCount++;
    try {
      const untilMs = performance.now() + waitMs;
      while (followedRevision() < revision && performance.now() < untilMs) await delay(REVISION_POLL_MS);
    } finally {
      waiterCount--;
    }
  }

  return {
    sendCalendars: (request) => sendCalendars(deps, request),
    sendAri: (request) => sendAri(deps, request),
    sendProperty: (request) => sendProperty(deps, request),
    sendWithdrawal: (request) => sendWithdrawal(deps, request),
    sendImport: (request) => sendImport(deps, request),
    async findProperty(propertyId) {
      const found = await storage.findLayers(propertyId);
      if (found === undefined) return undefined;
      return presentLayered(found, await storage.listSaidOfProperty(propertyId, TRACED_MESSAGES_MAX));
    },
    publishCalendar: (propertyId, inventoryTypeId) => publishCalendar(deps, propertyId, inventoryTypeId),
    listMessages: async (filter) => (await storage.listSupplyMessages(filter)).map(presentMessage),
    async readRevision({ waitMs, atLeast }) {
      await waitFor(atLeast ?? (await storage.readRevision()), waitMs);
      const revision = followedRevision();
      return { revision, databaseRevision: Math.max(revision, await storage.readRevision()) };
    },
  };
}
