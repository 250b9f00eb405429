/** The calendar of one inventory type: the values of its nights, field by field, as runs. */
import { ALL_FIELDS, CALENDAR_FIELDS, type CalendarField } from './calendar-fields.ts';
import type { EpochDay } from './local-date.ts';
import { sameGuestRates, type GuestRates } from './guest-rates.ts';
import { holdsOverlay, overlayRuns, visitStretches, type NightRuns, type Overlay } from './night-runs.ts';

export interface Calendar extends Readonly<Record<CalendarField, NightRuns>> {
  /** Where it is set, `rate` and extra guests do not count (OPERATOR 8). */
  readonly ratesByGuests: NightRuns<GuestRates>;
  /** Fields of a later release, kept unchanged. */
  readonly unknown: readonly UnknownField[];
}

/** A field by its code in the stored bytes. */
export interface UnknownField {
  readonly code: number;
  readonly runs: NightRuns;
}

/** The operator's values for the nights `from`..`to`, both included; null clears a field, an absent one is kept. */
export interface CalendarEntry {
  readonly from: EpochDay;
  readonly to: EpochDay;
  readonly set: EntryFields;
}

/** One value per named field; null clears it. */
export interface EntryFields extends Readonly<Partial<Record<CalendarField, number | null>>> {
  readonly ratesByGuests?: GuestRates | null;
}

const NOTHING_UNKNOWN: readonly UnknownField[] = [];

/** Copied for each calendar: one hidden class keeps reading a field fast. */
const NOTHING_SET = Object.fromEntries(ALL_FIELDS.map((field) => [field, []])) as unknown as Record<
  CalendarField,
  NightRuns
> & { ratesByGuests: NightRuns<GuestRates>; unknown: readonly UnknownField[] };

/** No value on any night: no availability, so never open. */
export const EMPTY_CALENDAR: Calendar = buildCalendar([]);

/** Lays the entries over each other: field by field, the last one that names a night decides. O(n log n). */
export function buildCalendar(entries: readonly CalendarEntry[]): Calendar {
  assertOrdered(entries);
  return makeCalendar(
    (field) => overlayRuns(overlaysOf(entries, field)),
    overlayRuns(overlaysOf(entries, 'ratesByGuests'), sameGuestRates),
  );
}

/** Lays the entries over the calendar, as `buildCalendar` does over an empty one; other fields are kept. */
export function overlayCalendar(calendar: Calendar, entries: readonly CalendarEntry[]): Calendar {
  assertOrdered(entries);
  const guestRates = overlaysOf(entries, 'ratesByGuests');
  return makeCalendar(
    (field) => {
      const overlays = overlaysOf(entries, field);
      return overlays.length === 0 ? calendar[field] : overlayRuns([...calendar[field], ...overlays]);
    },
    guestRates.length === 0
      ? calendar.ratesByGuests
      : overlayRuns([...calendar.ratesByGuests, ...guestRates], sameGuestRates),
    calendar.unknown,
  );
}

/** Makes a calendar by computing its number fields one by one, in the order of CALENDAR_FIELDS. */
export function makeCalendar(
  runsOf: (field: CalendarField) => NightRuns,
  ratesByGuests: NightRuns<GuestRates> = [],
  unknown: readonly UnknownField[] = NOTHING_UNKNOWN,
): Calendar {
  const calendar = { ...NOTHING_SET, ratesByGuests, unknown };
  for (const field of CALENDAR_FIELDS) calendar[field] = runsOf(field);
  return calendar;
}

/** The inverse of `buildCalendar`: the fewest ascending date ranges without overlap that build the same calendar. */
export function calendarRanges(calendar: Calendar): CalendarEntry[] {
  const ranges: CalendarEntry[] = [];
  const fields = CALENDAR_FIELDS.map((field) => calendar[field]);
  visitStretches([calendar.ratesByGuests, ...fields], (from, until, [ratesByGuests, ...values]) => {
    const set: Partial<Record<CalendarField, number>> = {};
    for (const [index, field] of CALENDAR_FIELDS.entries()) {
      const value = values[index];
      if (value !== undefined) set[field] = value;
    }
    ranges.push({ from, to: until - 1, set: ratesByGuests === undefined ? set : { ...set, ratesByGuests } });
  });
  return ranges;
}

/** Stands for null, which runs do not hold: no value is negative. */
const CLEARED = -1;
const NO_GUEST_RATES: GuestRates = [];

/** Merges entries into few ascending ranges without overlap that change a calendar in the same way. */
export function mergeEntries(entries: readonly CalendarEntry[]): CalendarEntry[] {
  const merged = makeCalendar(
    (field) => overlayRuns(markCleared(overlaysOf(entries, field), CLEARED)),
    overlayRuns(markCleared(overlaysOf(entries, 'ratesByGuests'), NO_GUEST_RATES), sameGuestRates),
  );
  return calendarRanges(merged).map(({ from, to, set: { ratesByGuests, ...numbers } }) => {
    const fields = Object.entries(numbers).map(([field, value]) => [field, value === CLEARED ? null : value]);
    const set: EntryFields = Object.fromEntries(fields);
    if (ratesByGuests === undefined) return { from, to, set };
    return { from, to, set: { ...set, ratesByGuests: ratesByGuests?.length === 0 ? null : ratesByGuests } };
  });
}

function markCleared<Value>(overlays: readonly Overlay<Value>[], mark: Value): Overlay<Value>[] {
  return overlays.map((overlay) => (overlay.value === null ? { ...overlay, value: mark } : overlay));
}

/** Whether the calendar already has all values of the entry. */
export function holdsEntry(calendar: Calendar, entry: CalendarEntry): boolean {
  return (
    CALENDAR_FIELDS.every((field) =>
      overlaysOf([entry], field).every((overlay) => holdsOverlay(calendar[field], overlay)),
    ) &&
    overlaysOf([entry], 'ratesByGuests').every((overlay) =>
      holdsOverlay(calendar.ratesByGuests, overlay, sameGuestRates),
    )
  );
}

function assertOrdered(entries: readonly CalendarEntry[]): void {
  for (const { from, to } of entries) {
    if (!(from <= to)) throw new RangeError(`calendar entry from day ${from} to day ${to}`);
  }
}

function overlaysOf<Field extends keyof EntryFields>(
  entries: readonly CalendarEntry[],
  field: Field,
): Overlay<NonNullable<EntryFields[Field]>>[] {
  const overlays: Overlay<NonNullable<EntryFields[Field]>>[] = [];
  for (const { from, to, set } of entries) {
    const value = set[field];
    if (value !== undefined) overlays.push({ from, until: to + 1, value });
  }
  return overlays;
}
