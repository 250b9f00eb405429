/**
 * Which rows of a block can host a stay: the evaluator of `domain/eligibility.ts` for 32 inventory types at a time.
 *
 * Property tests hold the two equal. All functions work on the words `from` to `until` of a block's lines and on
 * `rows`, where a block's words start at `offset`.
 */
import { STAY_NIGHTS_MAX } from '../domain/stay-limits.ts';
import { countBits } from './bit-lines.ts';
import type { Block } from './block.ts';

/** A stay, translated once per request into lines of the night ring. */
export interface StayLines {
  readonly guests: number;
  readonly nightCount: number;
  /** Line of each occupied night. */
  readonly nights: Int32Array;
  readonly checkInLine: number;
  readonly checkOutLine: number;
}

/** Starts with every row that hosts `guests`. */
export function selectByGuests(block: Block, guests: number, rows: Int32Array, offset: number): void {
  const { words, wordsPerLine } = block.guests;
  const line = (guests - 1) * wordsPerLine;
  for (let word = 0; word < wordsPerLine; word++) rows[offset + word] = words[line + word]!;
}

/** Starts with every row of the block. */
export function selectAll(block: Block, rows: Int32Array, offset: number): void {
  selectByGuests(block, 1, rows, offset);
}

/** Keeps the rows that are eligible for the stay; today and the horizon are the caller's business. */
export function keepEligible(
  block: Block,
  stay: StayLines,
  rows: Int32Array,
  offset: number,
  from: number,
  until: number,
): void {
  keepOpen(block, stay, rows, offset, from, until);
  const { closedToArrival, closedToDeparture } = block;
  const width = block.wordsPerLine;
  if (closedToArrival !== undefined) {
    dropLine(closedToArrival.words, stay.checkInLine * width, rows, offset, from, until);
  }
  if (closedToDeparture !== undefined) {
    dropLine(closedToDeparture.words, stay.checkOutLine * width, rows, offset, from, until);
  }
  const { nightCount, checkInLine, nights } = stay;
  block.minStayArrival.keepUpTo(nightCount, checkInLine, rows, offset, from, until);
  block.maxStay.keepUpTo(STAY_NIGHTS_MAX - nightCount, checkInLine, rows, offset, from, until);
  if (block.minStayThrough.isEmpty) return;
  for (let night = 0; night < nightCount; night++) {
    block.minStayThrough.keepUpTo(nightCount, nights[night]!, rows, offset, from, until);
  }
}

/** Four nights per pass, so that each word of `rows` is read and written once for four. */
function keepOpen(
  block: Block,
  stay: StayLines,
  rows: Int32Array,
  offset: number,
  from: number,
  until: number,
): void {
  const { words, wordsPerLine: width } = block.open;
  const { nights, nightCount } = stay;
  let night = 0;
  for (; night + 4 <= nightCount; night += 4) {
    const a = nights[night]! * width;
    const b = nights[night + 1]! * width;
    const c = nights[night + 2]! * width;
    const d = nights[night + 3]! * width;
    for (let word = from; word < until; word++) {
      rows[offset + word] =
        rows[offset + word]! & words[a + word]! & words[b + word]! & words[c + word]! & words[d + word]!;
    }
  }
  for (; night < nightCount; night++) {
    const line = nights[night]! * width;
    for (let word = from; word < until; word++)
      rows[offset + word] = rows[offset + word]! & words[line + word]!;
  }
}

function dropLine(
  words: Int32Array,
  line: number,
  rows: Int32Array,
  offset: number,
  from: number,
  until: number,
): void {
  for (let word = from; word < until; word++)
    rows[offset + word] = rows[offset + word]! & ~words[line + word]!;
}

/** Keeps the rows that this partner may see. */
export function keepVisible(block: Block, partnerId: string, rows: Int32Array, offset: number): void {
  if (block.restrictedSlotCount === 0) return;
  const all = block.visibleToAll.words;
  const own = block.visibleToPartner.get(partnerId)?.words;
  for (let word = 0; word < block.wordsPerLine; word++) {
    const visible = own === undefined ? all[word]! : all[word]! | own[word]!;
    rows[offset + word] = rows[offset + word]! & visible;
  }
}

/** Keeps the rows whose property answers to a folded city name. */
export function keepNamed(block: Block, cityName: string, rows: Int32Array, offset: number): void {
  const named = block.cityNames.get(cityName)?.words;
  for (let word = 0; word < block.wordsPerLine; word++) {
    rows[offset + word] = named === undefined ? 0 : rows[offset + word]! & named[word]!;
  }
}

/** Keeps the rows of timezones in which the stay can be offered today. */
export function keepOffered(
  block: Block,
  isOffered: (timezone: string) => boolean,
  rows: Int32Array,
  offset: number,
): void {
  for (const [timezone, line] of block.timezones) {
    if (isOffered(timezone)) continue;
    dropLine(line.words, 0, rows, offset, 0, block.wordsPerLine);
  }
}

/**
 * Turns surviving rows into surviving properties: one bit per property, on its first row. Returns how many.
 *
 * Most properties have one row, whose bit already is the property's: those are counted by the word. Only rows of
 * properties with several (`shared`) are walked.
 */
export function reduceToProperties(block: Block, rows: Int32Array, offset: number): number {
  const shared = block.shared.words;
  let count = 0;
  let lastSlot = -1;
  for (let word = 0; word < block.wordsPerLine; word++) {
    const bits = rows[offset + word]!;
    if (bits === 0) continue;
    let walk = bits & shared[word]!;
    count += countBits(bits ^ walk);
    if (walk === 0) continue;
    rows[offset + word] = bits ^ walk;
    while (walk !== 0) {
      const bit = 31 - Math.clz32(walk & -walk);
      walk &= walk - 1;
      const slot = block.slotOfRow[word * 32 + bit]!;
      if (slot === lastSlot) continue;
      lastSlot = slot;
      count++;
      const first = block.slots[slot]!.firstRow;
      rows[offset + (first >>> 5)] = rows[offset + (first >>> 5)]! | (1 << (first & 31));
    }
  }
  return count;
}
