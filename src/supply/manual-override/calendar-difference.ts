/** Which nights of a calendar change from what to what, as people and programs read it. */
import { type Calendar, type EntryFields } from '../../domain/calendar.ts';
import { ALL_FIELDS } from '../../domain/calendar-fields.ts';
import { sameGuestRates } from '../../domain/guest-rates.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { visitStretches } from '../../domain/night-runs.ts';

/** The nights `from`..`to`, both included; both sides name the fields that differ, null where one is not set. */
export interface NightsDifference {
  readonly from: EpochDay;
  readonly to: EpochDay;
  readonly before: EntryFields;
  readonly after: EntryFields;
}

/** Ascending; neighbours that change in the same way are one. */
export function differenceOf(before: Calendar, after: Calendar): NightsDifference[] {
  const differences: NightsDifference[] = [];
  const runs = [...ALL_FIELDS.map((field) => before[field]), ...ALL_FIELDS.map((field) => after[field])];
  visitStretches(runs, (from, until, values) => {
    const sides = sidesOf(values.slice(0, ALL_FIELDS.length), values.slice(ALL_FIELDS.length));
    if (sides === undefined) return;
    const last = differences.at(-1);
    const isJoined = last !== undefined && last.to + 1 === from && isSame(last, sides);
    if (isJoined) differences.pop();
    differences.push({ from: isJoined ? last.from : from, to: until - 1, ...sides });
  });
  return differences;
}

type Sides = Pick<NightsDifference, 'before' | 'after'>;

function sidesOf(before: readonly unknown[], after: readonly unknown[]): Sides | undefined {
  const changed = ALL_FIELDS.flatMap((field, index) =>
    isSameValue(before[index], after[index]) ? [] : [{ field, index }],
  );
  if (changed.length === 0) return undefined;
  const sideOf = (values: readonly unknown[]): EntryFields =>
    Object.fromEntries(changed.map(({ field, index }) => [field, values[index] ?? null]));
  return { before: sideOf(before), after: sideOf(after) };
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return sameGuestRates(one, other);
  return one === other;
}

function isSame(one: Sides, other: Sides): boolean {
  return JSON.stringify([one.before, one.after]) === JSON.stringify([other.before, other.after]);
}
