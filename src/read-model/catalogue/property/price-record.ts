/**
 * The parts of a property's prices, as bytes in memory.
 *
 * A search reads the first part of each property, the lower bounds of its prices: of a night, and of everything but
 * nights (minor units, as doubles; the first is infinite without a price); the letters of the currency; of a further
 * guest and night, and the guests that cost no more; then the number of the first span of nights, and for each span by
 * how much its cheapest night is above the cheapest of all; and the bands of ages, where all types have the same. The second part: a digest of the terms, their length, the terms as JSON, then for each inventory type the length of its
 * rates and the rates as `calendar-codec.ts` encodes them. Numbers are little-endian.
 */
import { hash } from 'node:crypto';
import { decodeRates, visitNights } from '../../../domain/calendar-codec.ts';
import { type BandTerms, bandTerms, countAdults, type Party } from '../../../domain/child-ages.ts';
import { payableUnitOf } from '../../../domain/currency-codes.ts';
import type { StayRequest } from '../../../domain/eligibility.ts';
import { lowestGuestRate } from '../../../domain/guest-rates.ts';
import type { EpochDay } from '../../../domain/local-date.ts';
import { lowestRateEver } from '../../../domain/lowest-rates.ts';
import { CAUTION, leastTaxes } from '../../../domain/price-bounds.ts';
import {
  type PricedDocument,
  pricedPartOf,
  type PriceTerms,
  readDiscount,
  readFee,
  readPriceTerms,
  readTaxes,
} from '../../../domain/price-terms.ts';
import type { RateCalendar } from '../../../domain/pricing.ts';
import { AGE_BANDS_MAX } from '../../../domain/document/document-limits.ts';
import { type Property, typesOf } from '../../../domain/property.ts';
import { STAY_GUESTS_MAX, STAY_NIGHTS_MAX } from '../../../domain/stay-limits.ts';
import type { FollowedProperty } from '../../../storage/catalogue/store.ts';
import { byteAt, type Memory, wordAt } from '../memory/memory.ts';
import type { RecordReader } from '../memory/record.ts';
import { PieceChunks, type Texts } from './piece-chunks.ts';

/** A span has 32 nights: those whose days differ in the lowest bits alone. */
const SPAN_BITS = 5;
/** Spans of a record: two years. Other nights have the bound of all. */
const SPANS = 24;
/** A span is so many steps of a 32nd above the cheapest night, at most STEP_MAX. */
const STEPS = 32;
const STEP_MAX = 255;

const FEE_AT = 8;
const CURRENCY_AT = 16;
const EXTRA_AT = 20;
const INCLUDED_AT = 28;
/** Bands and one more; 0 where types differ in them. */
const BAND_COUNT_AT = INCLUDED_AT + 1;
const SPAN_AT = 32;
const SPANS_AT = 36;
const HEAD_BYTES = SPANS_AT + SPANS;
/** Behind these: the oldest age of each band, its cots (0: a bed), and what a child pays a night, below 0 as an adult does. */
const BAND_BYTES = 10;
const COTS_AT = 1;
const RATE_AT = 2;
const AS_ADULT = -1;
/** Three words: too many for two terms to share them. */
const DIGEST_BYTES = 12;
const TERMS_LENGTH_AT = DIGEST_BYTES;
const TERMS_AT = TERMS_LENGTH_AT + 4;
const LENGTH_BYTES = 4;
/** 100 % in hundredths of a percent. */
const WHOLE = 10_000;
/** Rounding a rate and its discount lowers a night by at most a unit that can be paid. */
const ROUNDED_MAX = STAY_NIGHTS_MAX;

/** The first part of one property; valid until the answer ends. */
export interface PriceHead {
  readonly data: DataView;
  readonly start: number;
}

/** The second part. */
export interface PriceRecord extends PriceHead {
  readonly bytes: Buffer;
  /** The same bytes, for reading numbers. */
  readonly data: DataView;
}

const PART_COUNT = 2;

export class PriceChunks extends PieceChunks {
  constructor(memory: Memory, record?: RecordReader) {
    super(memory, PART_COUNT, record);
  }

