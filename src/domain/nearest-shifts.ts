/** Other dates for a stay that can't be had: the order in which they are tried. */

/** Other dates that are offered for one stay, at most. */
export const NEAREST_STAYS_MAX = 3;

/** Days before and after the wanted check-in within which a search of a city looks for openings. */
export const OPENING_DAYS_MAX = 30;

/** Days from the wanted check-in at a distance: 0, 1, -1, 2, -2, ... */
export function shiftAt(distance: number): number {
  return distance % 2 === 1 ? (distance + 1) / 2 : -distance / 2;
}

/** Days from the wanted check-in, the nearest first; of two that are equally near the later or the earlier one first. */
export function* nearestShifts(daysMax: number, first: 'later' | 'earlier'): Generator<number> {
  for (let distance = 1; distance <= 2 * daysMax; distance += 1)
    yield first === 'later' ? shiftAt(distance) : -shiftAt(distance);
}
