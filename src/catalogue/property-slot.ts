/**
 * What a block keeps of a property beside its bits: the slot, and in the slab its summary in every locale and the
 * steps of its starting price.
 */
import type { EpochDay } from '../domain/local-date.ts';
import { lowestRateAt, nextLowestRateChange } from '../domain/lowest-rates.ts';
import { formatMoney } from '../domain/money.ts';
import { LOCALES } from '../domain/property.ts';
import type { FollowedProperty } from '../storage/storage.ts';
import type { Block, PropertySlot, SlabRange } from './block.ts';
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
