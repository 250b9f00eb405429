/**
 * The calendars of all listings of a file, gathered row by row.
 *
 * The rows of a listing need not be together, so nothing is complete before the last row was read. What is held
 * are runs: nights one after the other with the same values. When there are too many, all of them move to a private
 * temporary database on disk (SQLite's empty file name: it is deleted when it is closed), and memory stays bounded.
 */
import { DatabaseSync } from 'node:sqlite';

import type { EpochDay } from '../../domain/local-date.ts';
import { copyText, type CalendarRow } from './calendar-row.ts';

/** Runs in memory, of 48 bytes each. A million rows of a real city make about 200,000. */
export const RUNS_HELD_MAX = 1_000_000;
const NUMBERS_PER_RUN = 6;
const FIRST_RUNS = 32;

/** Nights `from` to `until` (excluded), in the order in which the rows came; a later run overlays an earlier one. */
export interface ListingRun {
  readonly from: EpochDay;
  readonly until: EpochDay;
  readonly availability: number;
  readonly rate: number | null;
  readonly minStay: number | null;
  readonly maxStay: number | null;
}

/** Numbers of the runs of one listing, six per run; null is stored as -1. */
interface ListingRuns {
  numbers: Float64Array<ArrayBuffer>;
  length: number;
}

export class ListingCalendars {
  rowCount = 0;
  earliest: EpochDay | undefined;
  latest: EpochDay | undefined;
  /** How often the file goes over from one listing to another. */
  blockCount = 0;
  readonly #runsHeldMax: number;
  readonly #held = new Map<string, ListingRuns>();
  #heldRuns = 0;
  #spool: RunSpool | undefined;
  #lastId = '';
  #last: ListingRuns | undefined;

  constructor(runsHeldMax: number = RUNS_HELD_MAX) {
    this.#runsHeldMax = runsHeldMax;
  }

  get lastListingId(): string {
    return this.#lastId;
  }

