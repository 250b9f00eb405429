/**
 * Unpredictable bytes, and random text in base62: what tokens, ids and key ids are made of. Letters and digits only, so
 * that a double click selects it whole and no transport has to escape it.
 */
import { randomBytes } from 'node:crypto';

/** That many unpredictable bytes. Injected, so that tests choose them. */
export type Random = (byteCount: number) => Uint8Array;

export const systemRandom: Random = takeRandomBytes;

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The largest multiple of 62 that a byte can reach; bytes from here on would favour the first letters. */
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

/** Bytes are fetched from the system many at a time: for few, asking costs more than all that uses them. */
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
