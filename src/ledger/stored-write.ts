/**
 * A property write in the form that both adapters store, and the rule that decides what it would change.
 */
import { hash } from 'node:crypto';
import { assertStorableText } from '../domain/storable-text.ts';
import type { Property } from '../domain/property.ts';
import type { PropertyDetails } from '../domain/property-details.ts';
import { digestDetails, formatDetails, formatDocument } from './stored-document.ts';

/** The calendar of one inventory type as `domain/calendar-codec.ts` encodes it. */
export interface StoredCalendar {
  /** That of the inventory type in the same place of `property.inventoryTypes`. */
  readonly inventoryTypeId: string;
  /** Availability and restrictions: what the night index needs. */
  readonly nights: Uint8Array;
  /** Rates: what prices need. */
  readonly rates: Uint8Array;
}

export interface PropertyWrite {
  readonly property: Property;
  /** Absent: none, and those that are stored go. */
  readonly details?: PropertyDetails;
  /** The document is its own from now on, and the calendars become its layer. */
  readonly source: string;
  /** Of the calendars given; where other sources have layers too, that of the combination is stored. */
  readonly lowestRates: Uint8Array;
  readonly calendars: readonly StoredCalendar[];
  /** Inventory types without a calendar in the document: the source's layer stays. */
  readonly keptTypeIds?: readonly string[];
  /** Leaves a property alone whose document another source owns: `foreign`. Otherwise it is taken over. */
  readonly isOwnOnly?: boolean;
  /** `documentMark` of the document that it replaces, empty: of none; where another one is stored, `foreign`. */
  readonly replaces?: string | undefined;
}

/**
 * `created`: new, or back after a withdrawal. `unchanged`: all that the write holds equals what is stored, lowest
 * rates included (another horizon makes other ones).
 */
export type WriteOutcome = 'created' | 'changed' | 'unchanged' | 'foreign';

export interface StoredWrite {
  readonly propertyId: string;
  readonly source: string;
  readonly document: string;
  /** Null: there are none any more. Absent: the write says nothing of them. */
  readonly details?: string | null;
  readonly lowestRates: Uint8Array;
  /** By position. */
  readonly types: readonly StoredCalendar[];
  /** Of these types the write says no calendar; the one given is for a type that has none yet. */
  readonly keptTypeIds: readonly string[];
  readonly isOwnOnly: boolean;
  readonly replaces?: string | undefined;
}

/** What a stored row says about itself; `contentHash` is null for a tombstone. */
export type StoredContent =
  | { readonly contentHash: string | null; readonly source?: string; readonly isLayered?: boolean }
  | undefined;

/** Throws a TypeError on what no caller may pass: calendars that don't match the inventory types, unstorable text. */
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
 * SHA-256 (hex) over everything that a write stores. Each part is preceded by its length in bytes, so that no two
 * different writes make the same input.
 */
export function contentHash(write: StoredWrite): string {
  const parts: Uint8Array[] = [Buffer.from(write.source), Buffer.from(write.document), write.lowestRates];
  for (const type of write.types) parts.push(Buffer.from(type.inventoryTypeId), type.nights, type.rates);
  const lengths = new Uint8Array(Float64Array.from(parts, (part) => part.byteLength).buffer);
  return hash('sha256', Buffer.concat([lengths, ...parts]), 'hex');
}

/** The last write of an id is what stays: nobody sees those before it, and one statement can't write a row twice. */
export function lastOfEach<T extends { readonly write: StoredWrite }>(planned: readonly T[]): T[] {
  return [...new Map(planned.map((plan) => [plan.write.propertyId, plan])).values()];
}

/**
 * Whether any of the writes has to be combined with layers that are stored: those of other sources, or one that its
 * document says nothing of; or asks who owns the property. All others replace the only layer there is, and nothing
 * stored has to be read for them.
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

/** A tombstone has no content: a property that comes back is `created` again. */
export function decideOutcome(stored: StoredContent, writtenHash: string): WriteOutcome {
  if (stored === undefined || stored.contentHash === null) return 'created';
  return stored.contentHash === writtenHash ? 'unchanged' : 'changed';
}
