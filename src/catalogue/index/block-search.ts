/**
 * Which rows of a block can host a stay: the evaluator of `domain/eligibility.ts` for 32 inventory types at a time.
 *
 * Property tests hold the two equal. All functions work on the words `from` to `until` of a block's lines and on
 * `rows`, where a block's words start at `offset`.
 */
import { CLOSING_FIELDS, FIELD_ROWS } from '../../domain/calendar-fields.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { type BitLines, countBits, NO_ROWS } from './bit-lines.ts';
import type { Block } from './block.ts';
import { LIMIT_FIELDS, type LimitField, type NightLimits, stayThreshold } from './night-limits.ts';
import { openLinesOf } from './open-nights.ts';

/** Lines of open nights per pass; a shorter stay repeats its last line, which changes nothing. */
const PASS_LINES = 4;

/** A stay, translated once per request into lines of the night ring. */
export interface StayLines {
  readonly checkIn: EpochDay;
  readonly checkOut: EpochDay;
  readonly guests: number;
  readonly nightCount: number;
  /** Line of each occupied night. */
  readonly nights: readonly number[];
  /** Lines of open nights, the last one repeated up to a multiple of PASS_LINES. */
  readonly open: readonly number[];
  readonly checkOutLine: number;
}

/** `lineOf` gives the line of a night. */
export function makeStayLines(
  stay: { readonly checkIn: EpochDay; readonly checkOut: EpochDay; readonly guests: number },
  lineOf: (night: EpochDay) => number,
): StayLines {
  const nightCount = stay.checkOut - stay.checkIn;
  const nights: number[] = [];
  for (let night = stay.checkIn; night < stay.checkOut; night++) nights.push(lineOf(night));
  const open = openLinesOf(nights);
  const last = open.at(-1)!;
  while (open.length % PASS_LINES !== 0) open.push(last);
  return { ...stay, nightCount, nights, open, checkOutLine: lineOf(stay.checkOut) };
}

/** Starts with every row that hosts `guests`. */
export function selectByGuests(
  block: Block,
  guests: number,
  rows: Int32Array,
  offset: number,
  from: number,
  until: number,
): void {
  const { words, wordsPerLine } = block.lines.guests;
  const line = (guests - 1) * wordsPerLine;
  for (let word = from; word < until; word++) rows[offset + word] = words[line + word]!;
}

/** Starts with every row of the block that hosts `guests` and that this partner may see. */
export function selectVisible(
  block: Block,
  guests: number,
  partnerId: string,
  rows: Int32Array,
  offset: number,
): void {
  const { lines } = block;
  const width = lines.wordsPerLine;
  if (block.restrictedSlotCount === 0) {
    selectByGuests(block, guests, rows, offset, 0, width);
    return;
  }
  const { words } = lines.guests;
  const line = (guests - 1) * width;
  const all = lines.visibleToAll.words;
  const own = lines.visibleToPartner.get(partnerId)?.words ?? NO_ROWS;
  for (let word = 0; word < width; word++) {
    rows[offset + word] = words[line + word]! & (all[word]! | own[word]!);
  }
}

/** Two that look at one date share the pass over the nights; each of the others is a pass of its own, where it is set. */
const [FIRST_CLOSING, SECOND_CLOSING] = CLOSING_FIELDS.filter((field) => !looksThrough(field));
/** Those that look at all nights last. */
const OTHER_LIMITS = LIMIT_FIELDS.filter(
  (field) => field !== FIRST_CLOSING && field !== SECOND_CLOSING,
).toSorted((a, b) => Number(looksThrough(a)) - Number(looksThrough(b)));

function looksThrough(field: LimitField): boolean {
  return FIELD_ROWS[field].looksAt === 'through';
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
  if (!block.holdsNights(stay)) {
    rows.fill(0, offset + from, offset + until);
    return;
  }
  keepOpen(block, stay, rows, offset, from, until);
  for (const field of OTHER_LIMITS) {
    const limits = block.lines.limits[field];
    const threshold = stayThreshold(field, stay.nightCount);
    if (!limits.canExceed(threshold)) continue;
    if (looksThrough(field)) keepThrough(limits, threshold, stay, rows, offset, from, until);
    else limits.keepUpTo(threshold, limits.groupOf(dateLine(field, stay)), rows, offset, from, until);
  }
}

