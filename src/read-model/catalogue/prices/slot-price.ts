/** Prices a stay at one property of a block, by the types that its bits call eligible. */
import type { EpochDay } from '../../../domain/local-date.ts';
import { formatMoney } from '../../../domain/money.ts';
import { decideEligible, type EligibleType, type QuoteRefusal } from '../../../domain/quote-decision.ts';
import type { RateCalendar, StayPrice } from '../../../domain/pricing.ts';
import { LINE_WORDS_MAX } from '../index/bit-lines.ts';
import { keepEligible, selectSlot, type StayLines } from '../index/block-search.ts';
import type { Block } from '../index/block.ts';
import { readRates, readTerms } from '../property/price-record.ts';

/** Input shared by every property of a request. */
export interface PricedStay {
  /** The rates of a type for the nights of the stay and maybe more; read from memory when absent. */
  readonly ratesOf?: ((typeIndex: number) => RateCalendar) | undefined;
  readonly stay: StayLines;
  /** A search for the stay found the property: one of its types is eligible. */
  readonly isFound?: boolean;
}

const ONLY_TYPE: readonly number[] = [0];

/** A property in one version of the catalogue. */
export interface PropertyRef {
  readonly block: Block;
  readonly slot: number;
}

/** The nights offered today at the property. */
export interface Offered {
  readonly first: EpochDay;
  readonly end: EpochDay;
}

export interface SlotPrice {
  readonly currency: string;
  /** The refusal of a quote; null when there is a price. */
  readonly refusal: QuoteRefusal | null;
  readonly price: StayPrice | undefined;
}

// Scratch: the rows of one block; answering is synchronous.
const rows = new Int32Array(LINE_WORDS_MAX);

/** Decides as a quote would, from the same calendars. */
export function priceSlot(ref: PropertyRef, pricedStay: PricedStay, offered: Offered): SlotPrice {
  return priceEligible(ref, findEligible(ref, pricedStay, offered), pricedStay.stay, offered.first);
}

/** The same, of the types that `findEligible` has found; `today` is that of the property. */
export function priceEligible(
  { block, slot }: PropertyRef,
  eligible: readonly EligibleType[],
  stay: StayLines,
  today: EpochDay,
): SlotPrice {
  const terms = readTerms(block.prices(slot));
  const { currency } = terms;
  const decided = decideEligible(terms, eligible, stay, today);
  if ('refusal' in decided) return { currency, refusal: decided.refusal, price: undefined };
  return { currency, refusal: null, price: decided.price };
}

/** The types that can host the stay, with their rates. */
export function findEligible(
  { block, slot }: PropertyRef,
  { stay, isFound = false, ratesOf }: PricedStay,
  offered: Offered,
): readonly EligibleType[] {
  const typeIndexes =
    isFound && block.slots.rowCount(slot) === 1 ? ONLY_TYPE : eligibleTypes(block, slot, stay, offered);
  if (typeIndexes.length === 0) return [];
  const record = block.prices(slot);
  return typeIndexes.map((typeIndex): EligibleType => {
    const calendar = ratesOf?.(typeIndex) ?? readRates(record, typeIndex, stay.checkIn, stay.checkOut);
    return { typeIndex, calendar };
  });
}

/** Indexes of the types that can host the stay. */
function eligibleTypes(block: Block, slot: number, stay: StayLines, { first, end }: Offered): number[] {
  if (stay.checkIn < first || stay.checkOut > end) return [];
  keepEligible(block, stay, () => stay.checkIn - first, selectSlot(block, slot, stay, rows));
  const firstRow = block.slots.firstRow(slot);
  const found: number[] = [];
  for (let index = 0; index < block.slots.rowCount(slot); index++) {
    const row = firstRow + index;
    if ((rows[row >>> 5]! & (1 << (row & 31))) !== 0) found.push(index);
  }
  return found;
}

/** StayPricing of the operations of prices, as JSON. */
export function formatPricing(price: StayPrice | undefined): string {
  if (price === undefined) return 'null';
  const { accommodation, cleaningFee, taxes, total, discount } = price;
  // Decimals only, so that nothing is to be escaped.
  const parts = `"accommodation":"${formatMoney(accommodation)}","cleaningFee":"${formatMoney(cleaningFee)}"`;
  const applied =
    discount && `{"percent":"${discount.terms.percent}","amount":"${formatMoney(discount.amount)}"}`;
  return `{${parts},"taxes":"${formatMoney(taxes)}","total":"${formatMoney(total)}","discount":${applied}}`;
}
