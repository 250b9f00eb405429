/** One city's listings and calendar, as Inside Airbnb publishes them, as a supply of properties. */
import { Wrong } from '../../domain/wrong.ts';
import { hash } from 'node:crypto';
import type { CalendarEntry } from '../../domain/calendar.ts';
import { EPOCH_DAY_MAX, formatLocalDate, type EpochDay } from '../../domain/local-date.ts';
import { SOURCE_LENGTH_MAX } from '../../domain/layers.ts';
import { ByteSource, UnreadableFile } from '../text/byte-source.ts';
import type { ReadProgress, Supply, SupplyItem } from '../run/supply-item.ts';
import { readCalendarFile, type CalendarFile } from './calendar-file.ts';
import type { BrokenRecord } from './csv-records.ts';
import type { ListingRun } from './listing-calendars.ts';
import { readListing, type CityOptions, type ListedProperty } from './listing-property.ts';
import {
  findScoreScale,
  readListings,
  UnusableHeader,
  type Listing,
  type ScoreScale,
} from './listings-file.ts';

export interface InsideAirbnbOptions extends CityOptions {
  /** Paths, `.gz` or not. */
  readonly listings: string;
  readonly calendar: string;
  /** Shifts all dates by one number of days, so that the first night of the file becomes this one. */
  readonly startOn?: EpochDay;
}

export interface InsideAirbnbSupply extends Supply {
  /** Distinct (listing, date) pairs of the calendar file; 0 before it was read. */
  nightCount(): number;
}

const SOURCE_PREFIX = 'inside-airbnb:';
/** About the memory of one calendar entry. */
const ENTRY_BYTES = 100;

/** Length of the hash that distinguishes cities whose names fold to the same. */
const HASH_LENGTH = 8;

/** The default source of a city's properties: `inside-airbnb:New-York`. */
export function sourceOfCity(city: string): string {
  const plain = city.normalize('NFKD').replaceAll(/\p{M}/gu, '').trim();
  const folded = plain.replaceAll(/[^A-Za-z0-9._:~-]+/g, '-');
  const roomForCity = SOURCE_LENGTH_MAX - SOURCE_PREFIX.length;
  // Blanks and punctuation do not distinguish cities; dropped letters and a truncated end do.
  const isExact = folded.length <= roomForCity && !/[^\P{L}A-Za-z]|[^\P{N}0-9]/u.test(plain);
  if (isExact) return `${SOURCE_PREFIX}${folded}`;
  const kept = folded.slice(0, roomForCity - HASH_LENGTH - 1);
  return `${SOURCE_PREFIX}${kept}-${hash('sha256', city, 'hex').slice(0, HASH_LENGTH)}`;
}

export function openInsideAirbnb(options: InsideAirbnbOptions): InsideAirbnbSupply {
  return new InsideAirbnb(options);
}

class InsideAirbnb implements InsideAirbnbSupply {
  readonly #options: InsideAirbnbOptions;
  readonly #calendarSource: ByteSource;
  readonly #listingsSource: ByteSource;
  #calendar: CalendarFile | undefined;

  constructor(options: InsideAirbnbOptions) {
    this.#options = options;
    this.#calendarSource = new ByteSource(options.calendar);
    this.#listingsSource = new ByteSource(options.listings);
  }

  nightCount(): number {
    return this.#calendar?.nightCount ?? 0;
  }

  progress(): ReadProgress {
    const calendar = this.#calendarSource.progress();
    const listings = this.#listingsSource.progress();
    const isKnown = calendar.bytesTotal !== undefined && listings.bytesTotal !== undefined;
    return {
      bytesRead: calendar.bytesRead + listings.bytesRead,
      bytesTotal: isKnown ? calendar.bytesTotal + listings.bytesTotal : undefined,
    };
  }

  async close(): Promise<void> {
    this.#calendar?.close();
  }

