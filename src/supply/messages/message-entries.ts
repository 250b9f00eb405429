/**
 * The entries of a message: gathered by property and inventory type, and the first of them as their sender
 * wrote them.
 */
import type { CalendarEntry } from '../../domain/calendar.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { formatPropertyChange } from '../../storage/supply/property-change.ts';
import { ENTRIES_KEPT_BYTES_MAX, type TypeChange } from '../../storage/supply/store.ts';
import { formatEntry } from '../native/format-property-document.ts';

/** Both included. */
interface NightSpan {
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

/** What is kept of the entries of a message. */
interface KeptEntries {
  readonly entries: readonly unknown[];
  /** Entries that found no room. */
  readonly leftOut: number;
}

/** Of the part around the entries. */
const FRAME_BYTES = 64;

/** As many whole entries as fit into ENTRIES_KEPT_BYTES_MAX, JSON text; undefined without an entry. */
export function keepEntries(items: readonly unknown[]): string | undefined {
  if (items.length === 0) return undefined;
  const kept: string[] = [];
  let room = ENTRIES_KEPT_BYTES_MAX - FRAME_BYTES;
  for (const item of items) {
    const text = formatItem(item);
    if (text === undefined) break;
    room -= Buffer.byteLength(text) + 1;
    if (room < 0) break;
    kept.push(text);
  }
  return `{"entries":[${kept.join(',')}],"leftOut":${items.length - kept.length}}`;
}

/** The same of what the service says itself. */
export function keepChanges(propertyId: string, types: readonly TypeChange[]): string | undefined {
  return keepEntries(
    types.flatMap(({ inventoryTypeId, entries }) =>
      entries.map((entry) => ({ propertyId, inventoryTypeId, ...formatEntry(entry) })),
    ),
  );
}

/** Of texts of `keepEntries` only. */
export function parseKeptEntries(text: string): KeptEntries {
  return JSON.parse(text) as KeptEntries;
}

/** Undefined for what is nested so deeply that it can't be written again. */
function formatItem(item: unknown): string | undefined {
  try {
    return JSON.stringify(item);
  } catch {
    return undefined;
  }
}
