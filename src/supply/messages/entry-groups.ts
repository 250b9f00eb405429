/** The entries of a message, gathered by property and inventory type in their order. */
import type { CalendarEntry } from '../../domain/calendar.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { formatPropertyChange } from '../../storage/supply/property-change.ts';

/** Both included. */
export interface NightSpan {
  readonly from: EpochDay;
  readonly to: EpochDay;
}

interface TypeEntries {
  readonly inventoryTypeId: string;
  readonly replaces: false;
  /** The nights that the message names, the first to the last, where it is all that its source says of them. */
  clears?: NightSpan;
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

  /** One entry of the message may be several of a calendar; `clears` are the nights that it names. */
  add(
    propertyId: string,
    inventoryTypeId: string,
    entries: readonly CalendarEntry[],
    position: number,
    clears?: NightSpan,
  ): void {
    const types = this.#properties.get(propertyId) ?? new Map<string, TypeEntries>();
    this.#properties.set(propertyId, types);
    const type: TypeEntries = types.get(inventoryTypeId) ?? {
      inventoryTypeId,
      replaces: false,
      entries: [],
      positions: [],
    };
    types.set(inventoryTypeId, type);
    if (clears !== undefined) {
      const { from, to } = type.clears ?? clears;
      type.clears = { from: Math.min(from, clears.from), to: Math.max(to, clears.to) };
    }
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
