/** Values over nights, run by run: the data structure of calendars and lowest rates. */
import type { EpochDay } from './local-date.ts';

/** The nights `from` (included) to `until` (excluded) all have `value`. */
export interface NightRun<Value = number> {
  readonly from: EpochDay;
  readonly until: EpochDay;
  readonly value: Value;
}

/** Ascending, disjoint; neighbours that touch have different values. A night in no run is not set. */
export type NightRuns<Value = number> = readonly NightRun<Value>[];

/** Sets the nights `from` (included) to `until` (excluded) to `value`, or clears them. */
export interface Overlay<Value = number> {
  readonly from: EpochDay;
  readonly until: EpochDay;
  readonly value: Value | null;
}

/** Whether two values are equal, so that neighbouring runs become one. */
export type SameValue<Value> = (one: Value, other: Value) => boolean;

/** The value of `night`, or undefined when it is not set. */
export function valueAt<Value>(runs: NightRuns<Value>, night: EpochDay): Value | undefined {
  const run = runs[firstRunEndingAfter(runs, night)];
  return run !== undefined && run.from <= night ? run.value : undefined;
}

/** Whether the test holds for some night from (included) to until (excluded); unset nights give it undefined. */
export function someOver<Value>(
  runs: NightRuns<Value>,
  from: EpochDay,
  until: EpochDay,
  test: (value: Value | undefined) => boolean,
): boolean {
  let night = from;
  for (let index = firstRunEndingAfter(runs, from); night < until; index++) {
    const run = runs[index];
    const isGap = run === undefined || run.from > night;
    if (isGap && test(undefined)) return true;
    if (run === undefined || run.from >= until) return false;
    if (test(run.value)) return true;
    night = run.until;
  }
  return false;
}

/** Whether all nights already have the overlay's value, or none has any when it clears. */
export function holdsOverlay<Value>(
  runs: NightRuns<Value>,
  { from, until, value }: Overlay<Value>,
  isSame: SameValue<Value> = Object.is,
): boolean {
  const run = runs[firstRunEndingAfter(runs, from)];
  if (value === null) return run === undefined || run.from >= until;
  return run !== undefined && run.from <= from && run.until >= until && isSame(run.value, value);
}

/** Index of the first run that ends after `night`; the number of runs when none does. */
function firstRunEndingAfter(runs: NightRuns<unknown>, night: EpochDay): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (runs[middle]!.until > night) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** One place per field, with the type of its values. */
type ValuesOf<Fields extends readonly NightRuns<unknown>[]> = {
  readonly [Place in keyof Fields]: Fields[Place][number]['value'] | undefined;
};

/**
 * Visits the longest stretches of nights on which no field changes, ascending, leaving out stretches without any value.
 * `values` has one place per field, undefined where it is not set, and is reused: copy, don't keep.
 */
export function visitStretches<const Fields extends readonly NightRuns<unknown>[]>(
  fields: Fields,
  visit: (from: EpochDay, until: EpochDay, values: ValuesOf<Fields>) => void,
): void {
  const places = fields.map(() => 0);
  const values: unknown[] = fields.map(() => undefined);
  let night = Number.NEGATIVE_INFINITY;
  for (;;) {
    let changesAt = Number.POSITIVE_INFINITY;
    let isSet = false;
    for (let field = 0; field < fields.length; field++) {
      const runs = fields[field]!;
      if (runs[places[field]!]?.until === night) places[field]!++;
      const run = runs[places[field]!];
      const isWithin = run !== undefined && run.from <= night;
      values[field] = isWithin ? run.value : undefined;
      if (run !== undefined) changesAt = Math.min(changesAt, isWithin ? run.until : run.from);
      isSet ||= isWithin;
    }
    if (changesAt === Number.POSITIVE_INFINITY) return;
    if (isSet) visit(night, changesAt, values as unknown as ValuesOf<Fields>);
    night = changesAt;
  }
}

/** Lays the overlays over each other in order, each hiding those below. O(n log n). */
export function overlayRuns<Value>(
  overlays: readonly Overlay<Value>[],
  isSame: SameValue<Value> = Object.is,
): NightRun<Value>[] {
  if (isAscending(overlays)) return joinRuns(overlays, isSame);
  // Night by night in another order, as some files are: without overlaps the order of writing does not matter.
  const sorted = overlays.toSorted((a, b) => a.from - b.from);
  return joinRuns(isAscending(sorted) ? sorted : flatten(overlays), isSame);
}

/** Whether each begins at or after the end of the one before. */
function isAscending(overlays: readonly Overlay<unknown>[]): boolean {
  let end = Number.NEGATIVE_INFINITY;
  for (const { from, until } of overlays) {
    if (from < end) return false;
    end = until;
  }
  return true;
}

/** Drops cleared nights and joins neighbours of equal value. */
function joinRuns<Value>(ascending: Iterable<Overlay<Value>>, isSame: SameValue<Value>): NightRun<Value>[] {
  const runs: { from: EpochDay; until: EpochDay; value: Value }[] = [];
  for (const { from, until, value } of ascending) {
    if (value === null) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.until === from && isSame(last.value, value)) last.until = until;
    else runs.push({ from, until, value });
  }
  return runs;
}

/**
 * Works from the top overlay down: each one takes only free stretches. `next[i]` points to the first free stretch at or
 * after i, with shortcuts, so taken stretches are never walked twice.
 */
function flatten<Value>(overlays: readonly Overlay<Value>[]): Overlay<Value>[] {
  const bounds = distinctBounds(overlays);
  const next = Int32Array.from(bounds.keys());
  const seen: (Overlay<Value> | undefined)[] = new Array(bounds.length).fill(undefined);
  for (let top = overlays.length - 1; top >= 0; top--) {
    const overlay = overlays[top]!;
    const end = placeOf(bounds, overlay.until);
    for (let i = findFree(next, placeOf(bounds, overlay.from)); i < end; i = findFree(next, i)) {
      seen[i] = { from: bounds[i]!, until: bounds[i + 1]!, value: overlay.value };
      next[i] = i + 1;
    }
  }
  return seen.filter((overlay) => overlay !== undefined);
}

function distinctBounds(overlays: readonly Overlay<unknown>[]): Int32Array {
  const bounds = new Int32Array(2 * overlays.length);
  let count = 0;
  for (const { from, until } of overlays) {
    bounds[count++] = from;
    bounds[count++] = until;
  }
  bounds.sort();
  count = 0;
  for (const bound of bounds) {
    if (count === 0 || bounds[count - 1] !== bound) bounds[count++] = bound;
  }
  return bounds.subarray(0, count);
}

function placeOf(bounds: Int32Array, bound: EpochDay): number {
  let low = 0;
  let high = bounds.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bounds[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

function findFree(next: Int32Array, start: number): number {
  let place = start;
  while (next[place] !== place) {
    next[place] = next[next[place]!]!;
    place = next[place]!;
  }
  return place;
}

export function countNights(runs: NightRuns<unknown>): number {
  return runs.reduce((sum, { from, until }) => sum + until - from, 0);
}
