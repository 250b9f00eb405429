/**
 * Writes one property into a block: its bits night by night, its bodies as bytes.
 */
import { visitNights } from '../domain/calendar-codec.ts';
import type { CalendarField } from '../domain/calendar.ts';
import type { EpochDay } from '../domain/local-date.ts';
import { lowestRateAt, nextLowestRateChange } from '../domain/lowest-rates.ts';
import { formatMoney } from '../domain/money.ts';
import { LOCALES, type Property } from '../domain/property.ts';
import { STAY_GUESTS_MAX } from '../domain/stay-limits.ts';
import type { FollowedProperty } from '../storage/storage.ts';
import { BitLines } from './bit-lines.ts';
import type { Block, PropertySlot, SlabRange } from './block.ts';
import type { NightRing } from './night-ring.ts';
import { maxStayNumber, minStayNumber } from './stay-lengths.ts';
import { presentSummary, withStartingPrice } from './summary.ts';

const NEVER: EpochDay = Number.MAX_SAFE_INTEGER;

/** A slot for the property with its bytes in the block's slab; not yet in the block. */
export function makeSlot(
  block: Block,
  followed: FollowedProperty,
  cityNames: readonly string[],
  today: EpochDay,
): PropertySlot {
  const { property, lowestRates } = followed;
  return {
    propertyId: property.propertyId,
    firstRow: 0,
    rowCount: property.inventoryTypes.length,
    revision: followed.revision,
    timezone: property.timezone,
    visibleTo: property.visibleTo,
    cityNames,
    bodies: putBodies(block, (locale) => presentSummary(property, locale, startingPrice(lowestRates, today))),
    lowestRates: putBytes(block, lowestRates),
    priceFrom: today,
    priceUntil: nextLowestRateChange(lowestRates, today) ?? NEVER,
  };
}

/** Brings the starting price in a slot's bodies to the local day, when it changed since they were made. */
export function refreshStartingPrice(block: Block, slot: PropertySlot, today: EpochDay): void {
  if (today >= slot.priceFrom && today < slot.priceUntil) return;
  const { start, length } = slot.lowestRates;
  const lowestRates = Uint8Array.from(block.slab.bytes.subarray(start, start + length));
  const price = startingPrice(lowestRates, today);
  const summaries = slot.bodies.map((body) =>
    block.slab.bytes.toString('utf8', body.start, body.start + body.length),
  );
  for (const body of new Set(slot.bodies)) block.slab.release(body.length);
  const bodies = putBodies(block, (_, index) => withStartingPrice(summaries[index]!, price));
  slot.bodies.splice(0, slot.bodies.length, ...bodies);
  slot.priceFrom = today;
  slot.priceUntil = nextLowestRateChange(lowestRates, today) ?? NEVER;
}

/** Sets every bit of a property whose rows are clear. */
export function writeBits(
  block: Block,
  slot: PropertySlot,
  followed: FollowedProperty,
  ring: NightRing,
): void {
  const { property } = followed;
  property.inventoryTypes.forEach((type, index) => {
    const row = slot.firstRow + index;
    for (let guests = Math.min(type.guestsMax, STAY_GUESTS_MAX); guests >= 1; guests--)
      block.guests.set(guests - 1, row);
    writeNights(block, row, followed.nights[index]!, ring);
    for (let line = 0; 1 << line <= index; line++) block.positions.set(line, row);
    block.keyedLine(block.timezones, property.timezone).set(0, row);
    for (const name of slot.cityNames) block.keyedLine(block.cityNames, name).set(0, row);
    writeVisibility(block, row, property);
  });
}

function writeVisibility(block: Block, row: number, property: Property): void {
  if (property.visibleTo === 'all') block.visibleToAll.set(0, row);
  else
    for (const partnerId of property.visibleTo)
      block.keyedLine(block.visibleToPartner, partnerId).set(0, row);
}

function writeNights(block: Block, row: number, nights: Uint8Array, ring: NightRing): void {
  const stopSells: LineRun[] = [];
  visitNights(nights, (field, runFrom, runUntil, value) => {
    const from = Math.max(runFrom, ring.from);
    const nightCount = Math.min(runUntil, ring.until) - from;
    if (nightCount <= 0) return;
    const run = { line: ring.lineOf(from), count: nightCount };
    if (field !== 'stopSell') writeRun(block, row, field, value, run);
    else if (value !== 0) stopSells.push(run);
  });
  // Last, because fields may come in any order.
  for (const { line, count } of stopSells) block.open.unsetRun(line, count, row);
}

/** Lines of the night ring that follow each other. */
interface LineRun {
  readonly line: number;
  readonly count: number;
}

function writeRun(block: Block, row: number, field: CalendarField, value: number, run: LineRun): void {
  const { line, count } = run;
  const newLines = (): BitLines => new BitLines(block.nightLineCount, block.wordsPerLine);
  switch (field) {
    case 'availability':
      if (value >= 1) block.open.setRun(line, count, row);
      return;
    case 'closedToArrival':
      if (value !== 0) (block.closedToArrival ??= newLines()).setRun(line, count, row);
      return;
    case 'closedToDeparture':
      if (value !== 0) (block.closedToDeparture ??= newLines()).setRun(line, count, row);
      return;
    case 'minStayArrival':
      block.minStayArrival.setRun(line, count, row, minStayNumber(value), newLines);
      return;
    case 'minStayThrough':
      block.minStayThrough.setRun(line, count, row, minStayNumber(value), newLines);
      return;
    case 'maxStay':
      block.maxStay.setRun(line, count, row, maxStayNumber(value), newLines);
      return;
    case 'stopSell':
    case 'rate':
      return;
  }
}

function startingPrice(lowestRates: Uint8Array, today: EpochDay): string | null {
  const rate = lowestRateAt(lowestRates, today);
  return rate === null || rate === undefined ? null : formatMoney(BigInt(rate));
}

/** One range per locale; locales with the same bytes share one. */
function putBodies(
  block: Block,
  present: (locale: (typeof LOCALES)[number], index: number) => string,
): SlabRange[] {
  const ranges = new Map<string, SlabRange>();
  return LOCALES.map((locale, index) => {
    const summary = present(locale, index);
    const range = ranges.get(summary) ?? putBytes(block, Buffer.from(summary));
    ranges.set(summary, range);
    return range;
  });
}

function putBytes(block: Block, bytes: Uint8Array): SlabRange {
  return { start: block.slab.put(bytes), length: bytes.length };
}
