/** One row of a calendar file: what a listing has for one night. */
import { type Told, Wrong } from '../../domain/wrong.ts';
import { parseLocalDate, type EpochDay } from '../../domain/local-date.ts';
import { notGiven } from '../../domain/document/document-fields.ts';
import { parseNightCount, parsePrice } from './amounts.ts';
import { splitCsvRecord, type CsvColumns } from './csv-record.ts';

export const CALENDAR_COLUMNS_REQUIRED = ['listing_id', 'date', 'available'] as const;
/** Text of digits: ids above 2^53 would not survive as numbers. */
export const LISTING_ID = /^\d{1,100}$/;

export interface CalendarRow {
  readonly listingId: string;
  readonly day: EpochDay;
  readonly availability: 0 | 1;
  /** Minor units; null for none. */
  readonly rate: number | null;
  /** Nights; null when the row has none, so that the listing decides. */
  readonly minStay: number | null;
  readonly maxStay: number | null;
}

export interface RejectedRow {
  readonly field: string;
  readonly reason: Told;
}

/** Distinct texts that are remembered with their values; prices and dates repeat all the time. */
const REMEMBERED_MAX = 10_000;

export class CalendarRowReader {
  readonly #columns: CsvColumns;
  readonly #at: Readonly<Record<'listing_id' | 'date' | 'available' | (typeof OPTIONAL)[number], number>>;
  readonly #day = remember(parseLocalDate);
  readonly #price = remember(parsePrice);
  readonly #nights = remember(parseNightCount);

  /** `columns` have the required ones. */
  constructor(columns: CsvColumns) {
    const at = (name: string): number => columns.indexOf(name) ?? columns.count;
    this.#columns = columns;
    this.#at = {
      listing_id: at('listing_id'),
      date: at('date'),
      available: at('available'),
      price: at('price'),
      adjusted_price: at('adjusted_price'),
      minimum_nights: at('minimum_nights'),
      maximum_nights: at('maximum_nights'),
    };
  }

  read(text: string): CalendarRow | RejectedRow {
    const record = splitCsvRecord(text);
    if (record === undefined) return { field: '', reason: new Wrong('quoteOpen') };
    if (record.length !== this.#columns.count) {
      return {
        field: '',
        reason: new Wrong('fieldsSurplus', { count: record.length, named: this.#columns.count }),
      };
    }
    const listingId = record[this.#at.listing_id]!;
    if (!LISTING_ID.test(listingId)) return rejected('listing_id', new Wrong('notListingId'), listingId);
    const day = this.#day(record[this.#at.date]!);
    if (day === undefined) return rejected('date', new Wrong('notDate'), record[this.#at.date]!);
    const available = record[this.#at.available]!;
    if (available !== 't' && available !== 'f') return rejected('available', new Wrong('notTOrF'), available);
    const rate = this.#readRate(record);
    if (typeof rate === 'object' && rate !== null) return rate;
    const minStay = this.#readNights(record, 'minimum_nights');
    if (typeof minStay === 'object' && minStay !== null) return minStay;
    const maxStay = this.#readNights(record, 'maximum_nights');
    if (typeof maxStay === 'object' && maxStay !== null) return maxStay;
    return { listingId, day, availability: available === 't' ? 1 : 0, rate, minStay, maxStay };
  }

  /** `price`; only where it is empty or missing, `adjusted_price`. */
  #readRate(record: readonly string[]): number | null | RejectedRow {
    const price = record[this.#at.price] ?? '';
    const field = price === '' ? 'adjusted_price' : 'price';
    const text = price === '' ? (record[this.#at.adjusted_price] ?? '') : price;
    const rate = this.#price(text);
    return rate === undefined ? rejected(field, NOT_PRICE, text) : rate;
  }

  #readNights(
    record: readonly string[],
    field: 'minimum_nights' | 'maximum_nights',
  ): number | null | RejectedRow {
    const text = record[this.#at[field]] ?? '';
    const nights = this.#nights(text);
    return nights === undefined ? rejected(field, NOT_NIGHTS, text) : nights;
  }
}

const OPTIONAL = ['price', 'adjusted_price', 'minimum_nights', 'maximum_nights'] as const;

export function isRejectedRow(row: CalendarRow | RejectedRow): row is RejectedRow {
  return 'reason' in row;
}

export const NOT_PRICE = new Wrong('notPrice', { example: '$1,234.00' });
export const NOT_NIGHTS = new Wrong('notNights');

function rejected(field: string, wrong: Wrong, text: string): RejectedRow {
  return { field, reason: notGiven(wrong, text) };
}

/** The same function with its last few thousand answers in memory. */
function remember<T>(parse: (text: string) => T): (text: string) => T {
  const values = new Map<string, T>();
  return (text) => {
    let value = values.get(text);
    if (value !== undefined || values.has(text)) return value as T;
    value = parse(text);
    if (values.size >= REMEMBERED_MAX) values.clear();
    // The text may be a slice of a large one that the map would keep alive; a key made of its own is not.
    values.set(copyText(text), value);
    return value;
  };
}

/** A copy that does not hold on to the text it was cut from. */
export function copyText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
