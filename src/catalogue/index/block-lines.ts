/**
 * All bits of a block: what is known of its rows, as lines of bits (`bit-lines.ts`).
 *
 * Whatever is added here must also be in `#all`, because rows that come and go move through every line, in `copy`,
 * and in `clearNight` when it is kept by night.
 */
import { STAY_LENGTH_FIELDS, type StayLengthField } from '../../domain/calendar-fields.ts';
import { STAY_GUESTS_MAX } from '../../domain/stay-limits.ts';
import { AdvanceWindows } from './advance-windows.ts';
import { BitLines, LINE_WORDS_MAX } from './bit-lines.ts';
import { StayLengths } from './stay-lengths.ts';

export const BLOCK_ROWS_MAX = LINE_WORDS_MAX * 32;
const POSITION_LINES = Math.log2(BLOCK_ROWS_MAX);

/** Lines by a key, one line each: partners, city names, timezones. */
export type KeyedLines = Map<string, BitLines>;

export class BlockLines {
  wordsPerLine = 1;
  readonly nightLineCount: number;

  /** By night: units left and not stop-sold. */
  open: BitLines;
  closedToArrival: BitLines | undefined;
  closedToDeparture: BitLines | undefined;
  stayLengths = makeStayLengths(() => new StayLengths());
  /** Line g - 1: rows that host g guests. */
  guests = new BitLines(STAY_GUESTS_MAX, 1);
  /** Line n: rows that have a row of their own property 2 ** n above them. */
  positions = new BitLines(POSITION_LINES, 1);
  visibleToAll = new BitLines(1, 1);
  visibleToPartner: KeyedLines = new Map();
  cityNames: KeyedLines = new Map();
  timezones: KeyedLines = new Map();
  advance = new AdvanceWindows();

  constructor(nightLineCount: number) {
    this.nightLineCount = nightLineCount;
    this.open = new BitLines(nightLineCount, 1);
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

  /** Forgets everything about a night, so that its line can serve another one. */
  clearNight(line: number): void {
    this.open.clearLine(line);
    this.closedToArrival?.clearLine(line);
    this.closedToDeparture?.clearLine(line);
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
      line = new BitLines(1, this.wordsPerLine);
      lines.set(key, line);
    }
    return line;
  }

  copy(): BlockLines {
    const copy = new BlockLines(this.nightLineCount);
    copy.wordsPerLine = this.wordsPerLine;
    copy.open = this.open.copy();
    copy.closedToArrival = this.closedToArrival?.copy();
    copy.closedToDeparture = this.closedToDeparture?.copy();
    copy.stayLengths = makeStayLengths((field) => this.stayLengths[field].copy());
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
      for (const [key, line] of lines) if (line.words.every((word) => word === 0)) lines.delete(key);
    }
    this.advance.dropUnused();
  }

  #keyed(): KeyedLines[] {
    return [this.visibleToPartner, this.cityNames, this.timezones];
  }

  #all(): BitLines[] {
    const lines = [this.open, this.guests, this.positions, this.visibleToAll];
    if (this.closedToArrival !== undefined) lines.push(this.closedToArrival);
    if (this.closedToDeparture !== undefined) lines.push(this.closedToDeparture);
    for (const lengths of Object.values(this.stayLengths))
      if (lengths.lines !== undefined) lines.push(lengths.lines);
    for (const keyed of this.#keyed()) lines.push(...keyed.values());
    lines.push(...this.advance.lines());
    return lines;
  }
}

function makeStayLengths(
  make: (field: StayLengthField) => StayLengths,
): Record<StayLengthField, StayLengths> {
  const lengths = STAY_LENGTH_FIELDS.map((field) => [field, make(field)] as const);
  return Object.fromEntries(lengths) as Record<StayLengthField, StayLengths>;
}

function copyKeyed(lines: KeyedLines): KeyedLines {
  return new Map([...lines].map(([key, line]) => [key, line.copy()]));
}
