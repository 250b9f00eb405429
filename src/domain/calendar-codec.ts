/**
 * Calendars as bytes: two columns per inventory type, one with what the night index needs and one with the rates.
 *
 * Layout, everything a varint:
 *
 *     version: 2 where rates by guests are set, else 1
 *     per field that is set anywhere, in ascending order of its code:
 *       field code (`calendar-fields.ts`)
 *       for rates by guests only: number of tables
 *         per table: number of amounts, per amount: guests, minor units
 *       number of runs, runs
 *
 * The value of a run of rates by guests is the number of its table; tables are in the order of their first run, each
 * once. Equal calendars have equal bytes, so comparing bytes shows whether anything changed; what has no rates by
 * guests has the bytes that it always had.
 *
 * A field of a later release has a code that is not known here, and the layout of runs: it is passed over, and written
 * again as it was read. Only another layout is another version.
 */
import { type Calendar, makeCalendar, type UnknownField } from './calendar.ts';
import { CALENDAR_FIELDS, type CalendarField, FIELD_ROWS, isPrice } from './calendar-fields.ts';
import { EPOCH_DAY_MIN, type EpochDay } from './local-date.ts';
import type { GuestRate, GuestRates } from './guest-rates.ts';
import type { NightRun, NightRuns } from './night-runs.ts';
import { STORED_FORMATS } from './stored-formats.ts';

const VERSION = 1;
const VERSION_WITH_GUEST_RATES = STORED_FORMATS.calendar.version;

const GUEST_RATES_CODE = FIELD_ROWS.ratesByGuests.code;
const FIELD_OF_CODE: (CalendarField | undefined)[] = [];
for (const field of CALENDAR_FIELDS) FIELD_OF_CODE[FIELD_ROWS[field].code] = field;

type NightVisitor = (field: CalendarField, from: EpochDay, until: EpochDay, value: number) => void;

type UnknownVisitor = (code: number, from: EpochDay, until: EpochDay, value: number) => void;

type GuestRatesVisitor = (from: EpochDay, until: EpochDay, value: GuestRates) => void;

/** Encodes availability and restrictions: every field except prices. */
export function encodeNights(calendar: Calendar): Uint8Array {
  return encodeFields(calendar, (field) => !isPrice(field), [], calendar.unknown);
}

export function encodeRates(calendar: Calendar): Uint8Array {
  return encodeFields(calendar, isPrice, calendar.ratesByGuests, []);
}

/** Decodes a calendar; without `rates` no rate is set. Throws on bytes of another version. */
export function decodeCalendar(nights: Uint8Array, rates?: Uint8Array): Calendar {
  const runs: Partial<Record<CalendarField, NightRun[]>> = {};
  const collect: NightVisitor = (field, from, until, value) => {
    (runs[field] ??= []).push({ from, until, value });
  };
  const ratesByGuests: NightRun<GuestRates>[] = [];
  const unknown = new Map<number, NightRun[]>();
  visitNights(nights, collect, undefined, (code, from, until, value) => {
    const known = unknown.get(code);
    if (known === undefined) unknown.set(code, [{ from, until, value }]);
    else known.push({ from, until, value });
  });
  if (rates !== undefined)
    visitNights(rates, collect, (from, until, value) => ratesByGuests.push({ from, until, value }));
  return makeCalendar((field) => runs[field] ?? [], ratesByGuests, unknownFields(unknown));
}

/** Decodes only rates, of the nights from `from` (included) to `until` (excluded), and passes over the others. */
export function decodeRates(
  bytes: Uint8Array,
  from: EpochDay,
  until: EpochDay,
): Pick<Calendar, 'rate' | 'ratesByGuests'> {
  const reader = new VarintReader(bytes);
  const hasGuestRates = reader.read() !== VERSION;
  let rate: NightRun[] = [];
  while (!reader.isAtEnd) {
    const code = reader.read();
    if (code === GUEST_RATES_CODE) return { rate, ratesByGuests: readGuestRatesWithin(reader, from, until) };
    if (code !== FIELD_ROWS.rate.code) throw new RangeError(`rates with field ${code}`);
    rate = readRunsWithin(reader, from, until, hasGuestRates);
    if (!hasGuestRates) break;
  }
  return { rate, ratesByGuests: [] };
}

