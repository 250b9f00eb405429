/**
 * What a message says of one property, as JSON in UTF-8: it travels to the thread or the transaction that applies it,
 * and is what the list of messages keeps. Bytes, because a large message as texts or objects is what each collection
 * of garbage has to copy, for as long as it is under way.
 */
import type { PropertyChange, SupplyMessage, TypeChange } from './message.ts';

export interface KeptChange {
  /** What the message said of the property found no room; `types` is empty. */
  readonly isCut?: boolean;
  readonly types: readonly Omit<TypeChange, 'positions'>[];
}

const encoder = new TextEncoder();

export function formatPropertyChange({ propertyId, types }: PropertyChange): Uint8Array {
  return encoder.encode(JSON.stringify({ propertyId, types }));
}

/** Only bytes of `formatPropertyChange` come here, so nothing is checked again. */
export function parsePropertyChange({ buffer, byteOffset, byteLength }: Uint8Array): PropertyChange {
  return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString('utf8')) as PropertyChange;
}

/** What the history keeps of it; rows of earlier releases have more. */
export function parseKeptChange(text: string): KeptChange {
  return JSON.parse(text) as KeptChange;
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

/** A copy of less costs nothing that anybody would notice. */
const HANDED_OVER_BYTES_MIN = 64 * 1024;

/**
 * The memory of a message that is alone, large and packed, to be handed over to another thread: a copy of megabytes
 * makes the main thread collect garbage. What is not packed may share its memory with others. Of several messages, each
 * may have to be sent once more by itself.
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
