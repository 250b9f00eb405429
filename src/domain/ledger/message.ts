/** Messages of supply, their outcomes, and what is stored of them. */
import { decodeCalendar } from '../calendar-codec.ts';
import { type Calendar, type CalendarEntry, EMPTY_CALENDAR } from '../calendar.ts';
import type { HiddenValue } from '../hidden-values.ts';
import type { EpochDay } from '../local-date.ts';
import type { PropertyWrite } from './stored-write.ts';

/** One source's calendar of one inventory type, as `domain/calendar-codec.ts` encodes it. */
export interface StoredLayer {
  readonly inventoryTypeId: string;
  readonly source: string;
  readonly changedAtMs: number;
  readonly nights: Uint8Array;
  readonly rates: Uint8Array;
}

/** The layer of a source for a type; undefined: it sets nothing. */
export function layerOf(
  layers: readonly StoredLayer[],
  source: string,
  inventoryTypeId: string,
): StoredLayer | undefined {
  return layers.find((one) => one.source === source && one.inventoryTypeId === inventoryTypeId);
}

/** The calendar of that layer, empty where there is none. */
export function calendarOfLayer(
  layers: readonly StoredLayer[],
  source: string,
  inventoryTypeId: string,
): Calendar {
  const layer = layerOf(layers, source, inventoryTypeId);
  return layer === undefined ? EMPTY_CALENDAR : decodeCalendar(layer.nights, layer.rates);
}

/** A message's change to one inventory type. */
export interface TypeChange {
  readonly inventoryTypeId: string;
  /** The entries replace the layer; otherwise they are laid over it. */
  readonly replaces: boolean;
  /** First clears everything that the layer sets for the nights `from`..`to`, both included. */
  readonly clears?: { readonly from: EpochDay; readonly to: EpochDay };
  readonly entries: readonly CalendarEntry[];
  /** The position of each entry in the message, from 0. */
  readonly positions: readonly number[];
  /** Entries that name a currency, which has to be the property's; absent if none does. */
  readonly currencies?: readonly { readonly position: number; readonly currency: string }[];
}

/** A message's change to one property; without types it only confirms. */
export interface PropertyChange {
  readonly propertyId: string;
  readonly types: readonly TypeChange[];
}

export type SupplyWork =
  | {
      readonly kind: 'calendars';
      /** `formatPropertyChange` of each property, each property once. */
      readonly changes: readonly Uint8Array[];
      /** The property of each change. */
      readonly propertyIds: readonly string[];
      /**
       * A condition for each change: it applies only if the last confirmation of its property, by any source except
       * `manual`, is still this one (0: none).
       */
      readonly ifConfirmedAtMs?: readonly number[];
      /** Applies the valid part; otherwise any refusal rejects the whole message. */
      readonly isPartial: boolean;
      /** The message has another error: nothing is applied, and further refusals are still listed. */
      readonly isRefused?: boolean;
      /** Default true. False for a calendar that was held back: it does not show how fresh its nights are. */
      readonly isConfirming?: boolean;
      readonly horizonNights: number;
    }
  | { readonly kind: 'document'; readonly write: PropertyWrite }
  | { readonly kind: 'withdrawal'; readonly propertyId: string }
  | {
      /**
       * Deletes the source's settings and confirmations; refused as a whole if it owns the document of one of these
       * properties.
       */
      readonly kind: 'retirement';
      readonly propertyIds: readonly string[];
      /** Also deletes its confirmation of everything. */
      readonly isLast: boolean;
    }
  /** Confirms everything that the source confirmed before. */
  | { readonly kind: 'confirmation' }
  /** Already written elsewhere, or refused before it came here: only stored. */
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
  /** The kind shown in the list of messages: `calendars`, `ari`, `property`. */
  readonly kind: string;
  readonly receivedAtMs: number;
  readonly idempotency: { readonly key: string; readonly bodyHash: string } | null;
  /** The first entries, JSON text stored with the message; at most ENTRIES_KEPT_BYTES_MAX. */
  readonly entries?: string | undefined;
  /** JSON text stored with the message and returned with its outcome, even for a repeated message. */
  readonly note: string;
  readonly work: SupplyWork;
}

