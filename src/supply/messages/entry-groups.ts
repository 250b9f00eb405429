/** The entries of a message, gathered by property and inventory type in the order in which they stand. */
import type { CalendarEntry } from '../../domain/calendar.ts';
import { formatPropertyChange } from '../../storage/layers/property-change.ts';

interface TypeEntries {
  readonly inventoryTypeId: string;
  readonly replaces: false;
  readonly entries: CalendarEntry[];
  readonly positions: number[];
}

/** What the storage applies (`SupplyWork`). */
export interface GroupedChanges {
  readonly changes: readonly Uint8Array[];
  readonly propertyIds: readonly string[];
}

export class EntryGroups {
  readonly #properties = new Map<string, Map<string, TypeEntries>>();

  /** One entry of the message may be several of a calendar. */
  add(
    propertyId: string,
    inventoryTypeId: string,
    entries: readonly CalendarEntry[],
    position: number,
  ): void {
    const types = this.#properties.get(propertyId) ?? new Map<string, TypeEntries>();
    this.#properties.set(propertyId, types);
    const type = types.get(inventoryTypeId) ?? {
      inventoryTypeId,
      replaces: false,
      entries: [],
      positions: [],
    };
    types.set(inventoryTypeId, type);
    for (const entry of entries) {
      type.entries.push(entry);
      type.positions.push(position);
    }
  }

  finish(): GroupedChanges {
    const changes = Array.from(this.#properties, ([propertyId, types]) =>
      formatPropertyChange({ propertyId, types: [...types.values()] }),
    );
    return { changes, propertyIds: [...this.#properties.keys()] };
  }
}
