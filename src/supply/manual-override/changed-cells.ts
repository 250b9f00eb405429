/** The first cells that a file changes, for its preview: fields of documents, and fields of nights. */
import { calendarOfLayer } from '../../domain/ledger/message.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import type { Property } from '../../domain/property.ts';
import type { PropertyDetails } from '../../domain/property-details.ts';
import type { PropertyWrite } from '../../domain/ledger/stored-write.ts';
import type { LayeredStored, SupplyStore } from '../../storage/supply/store.ts';
import { differenceOf } from './calendar-difference.ts';
import { presentChanges } from './present-changes.ts';
import type { TypeDifference } from './supply-preview.ts';
import { formatPropertyDocument } from '../native/format-property-document.ts';

/** Cells in all, properties that are looked at for them, and cells of one property. */
export const CELLS_MAX = 60;
export const LOOKED_AT_MAX = 60;
export const CELLS_OF_PROPERTY_MAX = 15;
const TEXT_LENGTH_MAX = 120;

export interface ChangedCell {
  readonly propertyId: string;
  /** Place in the document, such as `taxes[0].amount`; of nights the field of their calendar entry. */
  readonly field: string;
  /** Null: of no nights. */
  readonly nights: ChangedNights | null;
  /** Null: there was nothing, or there will be nothing. */
  readonly before: string | null;
  readonly after: string | null;
}

interface ChangedNights {
  readonly inventoryTypeId: string;
  readonly dateFrom: string;
  /** The last night. */
  readonly dateTo: string;
}

export interface FoundChanges {
  readonly changes: readonly ChangedCell[];
  /** Whether there are more. */
  readonly changesCut: boolean;
}

export class ChangedCells {
  readonly #storage: Pick<SupplyStore, 'findLayers'>;
  readonly #cells: ChangedCell[] = [];
  #lookedAt = 0;
  #isCut = false;

  constructor(storage: Pick<SupplyStore, 'findLayers'>) {
    this.#storage = storage;
  }

  /** Takes a document that a dry run found new or changed: `write` is what would be stored. */
  async takeDocument(write: PropertyWrite): Promise<void> {
    if (this.#isFull()) return;
    const { propertyId } = write.property;
    const stored = await this.#storage.findLayers(propertyId);
    const before =
      stored === undefined ? new Map<string, string>() : textsOf(stored.stored.property, stored.details);
    const after = textsOf(write.property, write.details);
    const places = [...new Set([...after.keys(), ...before.keys()])];
    const fields = places
      .map((field) => ({ field, before: before.get(field) ?? null, after: after.get(field) ?? null }))
      .filter((cell) => cell.before !== cell.after)
      .map((cell) => ({ propertyId, nights: null, ...cell }));
    this.#add([...fields, ...nightCells(nightsOf(write, stored))]);
  }

  /** Takes what rows of nights would change. */
  takeNights(differences: readonly TypeDifference[]): void {
    const byProperty = Map.groupBy(differences, ({ propertyId }) => propertyId);
    for (const own of byProperty.values()) {
      if (this.#isFull()) return;
      this.#add(nightCells(own));
    }
  }

  found(): FoundChanges {
    return { changes: this.#cells, changesCut: this.#isCut };
  }

  /** Whether no further property is looked at. */
  #isFull(): boolean {
    const isFull = this.#cells.length >= CELLS_MAX || this.#lookedAt >= LOOKED_AT_MAX;
    if (isFull) this.#isCut = true;
    else this.#lookedAt += 1;
    return isFull;
  }

  #add(cells: readonly ChangedCell[]): void {
    const room = Math.min(CELLS_OF_PROPERTY_MAX, CELLS_MAX - this.#cells.length);
    this.#cells.push(...cells.slice(0, room));
    if (cells.length > room) this.#isCut = true;
  }
}

/** Texts of a document by place; calendars are compared by nights. Fields that are not set have none. */
function textsOf(property: Property, details: PropertyDetails | undefined): Map<string, string> {
  const texts = new Map<string, string>();
  const { propertyId: _id, ...document } = formatPropertyDocument(property, [], details);
  addTexts(texts, '', document);
  return texts;
}

function addTexts(texts: Map<string, string>, place: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) {
    if (value.length > 0) texts.set(place, cut(value.join(', ')));
  } else if (Array.isArray(value))
    for (const [index, one] of value.entries()) addTexts(texts, `${place}[${index}]`, one);
  else if (typeof value === 'object')
    for (const [name, one] of Object.entries(value))
      addTexts(texts, place === '' ? name : `${place}.${name}`, one);
  else texts.set(place, cut(`${value as string | number | boolean}`));
}

function cut(text: string): string {
  return text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text;
}

function nightsOf(
  { property: { propertyId }, source, calendars, keptTypeIds = [] }: PropertyWrite,
  stored: LayeredStored | undefined,
): readonly TypeDifference[] {
  return calendars
    .filter(({ inventoryTypeId }) => !keptTypeIds.includes(inventoryTypeId))
    .map(({ inventoryTypeId, nights, rates }) => {
      const before = calendarOfLayer(stored?.layers ?? [], source, inventoryTypeId);
      return { propertyId, inventoryTypeId, nights: differenceOf(before, decodeCalendar(nights, rates)) };
    });
}

function nightCells(differences: readonly TypeDifference[]): readonly ChangedCell[] {
  const { changes } = presentChanges(differences, CELLS_OF_PROPERTY_MAX + 1);
  return changes.flatMap(({ propertyId, inventoryTypeId, dateFrom, dateTo, before, after }) =>
    Object.keys(after).map((field) => ({
      propertyId,
      field,
      nights: { inventoryTypeId, dateFrom, dateTo },
      before: valueText(before[field]),
      after: valueText(after[field]),
    })),
  );
}

function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return cut(typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`);
}