  add(row: CalendarRow): void {
    this.rowCount += 1;
    if (this.earliest === undefined || row.day < this.earliest) this.earliest = row.day;
    if (this.latest === undefined || row.day > this.latest) this.latest = row.day;
    if (this.#last === undefined || row.listingId !== this.#lastId) this.#goOver(row.listingId);
    const runs = this.#last!;
    if (extendLastRun(runs, row)) return;
    appendRun(runs, row);
    this.#heldRuns += 1;
    if (this.#heldRuns >= this.#runsHeldMax) this.#spill();
  }

  /** The runs of one listing in the order of the file; none when the file has no row of it. */
  runsOf(listingId: string): ListingRun[] {
    const runs: ListingRun[] = [];
    for (const numbers of this.#spool?.read(listingId) ?? []) decodeRuns(numbers, runs);
    const held = this.#held.get(listingId);
    if (held !== undefined) decodeRuns(held.numbers.subarray(0, held.length), runs);
    return runs;
  }

  /** Every listing that has rows, in no particular order. */
  *listingIds(): Generator<string, void, undefined> {
    if (this.#spool === undefined) {
      yield* this.#held.keys();
      return;
    }
    yield* this.#spool.listingIds();
    for (const listingId of this.#held.keys()) if (!this.#spool.has(listingId)) yield listingId;
  }

  close(): void {
    this.#spool?.close();
  }

  #goOver(listingId: string): void {
    if (listingId !== this.#lastId) this.blockCount += 1;
    let runs = this.#held.get(listingId);
    if (runs === undefined) {
      runs = { numbers: new Float64Array(FIRST_RUNS * NUMBERS_PER_RUN), length: 0 };
      this.#held.set(copyText(listingId), runs);
    }
    this.#lastId = listingId;
    this.#last = runs;
  }

  #spill(): void {
    this.#spool ??= new RunSpool();
    this.#spool.write(this.#held);
    this.#held.clear();
    this.#heldRuns = 0;
    this.#last = undefined;
  }
}

/** Distinct nights, however often a row names them. */
export function countNights(runs: readonly ListingRun[]): number {
  let nights = 0;
  let covered = Number.NEGATIVE_INFINITY;
  for (const { from, until } of runs.toSorted((a, b) => a.from - b.from)) {
    if (until <= covered) continue;
    nights += until - Math.max(from, covered);
    covered = until;
  }
  return nights;
}

/** Lengthens the last run by the night after it or the one before it (some files have descending dates). */
function extendLastRun({ numbers, length }: ListingRuns, row: CalendarRow): boolean {
  const at = length - NUMBERS_PER_RUN;
  if (
    at < 0 ||
    numbers[at + 2] !== row.availability ||
    numbers[at + 3] !== (row.rate ?? -1) ||
    numbers[at + 4] !== (row.minStay ?? -1) ||
    numbers[at + 5] !== (row.maxStay ?? -1)
  ) {
    return false;
  }
  if (numbers[at + 1] === row.day) numbers[at + 1] = row.day + 1;
  else if (numbers[at] === row.day + 1) numbers[at] = row.day;
  else return false;
  return true;
}

function appendRun(runs: ListingRuns, row: CalendarRow): void {
  if (runs.length === runs.numbers.length) {
    const larger = new Float64Array(runs.numbers.length * 2);
    larger.set(runs.numbers);
    runs.numbers = larger;
  }
  const { numbers, length } = runs;
  numbers[length] = row.day;
  numbers[length + 1] = row.day + 1;
  numbers[length + 2] = row.availability;
  numbers[length + 3] = row.rate ?? -1;
  numbers[length + 4] = row.minStay ?? -1;
  numbers[length + 5] = row.maxStay ?? -1;
  runs.length = length + NUMBERS_PER_RUN;
}

function orNull(value: number): number | null {
  return value === -1 ? null : value;
}

function decodeRuns(numbers: Float64Array, into: ListingRun[]): void {
  for (let at = 0; at < numbers.length; at += NUMBERS_PER_RUN) {
    into.push({
      from: numbers[at]!,
      until: numbers[at + 1]!,
      availability: numbers[at + 2]!,
      rate: orNull(numbers[at + 3]!),
      minStay: orNull(numbers[at + 4]!),
      maxStay: orNull(numbers[at + 5]!),
    });
  }
}

/** Runs on disk, in parts as they were spilled. */
class RunSpool {
  readonly #database = new DatabaseSync('');
  #part = 0;

  constructor() {
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      CREATE TABLE run_part (
        listing_id TEXT, part INTEGER, numbers BLOB NOT NULL, PRIMARY KEY (listing_id, part)
      ) WITHOUT ROWID;
    `);
  }

  write(held: ReadonlyMap<string, ListingRuns>): void {
    const insert = this.#database.prepare('INSERT INTO run_part VALUES (?, ?, ?)');
    this.#part += 1;
    this.#database.exec('BEGIN');
    for (const [listingId, { numbers, length }] of held) {
      insert.run(
        listingId,
        this.#part,
        new Uint8Array(numbers.buffer, 0, length * numbers.BYTES_PER_ELEMENT),
      );
    }
    this.#database.exec('COMMIT');
  }

  *read(listingId: string): Generator<Float64Array, void, undefined> {
    const select = this.#database.prepare('SELECT numbers FROM run_part WHERE listing_id = ? ORDER BY part');
    for (const row of select.iterate(listingId)) {
      // Copied, because a Float64Array needs bytes that are aligned.
      yield new Float64Array((row['numbers'] as Uint8Array).slice().buffer);
    }
  }

  *listingIds(): Generator<string, void, undefined> {
    const select = this.#database.prepare('SELECT DISTINCT listing_id FROM run_part');
    for (const row of select.iterate()) yield row['listing_id'] as string;
  }

  has(listingId: string): boolean {
    return this.#database.prepare('SELECT 1 FROM run_part WHERE listing_id = ?').get(listingId) !== undefined;
  }

  close(): void {
    this.#database.close();
  }
}
