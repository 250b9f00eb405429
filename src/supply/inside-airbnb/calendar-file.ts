/** The calendar file, read row by row into the calendars of its listings. */
import { Wrong } from '../../domain/wrong.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { type ByteSource, UnreadableFile } from '../text/byte-source.ts';
import { readLines, type Line } from '../text/ndjson-lines.ts';
import type { Notice, RejectedItem } from '../run/supply-item.ts';
import { CALENDAR_COLUMNS_REQUIRED, CalendarRowReader, isRejectedRow } from './calendar-row.ts';
import { splitCsvRecord } from './csv-record.ts';
import { countNights, ListingCalendars, type ListingRun } from './listing-calendars.ts';
import { checkColumns, UnusableHeader } from './listings-file.ts';

/** Listings that a notice lists by id. */
const NAMED_MAX = 10;
/** With more changes of listing per listing, the file is not sorted by listing but, for example, by date. */
const BLOCKS_PER_LISTING_MAX = 20;

/**
 * Gathers the whole file; yields rejected rows on the way. A truncated file is not an error here: its rows are kept,
 * and `ending` says how it ended. Throws UnusableHeader.
 */
export async function* readCalendarFile(
  source: ByteSource,
): AsyncGenerator<RejectedItem, CalendarFile, undefined> {
  const calendars = new ListingCalendars();
  let reader: CalendarRowReader | undefined;
  let ending: Wrong | undefined;
  try {
    for await (const lines of readLines(source.read())) {
      for (const line of lines) {
        if (reader === undefined) {
          reader = readHeader(line);
          continue;
        }
        const rejected = takeRow(calendars, reader, line);
        if (rejected !== undefined) yield { ...rejected, file: source.file };
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile) || reader === undefined) throw error;
    ending = error.reason;
  }
  if (reader === undefined) throw new UnusableHeader(new Wrong('noHeader'));
  return new CalendarFile(source.file, calendars, ending);
}

function readHeader(line: Line): CalendarRowReader {
  const header = line.kind === 'text' ? splitCsvRecord(line.text) : undefined;
  if (header === undefined) throw new UnusableHeader(new Wrong('headerUnread', { line: line.number }));
  return new CalendarRowReader(checkColumns(header, CALENDAR_COLUMNS_REQUIRED));
}

/** A field of a calendar never holds a line break. So each line is a row, and a bad one affects no other. */
function takeRow(
  calendars: ListingCalendars,
  reader: CalendarRowReader,
  line: Line,
): Omit<RejectedItem, 'file'> | undefined {
  const row =
    line.kind === 'text' ? reader.read(line.text) : { field: '', reason: BROKEN_REASONS[line.reason] };
  if (!isRejectedRow(row)) {
    calendars.add(row);
    return undefined;
  }
  return { kind: 'rejected', line: line.number, ...row, propertyIds: [], isProperty: false };
}

const BROKEN_REASONS = {
  'too-long': new Wrong('rowTooLong'),
  'not-utf8': new Wrong('documentLineNotUtf8'),
} as const;

/** A calendar file after its end was reached or it broke off. */
export class CalendarFile {
  /** Distinct (listing, date) pairs. */
  readonly nightCount: number;
  readonly duplicateCount: number;
  /** How the file broke off; undefined if it is complete. */
  readonly ending: Wrong | undefined;
  readonly earliest: EpochDay | undefined;
  readonly latest: EpochDay | undefined;
  readonly #file: string;
  readonly #calendars: ListingCalendars;
  /** The number of nights that most listings have, which marks a complete listing. */
  readonly #usualNights: number;
  readonly #isScattered: boolean;

  constructor(file: string, calendars: ListingCalendars, ending: Wrong | undefined) {
    this.#file = file;
    this.#calendars = calendars;
    this.ending = ending;
    const listingsByNights = new Map<number, number>();
    let nightCount = 0;
    let listingCount = 0;
    for (const listingId of calendars.listingIds()) {
      const nights = countNights(calendars.runsOf(listingId));
      nightCount += nights;
      listingCount += 1;
      listingsByNights.set(nights, (listingsByNights.get(nights) ?? 0) + 1);
    }
    this.nightCount = nightCount;
    this.duplicateCount = calendars.rowCount - nightCount;
    this.earliest = calendars.earliest;
    this.latest = calendars.latest;
    this.#usualNights = [...listingsByNights].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
    this.#isScattered = calendars.blockCount > listingCount * BLOCKS_PER_LISTING_MAX;
  }

  runsOf(listingId: string): ListingRun[] {
    return this.#calendars.runsOf(listingId);
  }

  /**
   * Whether the file has the whole calendar of the listing. In a truncated file, only listings before the last one with
   * the usual number of nights qualify: better one listing too few than half a calendar.
   */
  isWhole(listingId: string): boolean {
    if (this.ending === undefined) return true;
    if (this.#isScattered || listingId === this.#calendars.lastListingId) return false;
    return countNights(this.runsOf(listingId)) >= this.#usualNights;
  }

  /** Notices for the operator; `listed` are the ids in the listings file. */
  *notices(listed: ReadonlySet<string>): Generator<Notice, void, undefined> {
    if (this.duplicateCount > 0) {
      const text = new Wrong('rowsRepeated', { file: this.#file, count: this.duplicateCount });
      yield { kind: 'notice', text };
    }
    const unknown = [...this.#calendars.listingIds()].filter((listingId) => !listed.has(listingId));
    if (unknown.length === 0) return;
    const named = unknown.slice(0, NAMED_MAX).join(', ') + (unknown.length > NAMED_MAX ? ', ...' : '');
    const nights = unknown.reduce((sum, listingId) => sum + countNights(this.runsOf(listingId)), 0);
    const counts = { nights, count: unknown.length };
    yield { kind: 'notice', text: new Wrong('nightsUnlisted', { file: this.#file, ...counts, ids: named }) };
  }

  close(): void {
    this.#calendars.close();
  }
}
