/** The rows that the plan of a batch of messages reads and ends with. */
import type { SupplyMessage, SupplyOutcome } from './store.ts';
import type { PropertyState } from './layered-property.ts';

/** How long the same key means the same message. */
export const IDEMPOTENCY_KEY_MS = 24 * 60 * 60 * 1000;

export interface StoredKey {
  readonly usedAtMs: number;
  readonly bodyHash: string;
  readonly outcome: SupplyOutcome;
}

/** The properties that a message names. */
export function propertyIdsOf({ work }: SupplyMessage): readonly string[] {
  if (work.kind === 'calendars' || work.kind === 'retirement') return work.propertyIds;
  if (work.kind === 'document') return [work.write.property.propertyId];
  return work.kind === 'withdrawal' ? [work.propertyId] : [];
}

/** Those of them that count only as long as nobody has confirmed them again. */
export function conditionalIdsOf(message: SupplyMessage): readonly string[] {
  const { work } = message;
  return work.kind === 'calendars' && work.ifConfirmedAtMs !== undefined ? work.propertyIds : [];
}

export interface SupplyRows {
  /** Undefined: there never was such a property. */
  readonly findState: (propertyId: string) => PropertyState | undefined;
  readonly findKey: (source: string, key: string) => StoredKey | undefined;
  /** When any source but `manual` last confirmed the property; 0 when none did. Asked for `ifConfirmedAtMs` only. */
  readonly findConfirmedAtMs: (propertyId: string) => number;
}

export interface ConfirmedRow {
  readonly propertyId: string;
  readonly source: string;
  readonly atMs: number;
}

/** What goes: messages before this id, those beyond the newest `messagesMax` (0: none), and keys. */
export interface DeletedHistory {
  readonly messageId: string;
  readonly messagesMax: number;
  readonly keysMs: number;
  readonly limit: number;
}

/** Ids are in the order of time. */
export function laterId(one: string, other: unknown): string {
  return typeof other === 'string' && other > one ? other : one;
}

/** What the history keeps of one message and one property. */
export interface SourceHistoryRow {
  readonly messageId: string;
  readonly propertyId: string;
  /** JSON of a `KeptChange`; nothing for a document. */
  readonly change: Uint8Array;
}
