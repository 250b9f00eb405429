/**
 * Holds back a reading of a type that opens half or more of its closed nights, or lets half or more of its prices fall
 * by more than half: that is more often a fault of a provider than good news. Closings, higher prices and lost prices
 * apply at once.
 */
import {
  buildCalendar,
  type Calendar,
  type CalendarEntry,
  calendarRanges,
  overlayCalendar,
} from '../../domain/calendar.ts';
import { lowestGuestRate } from '../../domain/guest-rates.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { type NightRuns, overlayRuns, type Overlay, visitStretches } from '../../domain/night-runs.ts';
import { opensTooMuch } from '../polling/held-back.ts';

export interface HeldBack {
  /** The reading, without what is held back. */
  readonly applied: Calendar;
  readonly opens: boolean;
  readonly cheapens: boolean;
}

/**
 * `before` is the connection's layer, empty before the first reading: then nothing is held back. Openings that the
 * account repeated apply, whatever they are.
 */
export function holdReading(
  before: Calendar,
  after: Calendar,
  { today, isRepeated }: { readonly today: EpochDay; readonly isRepeated: boolean },
): HeldBack {
  const was = closedNights(before);
  const opens = !isRepeated && opensTooMuch(was, within(closedNights(after), knownNights(before)), today);
  const fallen = fallenPrices(before, after, today);
  const cheapens = fallen.count > 0 && fallen.count * 2 >= fallen.priced;
  let applied = after;
  if (opens) applied = overlayCalendar(applied, closings(was, applied, today));
  if (cheapens) applied = overlayCalendar(applied, pricesOf(before, fallen.nights));
  return { applied, opens, cheapens };
}

/** Nights of the layer without a unit to sell. */
export function closedNights({ availability, stopSell }: Calendar): NightRuns {
  const nights: Overlay[] = [];
  visitStretches([availability, stopSell], (from, until, [units, isStopped]) => {
    if (units === 0 || isStopped === 1) nights.push({ from, until, value: 1 });
  });
  return overlayRuns(nights);
}

function knownNights({ availability }: Calendar): NightRuns {
  return overlayRuns(availability.map(({ from, until }) => ({ from, until, value: 1 })));
}

function within(runs: NightRuns, bounds: NightRuns): NightRuns {
  const nights: Overlay[] = [];
  visitStretches([runs, bounds], (from, until, [value, isWithin]) => {
    if (value !== undefined && isWithin !== undefined) nights.push({ from, until, value });
  });
  return overlayRuns(nights);
}

/** Keeps closed what was closed and would open. */
function closings(was: NightRuns, after: Calendar, today: EpochDay): CalendarEntry[] {
  const entries: CalendarEntry[] = [];
  visitStretches([was, closedNights(after)], (from, until, [wasClosed, isClosed]) => {
    if (wasClosed === undefined || isClosed !== undefined || until <= today) return;
    entries.push({ from: Math.max(from, today), to: until - 1, set: { stopSell: 1 } });
  });
  return entries;
}

interface Fallen {
  readonly priced: number;
  readonly count: number;
  readonly nights: NightRuns;
}

/** Nights from today on whose price in `after` is less than half of that in `before`. */
function fallenPrices(before: Calendar, after: Calendar, today: EpochDay): Fallen {
  let priced = 0;
  let count = 0;
  const nights: Overlay[] = [];
  const fields = [before.rate, before.ratesByGuests, after.rate, after.ratesByGuests] as const;
  visitStretches(fields, (from, until, [rate, byGuests, newRate, newByGuests]) => {
    const old = byGuests === undefined ? rate : lowestGuestRate(byGuests);
    const length = until - Math.max(from, today);
    if (old === undefined || length <= 0) return;
    priced += length;
    const now = newByGuests === undefined ? newRate : lowestGuestRate(newByGuests);
    if (now === undefined || now * 2 >= old) return;
    count += length;
    nights.push({ from: Math.max(from, today), until, value: 1 });
  });
  return { priced, count, nights: overlayRuns(nights) };
}

/** The prices of these nights, and nothing else of them. */
function pricesOf(calendar: Calendar, nights: NightRuns): CalendarEntry[] {
  return nights.flatMap(({ from, until }) =>
    calendarRanges(calendar)
      .filter((range) => range.from < until && range.to >= from)
      .map(({ from: begin, to, set: { rate = null, ratesByGuests = null } }) => ({
        from: Math.max(begin, from),
        to: Math.min(to, until - 1),
        set: { rate, ratesByGuests },
      })),
  );
}

/** A layer closed for its age, as it was before. */
export function withoutAgeClosing(calendar: Calendar): Calendar {
  return buildCalendar(
    calendarRanges(calendar).map(({ from, to, set: { stopSell: _closed, ...set } }) => ({ from, to, set })),
  );
}
