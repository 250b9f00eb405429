/**
 * Random bytes, and random text in base62 for tokens, ids and key ids. Letters and digits only: a double click selects
 * it whole, and no transport escapes it.
 */
import { randomBytes } from 'node:crypto';

/** So many random bytes. Injected, so that tests choose them. */
export type Random = (byteCount: number) => Uint8Array;

export const systemRandom: Random = takeRandomBytes;

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The largest multiple of 62 in a byte; higher bytes would favour the first letters. */
const UNBIASED_BYTES = 248;
const ROUNDS_MAX = 100;

/** `length` characters, each equally likely: 5.95 bits a character. */
export function randomBase62(length: number, random: Random): string {
  let text = '';
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    for (const byte of random(length + 8)) {
      if (byte >= UNBIASED_BYTES) continue;
      text += BASE62[byte % 62];
      if (text.length === length) return text;
    }
  }
  throw new Error('the random source repeats itself');
}

/** Bytes are fetched many at a time: a system call costs more than the use of a few. */
const POOL_BYTES = 4_096;

let pool: Uint8Array = new Uint8Array();
let usedCount = 0;

/** So many bytes, each used once. */
export function takeRandomBytes(byteCount: number): Uint8Array {
  if (byteCount > POOL_BYTES) return randomBytes(byteCount);
  if (usedCount + byteCount > pool.length) {
    pool = randomBytes(POOL_BYTES);
    usedCount = 0;
  }
  usedCount += byteCount;
  return pool.subarray(usedCount - byteCount, usedCount);
}
