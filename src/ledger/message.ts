/** Messages of supply, what comes of them, and what is kept of them. */
import type { CalendarEntry } from '../domain/calendar.ts';
import type { EpochDay } from '../domain/local-date.ts';
import type { PropertyWrite } from './stored-write.ts';

/** One source's calendar of one inventory type, as `domain/calendar-codec.ts` encodes it. */
export interface StoredLayer {
  readonly inventoryTypeId: string;
  readonly source: string;
  readonly changedAtMs: number;
  readonly nights: Uint8Array;
  readonly rates: Uint8Array;
}

/** What a message says of one inventory type. */
export interface TypeChange {
  readonly inventoryTypeId: string;
  /** The layer becomes exactly these entries; otherwise they are laid over it. */
  readonly replaces: boolean;
  /** Before they are laid over it, the layer loses all that it sets for the nights `from`..`to`, both included. */
  readonly clears?: { readonly from: EpochDay; readonly to: EpochDay };
  readonly entries: readonly CalendarEntry[];
  /** The position of each entry in the message, from 0. */
  readonly positions: readonly number[];
}

/** What a message says of one property; without types it only confirms. */
export interface PropertyChange {
  readonly propertyId: string;
  readonly types: readonly TypeChange[];
}

export type SupplyWork =
  | {
      readonly kind: 'calendars';
      /** `formatPropertyChange` of each property, each property once. */
      readonly changes: readonly Uint8Array[];
      /** Of each change. */
      readonly propertyIds: readonly string[];
      /**
       * Of each change: it counts only where the last confirmation of its property, by any source but `manual`, is
       * still this one (0: none).
       */
      readonly ifConfirmedAtMs?: readonly number[];
      /** Applies what is good; otherwise anything refused leaves everything as it was. */
      readonly isPartial: boolean;
      /**
       * Something else is wrong with the message: nothing of it is applied, and what would be refused is still named.
       */
      readonly isRefused?: boolean;
      /** Default true. False for a held-back calendar: it does not say how fresh its nights are. */
      readonly isConfirming?: boolean;
      readonly horizonNights: number;
    }
  | { readonly kind: 'document'; readonly write: PropertyWrite }
  | { readonly kind: 'withdrawal'; readonly propertyId: string }
  | {
      /** Forgets what the source set and confirmed; refused as a whole where it owns the document of one of them. */
      readonly kind: 'retirement';
      readonly propertyIds: readonly string[];
      /** Also its word for all properties. */
      readonly isLast: boolean;
    }
  /** Confirms everything that the source has confirmed before. */
  | { readonly kind: 'confirmation' }
  /** Written elsewhere already, or refused before it came here: only remembered. */
  | {
      readonly kind: 'record';
      readonly verdict: SupplyVerdict;
      readonly changed: number;
      readonly unchanged: number;
    };

export interface SupplyMessage {
  /** `formatMessageId`: grows with time. */
  readonly messageId: string;
  readonly source: string;
  /** What the message is called in the list of messages: `calendars`, `ari`, `property`. */
  readonly kind: string;
  readonly receivedAtMs: number;
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | null;
  /** The first entries, JSON text that is kept with the message; at most ENTRIES_KEPT_BYTES_MAX. */
  readonly entries?: string | undefined;
  /** JSON text that is kept with the message and comes back with its outcome, also when it is sent again. */
  readonly note: string;
  readonly work: SupplyWork;
}

export type SupplyVerdict = 'applied' | 'partial' | 'refused';

export type SupplyRefusalReason =
  | 'property-unknown'
  | 'type-unknown'
  /** Prices of the type come from another source: `owner`. */
  | 'price-refused'
  /** The property's document belongs to another source: `owner`. */
  | 'source-mismatch'
  /** A source that is retired owns the property's document. */
  | 'owns-document'
  /** A source has confirmed the property since the sender looked (`ifConfirmedAtMs`). */
  | 'confirmed-meanwhile';

export interface SupplyRefusal {
  readonly reason: SupplyRefusalReason;
  readonly propertyId: string;
  readonly inventoryTypeId: string | null;
  readonly owner: string | null;
  /** Of the entries that are refused; of all refusals together at most REFUSED_POSITIONS_MAX are named. */
  readonly positions: readonly number[];
}

export const REFUSED_POSITIONS_MAX = 1_000;
/**
 * What a message leaves behind beside the nights that it changed: its verdict in the list of messages, and once more
 * with its key. Half of it for each; the note and the refusals share one.
 */
export const MESSAGE_KEPT_BYTES_MAX = 64 * 1024;
/** Of the note as JSON text, in which its quotes are longer. */
export const NOTE_BYTES_MAX = 24 * 1024;
/** Of note and refusals; the rest is for what is of one size. */
export const VERDICT_BYTES_MAX = MESSAGE_KEPT_BYTES_MAX / 2 - 1024;
/** Of what is kept to trace nights back to a message: ids and merged entries of its properties. */
export const CHANGES_KEPT_BYTES_MAX = 65_536;
/** Of what is kept of the entries of a message, in UTF-8. */
export const ENTRIES_KEPT_BYTES_MAX = 65_536;
export interface SupplyOutcome {
  /** Of the first message when this one was sent again under the same key. */
  readonly messageId: string;
  readonly verdict: SupplyVerdict;
  /** A process that has followed up to here sees what the message did. */
  readonly revision: number;
  /** Entries, or properties of documents, that changed the layer of their source, and that did not. */
  readonly changed: number;
  readonly unchanged: number;
  /** A document's property is new, or back after a withdrawal. */
  readonly isCreated: boolean;
  /** Entries refused, the unnamed ones included. */
  readonly refused: number;
  readonly refusals: readonly SupplyRefusal[];
  readonly note: string;
}

export type SupplyAnswer =
  | { readonly kind: 'done'; readonly outcome: SupplyOutcome; readonly isReplayed: boolean }
  /** The key was used for another body. */
  | { readonly kind: 'key-reused' };

/** What the history keeps of one message and one property: `PropertyChange` as JSON text, or '' for a document. */
export interface SourceHistoryEntry {
  readonly messageId: string;
  readonly source: string;
  readonly receivedAtMs: number;
  readonly change: string;
}
