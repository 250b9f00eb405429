/** The rows that the plan of a batch of messages reads and ends with. */
import type { SupplyMessage, SupplyOutcome } from '../port/supply-store.ts';
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
  if (work.kind === 'calendars') return work.propertyIds;
  if (work.kind === 'document') return [work.write.property.propertyId];
  return work.kind === 'withdrawal' ? [work.propertyId] : [];
}

export interface SupplyRows {
  /** Undefined: there never was such a property. */
  readonly findState: (propertyId: string) => PropertyState | undefined;
  readonly findKey: (source: string, key: string) => StoredKey | undefined;
}

export interface ConfirmedRow {
  readonly propertyId: string;
  readonly source: string;
  readonly atMs: number;
}

/** What one message said of one property. */
export interface SaidRow {
  readonly messageId: string;
  readonly propertyId: string;
  readonly said: string;
}
