/**
 * The parts of a property's prices, as bytes in memory.
 *
 * A search reads the first part of each property: the least that a night can cost, the cleaning fee (both minor units,
 * as doubles; the first is infinite without a price), and the letters of the currency. The second part: a digest of the
 * terms, their length, the terms as JSON, then for each inventory type the length of its rates and the rates as
 * `calendar-codec.ts` encodes them. Numbers are little-endian.
 */
import { hash } from 'node:crypto';
import { decodeRates } from '../../domain/calendar-codec.ts';
import { lowestRateEver } from '../../domain/lowest-rates.ts';
import {
  type PricedDocument,
  type PriceTerms,
  readDiscount,
  readFee,
  readPriceTerms,
} from '../../domain/price-terms.ts';
import type { RateCalendar } from '../../domain/pricing.ts';
import type { Property } from '../../domain/property.ts';
import type { FollowedProperty } from '../../storage/catalogue/store.ts';
import { byteAt, type Memory, wordAt } from '../memory/memory.ts';
import type { RecordReader } from '../memory/record.ts';
import { PieceChunks, type Texts } from './piece-chunks.ts';

const FEE_AT = 8;
const CURRENCY_AT = 16;
const HEAD_BYTES = 20;
/** Three words: too many for two terms to share them. */
const DIGEST_BYTES = 12;
const TERMS_LENGTH_AT = DIGEST_BYTES;
const TERMS_AT = TERMS_LENGTH_AT + 4;
const LENGTH_BYTES = 4;
/** 100 % in hundredths of a percent. */
const WHOLE = 10_000;

/** The record of one property; valid until the answer ends. */
export interface PriceRecord {
  readonly bytes: Buffer;
  /** The same bytes, for reading numbers. */
  readonly data: DataView;
  readonly start: number;
  /** Start of its terms. */
  readonly body: number;
}

const PART_COUNT = 2;

export class PriceChunks extends PieceChunks {
  constructor(memory: Memory, record?: RecordReader) {
    super(memory, PART_COUNT, record);
  }

  record(slot: number): PriceRecord {
    const { chunk, index } = this.locate(slot);
    const { address, count } = this.chunk(chunk);
    const words = this.memory.words(address);
    const base = byteAt(address);
    const place = wordAt(address) + 1 + index;
    return {
      bytes: this.memory.bytes(address),
      data: this.memory.data(address),
      start: base + words[place]!,
      body: base + words[place + count + 1]!,
    };
  }

  splitAt(from: number): PriceChunks {
    const upper = new PriceChunks(this.memory);
    this.moveFrom(from, upper);
    return upper;
  }
}

export function encodePrices({ property, lowestRates, rates }: FollowedProperty): Texts {
  const text = JSON.stringify(pricedPartOf(property));
  const termsLength = Buffer.byteLength(text);
  const ratesAt = HEAD_BYTES + TERMS_AT + termsLength;
  const end = rates.reduce((sum, { length }) => sum + LENGTH_BYTES + length, ratesAt);
  // Each byte of it is written below: this is done for every property at each start.
  const bytes = Buffer.allocUnsafe(end);
  bytes.writeDoubleLE(leastOfNight(property, lowestRateEver(lowestRates)));
  bytes.writeDoubleLE(readFee(property.cleaningFee), FEE_AT);
  bytes.writeUInt32LE(currencyCode(property.currency), CURRENCY_AT);
  bytes.set(hash('sha256', text, 'buffer').subarray(0, DIGEST_BYTES), HEAD_BYTES);
  bytes.writeUInt32LE(termsLength, HEAD_BYTES + TERMS_LENGTH_AT);
  bytes.write(text, HEAD_BYTES + TERMS_AT);
  let at = ratesAt;
  for (const column of rates) {
    at = bytes.writeUInt32LE(column.length, at);
    bytes.set(column, at);
    at += column.length;
  }
  const starts = [0, HEAD_BYTES, end];
  return { partCount: PART_COUNT, count: 1, bytes, startOf: (part, index) => starts[part + index]! };
}

/** Field by field: no name or address of the property comes in. */
function pricedPartOf(property: Property): PricedDocument {
  const { currency, quoting, cleaningFee, taxes, discounts } = property;
  const inventoryTypes = property.inventoryTypes.map(
    ({ inventoryTypeId, includedGuests, extraGuestRate }) => {
      return { inventoryTypeId, includedGuests, extraGuestRate };
    },
  );
  const priced = { currency, quoting, cleaningFee, taxes, inventoryTypes };
  return discounts === undefined ? priced : { ...priced, discounts };
}

/** A lower bound: the highest discount, less one for rounding. */
function leastOfNight({ discounts, quoting }: Property, lowestRate: number | null): number {
  if (lowestRate === null || !quoting) return Number.POSITIVE_INFINITY;
  if (discounts === undefined) return lowestRate;
  const highest = Math.max(...discounts.map((discount) => readDiscount(discount).hundredths));
  return Math.max(0, Math.floor((lowestRate / WHOLE) * (WHOLE - highest)) - 1);
}

/** A stay of so many nights costs at least this, in minor units; infinite without a price. */
export function leastPrice({ data, start }: PriceRecord, nightCount: number): number {
  return data.getFloat64(start, true) * nightCount + data.getFloat64(start + FEE_AT, true);
}

/** Three letters as a number that sorts like them. */
export function currencyCode(currency: string): number {
  return Buffer.from(currency, 'latin1').readUIntBE(0, 3);
}

export function readCurrencyCode({ data, start }: PriceRecord): number {
  return data.getUint32(start + CURRENCY_AT, true);
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
export function readTerms({ bytes, data, body }: PriceRecord): PriceTerms {
  const first = data.getInt32(body, true);
  const second = data.getInt32(body + 4, true);
  const third = data.getInt32(body + 8, true);
  const known = knownTerms.get(first);
  if (known?.second === second && known.third === third) return known.terms;
  const length = data.getUint32(body + TERMS_LENGTH_AT, true);
  const from = body + TERMS_AT;
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
  { bytes, data, body }: PriceRecord,
  typeIndex: number,
  from: number,
  until: number,
): RateCalendar {
  let at = body + TERMS_AT + data.getUint32(body + TERMS_LENGTH_AT, true);
  for (let index = 0; index < typeIndex; index++) at += LENGTH_BYTES + data.getUint32(at, true);
  const length = data.getUint32(at, true);
  at += LENGTH_BYTES;
  return decodeRates(bytes.subarray(at, at + length), from, until);
}