/** Runs that touch the nights. The reader passes over the others only when it `goesOn` after them. */
function readRunsWithin(reader: VarintReader, from: EpochDay, until: EpochDay, goesOn: boolean): NightRun[] {
  const runs: NightRun[] = [];
  let left = reader.read();
  for (let night = EPOCH_DAY_MIN; left > 0 && night < until; left--) {
    const runFrom = night + reader.read();
    night = runFrom + reader.read();
    if (night <= from || runFrom >= until) reader.skip(1);
    else runs.push({ from: runFrom, until: night, value: reader.read() });
  }
  if (goesOn) reader.skip(left * RUN_VARINTS);
  return runs;
}

function readGuestRatesWithin(reader: VarintReader, from: EpochDay, until: EpochDay): NightRun<GuestRates>[] {
  const tables: number[] = [];
  for (let left = reader.read(); left > 0; left--) {
    tables.push(reader.position);
    reader.skip(2 * reader.read());
  }
  return readRunsWithin(reader, from, until, false).map(({ from: runFrom, until: runUntil, value }) => {
    reader.position = tables[value]!;
    return { from: runFrom, until: runUntil, value: readGuestTable(reader) };
  });
}

function readGuestTable(reader: VarintReader): GuestRates {
  const table: GuestRate[] = [];
  for (let amounts = reader.read(); amounts > 0; amounts--)
    table.push({ guests: reader.read(), rate: reader.read() });
  return table;
}

function unknownFields(unknown: ReadonlyMap<number, NightRun[]>): readonly UnknownField[] | undefined {
  return unknown.size === 0 ? undefined : Array.from(unknown, ([code, runs]) => ({ code, runs }));
}

/** Visits every run of either column, field by field, ascending, without allocating. */
export function visitNights(
  bytes: Uint8Array,
  visit: NightVisitor,
  visitGuestRates: GuestRatesVisitor = () => {},
  visitUnknown: UnknownVisitor = () => {},
): void {
  const reader = new VarintReader(bytes);
  const version = reader.read();
  if (version !== VERSION && version !== VERSION_WITH_GUEST_RATES)
    throw new RangeError(`calendar bytes of unknown version ${version}`);
  while (!reader.isAtEnd) {
    const code = reader.read();
    const field = FIELD_OF_CODE[code];
    if (field !== undefined) readRuns(reader, field, visit);
    else if (code === GUEST_RATES_CODE && version === VERSION_WITH_GUEST_RATES)
      readGuestRates(reader, visitGuestRates);
    else if (code === GUEST_RATES_CODE)
      throw new RangeError(`calendar bytes of version ${version} with field ${code}`);
    else readRuns(reader, code, visitUnknown);
  }
}

function readGuestRates(reader: VarintReader, visit: GuestRatesVisitor): void {
  const tables: GuestRates[] = [];
  for (let left = reader.read(); left > 0; left--) tables.push(readGuestTable(reader));
  readRuns(reader, tables, (_, from, until, value) => {
    const table = tables[value];
    if (table === undefined) throw new RangeError(`calendar bytes without table ${value}`);
    visit(from, until, table);
  });
}

function readRuns<Of>(
  reader: VarintReader,
  of: Of,
  visit: (of: Of, from: EpochDay, until: EpochDay, value: number) => void,
): void {
  const run = new RunReader(reader);
  for (let left = reader.read(); left > 0; left--) {
    run.next();
    visit(of, run.from, run.until, run.value);
  }
}