  head(slot: number): PriceHead {
    const { chunk, index } = this.locate(slot);
    const { address } = this.chunk(chunk);
    const start = this.memory.words(address)[wordAt(address) + 1 + index]!;
    return { data: this.memory.data(address), start: byteAt(address) + start };
  }

  record(slot: number): PriceRecord {
    const { chunk, index } = this.locate(slot);
    const { address, count } = this.chunk(chunk);
    const start = this.memory.words(address)[wordAt(address) + 1 + index + count + 1]!;
    return {
      bytes: this.memory.bytes(address),
      data: this.memory.data(address),
      start: byteAt(address) + start,
    };
  }

  splitAt(from: number): PriceChunks {
    const upper = new PriceChunks(this.memory);
    this.moveFrom(from, upper);
    return upper;
  }
}

export function encodePrices(
  { property, lowestRates, rates }: FollowedProperty,
  firstNight: EpochDay,
): Texts {
  const text = JSON.stringify(pricedPartOf(property));
  const termsLength = Buffer.byteLength(text);
  const bands = bandsOfAll(property);
  const headBytes = HEAD_BYTES + (bands ?? []).length * BAND_BYTES;
  const ratesAt = headBytes + TERMS_AT + termsLength;
  const end = rates.reduce((sum, { length }) => sum + LENGTH_BYTES + length, ratesAt);
  // Each byte of it is written below: this is done for every property at each start.
  const bytes = Buffer.allocUnsafe(end);
  const firstSpan = firstNight >> SPAN_BITS;
  writeLeast(bytes, property, { lowestRate: lowestRateEver(lowestRates), bands, rates, firstSpan });
  bytes.writeUInt32LE(currencyCode(property.currency), CURRENCY_AT);
  bytes.set(hash('sha256', text, 'buffer').subarray(0, DIGEST_BYTES), headBytes);
  bytes.writeUInt32LE(termsLength, headBytes + TERMS_LENGTH_AT);
  bytes.write(text, headBytes + TERMS_AT);
  let at = ratesAt;
  for (const column of rates) {
    at = bytes.writeUInt32LE(column.length, at);
    bytes.set(column, at);
    at += column.length;
  }
  const starts = [0, headBytes, end];
  return { partCount: PART_COUNT, count: 1, bytes, startOf: (part, index) => starts[part + index]! };
}

/** The bands of every type; undefined where they differ. */
function bandsOfAll(property: Property): readonly BandTerms[] | undefined {
  const [first = [], ...others] = typesOf(property).map(({ ageBands = [] }) => ageBands);
  const text = JSON.stringify(first);
  return others.every((other) => JSON.stringify(other) === text) ? first.map(bandTerms) : undefined;
}

interface LeastParts {
  readonly lowestRate: number | null;
  readonly bands: readonly BandTerms[] | undefined;
  readonly rates: readonly Uint8Array[];
  readonly firstSpan: number;
}

/** Rates less the highest discount, with the percentages that every stay pays. */
function writeLeast(
  bytes: Buffer,
  { discounts = [], quoting, cleaningFee, taxes, inventoryTypes, currency }: Property,
  { lowestRate, bands, rates, firstSpan }: LeastParts,
): void {
  const hundredths = Math.max(0, ...discounts.map((discount) => readDiscount(discount).hundredths));
  const unit = payableUnitOf(currency);
  const share = leastTaxes(readTaxes(taxes, unit));
  const ofNights = CAUTION * share.nights * (1 - hundredths / WHOLE);
  const least = lowestRate === null || !quoting ? Number.POSITIVE_INFINITY : lowestRate * ofNights;
  bytes.writeDoubleLE(least);
  // Each tax is rounded as well.
  const rounded = unit * (ROUNDED_MAX * share.nights + share.ruleCount);
  bytes.writeDoubleLE(CAUTION * readFee(cleaningFee, unit) * share.cleaningFee - rounded, FEE_AT);
  const { lowest, hasGuestRates } = lowestOfSpans(rates, firstSpan);
  const extra = Math.min(...inventoryTypes.map(({ extraGuestRate }) => Number(extraGuestRate) * 100));
  bytes.writeDoubleLE(hasGuestRates ? 0 : extra * ofNights, EXTRA_AT);
  const included = Math.max(...inventoryTypes.map(({ includedGuests }) => includedGuests));
  const bandCount = bands === undefined ? 0 : bands.length + 1;
  // A byte each; the two behind them are 0.
  bytes.writeUInt32LE(Math.min(included, STAY_GUESTS_MAX) + (bandCount << 8), INCLUDED_AT);
  for (const [index, { untilAge, occupies, rate, max }] of (bands ?? []).entries()) {
    const at = HEAD_BYTES + index * BAND_BYTES;
    bytes[at] = untilAge;
    bytes[at + COTS_AT] = occupies === false ? max! : 0;
    bytes.writeDoubleLE(rate === undefined ? AS_ADULT : rate * ofNights, at + RATE_AT);
  }
  bytes.writeInt32LE(firstSpan, SPAN_AT);
  for (let span = 0; span < SPANS; span++) {
    const more = lowest[span]! / (lowestRate ?? 1) - 1;
    bytes[SPANS_AT + span] = Math.max(0, Math.min(STEP_MAX, Math.floor(more * STEPS)));
  }
}

