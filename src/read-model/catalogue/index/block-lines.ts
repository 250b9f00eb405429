/**
 * All bits of a block, as lines (`bit-lines.ts`).
 *
 * Add every new kind of line to `#all`, because inserted and removed rows move through every line, to `copy`, and to
 * `clearNights` if it is kept by night.
 */
import { STAY_GUESTS_MAX } from '../../../domain/stay-limits.ts';
import type { Memory } from '../memory/memory.ts';
import { heapOf } from '../memory/part.ts';
import { CopyingReader, type RecordReader, RecordWriter } from '../memory/record.ts';
import { AdvanceWindows } from './advance-windows.ts';
import { BitLines, LINE_WORDS_MAX, type RowGap } from './bit-lines.ts';
import { LIMIT_FIELDS, type LimitField, NightLimits } from './night-limits.ts';
import { OpenNights } from './open-nights.ts';

export const BLOCK_ROWS_MAX = LINE_WORDS_MAX * 32;

/** One line for each key: partners, city names and their spellings, timezones, cots. */
export type KeyedLines = Map<string, BitLines>;

export class BlockLines {
  readonly memory: Memory;
  readonly nightLineCount: number;
  wordsPerLine: number;

  /** By night: a unit is left, without stop-sell. */
  readonly open: OpenNights;
  /** By night. */
  readonly limits: Record<LimitField, NightLimits>;
  /** Line g - 1: rows that host g guests. */
  readonly guests: BitLines;
  /** All but the last row of each property. */
  readonly notLast: BitLines;
  readonly visibleToAll: BitLines;
  readonly visibleToPartner: KeyedLines;
  readonly cityNames: KeyedLines;
  /** By `citySpellingKey`. */
  readonly citySpellings: KeyedLines;
  readonly timezones: KeyedLines;
  /** By `formatCots`: rows with cots, which host more guests with children of some ages than `guests` has. */
  readonly cots: KeyedLines;
  readonly advance: AdvanceWindows;

  /** Reads a record; without one all lines are empty. */
  constructor(memory: Memory, nightLineCount: number, record?: RecordReader) {
    this.memory = memory;
    this.nightLineCount = nightLineCount;
    this.wordsPerLine = record?.take() ?? 1;
    const lines = (count: number): BitLines =>
      new BitLines(memory, count, this.wordsPerLine, record?.takeAddress());
    const keyed = (): KeyedLines => {
      const count = record?.take() ?? 0;
      return new Map(Array.from({ length: count }, () => [record!.takeText(), lines(1)]));
    };
    this.open = new OpenNights(memory, nightLineCount, this.wordsPerLine, record?.takeAddress());
    this.limits = makeEach(
      LIMIT_FIELDS,
      () => new NightLimits(memory, nightLineCount, this.wordsPerLine, record),
    );
    this.guests = lines(STAY_GUESTS_MAX);
    this.notLast = lines(1);
    this.visibleToAll = lines(1);
    this.visibleToPartner = keyed();
    this.cityNames = keyed();
    this.citySpellings = keyed();
    this.timezones = keyed();
    this.cots = keyed();
    this.advance = new AdvanceWindows(memory, this.wordsPerLine, record);
  }

  /** Writes in the order in which the constructor reads. */
  write(record: RecordWriter): void {
    record.put(this.wordsPerLine, this.open.address);
    for (const limits of Object.values(this.limits)) limits.write(record);
    record.put(this.guests.address, this.notLast.address, this.visibleToAll.address);
    for (const keyed of this.#keyed()) {
      record.put(keyed.size);
      for (const [key, { address }] of keyed) {
        record.putText(key);
        record.put(address);
      }
    }
    this.advance.write(record);
  }

  /** Frees all memory. */
  release(): void {
    for (const lines of this.#ofRows()) lines.release();
    for (const lines of [this.open, ...this.advance.lines()]) lines.release();
    for (const limits of Object.values(this.limits)) limits.release();
  }

  /** Inserts empty rows into every line; see `BitLines`. */
  insertRows(gaps: readonly RowGap[]): void {
    for (const lines of this.#all()) lines.insertRows(gaps);
  }

  /** Removes rows from every line. */
  removeRows(at: number, count: number): void {
    for (const lines of this.#all()) lines.removeRows(at, count);
    this.#dropEmptyKeys();
  }

  /** Clears all bits of some rows, which stay. */
  clearRows(at: number, count: number): void {
    for (const lines of this.#all()) lines.clearRows(at, count);
    this.#dropEmptyKeys();
  }

  /** Rewrites the rows of one property as if they were new; `write` sets lines by night completely. */
  rewriteRows(at: number, count: number, write: () => void): void {
    for (const lines of [...this.#ofRows(), ...this.advance.lines()]) lines.clearRows(at, count);
    try {
      write();
    } finally {
      this.#dropEmptyKeys();
    }
  }

  /** Clears some nights, so that their lines can serve other nights. */
  clearNights(lines: readonly number[]): void {
    for (const line of lines) this.open.clearNight(line);
    for (const limits of Object.values(this.limits)) limits.clearNights(lines);
  }

  /** Widens every line for so many rows. */
  widenFor(rowCount: number): void {
    if (rowCount <= this.wordsPerLine * 32) return;
    while (this.wordsPerLine * 32 < rowCount) this.wordsPerLine *= 2;
    for (const lines of this.#all()) lines.widen(this.wordsPerLine);
  }

  /** The line of a key, made when missing. */
  keyedLine(lines: KeyedLines, key: string): BitLines {
    let line = lines.get(key);
    if (line === undefined) {
      line = new BitLines(this.memory, 1, this.wordsPerLine);
      lines.set(key, line);
    }
    return line;
  }

  /** Whether no row from this one on has a bit. */
  isClearFrom(row: number): boolean {
    return this.#all().every((lines) => lines.isClearFrom(row));
  }

  copy(): BlockLines {
    const heap = heapOf(this.memory);
    const record = new RecordWriter();
    this.write(record);
    const address = record.store(heap);
    const copy = new BlockLines(this.memory, this.nightLineCount, new CopyingReader(heap, address));
    heap.release(address);
    return copy;
  }

  /** Drops keys without rows; otherwise every former partner and name would stay. */
  #dropEmptyKeys(): void {
    for (const lines of this.#keyed()) {
      for (const [key, line] of lines) {
        if (!line.words.every((word) => word === 0)) continue;
        line.release();
        lines.delete(key);
      }
    }
    this.advance.dropUnused();
  }

  #keyed(): KeyedLines[] {
    return [this.visibleToPartner, this.cityNames, this.citySpellings, this.timezones, this.cots];
  }

  #all(): BitLines[] {
    const limits = Object.values(this.limits).map(({ lines }) => lines);
    return [this.open, ...limits, ...this.#ofRows(), ...this.advance.lines()];
  }

  /** Lines with one bit per row for all nights. */
  #ofRows(): BitLines[] {
    const keyed = this.#keyed().flatMap((lines) => [...lines.values()]);
    return [this.guests, this.notLast, this.visibleToAll, ...keyed];
  }
}

function makeEach<Field extends string, Made>(
  fields: readonly Field[],
  make: (field: Field) => Made,
): Record<Field, Made> {
  return Object.fromEntries(fields.map((field) => [field, make(field)])) as Record<Field, Made>;
}
