/**
 * Writes the bits of one property: who fits, who may see it, and its calendars night by night.
 */
import { visitNights } from '../../domain/calendar-codec.ts';
import type { CalendarField } from '../../domain/calendar-fields.ts';
import type { Property } from '../../domain/property.ts';
import { STAY_GUESTS_MAX } from '../../domain/stay-limits.ts';
import type { FollowedProperty } from '../../storage/catalogue/store.ts';
import { BitLines } from './bit-lines.ts';
import type { BlockLines } from './block-lines.ts';
import type { PropertySlot } from './block.ts';
import type { NightRing } from './night-ring.ts';
import { limitNumber } from './stay-lengths.ts';

/** Sets every bit of a property whose rows are clear. */
export function writeBits(
  lines: BlockLines,
  slot: PropertySlot,
  followed: FollowedProperty,
  ring: NightRing,
): void {
  const { property } = followed;
  property.inventoryTypes.forEach((type, index) => {
    const row = slot.firstRow + index;
    for (let guests = Math.min(type.guestsMax, STAY_GUESTS_MAX); guests >= 1; guests--)
      lines.guests.set(guests - 1, row);
    writeNights(lines, row, followed.nights[index]!, ring);
    lines.advance.set(property.timezone, row, type, lines.wordsPerLine);
    for (let line = 0; 1 << line <= index; line++) lines.positions.set(line, row);
    lines.keyedLine(lines.timezones, property.timezone).set(0, row);
    for (const name of slot.cityNames) lines.keyedLine(lines.cityNames, name).set(0, row);
    writeVisibility(lines, row, property);
  });
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
  const newLines = (): BitLines => new BitLines(lines.nightLineCount, lines.wordsPerLine);
  if (field === 'availability') {
    if (value >= 1) lines.open.setRun(line, count, row);
  } else if (field === 'closedToArrival') {
    if (value !== 0) (lines.closedToArrival ??= newLines()).setRun(line, count, row);
  } else if (field === 'closedToDeparture') {
    if (value !== 0) (lines.closedToDeparture ??= newLines()).setRun(line, count, row);
  } else if (field !== 'stopSell' && field !== 'rate') {
    // Only stay lengths are left: a field of any other kind does not compile here.
    lines.stayLengths[field].setRun(line, count, row, limitNumber(field, value), lines);
  }
}
