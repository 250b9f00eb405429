/**
 * Finds the rows of a block that can host a stay: the evaluator of `domain/eligibility.ts` for 32 inventory types at a
 * time.
 *
 * Property tests compare the two.
 */
import { countPlaces, parseCots, type Party } from '../../../domain/child-ages.ts';
import type { StayRequest } from '../../../domain/eligibility.ts';
import { FIELD_ROWS } from '../../../domain/calendar-fields.ts';
import type { EpochDay } from '../../../domain/local-date.ts';
import { type BitLines, countBits, isAnySet, lowMask, NO_ROWS, type RowRange } from './bit-lines.ts';
import type { Block } from './block.ts';
import { LIMIT_FIELDS, stayThreshold } from './night-limits.ts';
import { openLinesOf } from './open-nights.ts';
import { UnwantedLines } from './unwanted-lines.ts';

/** Lines of a kind per pass; a shorter stay repeats its last line of open nights. */
const PASS_LINES = 4;

const LIMITS = LIMIT_FIELDS.map((field) => ({ field, appliesTo: FIELD_ROWS[field].appliesTo }));

/** Scratch space: searching is synchronous, one block at a time. */
const unwanted = new UnwantedLines();

/** A stay, translated once per request into lines of the night ring. */
export interface StayLines extends StayRequest {
  readonly nightCount: number;
  /** Line of each occupied night. */
  readonly nights: readonly number[];
  /** Lines of open nights; the last one repeats up to a multiple of PASS_LINES. */
  readonly open: readonly number[];
  readonly checkOutLine: number;
}

/** `lineOf` maps a night to its line. */
export function makeStayLines(stay: StayRequest, lineOf: (night: EpochDay) => number): StayLines {
  const nightCount = stay.checkOut - stay.checkIn;
  const nights: number[] = [];
  for (let night = stay.checkIn; night < stay.checkOut; night++) nights.push(lineOf(night));
  const open = openLinesOf(nights);
  const last = open.at(-1)!;
  while (open.length % PASS_LINES !== 0) open.push(last);
  return { ...stay, nightCount, nights, open, checkOutLine: lineOf(stay.checkOut) };
}

/** Starts with every row that hosts so many adults. */
function selectByGuests(block: Block, guests: number, rows: RowRange): void {
  const { words, wordsPerLine } = block.lines.guests;
  const { bits, offset, from, until } = rows;
  const line = (guests - 1) * wordsPerLine;
  for (let word = from; word < until; word++) bits[offset + word] = words[line + word]!;
}

/** Keeps the rows that have a place for everybody who needs one: a row with cots for fewer than all guests. */
function keepHosting({ lines }: Block, party: Party, { bits, offset, from, until }: RowRange): void {
  const { words, wordsPerLine } = lines.guests;
  const lineOf = (places: number): number => (places - 1) * wordsPerLine;
  const cots = [...lines.cots].map(([key, { words: withCots }]) => {
    return { withCots, line: lineOf(countPlaces(parseCots(key), party)) };
  });
  const line = lineOf(party.guests);
  for (let word = from; word < until; word++) {
    let hosting = words[line + word]!;
    for (const one of cots) hosting |= one.withCots[word]! & words[one.line + word]!;
    bits[offset + word] = bits[offset + word]! & hosting;
  }
}

/** Starts with every row of the block that hosts the party and that this partner may see. */
export function selectVisible(block: Block, party: Party, partnerId: string, rows: RowRange): void {
  const { guests, childAges } = party;
  if (childAges === undefined) return selectVisibleAdults(block, guests, partnerId, rows);
  selectVisibleAdults(block, 1, partnerId, rows);
  // Nothing is decided of hidden rows: the time of an answer would tell that they are there.
  if (isAnySet(rows)) keepHosting(block, party, rows);
}

function selectVisibleAdults(block: Block, guests: number, partnerId: string, rows: RowRange): void {
  const { lines } = block;
  if (block.restrictedSlotCount === 0) {
    selectByGuests(block, guests, rows);
    return;
  }
  const { words } = lines.guests;
  const { bits, offset, from, until } = rows;
  const line = (guests - 1) * lines.wordsPerLine;
  const all = lines.visibleToAll.words;
  const own = lines.visibleToPartner.get(partnerId)?.words ?? NO_ROWS;
  for (let word = from; word < until; word++) {
    bits[offset + word] = words[line + word]! & (all[word]! | own[word]!);
  }
}

/**
 * Keeps the rows that are eligible for the stay. The caller checks today and the horizon; only the days ahead in a
 * timezone are checked here.
 */
