/** Unpredictable bytes, fetched from the system many at a time: for few, asking costs more than all that uses them. */
import { randomBytes } from 'node:crypto';

const POOL_BYTES = 4_096;

let pool: Uint8Array = new Uint8Array();
let usedCount = 0;

/** That many bytes, handed out to nobody else before or after. */
export function takeRandomBytes(byteCount: number): Uint8Array {
  if (byteCount > POOL_BYTES) return randomBytes(byteCount);
  if (usedCount + byteCount > pool.length) {
    pool = randomBytes(POOL_BYTES);
    usedCount = 0;
  }
  usedCount += byteCount;
  return pool.subarray(usedCount - byteCount, usedCount);
}
