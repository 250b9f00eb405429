/**
 * A message's change to one property, as JSON in UTF-8. It travels to the thread or transaction that applies it, and
 * the list of messages stores it. Bytes, because each garbage collection would copy the texts or objects of a large
 * message.
 */
import type { PropertyChange, SupplyMessage, TypeChange } from './message.ts';

export interface HistoryChange {
  /** There was no room for the change; `types` is empty. */
  readonly isCut?: boolean;
  readonly types: readonly Omit<TypeChange, 'positions'>[];
}

const encoder = new TextEncoder();

export function formatPropertyChange({ propertyId, types }: PropertyChange): Uint8Array {
  return encoder.encode(JSON.stringify({ propertyId, types }));
}

/** Accepts only bytes of `formatPropertyChange`, so it checks nothing again. */
export function parsePropertyChange({ buffer, byteOffset, byteLength }: Uint8Array): PropertyChange {
  return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString('utf8')) as PropertyChange;
}

/** Parses a change stored in the history; rows of earlier releases have more fields. */
export function parseHistoryChange(text: string): HistoryChange {
  return JSON.parse(text) as HistoryChange;
}

/** The same changes in one buffer, which can be transferred to a thread. */
export function packChanges(changes: readonly Uint8Array[]): {
  readonly changes: readonly Uint8Array[];
  readonly memory: ArrayBuffer;
} {
  const memory = new ArrayBuffer(changes.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  const packed = changes.map((change) => {
    const view = new Uint8Array(memory, offset, change.byteLength);
    view.set(change);
    offset += change.byteLength;
    return view;
  });
  return { changes: packed, memory };
}

/** Copying less than this costs nothing noticeable. */
const HANDED_OVER_BYTES_MIN = 64 * 1024;

/**
 * The buffer to transfer to another thread, for a single message that is large and packed: copying megabytes makes the
 * main thread collect garbage. Unpacked changes may share their memory with others. A message among several may have to
 * be sent again by itself.
 */
export function memoryOf(messages: readonly SupplyMessage[]): ArrayBuffer[] {
  const [message] = messages;
  if (message === undefined || messages.length > 1 || message.work.kind !== 'calendars') return [];
  const { changes } = message.work;
  const memory = changes[0]?.buffer;
  const sizeBytes = changes.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const isPacked = memory?.byteLength === sizeBytes && changes.every(({ buffer }) => buffer === memory);
  return isPacked && sizeBytes >= HANDED_OVER_BYTES_MIN && memory instanceof ArrayBuffer ? [memory] : [];
}
