/** The rows that planning a batch reads and produces. */
import type { PropertyState } from './layered-property.ts';
import type { SupplyMessage, SupplyOutcome } from './message.ts';

/** How long a key identifies its message. */
export const IDEMPOTENCY_KEY_MS = 24 * 60 * 60 * 1000;

export interface StoredKey {
  readonly usedAtMs: number;
  readonly bodyHash: string;
  readonly outcome: SupplyOutcome;
}

export interface KeyName {
  readonly source: string;
  readonly key: string;
}

/** All rows that a plan may need. */
export interface Needed {
  readonly propertyIds: readonly string[];
  readonly keys: readonly KeyName[];
  /** Properties with conditional changes: their confirmations must not change meanwhile. */
  readonly conditionalIds: readonly string[];
}

export function neededBy(messages: readonly SupplyMessage[]): Needed {
  return {
    propertyIds: messages.flatMap(propertyIdsOf),
    keys: messages.flatMap(({ source, idempotency }) =>
      idempotency === null ? [] : { source, key: idempotency.key },
    ),
    conditionalIds: messages.flatMap(({ work }) =>
      work.kind === 'calendars' && work.ifConfirmedAtMs !== undefined ? work.propertyIds : [],
    ),
  };
}

/** The properties that a message names. */
export function propertyIdsOf({ work }: SupplyMessage): readonly string[] {
  if (work.kind === 'calendars' || work.kind === 'retirement') return work.propertyIds;
  if (work.kind === 'document') return [work.write.property.propertyId];
  return work.kind === 'withdrawal' ? [work.propertyId] : [];
}

export interface SupplyRows {
  /** Undefined: the property never existed. */
  readonly findState: (propertyId: string) => PropertyState | undefined;
  readonly findKey: (source: string, key: string) => StoredKey | undefined;
  /** When any source except `manual` last confirmed the property; 0 if none did. For `ifConfirmedAtMs` only. */
  readonly findConfirmedAtMs: (propertyId: string) => number;
}

export interface ConfirmedRow {
  readonly propertyId: string;
  readonly source: string;
  readonly atMs: number;
}

/** The history's row for one message and one property. */
export interface SourceHistoryRow {
  readonly messageId: string;
  readonly propertyId: string;
  /** JSON of a `HistoryChange`; empty for a document. */
  readonly change: Uint8Array;
}
