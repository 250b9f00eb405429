/**
 * All bits of a block: what is known of its rows, as lines of bits (`bit-lines.ts`).
 *
 * Whatever is added here must also be in `#all`, because rows that come and go move through every line, in `copy`,
 * and in `clearNight` when it is kept by night.
 */
import {
  CLOSING_FIELDS,
  type ClosingField,
  STAY_LENGTH_FIELDS,
  type StayLengthField,
} from '../../domain/calendar-fields.ts';
import { STAY_GUESTS_MAX } from '../../domain/stay-limits.ts';
import { type Memory, NOWHERE } from '../memory/memory.ts';
import type { RecordReader, RecordWriter } from '../memory/record.ts';
import { AdvanceWindows } from './advance-windows.ts';
import { BitLines, LINE_WORDS_MAX } from './bit-lines.ts';
import { StayLengths } from './stay-lengths.ts';

export const BLOCK_ROWS_MAX = LINE_WORDS_MAX * 32;
const POSITION_LINES = Math.log2(BLOCK_ROWS_MAX);

/** Lines by a key, one line each: partners, city names, timezones. */
export type KeyedLines = Map<string, BitLines>;

export class BlockLines {
  readonly memory: Memory;
  readonly nightLineCount: number;
  wordsPerLine: number;

  /** By night: units left and not stop-sold. */
  open: BitLines;
  /** By night; undefined where no row has the flag. */
  closings: Record<ClosingField, BitLines | undefined>;
  stayLengths: Record<StayLengthField, StayLengths>;
  /** Line g - 1: rows that host g guests. */
  guests: BitLines;
  /** Line n: rows that have a row of their own property 2 ** n above them. */
  positions: BitLines;
  visibleToAll: BitLines;
  visibleToPartner: KeyedLines;
  cityNames: KeyedLines;
  timezones: KeyedLines;
  advance: AdvanceWindows;

  /** What was written to the record; empty lines where there is none. */
  constructor(memory: Memory, nightLineCount: number, record?: RecordReader) {
    this.memory = memory;
    this.nightLineCount = nightLineCount;
    this.wordsPerLine = record?.take() ?? 1;
    const lines = (count: number): BitLines => new BitLines(memory, count, this.wordsPerLine, record?.take());
    const night = (): BitLines | undefined => {
      const address = record?.take() ?? NOWHERE;
      return address === NOWHERE
        ? undefined
        : new BitLines(memory, nightLineCount, this.wordsPerLine, address);
    };
    const keyed = (): KeyedLines => {
      const count = record?.take() ?? 0;
      return new Map(Array.from({ length: count }, () => [record!.takeText(), lines(1)]));
    };
    this.open = lines(nightLineCount);
    this.closings = makeEach(CLOSING_FIELDS, night);
    this.stayLengths = makeEach(STAY_LENGTH_FIELDS, () =>
      record === undefined ? new StayLengths(memory) : StayLengths.read(memory, record, this),
    );
    this.guests = lines(STAY_GUESTS_MAX);
    this.positions = lines(POSITION_LINES);
    this.visibleToAll = lines(1);
    this.visibleToPartner = keyed();
    this.cityNames = keyed();
    this.timezones = keyed();
    this.advance =
      record === undefined
        ? new AdvanceWindows(memory)
        : AdvanceWindows.read(memory, record, this.wordsPerLine);
  }

  /** In the order in which the constructor reads. */
  write(record: RecordWriter): void {
    record.put(this.wordsPerLine, this.open.address);
    for (const lines of Object.values(this.closings)) record.put(lines?.address ?? NOWHERE);
    for (const lengths of Object.values(this.stayLengths)) lengths.write(record);
    record.put(this.guests.address, this.positions.address, this.visibleToAll.address);
    for (const keyed of this.#keyed()) {
      record.put(keyed.size);
      for (const [key, { address }] of keyed) {
        record.putText(key);
        record.put(address);
      }
    }
    this.advance.write(record);
  }

  /** Gives all of it back. */
  release(): void {
    for (const lines of this.#all()) lines.release();
  }

  /** Opens empty rows at `at` in every line. */
  insertRows(at: number, count: number): void {
    for (const lines of this.#all()) lines.insertRows(at, count);
  }

  /** Takes rows out of every line. */
  removeRows(at: number, count: number): void {
    for (const lines of this.#all()) lines.removeRows(at, count);
    this.#dropEmptyKeys();
  }

  /** Forgets everything about some rows, which stay. */
  clearRows(at: number, count: number): void {
    for (const lines of this.#all()) lines.clearRows(at, count);
    this.#dropEmptyKeys();
  }

  /** Writes some rows, all of one property, as if they were new; also what `write` wrote before it threw. */
  rewriteRows(at: number, count: number, write: () => void): void {
    // Advance windows have a line for each number, which come and go while they are written; they are short.
    for (const lines of this.advance.lines()) lines.clearRows(at, count);
    for (const lines of this.#fixed()) lines.begin(at, count);
    try {
      write();
    } finally {
      for (const lines of this.#fixed()) lines.commit();
      this.#dropEmptyKeys();
    }
  }

  /** Forgets everything about a night, so that its line can serve another one. */
  clearNight(line: number): void {
    this.open.clearLine(line);
    for (const lines of Object.values(this.closings)) lines?.clearLine(line);
    for (const lengths of Object.values(this.stayLengths)) lengths.clearNight(line);
  }

  /** Makes every line long enough for so many rows. */
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

  copy(): BlockLines {
    const copy = new BlockLines(this.memory, this.nightLineCount);
    copy.release();
    copy.wordsPerLine = this.wordsPerLine;
    copy.open = this.open.copy();
    copy.closings = makeEach(CLOSING_FIELDS, (field) => this.closings[field]?.copy());
    copy.stayLengths = makeEach(STAY_LENGTH_FIELDS, (field) => this.stayLengths[field].copy());
    copy.guests = this.guests.copy();
    copy.positions = this.positions.copy();
    copy.visibleToAll = this.visibleToAll.copy();
    copy.visibleToPartner = copyKeyed(this.visibleToPartner);
    copy.cityNames = copyKeyed(this.cityNames);
    copy.timezones = copyKeyed(this.timezones);
    copy.advance = this.advance.copy();
    return copy;
  }

  /** Keys whose last row went; otherwise every partner or name that ever was would stay. */
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
    return [this.visibleToPartner, this.cityNames, this.timezones];
  }

  #all(): BitLines[] {
    return [...this.#fixed(), ...this.advance.lines()];
  }

  /** Those that keep their number of lines. */
  #fixed(): BitLines[] {
    const lines = [this.open, this.guests, this.positions, this.visibleToAll];
    for (const closed of Object.values(this.closings)) if (closed !== undefined) lines.push(closed);
    for (const lengths of Object.values(this.stayLengths))
      if (lengths.lines !== undefined) lines.push(lengths.lines);
    for (const keyed of this.#keyed()) lines.push(...keyed.values());
    return lines;
  }
}

function makeEach<Field extends string, Made>(
  fields: readonly Field[],
  make: (field: Field) => Made,
): Record<Field, Made> {
  return Object.fromEntries(fields.map((field) => [field, make(field)])) as Record<Field, Made>;
}

function copyKeyed(lines: KeyedLines): KeyedLines {
  return new Map([...lines].map(([key, line]) => [key, line.copy()]));
}
