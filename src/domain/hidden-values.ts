/**
 * Values that are stored and that nobody pays or books, because another value of the same night hides them: a rate under
 * rates by guests, units under a stop-sell, both under nights that are closed manually.
 */
import { type AnyField, FIELDS } from './calendar-fields.ts';
import { type Calendar, type CalendarEntry, EMPTY_CALENDAR, makeCalendar } from './calendar.ts';
import type { EpochDay } from './local-date.ts';
import { type NightRun, type NightRuns, overlayRuns, someOver, visitStretches } from './night-runs.ts';
import type { InventoryType } from './property.ts';

export interface HiddenValue {
  readonly field: AnyField | 'extraGuestRate';
  /** A field of the same layer, or the nights that people closed. */
  readonly by: AnyField | typeof CLOSED_MANUALLY;
}

export const CLOSED_MANUALLY = 'closedManually';

/** The calendar without rates under rates by guests. */
export function withoutHiddenRates(calendar: Calendar): Calendar {
  const { rate, ratesByGuests } = calendar;
  if (rate.length === 0 || ratesByGuests.length === 0) return calendar;
  return makeCalendar(
    (field) => (field === 'rate' ? without(rate, ratesByGuests) : calendar[field]),
    ratesByGuests,
    calendar.unknown,
  );
}

/** The calendar without any hidden value. */
function seenOf(calendar: Calendar): Calendar {
  const priced = withoutHiddenRates(calendar);
  const stopped = calendar.stopSell.filter(({ value }) => value === 1);
  if (stopped.length === 0) return priced;
  return makeCalendar(
    (field) => (field === 'availability' ? without(priced.availability, stopped) : priced[field]),
    priced.ratesByGuests,
    priced.unknown,
  );
}

function without(runs: NightRuns, hiding: NightRuns<unknown>): NightRuns {
  return overlayRuns([...runs, ...hiding.map(({ from, until }) => ({ from, until, value: null }))]);
}

/** Tells of each entry whether one of its fields changes what is seen of its nights. */
export function makeSeenChange(before: Calendar, after: Calendar): (entry: CalendarEntry) => boolean {
  const [seenBefore, seenAfter] = [seenOf(before), seenOf(after)];
  const changes = new Map<AnyField, NightRuns>();
  const changesOf = (field: AnyField): NightRuns => {
    const known = changes.get(field) ?? changedNights(seenBefore[field], seenAfter[field]);
    changes.set(field, known);
    return known;
  };
  return ({ from, to, set }) =>
    FIELDS.some((field) => set[field] !== undefined && isSetOver(changesOf(field), from, to));
}

function changedNights(before: NightRuns<unknown>, after: NightRuns<unknown>): NightRun[] {
  const changed: NightRun[] = [];
  visitStretches([before, after], (from, until, [one, other]) => {
    if (JSON.stringify(one) !== JSON.stringify(other)) changed.push({ from, until, value: 1 });
  });
  return changed;
}

function isSetOver(runs: NightRuns<unknown>, from: EpochDay, to: EpochDay): boolean {
  return someOver(runs, from, to + 1, (value) => value !== undefined);
}

/** Values of the entry that `calendar`, or a manual closing of another layer, hides on some of its nights. */
export function hiddenOf(
  calendar: Calendar,
  { from, to, set }: CalendarEntry,
  manual: Calendar = EMPTY_CALENDAR,
): HiddenValue[] {
  const hidden: HiddenValue[] = [];
  if (typeof set.rate === 'number' && isSetOver(calendar.ratesByGuests, from, to))
    hidden.push({ field: 'rate', by: 'ratesByGuests' });
  const isStopped = (value: number | undefined): boolean => value === 1;
  const { availability = 0 } = set;
  // An entry that closes the night itself means it.
  if (availability !== null && availability > 0 && set.stopSell !== 1) {
    if (someOver(calendar.stopSell, from, to + 1, isStopped))
      hidden.push({ field: 'availability', by: 'stopSell' });
  }
  if (someOver(manual.stopSell, from, to + 1, isStopped)) {
    if (availability !== null && availability > 0)
      hidden.push({ field: 'availability', by: CLOSED_MANUALLY });
    if (typeof set.rate === 'number') hidden.push({ field: 'rate', by: CLOSED_MANUALLY });
    if (set.ratesByGuests) hidden.push({ field: 'ratesByGuests', by: CLOSED_MANUALLY });
  }
  return hidden;
}

/** Values of a document's type that its calendar hides. */
export function hiddenOfType(type: InventoryType, calendar: Calendar): HiddenValue[] {
  if (calendar.ratesByGuests.length === 0) return [];
  const hidden: HiddenValue[] = [];
  if (calendar.rate.some(({ from, until }) => isSetOver(calendar.ratesByGuests, from, until - 1)))
    hidden.push({ field: 'rate', by: 'ratesByGuests' });
  if (Number(type.extraGuestRate) > 0 && type.includedGuests < type.guestsMax)
    hidden.push({ field: 'extraGuestRate', by: 'ratesByGuests' });
  return hidden;
}
