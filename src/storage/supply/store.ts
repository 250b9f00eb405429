/**
 * The part of the storage port that supply needs: messages of the operator's systems overlay the layers of their
 * sources, and the calendar that partners see is rewritten in the same transaction.
 */
import type { PropertyDetails } from '../../domain/property-details.ts';
import type {
  SourceHistoryEntry,
  StoredLayer,
  SupplyAnswer,
  SupplyMessage,
  SupplyOutcome,
  SupplyVerdict,
} from '../../ledger/message.ts';
import type { StoredProperty } from '../catalogue/store.ts';
import type { Revision } from '../history/revision.ts';

export interface Confirmation {
  readonly source: string;
  readonly confirmedAtMs: number;
}

export interface LayeredStored {
  readonly stored: StoredProperty;
  /** Undefined when nothing is said. */
  readonly details: PropertyDetails | undefined;
  /** Of all sources, that of the property's own included; a layer that sets nothing is not there. */
  readonly layers: readonly StoredLayer[];
  /** By source. */
  readonly confirmations: readonly Confirmation[];
}

/** Sources that a list names. */
export const SOURCES_LISTED_MAX = 10_000;

export interface SupplyMessageRow {
  readonly messageId: string;
  readonly source: string;
  readonly kind: string;
  readonly receivedAtMs: number;
  readonly verdict: SupplyVerdict;
  readonly revision: Revision;
  readonly changed: number;
  readonly unchanged: number;
  /** JSON: `{note, refused, refusals}`. */
  readonly detail: string;
}

export interface MessageFilter {
  readonly source?: string;
  readonly propertyId?: string;
  /** Received at this instant or later. */
  readonly sinceMs?: number;
  /** Received before this instant. */
  readonly untilMs?: number;
  readonly limit: number;
}

/** One property of a source. */
export interface SourceProperty {
  readonly propertyId: string;
  /** The property's document is its own. */
  readonly ownsDocument: boolean;
  /** What it sets; not of a document that is the only source. */
  readonly layers: readonly Pick<StoredLayer, 'inventoryTypeId' | 'nights' | 'rates'>[];
}

/** Where a name that another system uses leads. */
export interface SupplyMapping {
  readonly source: string;
  /** A `room_type_id` or `rate_plan_id` of that system. */
  readonly externalKey: string;
  readonly propertyId: string;
  readonly inventoryTypeId: string;
}

export interface MappedPlace extends SupplyMapping {
  /** Of the property, ISO 4217; null where there is no such property. */
  readonly currency: string | null;
}

/** When a source last said what a property's calendar is, changed or not. */
export interface ConfirmedSupply extends Confirmation {
  readonly propertyId: string;
}

/** A property whose nights close when no source has confirmed them for so long. */
export interface SupplyAgeLimit {
  readonly propertyId: string;
  readonly maxSupplyAgeHours: number;
  /** By any source but `manual`; 0 when none did. */
  readonly confirmedAtMs: number;
  /** Closed for its age already. */
  readonly isClosed: boolean;
}

export interface SupplyAgeLimits {
  readonly limits: readonly SupplyAgeLimit[];
  /** Of the slice that was looked through; undefined when it was the last one. */
  readonly lastId: string | undefined;
}

export interface SupplyStore {
  /**
   * Resolved means: the message and all that it changed survive `kill -9`, or it was refused and nothing changed but
   * the list of messages. Messages that arrive together share transactions; each one is still whole or nothing.
   * The bytes of its changes may be handed over to a thread: they are the storage's from then on.
   */
  applySupply(message: SupplyMessage): Promise<SupplyAnswer>;
  /** What a message with this key was answered, while the key lasts. */
  findSupplyKey(
    source: string,
    key: string,
  ): Promise<{ readonly bodyHash: string; readonly outcome: SupplyOutcome } | undefined>;
  /** Undefined when unknown or withdrawn. */
  findLayers(propertyId: string): Promise<LayeredStored | undefined>;
  /** Of properties that are there, by property and source, behind `after`. */
  listConfirmations(
    after: Pick<ConfirmedSupply, 'propertyId' | 'source'>,
    limit: number,
  ): Promise<readonly ConfirmedSupply[]>;
  /** Looks through the `limit` properties behind `afterId`. */
  listSupplyAgeLimits(afterId: string, limit: number): Promise<SupplyAgeLimits>;
  /** Newest first. */
  listSupplyMessages(filter: MessageFilter): Promise<readonly SupplyMessageRow[]>;
  /** The first entries of these messages, by id; not there where a message has none. */
  readMessageEntries(messageIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Sources that have a layer of any property, also of a withdrawn one; ascending. */
  listLayerSources(): Promise<readonly string[]>;
  /** Properties that the source has a layer of, has confirmed or owns, by id, behind `afterId`. */
  listSourceProperties(source: string, afterId: string, limit: number): Promise<readonly SourceProperty[]>;
  /** Applied messages that changed this property, newest first. */
  listSourceHistory(propertyId: string, limit: number): Promise<readonly SourceHistoryEntry[]>;
  /**
   * Deletes at most `limit` messages and keys each that are older, and messages beyond the newest `messagesMax` (0:
   * none); returns how many.
   */
  deleteSupplyHistory(before: {
    readonly messagesMs: number;
    readonly messagesMax: number;
    readonly keysMs: number;
    readonly limit: number;
  }): Promise<number>;
  /** Inserts or replaces by (source, externalKey), in one transaction. */
  putSupplyMappings(mappings: readonly SupplyMapping[]): Promise<void>;
  /** Those of these keys that are mapped. */
  findSupplyMappings(source: string, externalKeys: readonly string[]): Promise<readonly MappedPlace[]>;
  /** All of them, of one source where it is named; by source and key. */
  listSupplyMappings(source?: string): Promise<readonly SupplyMapping[]>;
  /** By source and key, behind `after`; of one source where it is named. */
  pageSupplyMappings(
    after: Pick<SupplyMapping, 'source' | 'externalKey'>,
    limit: number,
    source?: string,
  ): Promise<readonly SupplyMapping[]>;
  /** False when there is none. */
  deleteSupplyMapping(source: string, externalKey: string): Promise<boolean>;
}

/** What each engine does in its own way; the rest are programs. */
export type SupplyEngine = Pick<SupplyStore, 'applySupply' | 'findLayers' | 'findSupplyMappings'>;

/** How messages share transactions. */
export const SUPPLY_BATCHES = {
  /** A commit with so many keeps quotes waiting for some 20 ms. */
  batchMax: 100,
  /** They lock the same row: a second batch could only wait for the first. */
  batchesAtOnce: 1,
  /** A message may wait for large ones of other senders, and for an import of another process. */
  waitMs: 30_000,
};
