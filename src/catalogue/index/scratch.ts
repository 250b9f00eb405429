/**
 * Bytes that are needed while one row is written, which is synchronous. New ones for each row would be memory outside
 * of V8's heap, of which a load would leave a hundred megabytes behind.
 */
const known = new Map<string, Uint8Array>();

/** So many zeros; valid until the next call with the same name. */
export function scratchOf(name: string, length: number): Uint8Array {
  let bytes = known.get(name);
  if (bytes === undefined || bytes.length < length) {
    bytes = new Uint8Array(length);
    known.set(name, bytes);
  }
  return bytes.subarray(0, length).fill(0);
}
