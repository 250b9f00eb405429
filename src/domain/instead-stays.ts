/** Other stays for one that can't be had: which are tried, in which order, and how many are told. */
import type { EpochDay } from './local-date.ts';
import { NEAREST_STAYS_MAX, nearestShifts, OPENING_DAYS_MAX } from './nearest-shifts.ts';

/** The longest stay that is told instead of one from the same check-in. */
export const INSTEAD_NIGHTS_MAX = 30;

/** Other check-ins, and one other length. */
export const INSTEAD_STAYS_MAX = NEAREST_STAYS_MAX + 1;

interface StayDates {
  readonly checkIn: EpochDay;
  readonly checkOut: EpochDay;
}

/** A stay that can be had, and what was answered of it. */
export interface InsteadStay<Answer> extends StayDates {
  readonly answer: Answer;
}

/**
 * At most three stays of the same length, the nearest by days first, of two that are equally near the earlier; then the
 * one stay from the same check-in whose length differs least, of two the longer. `ask` answers undefined for a stay that
 * can't be had. There is a step after each question.
 */
export function* findInstead<Answer>(
  wanted: StayDates,
  ask: (stay: StayDates) => Answer | undefined,
): Generator<void, readonly InsteadStay<Answer>[]> {
  const others = yield* askInTurn(otherCheckIns(wanted), NEAREST_STAYS_MAX, ask);
  return [...others, ...(yield* askInTurn(otherLengths(wanted), 1, ask))];
}

function* askInTurn<Answer>(
  stays: Iterable<StayDates>,
  foundMax: number,
  ask: (stay: StayDates) => Answer | undefined,
): Generator<void, readonly InsteadStay<Answer>[]> {
  const found: InsteadStay<Answer>[] = [];
  for (const stay of stays) {
    const answer = ask(stay);
    if (answer !== undefined) found.push({ ...stay, answer });
    if (found.length === foundMax) break;
    yield;
  }
  return found;
}

function* otherCheckIns({ checkIn, checkOut }: StayDates): Generator<StayDates> {
  for (const shift of nearestShifts(OPENING_DAYS_MAX, 'earlier'))
    yield { checkIn: checkIn + shift, checkOut: checkOut + shift };
}

/** The least different first, of two the longer. */
function* otherLengths({ checkIn, checkOut }: StayDates): Generator<StayDates> {
  const nights = checkOut - checkIn;
  for (let difference = 1; difference < Math.max(nights, INSTEAD_NIGHTS_MAX); difference += 1) {
    for (const length of [nights + difference, nights - difference])
      if (length >= 1 && length <= INSTEAD_NIGHTS_MAX) yield { checkIn, checkOut: checkIn + length };
  }
}
