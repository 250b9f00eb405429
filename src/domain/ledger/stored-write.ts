/** A property write in the form that both adapters store, and the rule for its outcome. */
import { hash } from 'node:crypto';
import { assertStorableText } from '../storable-text.ts';
import type { Property } from '../property.ts';
import type { PropertyDetails } from '../property-details.ts';
import { digestDetails, formatDetails, formatDocument } from './stored-document.ts';

/** The calendar of one inventory type as `domain/calendar-codec.ts` encodes it. */
export interface StoredCalendar {
  /** The inventory type at the same index of `property.inventoryTypes`. */
  readonly inventoryTypeId: string;
  /** Availability and restrictions, for the night index. */
  readonly nights: Uint8Array;
  /** Rates, for prices. */
  readonly rates: Uint8Array;
}

export interface PropertyWrite {
  readonly property: Property;
  /** Absent: none; stored details are deleted. */
  readonly details?: PropertyDetails;
  /** The source owns the document from now on, and the calendars become its layer. */
  readonly source: string;
  /** Lowest rates of the given calendars. If other sources have layers too, the combined calendar's rates are stored instead. */
  readonly lowestRates: Uint8Array;
  readonly calendars: readonly StoredCalendar[];
  /** Inventory types without a calendar in the document: the source's layer stays. */
  readonly keptTypeIds?: readonly string[];
  /** Refuses a property whose document another source owns: `foreign`. Otherwise the document is taken over. */
  readonly isOwnOnly?: boolean;
  /** `documentMark` of the document to replace, empty for none. If the stored one differs: `foreign`. */
  readonly replaces?: string | undefined;
}

/**
 * `created`: new, or back after a withdrawal. `unchanged`: everything in the write equals the stored state, including
 * lowest rates, which depend on the horizon.
 */
export type WriteOutcome = 'created' | 'changed' | 'unchanged' | 'foreign';

export interface StoredWrite {
  readonly propertyId: string;
  readonly source: string;
  readonly document: string;
  /** Null: details are deleted. Absent: details stay. */
  readonly details?: string | null;
  readonly lowestRates: Uint8Array;
  /** By index. */
  readonly types: readonly StoredCalendar[];
  /** Types whose calendar the write does not set; the given one is for a type that has none yet. */
  readonly keptTypeIds: readonly string[];
  readonly isOwnOnly: boolean;
  readonly replaces?: string | undefined;
}

/** Content of a stored row; `contentHash` is null for a tombstone. */
export type StoredContent =
  | { readonly contentHash: string | null; readonly source?: string; readonly isLayered?: boolean }
  | undefined;

/** Throws a TypeError on calendars that don't match the inventory types, or on text that cannot be stored. */
export function makeStoredWrite({
  property,
  details,
  source,
  lowestRates,
  calendars,
  keptTypeIds = [],
  isOwnOnly = false,
  replaces,
}: PropertyWrite): StoredWrite {
  const { propertyId, inventoryTypes } = property;
  const typeIds = inventoryTypes.map((type) => type.inventoryTypeId);
  if (typeIds.length === 0 || typeIds.length !== calendars.length) {
    throw new TypeError(
      `property ${propertyId}: ${typeIds.length} inventory types, ${calendars.length} calendars`,
    );
  }
  for (const [position, calendar] of calendars.entries()) {
    if (calendar.inventoryTypeId !== typeIds[position]) {
      throw new TypeError(
        `property ${propertyId}: calendar ${position} is not of inventory type ${typeIds[position]}`,
      );
    }
    assertStorableText(calendar.inventoryTypeId);
  }
  assertStorableText(propertyId);
  assertStorableText(source);
  const detailsText = details === undefined ? undefined : formatDetails(details);
  return {
    propertyId,
    source,
    document: formatDocument(property, detailsText === undefined ? undefined : digestDetails(detailsText)),
    details: detailsText ?? null,
    lowestRates,
    types: calendars.map(({ inventoryTypeId, nights, rates }) => ({ inventoryTypeId, nights, rates })),
    keptTypeIds,
    isOwnOnly,
    replaces,
  };
}

/**
 * SHA-256 (hex) over everything that a write stores. Each part is preceded by its length in bytes, so that different
 * writes never produce the same input.
 */
export function contentHash(write: StoredWrite): string {
  const parts: Uint8Array[] = [Buffer.from(write.source), Buffer.from(write.document), write.lowestRates];
  for (const type of write.types) parts.push(Buffer.from(type.inventoryTypeId), type.nights, type.rates);
  const lengths = new Uint8Array(Float64Array.from(parts, (part) => part.byteLength).buffer);
  return hash('sha256', Buffer.concat([lengths, ...parts]), 'hex');
}

/** A write with its hash, which takes its time. */
export interface PlannedWrite {
  readonly write: StoredWrite;
  readonly hash: string;
}

export function planWrites(writes: readonly StoredWrite[]): PlannedWrite[] {
  return writes.map((write) => ({ write, hash: contentHash(write) }));
}

/** The outcome of each write after those before it; an id may occur more than once. */
export function decideOutcomes(
  planned: readonly PlannedWrite[],
  findContent: (propertyId: string) => StoredContent,
): WriteOutcome[] {
  const written = new Map<string, StoredContent>();
  return planned.map(({ write: { propertyId }, hash: writtenHash }) => {
    const stored = written.get(propertyId) ?? findContent(propertyId);
    written.set(propertyId, { contentHash: writtenHash });
    return decideOutcome(stored, writtenHash);
  });
}

/** The writes that change what is stored, the last one of each id. */
export function changingWrites(
  planned: readonly PlannedWrite[],
  outcomes: readonly WriteOutcome[],
): PlannedWrite[] {
  return lastOfEach(planned.filter((_write, index) => outcomes[index] !== 'unchanged'));
}

/** Keeps the last write of each id: nobody sees the earlier ones, and one statement can't write a row twice. */
export function lastOfEach<T extends { readonly write: StoredWrite }>(planned: readonly T[]): T[] {
  return [...new Map(planned.map((plan) => [plan.write.propertyId, plan])).values()];
}

/**
 * Whether any write has to be combined with stored layers: those of other sources, or one that its document does not
 * set. Also true if a write depends on the property's owner. All other writes replace the only layer, so nothing has to
 * be read for them.
 */
export function needLayers(
  writes: readonly StoredWrite[],
  findContent: (propertyId: string) => StoredContent,
): boolean {
  const seen = new Set<string>();
  return writes.some(({ propertyId, keptTypeIds, isOwnOnly, replaces }) => {
    if (isOwnOnly || replaces !== undefined) return true;
    const stored = findContent(propertyId);
    const isThere = seen.has(propertyId) || (stored !== undefined && stored.contentHash !== null);
    seen.add(propertyId);
    return stored?.isLayered === true || (keptTypeIds.length > 0 && isThere);
  });
}

/** A tombstone has no content: a property that returns is `created` again. */
export function decideOutcome(stored: StoredContent, writtenHash: string): WriteOutcome {
  if (stored === undefined || stored.contentHash === null) return 'created';
  return stored.contentHash === writtenHash ? 'unchanged' : 'changed';
}
