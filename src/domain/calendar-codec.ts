/**
 * Calendars as bytes: two columns per inventory type, one with what the night index needs and one with the rates.
 *
 * Layout, version 1, everything a varint (`varint.ts`):
 *
 *     version = 1
 *     per field that is set anywhere, in ascending order of its code:
 *       field code (FIELD_CODES), number of runs
 *       per run: nights since the end of the run before (since 0001-01-01 for the first), nights, value
 *
 * Equal calendars have equal bytes, so bytes tell whether anything changed.
 */
import { makeCalendar, type Calendar, type CalendarField } from './calendar.ts';
import { EPOCH_DAY_MIN, type EpochDay } from './local-date.ts';
import type { NightRun, NightRuns } from './night-runs.ts';
import { VarintReader, VarintWriter } from './varint.ts';

const VERSION = 1;

/** Position is code; written to databases, so a new field goes to the end. */
const FIELD_CODES: readonly CalendarField[] = [
  'availability',
  'rate',
  'stopSell',
  'closedToArrival',
  'closedToDeparture',
  'minStayArrival',
  'minStayThrough',
  'maxStay',
];

export type NightVisitor = (field: CalendarField, from: EpochDay, until: EpochDay, value: number) => void;

/** Availability and restrictions: every field but the rate. */
export function encodeNights(calendar: Calendar): Uint8Array {
  return encodeFields(calendar, (field) => field !== 'rate');
}

export function encodeRates(calendar: Calendar): Uint8Array {
  return encodeFields(calendar, (field) => field === 'rate');
}

/** The calendar back; without `rates` one in which no rate is set. Throws on bytes of another version. */
export function decodeCalendar(nights: Uint8Array, rates?: Uint8Array): Calendar {
  const runs: Partial<Record<CalendarField, NightRun[]>> = {};
  const collect: NightVisitor = (field, from, until, value) => {
    (runs[field] ??= []).push({ from, until, value });
  };
  visitNights(nights, collect);
  if (rates !== undefined) visitNights(rates, collect);
  return makeCalendar((field) => runs[field] ?? []);
}

/** Visits every run of either column, field by field, ascending, without building anything on the way. */
export function visitNights(bytes: Uint8Array, visit: NightVisitor): void {
  const reader = new VarintReader(bytes);
  const version = reader.read();
  if (version !== VERSION) throw new RangeError(`calendar bytes of unknown version ${version}`);
  while (!reader.isAtEnd) {
    const code = reader.read();
    const field = FIELD_CODES[code];
    if (field === undefined) throw new RangeError(`calendar bytes with unknown field ${code}`);
    let night = EPOCH_DAY_MIN;
    for (let left = reader.read(); left > 0; left--) {
      const from = night + reader.read();
      night = from + reader.read();
      visit(field, from, night, reader.read());
    }
  }
}

function encodeFields(calendar: Calendar, isWanted: (field: CalendarField) => boolean): Uint8Array {
  const writer = new VarintWriter();
  writer.write(VERSION);
  for (const [code, field] of FIELD_CODES.entries()) {
    const runs = calendar[field];
    if (runs.length === 0 || !isWanted(field)) continue;
    writer.write(code);
    writeRuns(writer, runs);
  }
  return writer.toBytes();
}

function writeRuns(writer: VarintWriter, runs: NightRuns): void {
  writer.write(runs.length);
  let night = EPOCH_DAY_MIN;
  for (const { from, until, value } of runs) {
    writer.write(from - night);
    writer.write(until - from);
    writer.write(value);
    night = until;
  }
}