function lowestOfSpans(rates: readonly Uint8Array[], firstSpan: number) {
  const lowest = new Float64Array(SPANS).fill(Number.POSITIVE_INFINITY);
  let hasGuestRates = false;
  const lower = (from: EpochDay, until: EpochDay, rate: number): void => {
    const last = Math.min(((until - 1) >> SPAN_BITS) - firstSpan, SPANS - 1);
    for (let span = Math.max((from >> SPAN_BITS) - firstSpan, 0); span <= last; span++)
      if (rate < lowest[span]!) lowest[span] = rate;
  };
  for (const column of rates)
    visitNights(
      column,
      (_, from, until, rate) => lower(from, until, rate),
      (from, until, table) => {
        hasGuestRates = true;
        lower(from, until, lowestGuestRate(table) ?? 0);
      },
    );
  return { lowest, hasGuestRates };
}

/** A stay costs at least this, in minor units; infinite without a price. */
export function leastPrice({ data, start }: PriceHead, { checkIn, checkOut, ...party }: StayRequest): number {
  const firstSpan = data.getInt32(start + SPAN_AT, true);
  let steps = (checkOut - checkIn) * STEPS;
  for (let night = checkIn; night < checkOut;) {
    const span = night >> SPAN_BITS;
    const end = Math.min(checkOut, (span + 1) << SPAN_BITS);
    const at = span - firstSpan;
    if (at >= 0 && at < SPANS) steps += (end - night) * data.getUint8(start + SPANS_AT + at);
    night = end;
  }
  const beside = leastBeside({ data, start }, party) * (checkOut - checkIn);
  return (data.getFloat64(start, true) * steps) / STEPS + beside + data.getFloat64(start + FEE_AT, true);
}

/** Nights, first and last, of stays that are bounded together. */
export interface NightWindow extends Party {
  readonly from: EpochDay;
  /** Excluded. */
  readonly until: EpochDay;
}

/** Each night of the window costs at least this, further guests included; infinite without a price. */
export function leastNight({ data, start }: PriceHead, { from, until, ...party }: NightWindow): number {
  const firstSpan = data.getInt32(start + SPAN_AT, true);
  let steps = STEP_MAX;
  for (let span = from >> SPAN_BITS; span <= (until - 1) >> SPAN_BITS; span++) {
    const at = span - firstSpan;
    steps = Math.min(steps, at >= 0 && at < SPANS ? data.getUint8(start + SPANS_AT + at) : 0);
  }
  return (data.getFloat64(start, true) * (STEPS + steps)) / STEPS + leastBeside({ data, start }, party);
}

