/**
 * Advance windows in the index: how many days after today a check-in has to be at least, and may be at most.
 *
 * Today differs by timezone, so the limits are kept by timezone, and a search compares each with the days that its
 * check-in is ahead there. Both are numbers that have to be at most a threshold. Catalogues know few different ones
 * (a day, a week, a year), so each has a line of its own, with all rows whose number is as large or larger: whatever
 * the threshold, those that exceed it stand in one line.
 */
import { ADVANCE_DAYS_MAX } from '../../domain/stay-limits.ts';
import { BitLines } from './bit-lines.ts';

/**
 * `minAdvanceDays` is its own number: it holds when it is at most the days ahead. `maxAdvanceDays` holds when this
 * number is at most `daysLeft`.
 */
export function maxAdvanceNumber(mostDays: number): number {
  return ADVANCE_DAYS_MAX + 1 - mostDays;
}

/** The threshold for `maxAdvanceNumber`. */
export function daysLeft(daysAhead: number): number {
  return ADVANCE_DAYS_MAX + 1 - daysAhead;
}

/** The different numbers of one timezone, ascending, and for each a line of the rows with this number or a larger one. */
interface Steps {
  readonly numbers: number[];
  lines: BitLines;
}

/** One limit of every row that has it, by timezone. */
export class AdvanceLimits {
  readonly #steps = new Map<string, Steps>();

  /** All lines, for rows that come and go. */
  *lines(): Iterable<BitLines> {
    for (const { lines } of this.#steps.values()) yield lines;
  }

  copy(): AdvanceLimits {
    const copy = new AdvanceLimits();
    for (const [timezone, { numbers, lines }] of this.#steps)
      copy.#steps.set(timezone, { numbers: [...numbers], lines: lines.copy() });
    return copy;
  }

  /** Gives a row whose bits are clear its number; 0 limits nothing. */
  set(timezone: string, row: number, number: number, wordsPerLine: number): void {
    if (number === 0) return;
    let steps = this.#steps.get(timezone);
    if (steps === undefined) {
      steps = { numbers: [], lines: new BitLines(0, wordsPerLine) };
      this.#steps.set(timezone, steps);
    }
    const { numbers } = steps;
    const at = countUpTo(numbers, number - 1);
    if (numbers[at] !== number) {
      numbers.splice(at, 0, number);
      // As the line behind it: no row has a number in between yet.
      steps.lines = steps.lines.withLine(at);
    }
    steps.lines.setRun(0, at + 1, row);
  }

  /** Forgets the numbers that no row has any more. */
  dropUnused(): void {
    for (const [timezone, steps] of this.#steps) {
      for (let at = steps.numbers.length - 1; at >= 0; at--) {
        if (!isLikeNext(steps.lines, at)) continue;
        steps.numbers.splice(at, 1);
        steps.lines = steps.lines.withoutLine(at);
      }
      if (steps.numbers.length === 0) this.#steps.delete(timezone);
    }
  }

  /** Clears in `rows` (words `from` to `until`) every row whose number exceeds the threshold of its timezone. */
  keepUpTo(
    thresholdOf: (timezone: string) => number,
    rows: Int32Array,
    offset: number,
    from: number,
    until: number,
  ): void {
    for (const [timezone, { numbers, lines }] of this.#steps) {
      const exceeding = countUpTo(numbers, thresholdOf(timezone));
      if (exceeding === numbers.length) continue;
      const { words } = lines;
      const base = exceeding * lines.wordsPerLine;
      for (let word = from; word < until; word++) {
        rows[offset + word] = rows[offset + word]! & ~words[base + word]!;
      }
    }
  }
}

/** How many of the ascending numbers are at most `limit`. They are few, and mostly the first ones count. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let count = 0;
  while (count < numbers.length && numbers[count]! <= limit) count++;
  return count;
}

/** Whether a line has the rows of the one behind it; behind the last one there are none. */
function isLikeNext({ words, wordsPerLine, lineCount }: BitLines, line: number): boolean {
  const base = line * wordsPerLine;
  for (let word = base; word < base + wordsPerLine; word++) {
    if (words[word] !== (line + 1 === lineCount ? 0 : words[word + wordsPerLine])) return false;
  }
  return true;
}
