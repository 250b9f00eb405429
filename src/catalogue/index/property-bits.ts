/**
 * Writes the bits of one property: who fits, who may see it, and its calendars night by night.
 */
import { createHash } from 'node:crypto';
import { visitNights } from '../../domain/calendar-codec.ts';
import { type CalendarField, isClosing, isStayLength } from '../../domain/calendar-fields.ts';
import type { Property } from '../../domain/property.ts';
import { STAY_GUESTS_MAX } from '../../domain/stay-limits.ts';
import type { FollowedProperty } from '../../storage/catalogue/store.ts';
import { BitLines } from './bit-lines.ts';
import type { BlockLines } from './block-lines.ts';
import type { NightRing } from './night-ring.ts';
import type { BitsDigest } from './slot-table.ts';
import { limitNumber } from './stay-lengths.ts';

/**
 * The first 64 bits of SHA-256 over all that `writeBits` reads. Most new versions of a property differ in their rates
 * alone: then its bits need not be written again, which is most of what a change costs. Which nights the ring holds is
 * not part of it; see `SlotTable.forgetDigests`.
 */
export function digestBits({ property, nights }: FollowedProperty, cityNames: readonly string[]): BitsDigest {
  const { timezone, visibleTo } = property;
  const types = property.inventoryTypes.map(({ guestsMax, minAdvanceDays, maxAdvanceDays }, index) => [
    ...[guestsMax, minAdvanceDays, maxAdvanceDays],
    nights[index]!.length,
  ]);
  const hash = createHash('sha256').update(JSON.stringify([timezone, visibleTo, cityNames, types]));
  for (const bytes of nights) hash.update(bytes);
  const digest = hash.digest();
  return [digest.readInt32LE(0), digest.readInt32LE(4)];
}

/** Sets every bit of a property whose rows are clear. */
export function writeBits(
  lines: BlockLines,
  firstRow: number,
  followed: FollowedProperty,
  cityNames: readonly string[],
  ring: NightRing,
): void {
  const { property } = followed;
  property.inventoryTypes.forEach((type, index) => {
    const row = firstRow + index;
    for (let guests = Math.min(type.guestsMax, STAY_GUESTS_MAX); guests >= 1; guests--)
      lines.guests.set(guests - 1, row);
    lines.advance.set(property.timezone, row, type, lines.wordsPerLine);
    for (let line = 0; 1 << line <= index; line++) lines.positions.set(line, row);
    lines.keyedLine(lines.timezones, property.timezone).set(0, row);
    for (const name of cityNames) lines.keyedLine(lines.cityNames, name).set(0, row);
    writeVisibility(lines, row, property);
  });
  // Last, because they may turn out to be unreadable: what is known of the property by its bits is whole then.
  followed.nights.forEach((nights, index) => writeNights(lines, firstRow + index, nights, ring));
}

function writeVisibility(lines: BlockLines, row: number, property: Property): void {
  if (property.visibleTo === 'all') lines.visibleToAll.set(0, row);
  else
    for (const partnerId of property.visibleTo)
      lines.keyedLine(lines.visibleToPartner, partnerId).set(0, row);
}

function writeNights(lines: BlockLines, row: number, nights: Uint8Array, ring: NightRing): void {
  const stopSells: LineRun[] = [];
  visitNights(nights, (field, runFrom, runUntil, value) => {
    const from = Math.max(runFrom, ring.from);
    const nightCount = Math.min(runUntil, ring.until) - from;
    if (nightCount <= 0) return;
    const run = { line: ring.lineOf(from), count: nightCount };
    if (field !== 'stopSell') writeRun(lines, row, field, value, run);
    else if (value !== 0) stopSells.push(run);
  });
  // Last, because fields may come in any order.
  for (const { line, count } of stopSells) lines.open.unsetRun(line, count, row);
}

/** Lines of the night ring that follow each other. */
interface LineRun {
  readonly line: number;
  readonly count: number;
}

function writeRun(lines: BlockLines, row: number, field: CalendarField, value: number, run: LineRun): void {
  const { line, count } = run;
  const newLines = (): BitLines => new BitLines(lines.memory, lines.nightLineCount, lines.wordsPerLine);
  if (isStayLength(field)) {
    lines.stayLengths[field].setRun(line, count, row, limitNumber(field, value), lines);
  } else if (isClosing(field)) {
    if (value !== 0) (lines.closings[field] ??= newLines()).setRun(line, count, row);
  } else {
    switch (field) {
      case 'availability':
        if (value >= 1) lines.open.setRun(line, count, row);
        break;
      case 'stopSell': // once all fields are there
      case 'rate':
        break;
      default:
        throw new TypeError('a field without bits', { cause: field satisfies never });
    }
  }
}
