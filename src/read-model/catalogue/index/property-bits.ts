/** Writes the bits of one property: guests, visibility, and its calendars night by night. */
import { hash } from 'node:crypto';
import { formatCots } from '../../../domain/child-ages.ts';
import { visitNights } from '../../../domain/calendar-codec.ts';
import { isClosing, isStayLength } from '../../../domain/calendar-fields.ts';
import { type Property, typesOf } from '../../../domain/property.ts';
import { STAY_GUESTS_MAX } from '../../../domain/stay-limits.ts';
import type { FollowedProperty } from '../../../storage/catalogue/store.ts';
import { citySpellingKey } from './city-spellings.ts';
import type { BlockLines } from './block-lines.ts';
import type { NightRing } from './night-ring.ts';
import type { BitsDigest } from './slot-table.ts';
import { scratchOf } from './scratch.ts';
import { LIMIT_FIELDS, type LimitField, limitNumber, type RowLimits } from './night-limits.ts';

/**
 * The first 64 bits of SHA-256 over all input of `writeBits`. Most new versions of a property differ only in rates:
 * their bits need not be written again, which is most of the cost of a change. The nights of the ring are left out; see
 * `SlotTable.forgetDigests`.
 */
export function digestBits({ property, nights }: FollowedProperty): BitsDigest {
  const { timezone, visibleTo } = property;
  const types = typesOf(property).map(({ guestsMax, minAdvanceDays, maxAdvanceDays, ageBands }, index) => [
    guestsMax,
    minAdvanceDays,
    maxAdvanceDays,
    nights[index]!.length,
    formatCots(ageBands),
  ]);
  const text = JSON.stringify([timezone, visibleTo, citySpellingKey(property), types]);
  const digest = hash('sha256', Buffer.concat([Buffer.from(text), ...nights]), 'hex');
  return [Number.parseInt(digest.slice(0, 8), 16) | 0, Number.parseInt(digest.slice(8, 16), 16) | 0];
}

/** Sets every bit of a property whose rows are clear; only the nights of an existing property may hold old bits. */
export function writeBits(
  lines: BlockLines,
  firstRow: number,
  followed: FollowedProperty,
  cityNames: readonly string[],
  ring: NightRing,
  isNew: boolean,
): void {
  const { property } = followed;
  const citySpelling = citySpellingKey(property);
  typesOf(property).forEach((type, index) => {
    const row = firstRow + index;
    for (let guests = Math.min(type.guestsMax, STAY_GUESTS_MAX); guests >= 1; guests--)
      lines.guests.set(guests - 1, row);
    const cots = formatCots(type.ageBands);
    if (cots !== undefined) lines.keyedLine(lines.cots, cots).set(0, row);
    lines.advance.set(property.timezone, row, type, lines.wordsPerLine);
    if (index + 1 < property.inventoryTypes.length) lines.notLast.set(0, row);
    lines.keyedLine(lines.timezones, property.timezone).set(0, row);
    for (const name of cityNames) lines.keyedLine(lines.cityNames, name).set(0, row);
    lines.keyedLine(lines.citySpellings, citySpelling).set(0, row);
    writeVisibility(lines, row, property);
  });
  // Last, because they may turn out to be unreadable: what is known of the property by its bits is whole then.
  followed.nights.forEach((nights, index) => writeNights(lines, firstRow + index, nights, ring, isNew));
}

function writeVisibility(lines: BlockLines, row: number, property: Property): void {
  if (property.visibleTo === 'all') lines.visibleToAll.set(0, row);
  else
    for (const partnerId of property.visibleTo)
      lines.keyedLine(lines.visibleToPartner, partnerId).set(0, row);
}

function writeNights(
  lines: BlockLines,
  row: number,
  nights: Uint8Array,
  ring: NightRing,
  isNew: boolean,
): void {
  const open = scratchOf('open', ring.lineCount);
  const limits: Partial<Record<LimitField, RowLimits>> = {};
  const stopSells: LineRun[] = [];
  visitNights(nights, (field, runFrom, runUntil, value) => {
    const from = Math.max(runFrom, ring.from);
    const count = Math.min(runUntil, ring.until) - from;
    if (count <= 0) return;
    const run = { line: ring.lineOf(from), count };
    if (isStayLength(field) || isClosing(field)) {
      const limit = (limits[field] ??= { numbers: scratchOf(field, ring.lineCount), largest: 0 });
      const number = limitNumber(field, value);
      limit.largest = Math.max(limit.largest, number);
      return fill(limit.numbers, run, number);
    }
    switch (field) {
      case 'availability':
        return fill(open, run, value >= 1 ? 1 : 0);
      case 'stopSell':
        if (value !== 0) stopSells.push(run);
        return;
      case 'rate':
        return;
      default:
        throw new TypeError('a field without bits', { cause: field satisfies never });
    }
  });
  // Last, because fields may come in any order.
  for (const run of stopSells) fill(open, run, 0);
  lines.open.writeNights(row, open);
  for (const field of LIMIT_FIELDS) {
    const limit = limits[field];
    if (limit !== undefined || !isNew) lines.limits[field].writeRow(row, limit);
  }
}

/** Consecutive lines of the night ring; it wraps from the last to the first. */
interface LineRun {
  readonly line: number;
  readonly count: number;
}

function fill(numbers: Uint8Array, { line, count }: LineRun, number: number): void {
  numbers.fill(number, line, line + count);
  if (line + count > numbers.length) numbers.fill(number, 0, line + count - numbers.length);
}
