/**
 * What a block keeps of a property beside its bits.
 */
import type { EpochDay } from '../../domain/local-date.ts';
import { lowestRateAt, nextLowestRateChange } from '../../domain/lowest-rates.ts';
import { formatMoney } from '../../domain/money.ts';
import { LOCALES } from '../../domain/property.ts';
import type { FollowedProperty } from '../../storage/port/catalogue-store.ts';
import { encodeRecord, lowestRatesOf, recordLength, summaryRange } from '../property/property-record.ts';
import type { Block } from './block.ts';
import { presentSummaries, withStartingPrice } from '../property/summary.ts';

/** Behind every day; a small integer, since a large one would cost each slot an object more. */
const NEVER: EpochDay = 2 ** 30 - 1;

export interface PropertySlot {
  readonly propertyId: string;
  /** The one that it stands in. */
  block: Block;
  firstRow: number;
  readonly rowCount: number;
  readonly revision: number;
  readonly timezone: string;
  readonly visibleTo: 'all' | readonly string[];
  /** Folded names by which its city is found. */
  readonly cityNames: readonly string[];
  /** Where its record starts in the slab. */
  record: number;
  /** Local days [from, until) for which the summaries show the right starting price. */
  priceFrom: EpochDay;
  priceUntil: EpochDay;
}

/** Texts that many properties have in common, each held once: the heap of a large catalogue is made of such texts. */
export interface SharedTexts {
  readonly cityNames: readonly string[];
  readonly timezone: string;
}

/** A slot for the property, with its record in the slab of the block that it will stand in. */
export function makeSlot(
  block: Block,
  followed: FollowedProperty,
  { cityNames, timezone }: SharedTexts,
  today: EpochDay,
): PropertySlot {
  const { property, lowestRates } = followed;
  const price = startingPrice(lowestRates, today);
  return {
    propertyId: property.propertyId,
    block,
    firstRow: 0,
    rowCount: property.inventoryTypes.length,
    revision: followed.revision,
    timezone,
    visibleTo: property.visibleTo === 'all' ? 'all' : property.visibleTo,
    cityNames,
    record: block.slab.put(encodeRecord(presentSummaries(property, price), lowestRates)),
    priceFrom: today,
    priceUntil: nextLowestRateChange(lowestRates, today) ?? NEVER,
  };
}

/** Brings the starting price in a slot's summaries to the local day, when it changed since they were made. */
export function refreshStartingPrice(slot: PropertySlot, today: EpochDay): void {
  if (today >= slot.priceFrom && today < slot.priceUntil) return;
  const { slab } = slot.block;
  const { bytes } = slab;
  const lowestRates = lowestRatesOf(bytes, slot.record);
  const price = startingPrice(lowestRates, today);
  const summaries = LOCALES.map((_, index) => {
    const { start, end } = summaryRange(bytes, slot.record, index);
    return withStartingPrice(bytes.toString('utf8', start, end), price);
  });
  slab.release(recordLength(bytes, slot.record));
  slot.record = slab.put(encodeRecord(summaries, lowestRates));
  slot.priceFrom = today;
  slot.priceUntil = nextLowestRateChange(lowestRates, today) ?? NEVER;
}

function startingPrice(lowestRates: Uint8Array, today: EpochDay): string | null {
  const rate = lowestRateAt(lowestRates, today);
  return rate === null ? null : formatMoney(rate);
}
