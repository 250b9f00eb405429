/**
 * What a message says of one property, as JSON in UTF-8: it travels to the thread or the transaction that applies it,
 * and is what the list of messages keeps. Bytes, because a large message as texts or objects is what each collection
 * of garbage has to copy, for as long as it is under way.
 */
import type { PropertyChange } from './store.ts';

const encoder = new TextEncoder();

export function formatPropertyChange({ propertyId, types }: PropertyChange): Uint8Array {
  return encoder.encode(JSON.stringify({ propertyId, types }));
}

/** Only bytes of `formatPropertyChange` come here, so nothing is checked again. */
export function parsePropertyChange({ buffer, byteOffset, byteLength }: Uint8Array): PropertyChange {
  return parseStoredChange(Buffer.from(buffer, byteOffset, byteLength).toString('utf8'));
}

/** The same as the list of messages keeps it. */
export function parseStoredChange(text: string): PropertyChange {
  return JSON.parse(text) as PropertyChange;
}

/** The same changes in one piece of memory, which a thread can hand over as a whole. */
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
