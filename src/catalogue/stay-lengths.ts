/**
 * Minimum and maximum stays in the index: small numbers stored across bits, compared for 32 rows at a time.
 *
 * A limit is written as a number from 0 (no limit) to 61 so that every test reads "number <= threshold". Bit b of the
 * number of a row stands in plane b; a plane is allocated when some row needs it. Most catalogues use a few short
 * minimum stays, hence three planes of the six.
 */
import { STAY_NIGHTS_MAX } from '../domain/stay-limits.ts';
import { LINE_WORDS_MAX, type BitLines } from './bit-lines.ts';

const PLANE_COUNT = 6; // 2 ** 6 > STAY_NIGHTS_MAX + 1

/** A minimum stay holds when `minStayNumber(min) <= nights`. Above 60 no stay is long enough. */
export function minStayNumber(minNights: number): number {
  if (minNights <= 1) return 0;
  return Math.min(minNights, STAY_NIGHTS_MAX + 1);
}

/** A maximum stay holds when `maxStayNumber(max) <= 60 - nights`: nights <= max, turned round. */
export function maxStayNumber(maxNights: number): number {
  return maxNights >= STAY_NIGHTS_MAX ? 0 : STAY_NIGHTS_MAX - maxNights;
}

export class StayLengths {
  readonly planes: (BitLines | undefined)[] = Array.from({ length: PLANE_COUNT }, () => undefined);
  /** False when no row can exceed the threshold: the planes hold no number as large. */
  canExceed(threshold: number): boolean {
    for (let bit = PLANE_COUNT - 1; bit >= 0; bit--) {
      const isHeld = this.planes[bit] !== undefined;
      const isInThreshold = ((threshold >>> bit) & 1) === 1;
      if (isHeld && !isInThreshold) return true;
      if (!isHeld && isInThreshold) return false;
    }
    return false;
  }

  allocated(): BitLines[] {
    return this.planes.filter((plane) => plane !== undefined);
  }

  copy(): StayLengths {
    const copy = new StayLengths();
    this.planes.forEach((plane, bit) => (copy.planes[bit] = plane?.copy()));
    return copy;
  }

  /** Gives a row whose bits are clear its number in `count` lines from `line` on; `newLines` allocates a plane. */
  setRun(line: number, count: number, row: number, number: number, newLines: () => BitLines): void {
    for (let bit = 0; number >>> bit !== 0; bit++) {
      if (((number >>> bit) & 1) === 1) (this.planes[bit] ??= newLines()).setRun(line, count, row);
    }
  }

  /**
   * Clears in `rows` (words `from` to `until`) every row whose number exceeds the threshold.
   *
   * Compares from the highest bit down: `equal` marks rows that agree with the threshold so far. Where the threshold
   * has a 0 and such a row a 1, the row exceeds it. Example, threshold 5 = 101, row 6 = 110: equal at bit 2, exceeds
   * at bit 1. An absent plane is all 0: under a threshold bit of 1 every row falls below, and the rest can't matter.
   */
  keepUpTo(
    threshold: number,
    line: number,
    rows: Int32Array,
    offset: number,
    from: number,
    until: number,
  ): void {
    if (!this.canExceed(threshold)) return;
    equal.fill(-1, from, until);
    for (let bit = PLANE_COUNT - 1; bit >= 0; bit--) {
      const plane = this.planes[bit];
      const thresholdBit = (threshold >>> bit) & 1;
      if (plane === undefined) {
        if (thresholdBit === 1) return;
        continue;
      }
      const words = plane.words;
      const base = line * plane.wordsPerLine;
      if (thresholdBit === 1) {
        for (let word = from; word < until; word++) equal[word] = equal[word]! & words[base + word]!;
      } else {
        for (let word = from; word < until; word++) {
          const bits = words[base + word]!;
          rows[offset + word] = rows[offset + word]! & ~(equal[word]! & bits);
          equal[word] = equal[word]! & ~bits;
        }
      }
    }
  }
}

// Scratch: searching is synchronous, so one array serves everybody.
const equal = new Int32Array(LINE_WORDS_MAX);
