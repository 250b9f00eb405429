/** The terms of a property as dates and amounts of one stay. */
import type { EpochDay } from './local-date.ts';
import { parseMoney, roundHalfUp } from './money.ts';
import type { CancellationStep, PaymentStep } from './property-details.ts';

/** Who cancels on this day, or before, gets so much back. */
export interface Refund {
  readonly until: EpochDay;
  /** Decimal string above 0. */
  readonly refundPercent: string;
}

/** Ascending. Steps that have passed are left out, and those that give nothing back. */
export function refundsFrom(
  steps: readonly CancellationStep[],
  checkIn: EpochDay,
  today: EpochDay,
): readonly Refund[] {
  return steps
    .map(({ daysBefore, refundPercent }) => ({ until: checkIn - daysBefore, refundPercent }))
    .filter(({ until, refundPercent }) => until >= today && parseMoney(refundPercent) !== 0n)
    .filter(({ refundPercent }, index, all) => !isSamePercent(refundPercent, all[index + 1]?.refundPercent));
}

/** Of steps with one percentage the last says until when. */
function isSamePercent(one: string, other: string | undefined): boolean {
  return other !== undefined && parseMoney(one) === parseMoney(other);
}

export interface Payment {
  readonly due: 'booking' | 'arrival' | EpochDay;
  /** Minor units; all together are the total. */
  readonly amount: bigint;
}

const HUNDREDTHS_PER_WHOLE = 10_000n;

/**
 * What is paid when, in order. Each amount is what is due by then (rounded half up) less what was due before, so that
 * they are the total together: 100.00 in three steps of 33.33, 33.33 and 33.34 %. A day that has come is paid with the booking.
 */
export function splitPayment(
  steps: readonly PaymentStep[],
  total: bigint,
  { checkIn, today }: { readonly checkIn: EpochDay; readonly today: EpochDay },
): readonly Payment[] {
  const payments: Payment[] = [];
  let hundredths = 0n;
  let paid = 0n;
  for (const { due, daysBefore, percent } of steps) {
    hundredths += parseMoney(percent) ?? 0n;
    const dueByThen = roundHalfUp(total * hundredths, HUNDREDTHS_PER_WHOLE);
    const amount = dueByThen - paid;
    paid = dueByThen;
    const day = checkIn - (daysBefore ?? 0);
    const moment = due !== 'daysBefore' ? due : day <= today ? 'booking' : day;
    const last = payments.at(-1);
    if (last?.due === moment) payments[payments.length - 1] = { due: moment, amount: last.amount + amount };
    else payments.push({ due: moment, amount });
  }
  return payments;
}
