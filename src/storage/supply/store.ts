/**
 * The part of the storage port that supply needs. Messages of the operator's systems change the layers of their
 * sources, and the same transaction rewrites the calendar that partners see.
 */
import type { PropertyDetails } from '../../domain/property-details.ts';
import type {
  SourceHistoryEntry,
  StoredLayer,
  SupplyAnswer,
  SupplyMessage,
  SupplyOutcome,
} from '../../domain/ledger/message.ts';
import type { StoredProperty } from '../catalogue/store.ts';

export interface Confirmation {
  readonly source: string;
  readonly confirmedAtMs: number;
}

export interface LayeredStored {
  readonly stored: StoredProperty;
  /** Undefined if the property has none. */
  readonly details: PropertyDetails | undefined;
  /** Layers of all sources, including the property's own source; empty layers are left out. */
  readonly layers: readonly StoredLayer[];
  /** By source. */
  readonly confirmations: readonly Confirmation[];
}

/** Sources that a list names. */
export const SOURCES_LISTED_MAX = 10_000;

export interface SupplyMessageRow
  extends
    Pick<SupplyMessage, 'messageId' | 'source' | 'kind' | 'receivedAtMs'>,
    Pick<SupplyOutcome, 'verdict' | 'revision' | 'changed' | 'unchanged'> {
  /** JSON: `{note, refused, refusals, hidden, setByHand}`. */
  readonly detail: string;
}

export interface MessageFilter {
  readonly source?: string;
  readonly propertyId?: string;
  /** Only messages of these kinds. */
  readonly kinds?: readonly string[];
  /** Received at this instant or later. */
  readonly sinceMs?: number;
  /** Received before this instant. */
  readonly untilMs?: number;
  readonly limit: number;
}

/** One property of a source. */
export interface SourceProperty {
  readonly propertyId: string;
  /** The property's document came from this source. */
  readonly ownsDocument: boolean;
  /** The nights and rates that the source sets; none if its document is the only source. */
  readonly layers: readonly Pick<StoredLayer, 'inventoryTypeId' | 'nights' | 'rates'>[];
}

/** The inventory type that a name of another system maps to. */
export interface SupplyMapping {
  readonly source: string;
  /** A `room_type_id` or `rate_plan_id` of that system. */
  readonly externalKey: string;
  readonly propertyId: string;
  readonly inventoryTypeId: string;
}

export interface FoundMapping extends SupplyMapping {
  /** Currency of the property, ISO 4217; null if the property does not exist. */
  readonly currency: string | null;
}

/** When a source last confirmed a property's calendar, changed or not. */
export interface ConfirmedSupply extends Confirmation {
  readonly propertyId: string;
}

/** A property whose nights close if no source confirms them for this long. */
export interface SupplyAgeLimit {
  readonly propertyId: string;
  readonly maxSupplyAgeHours: number;
  /** By any source except `manual`; 0 if none did. */
  readonly confirmedAtMs: number;
  /** Already closed for its age. */
  readonly isClosed: boolean;
}

export interface SupplyAgeLimits {
  readonly limits: readonly SupplyAgeLimit[];
  /** The last id of the slice; undefined if it was the last slice. */
  readonly lastId: string | undefined;
}

export interface SupplyStore {
  /**
   * Once resolved, the message and all its changes survive `kill -9`, or it was refused and only the list of messages
   * changed. Messages that arrive together share transactions; each is still all or nothing. The storage owns the bytes
   * of the changes from then on, and may transfer them to a thread.
   */
  applySupply(message: SupplyMessage): Promise<SupplyAnswer>;
  /** The stored answer to the message with this key, while the key is kept. */
  findSupplyKey(
    source: string,
    key: string,
  ): Promise<{ readonly bodyHash: string; readonly outcome: SupplyOutcome } | undefined>;
  /** Undefined when unknown or withdrawn. */
  findLayers(propertyId: string): Promise<LayeredStored | undefined>;
  /** Confirmations of existing properties, by property and source, after `after`. */
  listConfirmations(
    after: Pick<ConfirmedSupply, 'propertyId' | 'source'>,
    limit: number,
  ): Promise<readonly ConfirmedSupply[]>;
  /** Checks the `limit` properties after `afterId`. */
  listSupplyAgeLimits(afterId: string, limit: number): Promise<SupplyAgeLimits>;
  /** Newest first. */
  listSupplyMessages(filter: MessageFilter): Promise<readonly SupplyMessageRow[]>;
  /** The first entries of these messages, by id; messages without entries are absent. */
  readMessageEntries(messageIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Sources with a layer on any property, withdrawn ones included; ascending. */
  listLayerSources(): Promise<readonly string[]>;
  /** Properties that the source has a layer on, confirmed or owns, by id, after `afterId`. */
  listSourceProperties(source: string, afterId: string, limit: number): Promise<readonly SourceProperty[]>;
  /** Applied messages that changed this property, newest first. */
  listSourceHistory(propertyId: string, limit: number): Promise<readonly SourceHistoryEntry[]>;
  /**
   * Deletes up to `limit` old messages and as many old keys, and messages beyond the newest `messagesMax` (0:
   * unlimited); returns how many.
   */
  deleteSupplyHistory(before: {
    readonly messagesMs: number;
    readonly messagesMax: number;
    readonly keysMs: number;
    readonly limit: number;
  }): Promise<number>;
  /** Inserts or replaces by (source, externalKey), in one transaction. */
  putSupplyMappings(mappings: readonly SupplyMapping[]): Promise<void>;
  /** The mapped ones of these keys. */
  findSupplyMappings(source: string, externalKeys: readonly string[]): Promise<readonly FoundMapping[]>;
  /** All mappings, or those of one source; by source and key. */
  listSupplyMappings(source?: string): Promise<readonly SupplyMapping[]>;
  /** By source and key, after `after`; all sources unless one is named. */
  pageSupplyMappings(
    after: Pick<SupplyMapping, 'source' | 'externalKey'>,
    limit: number,
    source?: string,
  ): Promise<readonly SupplyMapping[]>;
  /** False if it does not exist. */
  deleteSupplyMapping(source: string, externalKey: string): Promise<boolean>;
}

/** Methods that each engine implements itself; the rest are programs. */
export type SupplyEngine = Pick<SupplyStore, 'applySupply' | 'findLayers' | 'findSupplyMappings'>;

/** How messages share transactions. */
export const SUPPLY_BATCHES = {
  /** A commit of this many keeps quotes waiting for some 20 ms. */
  batchMax: 100,
  /** Batches lock the same row: a second one could only wait for the first. */
  batchesAtOnce: 1,
  /** A message may wait for large ones of other senders, and for an import of another process. */
  waitMs: 30_000,
};