export type SupplyVerdict = 'applied' | 'partial' | 'refused';

export type SupplyRefusalReason =
  | 'property-unknown'
  | 'type-unknown'
  /** Another source sets the prices of this type: `owner`. */
  | 'price-refused'
  /** The entry names another currency than the property's: `currency`. */
  | 'currency-mismatch'
  /** The property's document belongs to another source: `owner`. */
  | 'source-mismatch'
  /** The source to retire owns the property's document. */
  | 'owns-document'
  /** A source has confirmed the property since the sender read it (`ifConfirmedAtMs`). */
  | 'confirmed-meanwhile';

export interface SupplyRefusal {
  readonly reason: SupplyRefusalReason;
  readonly propertyId: string;
  readonly inventoryTypeId: string | null;
  readonly owner: string | null;
  readonly currency?: string;
  /** Refused entries; all refusals together list REFUSED_POSITIONS_MAX at most. */
  readonly positions: readonly number[];
}

/** Values that were stored, and that another value hides. */
export interface HiddenValues extends HiddenValue {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
  /** Entries, or of a document the place of the type. */
  readonly positions: readonly number[];
}

/** Nights whose price people had set, until the message set the first prices of their type. */
export interface RepricedNights {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
  readonly from: EpochDay;
  /** The last night. */
  readonly to: EpochDay;
  /** Always empty: no entry stands for them. */
  readonly positions: readonly [];
}

export const REFUSED_POSITIONS_MAX = 1_000;
/**
 * Storage for one message, besides the nights that it changed: its verdict in the list of messages, and again with its
 * key. Each gets half; note and refusals share it.
 */
export const MESSAGE_KEPT_BYTES_MAX = 64 * 1024;
/** Size of the note as JSON text, which escapes its quotes. */
export const NOTE_BYTES_MAX = 24 * 1024;
/** Size of note and refusals; the rest is for fields of fixed size. */
export const VERDICT_BYTES_MAX = MESSAGE_KEPT_BYTES_MAX / 2 - 1024;
/** Size of the history that traces nights back to a message: ids and merged entries of its properties. */
export const CHANGES_KEPT_BYTES_MAX = 65_536;
/** Size of a message's stored entries, in UTF-8. */
export const ENTRIES_KEPT_BYTES_MAX = 65_536;
export interface SupplyOutcome {
  /** For a message repeated under the same key, the id of the first. */
  readonly messageId: string;
  readonly verdict: SupplyVerdict;
  /** A process that has followed up to this revision sees the message's changes. */
  readonly revision: number;
  /**
   * Entries that changed the layer of their source where no other value hides them, or properties of documents; then
   * the others.
   */
  readonly changed: number;
  readonly unchanged: number;
  /** A document's property is new, or back after a withdrawal. */
  readonly isCreated: boolean;
  /** Entries refused, including those not listed. */
  readonly refused: number;
  readonly refusals: readonly SupplyRefusal[];
  /** Absent: none, or an outcome of an earlier release. */
  readonly hidden?: readonly HiddenValues[];
  /** Absent: none, or an outcome of an earlier release. */
  readonly setByHand?: readonly RepricedNights[];
  readonly note: string;
}

export type SupplyAnswer =
  | { readonly kind: 'done'; readonly outcome: SupplyOutcome; readonly isReplayed: boolean }
  /** The key was used for another body. */
  | { readonly kind: 'key-reused' };

/** The history's record of one message and one property: `PropertyChange` as JSON text, or '' for a document. */
export interface SourceHistoryEntry extends Pick<
  SupplyMessage,
  'messageId' | 'source' | 'kind' | 'receivedAtMs'
> {
  readonly change: string;
}
