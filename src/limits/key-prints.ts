/** What a table knows keys by: 128 bits of a keyed hash, which nobody outside can aim at. */
import { hash } from 'node:crypto';

/** Hashes that a thread remembers, because hashing costs more than counting. */
export const PRINTS_KEPT_MAX = 50_000;
/** Of 32 bits. */
export const PRINT_WORDS = 4;

export interface Print {
  readonly bucket: number;
  readonly words: readonly [number, number, number, number];
}

/** The same in every thread that has the same hash key. A bucket count is a power of two. */
export function rememberPrints(hashKey: string, bucketCount: number): (key: string) => Print {
  const kept = new Map<string, Print>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const digest = hash('sha256', hashKey + key, 'buffer');
    const word = (index: number): number => digest.readInt32LE(4 * index);
    const print: Print = {
      bucket: word(PRINT_WORDS) & (bucketCount - 1),
      words: [word(0), word(1), word(2), word(3)],
    };
    if (kept.size >= PRINTS_KEPT_MAX) kept.clear();
    kept.set(key, print);
    return print;
  };
}