function encodeFields(
  calendar: Calendar,
  isWanted: (field: CalendarField) => boolean,
  ratesByGuests: NightRuns<GuestRates>,
  unknown: readonly UnknownField[],
): Uint8Array {
  const writer = new VarintWriter();
  writer.write(ratesByGuests.length === 0 ? VERSION : VERSION_WITH_GUEST_RATES);
  for (const [code, field] of FIELD_OF_CODE.entries()) {
    if (field === undefined || calendar[field].length === 0 || !isWanted(field)) continue;
    const runs = calendar[field];
    writer.write(code);
    writer.write(runs.length);
    writeRuns(writer, runs);
  }
  if (ratesByGuests.length > 0) writeGuestRates(writer, ratesByGuests);
  // Their codes are above all that are known here: codes are given upwards.
  for (const { code, runs } of unknown) {
    writer.write(code);
    writer.write(runs.length);
    writeRuns(writer, runs);
  }
  return writer.toBytes();
}

function writeGuestRates(writer: VarintWriter, ratesByGuests: NightRuns<GuestRates>): void {
  const tables = new Map<string, { readonly number: number; readonly table: GuestRates }>();
  const runs = ratesByGuests.map(({ from, until, value: table }): NightRun => {
    const key = table.map(({ guests, rate }) => `${guests}:${rate}`).join();
    const { number } = tables.get(key) ?? { number: tables.size };
    tables.set(key, { number, table });
    return { from, until, value: number };
  });
  writer.write(GUEST_RATES_CODE);
  writer.write(tables.size);
  for (const { table } of tables.values()) {
    writer.write(table.length);
    for (const { guests, rate } of table) {
      writer.write(guests);
      writer.write(rate);
    }
  }
  writer.write(runs.length);
  writeRuns(writer, runs);
}

// Runs as bytes, each as three varints: nights since the end of the run before (since 0001-01-01 for the first),
// nights, value.

const RUN_VARINTS = 3;

export function writeRuns(writer: VarintWriter, runs: NightRuns): void {
  let night = EPOCH_DAY_MIN;
  for (const { from, until, value } of runs) {
    writer.write(from - night);
    writer.write(until - from);
    writer.write(value);
    night = until;
  }
}

/** The last run read, in place: a catalogue has many runs, and an object for each would cost more. */
export class RunReader {
  from: EpochDay = EPOCH_DAY_MIN;
  until: EpochDay = EPOCH_DAY_MIN;
  value = 0;
  readonly #reader: VarintReader;

  constructor(reader: VarintReader) {
    this.#reader = reader;
  }

  next(): void {
    this.from = this.until + this.#reader.read();
    this.until = this.from + this.#reader.read();
    this.value = this.#reader.read();
  }
}

// Unsigned integers in as few bytes as they need: seven bits per byte, lowest first, the high bit says that more
// follow. Every integer of a double (0..2^53 - 1) survives, hence arithmetic instead of 32-bit operators.

/** 2^53 - 1 takes eight groups of seven bits. */
const VARINT_BYTES_MAX = 8;

export class VarintWriter {
  readonly #bytes: number[] = [];

  write(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not an unsigned integer: ${value}`);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes.push((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes.push(rest);
  }

  toBytes(): Uint8Array {
    return new Uint8Array(this.#bytes);
  }
}

/** Throws on truncated bytes and on larger integers: our encoder writes neither. */
export class VarintReader {
  /** Index of the next byte. */
  position = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.position >= this.#bytes.length;
  }

  skip(count: number): void {
    for (let left = count; left > 0 && !this.isAtEnd; this.position++)
      if (this.#bytes[this.position]! < 0x80) left--;
  }

  read(): number {
    const byte = this.#bytes[this.position++];
    if (byte !== undefined && byte < 0x80) return byte;
    // Most rates have two bytes or three.
    const second = this.#bytes[this.position];
    if (byte !== undefined && second !== undefined && second < 0x80) {
      this.position++;
      return (byte & 0x7f) | (second << 7);
    }
    return this.#readLong(byte);
  }

  #readLong(first: number | undefined): number {
    let byte = first;
    let value = 0;
    let weight = 1;
    for (let count = 1; byte !== undefined && count <= VARINT_BYTES_MAX; count++) {
      value += (byte % 0x80) * weight;
      if (byte < 0x80) return value;
      weight *= 0x80;
      byte = this.#bytes[this.position++];
    }
    throw new RangeError('damaged varint');
  }
}
