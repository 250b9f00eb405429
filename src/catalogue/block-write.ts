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
    if (slot.rowCount > 1) block.shared.set(0, row);
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
  const stopSells: [from: EpochDay, until: EpochDay][] = [];
  visitNights(nights, (field, runFrom, runUntil, value) => {
    const from = Math.max(runFrom, ring.from);
    const until = Math.min(runUntil, ring.until);
    if (from >= until) return;
    if (field === 'stopSell') {
      if (value !== 0) stopSells.push([from, until]);
      return;
    }
    const setNight = nightSetter(block, field, value, row);
    if (setNight === undefined) return;
    for (let night = from; night < until; night++) setNight(ring.lineOf(night));
  });
  // Last, because fields may come in any order.
  for (const [from, until] of stopSells) {
    for (let night = from; night < until; night++) block.open.unset(ring.lineOf(night), row);
  }
}

/** How a run of this field and value marks a night; undefined when it restricts and opens nothing. */
function nightSetter(
  block: Block,
  field: CalendarField,
  value: number,
  row: number,
): ((line: number) => void) | undefined {
  const width = block.wordsPerLine;
  switch (field) {
    case 'availability':
      return value >= 1 ? (line) => block.open.set(line, row) : undefined;
    case 'closedToArrival': {
      if (value === 0) return undefined;
      const lines = (block.closedToArrival ??= new BitLines(block.nightLineCount, width));
      return (line) => lines.set(line, row);
    }
    case 'closedToDeparture': {
      if (value === 0) return undefined;
      const lines = (block.closedToDeparture ??= new BitLines(block.nightLineCount, width));
      return (line) => lines.set(line, row);
    }
    case 'minStayArrival':
      return lengthSetter(block.minStayArrival, minStayNumber(value), row, width);
    case 'minStayThrough':
      return lengthSetter(block.minStayThrough, minStayNumber(value), row, width);
    case 'maxStay':
      return lengthSetter(block.maxStay, maxStayNumber(value), row, width);
    case 'stopSell':
    case 'rate':
      return undefined;
  }
}

function lengthSetter(
  lengths: Block['maxStay'],
  number: number,
  row: number,
  width: number,
): ((line: number) => void) | undefined {
  return number === 0 ? undefined : (line) => lengths.set(line, row, number, width);
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