export function keepEligible(
  block: Block,
  stay: StayLines,
  daysAhead: (timezone: string) => number,
  rows: RowRange,
): void {
  if (!block.holdsNights(stay)) {
    clear(rows);
    return;
  }
  // A reader that met a change in the middle may have left some.
  unwanted.clear();
  block.lines.advance.addOutside(daysAhead, unwanted);
  for (const { field, appliesTo } of LIMITS) {
    const limits = block.lines.limits[field];
    const threshold = stayThreshold(field, stay.nightCount);
    if (!limits.canExceed(threshold)) continue;
    let last: number | undefined;
    for (let night = appliesTo === 'through' ? stay.nightCount - 1 : 0; night >= 0; night--) {
      const group = limits.groupOf(appliesTo === 'departure' ? stay.checkOutLine : stay.nights[night]!);
      if (group === last) continue;
      last = group;
      if (limits.hasOnePlane) unwanted.add(limits.lines.words, limits.wordOf(group));
      else limits.keepUpTo(threshold, group, rows);
    }
  }
  keepOpen(block.lines.open, stay.open, rows);
  unwanted.clear();
}

/**
 * Keeps the rows that are open on every night and in no unwanted line. Four lines of each in one pass, because visiting
 * the words costs more than combining them.
 */
function keepOpen({ words, wordsPerLine: width }: BitLines, open: readonly number[], rows: RowRange): void {
  const { bits, offset, from, until } = rows;
  const lineCount = Math.max(open.length, unwanted.count);
  for (let line = 0; line < lineCount; line += PASS_LINES) {
    const first = Math.min(line, open.length - PASS_LINES);
    const a = open[first]! * width;
    const b = open[first + 1]! * width;
    const c = open[first + 2]! * width;
    const d = open[first + 3]! * width;
    const eWords = unwanted.words(line);
    const fWords = unwanted.words(line + 1);
    const gWords = unwanted.words(line + 2);
    const hWords = unwanted.words(line + 3);
    const e = unwanted.from(line);
    const f = unwanted.from(line + 1);
    const g = unwanted.from(line + 2);
    const h = unwanted.from(line + 3);
    for (let word = from; word < until; word++) {
      bits[offset + word] =
        bits[offset + word]! &
        words[a + word]! &
        words[b + word]! &
        words[c + word]! &
        words[d + word]! &
        ~(eWords[e + word]! | fWords[f + word]! | gWords[g + word]! | hWords[h + word]!);
    }
  }
}

function clear({ bits, offset, from, until }: RowRange): void {
  bits.fill(0, offset + from, offset + until);
}

/** Drops the rows of lines that are one line each. */
function dropRows({ words }: BitLines, { bits, offset, from, until }: RowRange): void {
  for (let word = from; word < until; word++) bits[offset + word] = bits[offset + word]! & ~words[word]!;
}

/** Starts with the rows of one property that host the party. */
export function selectSlot(block: Block, slot: number, party: Party, bits: Int32Array): RowRange {
  const firstRow = block.slots.firstRow(slot);
  const endRow = firstRow + block.slots.rowCount(slot);
  const from = firstRow >>> 5;
  const until = ((endRow - 1) >>> 5) + 1;
  const rows = { bits, offset: 0, from, until };
  selectByGuests(block, party.childAges === undefined ? party.guests : 1, rows);
  if (party.childAges !== undefined) keepHosting(block, party, rows);
  for (let word = from; word < until; word++)
    bits[word] = bits[word]! & lowMask(endRow - word * 32) & ~lowMask(firstRow - word * 32);
  return rows;
}

/** Keeps the rows whose property answers to a folded city name. */
export function keepNamed(block: Block, cityName: string, rows: RowRange): void {
  const { bits, offset, from, until } = rows;
  const named = block.lines.cityNames.get(cityName)?.words ?? NO_ROWS;
  for (let word = from; word < until; word++) bits[offset + word] = bits[offset + word]! & named[word]!;
}

/** Keeps the rows of timezones in which the stay can be offered today. */
export function keepOffered(block: Block, isOffered: (timezone: string) => boolean, rows: RowRange): void {
  if (block.soleTimezone !== undefined) {
    if (!isOffered(block.soleTimezone)) clear(rows);
    return;
  }
  for (const [timezone, line] of block.lines.timezones) {
    if (!isOffered(timezone)) dropRows(line, rows);
  }
}

/**
 * Turns surviving rows into surviving properties, one bit per property on its last row, and counts them.
 *
 * `notLast` has all other rows. It is added to the survivors among them, as one long number: a single survivor carries
 * to the last row of its property, through any number of words. The carry ends there, because both have a 0.
 */
export function reduceToProperties(block: Block, { bits, offset, from, until }: RowRange): number {
  const notLast = block.lines.notLast.words;
  let carry = 0;
  let count = 0;
  for (let word = from; word < until; word++) {
    const survivors = bits[offset + word]!;
    const others = notLast[word]!;
    const added = survivors & others;
    const sum = (others + added + carry) | 0;
    carry = (added | (others & ~sum)) >>> 31;
    const hits = (survivors | sum) & ~others;
    bits[offset + word] = hits;
    count += countBits(hits);
  }
  return count;
}