function keepThrough(
  limits: NightLimits,
  threshold: number,
  { nights }: StayLines,
  rows: Int32Array,
  offset: number,
  from: number,
  until: number,
): void {
  let last: number | undefined;
  for (const night of nights) {
    const group = limits.groupOf(night);
    if (group !== last) limits.keepUpTo(threshold, group, rows, offset, from, until);
    last = group;
  }
}

/**
 * Open in every night, and on arrival and departure not closed by the first two closings. Four lines and both
 * closings in one pass, because a pass over the words costs more than what is done with them.
 */
function keepOpen(
  block: Block,
  stay: StayLines,
  rows: Int32Array,
  offset: number,
  from: number,
  until: number,
): void {
  const { open } = stay;
  const { words, wordsPerLine: width } = block.lines.open;
  const { [FIRST_CLOSING!]: first, [SECOND_CLOSING!]: second } = block.lines.limits;
  const firstWords = first.canExceed(0) ? first.lines.words : NO_ROWS;
  const secondWords = second.canExceed(0) ? second.lines.words : NO_ROWS;
  const firstFrom = first.canExceed(0) ? first.wordOf(first.groupOf(dateLine(FIRST_CLOSING!, stay))) : 0;
  const secondFrom = second.canExceed(0) ? second.wordOf(second.groupOf(dateLine(SECOND_CLOSING!, stay))) : 0;
  for (let line = 0; line < open.length; line += PASS_LINES) {
    const a = open[line]! * width;
    const b = open[line + 1]! * width;
    const c = open[line + 2]! * width;
    const d = open[line + 3]! * width;
    for (let word = from; word < until; word++) {
      rows[offset + word] =
        rows[offset + word]! &
        words[a + word]! &
        words[b + word]! &
        words[c + word]! &
        words[d + word]! &
        ~(firstWords[firstFrom + word]! | secondWords[secondFrom + word]!);
    }
  }
}

/** The night line of the one date that a limit looks at. */
function dateLine(field: LimitField, { nights, checkOutLine }: StayLines): number {
  return FIELD_ROWS[field].looksAt === 'departure' ? checkOutLine : nights[0]!;
}

function dropLine(
  lines: BitLines,
  line: number,
  rows: Int32Array,
  offset: number,
  from: number,
  until: number,
): void {
  const { words, wordsPerLine } = lines;
  const base = line * wordsPerLine;
  for (let word = from; word < until; word++) {
    rows[offset + word] = rows[offset + word]! & ~words[base + word]!;
  }
}

/** Keeps the rows whose property answers to a folded city name. */
export function keepNamed(block: Block, cityName: string, rows: Int32Array, offset: number): void {
  const named = block.lines.cityNames.get(cityName)?.words;
  for (let word = 0; word < block.lines.wordsPerLine; word++) {
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
  if (block.soleTimezone !== undefined) {
    if (!isOffered(block.soleTimezone)) rows.fill(0, offset, offset + block.lines.wordsPerLine);
    return;
  }
  for (const [timezone, line] of block.lines.timezones) {
    if (!isOffered(timezone)) dropLine(line, 0, rows, offset, 0, block.lines.wordsPerLine);
  }
}

/**
 * Turns surviving rows into surviving properties, one bit per property on its last row, and counts them.
 *
 * `notLast` has all other rows. It is added to the survivors among them, as one long number: a single survivor makes
 * the sum carry to the last row of its property, through any number of words. There it ends, because both have a 0.
 */
export function reduceToProperties(block: Block, rows: Int32Array, offset: number): number {
  const notLast = block.lines.notLast.words;
  let carry = 0;
  let count = 0;
  for (let word = 0; word < notLast.length; word++) {
    const survivors = rows[offset + word]!;
    const others = notLast[word]!;
    const added = survivors & others;
    const sum = (others + added + carry) | 0;
    carry = (added | (others & ~sum)) >>> 31;
    const hits = (survivors | sum) & ~others;
    rows[offset + word] = hits;
    count += countBits(hits);
  }
  return count;
}
