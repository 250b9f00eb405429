/** Other stays for one that can't be had: which are tried, in which order, and how many are told. */
import type { EpochDay } from './local-date.ts';
import { NEAREST_STAYS_MAX, nearestShifts, OPENING_DAYS_MAX } from './nearest-shifts.ts';

/** The longest stay that is told instead of one from the same check-in. */
export const INSTEAD_NIGHTS_MAX = 30;

/** Other check-ins, and one other length. */
export const INSTEAD_STAYS_MAX = NEAREST_STAYS_MAX + 1;

export interface StayDates {
  readonly checkIn: EpochDay;
  readonly checkOut: EpochDay;
}

/** A stay that can be had, and what was answered of it. */
export interface InsteadStay<Answer> extends StayDates {
  readonly answer: Answer;
}

/** The stays that may be told instead of one, each list in the order in which it is tried. */
export interface OtherStays {
  /** Stays of the same length, the nearest by days first, of two that are equally near the earlier. */
  readonly checkIns: readonly StayDates[];
  /** From the same check-in, the length that differs least first, of two the longer. */
  readonly lengths: readonly StayDates[];
}

export function otherStays(wanted: StayDates): OtherStays {
  return { checkIns: [...otherCheckIns(wanted)], lengths: [...otherLengths(wanted)] };
}

/**
 * The first three other check-ins that can be had, then the first other length. `ask` answers undefined for a stay that
 * can't be had. There is a step after each question.
 */
export function* findInstead<Answer>(
  { checkIns, lengths }: OtherStays,
  ask: (stay: StayDates) => Answer | undefined,
): Generator<void, readonly InsteadStay<Answer>[]> {
  const others = yield* askInTurn(checkIns, NEAREST_STAYS_MAX, ask);
  return [...others, ...(yield* askInTurn(lengths, 1, ask))];
}

function* askInTurn<Answer>(
  stays: readonly StayDates[],
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

function* otherLengths({ checkIn, checkOut }: StayDates): Generator<StayDates> {
  const nights = checkOut - checkIn;
  for (let difference = 1; difference < Math.max(nights, INSTEAD_NIGHTS_MAX); difference += 1) {
    for (const length of [nights + difference, nights - difference])
      if (length >= 1 && length <= INSTEAD_NIGHTS_MAX) yield { checkIn, checkOut: checkIn + length };
  }
}
