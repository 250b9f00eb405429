/**
 * What the history keeps of each message, so that a night can be traced back to it: the entries of each property,
 * merged, as long as there is room. Of a message that has none left a property is still listed, marked as cut.
 */
import { mergeEntries } from '../domain/calendar.ts';
import type { SourceHistoryRow } from './rows.ts';
import { CHANGES_KEPT_BYTES_MAX, type PropertyChange } from './message.ts';

/** The layer has it: a document, or what a withdrawal or retirement leaves. */
const NOTHING_KEPT = new Uint8Array();
const CUT = new TextEncoder().encode('{"types":[],"isCut":true}');

export class KeptChanges {
  readonly rows: SourceHistoryRow[] = [];
  /** Bytes that each message may still leave behind. */
  readonly #room = new Map<string, number>();

  /** Without a change: its calendar became the layer. */
  add(messageId: string, propertyId: string, change?: PropertyChange): void {
    const whole = change === undefined ? NOTHING_KEPT : formatKept(change);
    if (!this.#put({ messageId, propertyId, change: whole }) && change !== undefined)
      this.#put({ messageId, propertyId, change: CUT });
  }

  #put(row: SourceHistoryRow): boolean {
    const room = this.#room.get(row.messageId) ?? CHANGES_KEPT_BYTES_MAX;
    const bytes = row.messageId.length + row.propertyId.length + row.change.byteLength;
    if (bytes > room) return false;
    this.#room.set(row.messageId, room - bytes);
    this.rows.push(row);
    return true;
  }
}

function formatKept({ types }: PropertyChange): Uint8Array {
  const kept = types.map(({ inventoryTypeId, replaces, clears, entries }) => {
    return { inventoryTypeId, replaces, clears, entries: mergeEntries(entries) };
  });
  return new TextEncoder().encode(JSON.stringify({ types: kept }));
}
