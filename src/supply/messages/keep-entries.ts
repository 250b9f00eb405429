/** The first entries of a message as its sender wrote them: what the list of messages shows of them. */
import { ENTRIES_KEPT_BYTES_MAX, type TypeChange } from '../../storage/supply/store.ts';
import { formatEntry } from '../native/format-property-document.ts';

/** What is kept of the entries of a message. */
export interface KeptEntries {
  readonly entries: readonly unknown[];
  /** Entries that were not kept. */
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
