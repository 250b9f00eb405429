/**
 * Rows of a property joined with its inventory types, as both adapters select them, assembled into one property.
 *
 * A property is one or more consecutive rows, ordered by position. Only the first row has the document, so a large one
 * is not copied once per inventory type.
 */
import { readPriceTerms } from '../../domain/price-terms.ts';
import { parseDocument } from '../../domain/ledger/stored-document.ts';
import type { FollowedProperty, ListedProperty, StoredProperty, WithdrawnProperty } from './store.ts';

export interface FollowedRow {
  readonly property_id: string;
  readonly revision: number;
  /** Null in the rows of the second and later types, and in a tombstone. */
  readonly document: string | null;
  readonly lowest_rates: Uint8Array | null;
  /** Null in a tombstone, as the rates are. */
  readonly nights: Uint8Array | null;
  readonly rates: Uint8Array | null;
}

export interface StoredRow extends FollowedRow {
  readonly source: string;
  readonly changed_at_ms: number;
}

/** A property that is not withdrawn, without its calendars. */
export interface ListedRow {
  readonly property_id: string;
  readonly source: string;
  readonly revision: number;
  readonly changed_at_ms: number;
  readonly document: string;
}

export function toListed(row: ListedRow): ListedProperty {
  const { source, revision, changed_at_ms: changedAtMs, document } = row;
  return { property: parseDocument(document), source, revision, changedAtMs };
}

/** Turns rows into changes for followers: a property without rates, or a tombstone. */
export function collectChanges(rows: Iterable<FollowedRow>): (FollowedProperty | WithdrawnProperty)[] {
  const changes: (FollowedProperty | WithdrawnProperty)[] = [];
  let columns = noColumns();
  for (const row of rows) {
    if (row.nights === null) changes.push({ propertyId: row.property_id, revision: row.revision });
    else if (row.document === null) addColumns(columns, row.nights, present(row.rates, row));
    else {
      columns = firstColumns(row.nights, present(row.rates, row));
      changes.push(makeFollowed(row, row.document, columns));
    }
  }
  return changes;
}

/** Undefined when there is no row, or a tombstone. */
export function toStoredProperty(rows: readonly StoredRow[]): StoredProperty | undefined {
  const [first] = rows;
  if (first === undefined || first.document === null) return undefined;
  const property = parseDocument(first.document);
  const calendars = property.inventoryTypes.map(({ inventoryTypeId }, position) => {
    const row = rows[position];
    return { inventoryTypeId, nights: present(row?.nights, first), rates: present(row?.rates, first) };
  });
  return {
    property,
    terms: readPriceTerms(property),
    source: first.source,
    revision: first.revision,
    changedAtMs: first.changed_at_ms,
    lowestRates: present(first.lowest_rates, first),
    calendars,
  };
}

/** The calendars of a property whose rows come one after the other. */
export interface CalendarColumns {
  readonly nights: Uint8Array[];
  readonly rates: Uint8Array[];
}

/** Calendars before the first row. */
export function noColumns(): CalendarColumns {
  return { nights: [], rates: [] };
}

export function firstColumns(nights: Uint8Array, rates: Uint8Array): CalendarColumns {
  return { nights: [nights], rates: [rates] };
}

export function addColumns(columns: CalendarColumns, nights: Uint8Array, rates: Uint8Array): void {
  columns.nights.push(nights);
  columns.rates.push(rates);
}

/** Later rows of the same property add to `columns`. */
export function makeFollowed(
  row: Omit<FollowedRow, 'nights' | 'rates'>,
  document: string,
  { nights, rates }: CalendarColumns,
): FollowedProperty {
  return {
    property: parseDocument(document),
    revision: row.revision,
    lowestRates: present(row.lowest_rates, row),
    nights,
    rates,
  };
}

/** property_id, revision, nights, rates; in the first row of a property lowest_rates and document too. */
export type RowValues = readonly [string, number, Uint8Array, Uint8Array, Uint8Array | null, string | null];

export interface BatchLimits {
  readonly propertiesMax: number;
  readonly msMax: number;
}

/** Rows, however they come, as batches of properties. A property is whole when the next one begins. */
export class PropertyBatches {
  readonly #limits: BatchLimits;
  #batch: FollowedProperty[] = [];
  #columns = noColumns();

  /** A batch ends with whichever limit is reached first. */
  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  /** The batches that these rows complete. */
  *add(rows: Iterable<RowValues>): Generator<readonly FollowedProperty[], void> {
    const { propertiesMax, msMax } = this.#limits;
    let startedAtMs = performance.now();
    for (const [property_id, revision, nights, rates, lowest_rates, document] of rows) {
      if (document === null) {
        addColumns(this.#columns, nights, rates);
        continue;
      }
      if (this.#batch.length >= propertiesMax || performance.now() - startedAtMs >= msMax) {
        yield* this.rest();
        startedAtMs = performance.now();
      }
      this.#columns = firstColumns(nights, rates);
      this.#batch.push(
        makeFollowed({ property_id, revision, lowest_rates, document }, document, this.#columns),
      );
    }
  }

  /** The properties after the last full batch. */
  *rest(): Generator<readonly FollowedProperty[], void> {
    if (this.#batch.length > 0) yield this.#batch;
    this.#batch = [];
  }
}

function present<T>(value: T | null | undefined, row: Pick<FollowedRow, 'property_id'>): T {
  if (value === null || value === undefined)
    throw new Error(`the rows of property ${row.property_id} are incomplete`);
  return value;
}
