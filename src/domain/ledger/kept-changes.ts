/**
 * Collects the entries that the history keeps of each message, so that a night can be traced back to it: merged per
 * property, as long as there is room. A property of a message without room is still listed, marked as cut.
 */
import { mergeEntries } from '../calendar.ts';
import type { SourceHistoryRow } from './rows.ts';
import { CHANGES_KEPT_BYTES_MAX, type PropertyChange } from './message.ts';

/** The layer itself holds the rest: a document, or the result of a withdrawal or retirement. */
const NOTHING_KEPT = new Uint8Array();
const CUT = new TextEncoder().encode('{"types":[],"isCut":true}');

export class ChangeHistory {
  readonly rows: SourceHistoryRow[] = [];
  /** Bytes left for each message. */
  readonly #room = new Map<string, number>();

  /** Without a change, the property's calendar became the layer. */
  add(messageId: string, propertyId: string, change?: PropertyChange): void {
    const whole = change === undefined ? NOTHING_KEPT : formatHistoryChange(change);
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

function formatHistoryChange({ types }: PropertyChange): Uint8Array {
  const kept = types.map(({ inventoryTypeId, replaces, clears, entries }) => {
    return { inventoryTypeId, replaces, clears, entries: mergeEntries(entries) };
  });
  return new TextEncoder().encode(JSON.stringify({ types: kept }));
}
