/** Counts the low ones among `count` ascending things: the first ones, for which `isLow` holds. */
export function countLow(count: number, isLow: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isLow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
