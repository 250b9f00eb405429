/**
 * Scratch bytes for writing one row, which is synchronous. Fresh bytes for each row would leave a hundred megabytes
 * outside of V8's heap after a load.
 */
const known = new Map<string, Uint8Array>();

/** Zeros, valid until the next call with the same name. */
export function scratchOf(name: string, length: number): Uint8Array {
  let bytes = known.get(name);
  if (bytes === undefined || bytes.length < length) {
    bytes = new Uint8Array(length);
    known.set(name, bytes);
  }
  return bytes.subarray(0, length).fill(0);
}