/** Further guests and children pay at least this for a night. */
function leastBeside({ data, start }: PriceHead, { guests, childAges = [] }: Party): number {
  const count = data.getUint8(start + BAND_COUNT_AT) - 1;
  // Where types differ, children may pay nothing.
  let asAdults = count < 0 ? countAdults({ guests, childAges }) : guests;
  let children = 0;
  if (count > 0 && childAges.length > 0) {
    takenCots.fill(0);
    for (const age of childAges) {
      const at = findBand(data, start + HEAD_BYTES, { count, age });
      const rate = at === undefined ? AS_ADULT : data.getFloat64(at + RATE_AT, true);
      if (rate < 0) continue;
      asAdults -= 1;
      children += rate;
    }
  }
  const extraGuests = Math.max(0, asAdults - data.getUint8(start + INCLUDED_AT));
  return extraGuests * data.getFloat64(start + EXTRA_AT, true) + children;
}

/** Cots of each band that the children before sleep in. Every property of a search is asked, so nothing is allocated. */
const takenCots = new Uint8Array(AGE_BANDS_MAX);

/** As `bandsOf` (domain/child-ages.ts): the place of the first band that reaches the age and has a bed, or a cot left. */
function findBand(
  data: DataView,
  bandsAt: number,
  { count, age }: { readonly count: number; readonly age: number },
): number | undefined {
  for (let index = 0; index < count; index++) {
    const at = bandsAt + index * BAND_BYTES;
    if (data.getUint8(at) < age) continue;
    const cots = data.getUint8(at + COTS_AT);
    if (cots === 0) return at;
    if (takenCots[index]! < cots) {
      takenCots[index]! += 1;
      return at;
    }
  }
  return undefined;
}

/** The rest of a stay costs at least this: below 0 where rounding may take more than the fee. */
export function leastRest({ data, start }: PriceHead): number {
  return data.getFloat64(start + FEE_AT, true);
}

/** Three letters as a number that sorts like them. */
export function currencyCode(currency: string): number {
  return Buffer.from(currency, 'latin1').readUIntBE(0, 3);
}

export function currencyOf(code: number): string {
  return String.fromCharCode(code >> 16, (code >> 8) & 0xff, code & 0xff);
}

export function readCurrencyCode({ data, start }: PriceHead): number {
  return data.getUint32(start + CURRENCY_AT, true);
}

/** The smallest amount that can be paid, in minor units. */
export function readPayableUnit(head: PriceHead): number {
  return payableUnitOf(currencyOf(readCurrencyCode(head)));
}

interface KnownTerms {
  readonly second: number;
  readonly third: number;
  readonly length: number;
  readonly terms: PriceTerms;
}

/** Bytes of cached terms; a full cache starts empty again. */
const KNOWN_BYTES_MAX = 8 * 1024 * 1024;
/** By the first word of their digest. */
const knownTerms = new Map<number, KnownTerms>();
let knownBytes = 0;

/** Terms that are equal are one object: many properties of an operator have the same. */
export function readTerms({ bytes, data, start }: PriceRecord): PriceTerms {
  const first = data.getInt32(start, true);
  const second = data.getInt32(start + 4, true);
  const third = data.getInt32(start + 8, true);
  const known = knownTerms.get(first);
  if (known?.second === second && known.third === third) return known.terms;
  const length = data.getUint32(start + TERMS_LENGTH_AT, true);
  const from = start + TERMS_AT;
  const terms = readPriceTerms(JSON.parse(bytes.toString('utf8', from, from + length)) as PricedDocument);
  keepKnown(first, { second, third, length, terms });
  return terms;
}

function keepKnown(first: number, known: KnownTerms): void {
  knownBytes += known.length - (knownTerms.get(first)?.length ?? 0);
  if (knownBytes > KNOWN_BYTES_MAX) {
    knownTerms.clear();
    knownBytes = known.length;
  }
  knownTerms.set(first, known);
}

/** The rates of the nights from `from` (included) to `until` (excluded) of the inventory type at this index. */
export function readRates(
  { bytes, data, start }: PriceRecord,
  typeIndex: number,
  from: number,
  until: number,
): RateCalendar {
  let at = start + TERMS_AT + data.getUint32(start + TERMS_LENGTH_AT, true);
  for (let index = 0; index < typeIndex; index++) at += LENGTH_BYTES + data.getUint32(at, true);
  const length = data.getUint32(at, true);
  at += LENGTH_BYTES;
  return decodeRates(bytes.subarray(at, at + length), from, until);
}