  async *open(): AsyncGenerator<SupplyItem, void, undefined> {
    let file = this.#options.listings;
    try {
      await this.#listingsSource.measure();
      file = this.#options.calendar;
      await this.#calendarSource.measure();
      // A second reading (`--strict`) reuses the calendar.
      this.#calendar ??= yield* readCalendarFile(this.#calendarSource);
      const calendar = this.#calendar;
      const shiftDays = this.#shiftDays(calendar);
      file = this.#options.listings;
      yield* this.#readListings(calendar, shiftDays);
      file = this.#options.calendar;
      if (calendar.ending !== undefined) throw new UnreadableFile(file, calendar.ending);
    } catch (error) {
      if (!(error instanceof UnreadableFile) && !(error instanceof UnusableHeader)) throw error;
      yield { kind: 'ended-badly', file, reason: error.reason };
    }
  }

  #shiftDays({ earliest, latest }: CalendarFile): number {
    const { startOn } = this.#options;
    if (startOn === undefined || earliest === undefined || latest === undefined) return 0;
    const shiftDays = startOn - earliest;
    if (latest + shiftDays > EPOCH_DAY_MAX) {
      throw new UnusableHeader(new Wrong('startsLate', { day: formatLocalDate(startOn) }));
    }
    return shiftDays;
  }

  async *#readListings(
    calendar: CalendarFile,
    shiftDays: number,
  ): AsyncGenerator<SupplyItem, void, undefined> {
    const scale = await findScoreScale(this.#options.listings);
    const listed = new Set<string>();
    let cutOffCount = 0;
    for await (const listing of readListings(this.#listingsSource)) {
      const listingId = idOf(listing);
      if (listingId !== undefined) listed.add(listingId);
      if (listingId !== undefined && !calendar.isWhole(listingId)) cutOffCount += 1;
      else yield this.#readListing(listing, { calendar, shiftDays, scale });
    }
    yield* calendar.notices(listed);
    if (cutOffCount > 0) {
      const text = new Wrong('listingsCutOff', { file: this.#options.calendar, count: cutOffCount });
      yield { kind: 'notice', text };
    }
  }

  #readListing(listing: Listing | BrokenRecord, { calendar, shiftDays, scale }: ReadingContext): SupplyItem {
    const place = { file: this.#options.listings, line: listing.line };
    const read =
      'field' in listing ? readListing(listing, this.#options, scale) : { field: '', reason: listing.reason };
    if ('reason' in read) {
      const listingId = idOf(listing);
      const propertyIds = listingId === undefined ? [] : [this.#options.idPrefix + listingId];
      return { kind: 'rejected', ...place, ...read, propertyIds, isProperty: true };
    }
    const entries = makeEntries(calendar.runsOf(read.listingId), read, shiftDays);
    const bytes = read.textLength + entries.length * ENTRY_BYTES;
    return {
      kind: 'property',
      ...place,
      bytes,
      property: read.property,
      entries: [entries],
      keptTypeIds: [],
    };
  }
}

interface ReadingContext {
  readonly calendar: CalendarFile;
  readonly shiftDays: number;
  readonly scale: ScoreScale;
}

/** The id of a listing, even of a broken one if its first line shows it. */
function idOf(listing: Listing | BrokenRecord): string | undefined {
  if ('field' in listing) return listing.field('id');
  return /^"?(\d{1,100})"?,/.exec(listing.text)?.[1];
}

/** Every entry sets every field, so the last of two rows for a night replaces the first entirely. */
function makeEntries(
  runs: readonly ListingRun[],
  listing: ListedProperty,
  shiftDays: number,
): CalendarEntry[] {
  return runs.map(({ from, until, availability, rate, minStay, maxStay }) => ({
    from: from + shiftDays,
    to: until - 1 + shiftDays,
    set: {
      availability,
      rate,
      minStayArrival: minStay ?? listing.minStay,
      maxStay: maxStay ?? listing.maxStay,
    },
  }));
}
