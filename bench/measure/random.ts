/**
 * Random numbers from a seed (sfc32): the same seed draws the same requests and the same data on every machine.
 */
export interface SeededRandom {
  /** In [0, 1). */
  fraction(): number;
  /** An integer in [0, limit). */
  below(limit: number): number;
  /** An integer in [low, high], both included. */
  between(low: number, high: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

export function seedRandom(seed: number): SeededRandom {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed | 0;
  let counter = 1;
  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }
  // The first draws still show the seed.
  for (let round = 0; round < 12; round++) next();
  const random: SeededRandom = {
    fraction: () => next() / 0x1_0000_0000,
    below: (limit) => Math.floor(random.fraction() * limit),
    between: (low, high) => low + random.below(high - low + 1),
    chance: (probability) => random.fraction() < probability,
    pick: (choices) => choices[random.below(choices.length)]!,
  };
  return random;
}

/** An index drawn by weights; `cumulative` are their running sums. */
export function drawIndex(random: SeededRandom, cumulative: Float64Array): number {
  const wanted = random.fraction() * cumulative[cumulative.length - 1]!;
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cumulative[middle]! <= wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function runningSums(weights: readonly number[]): Float64Array {
  const sums = new Float64Array(weights.length);
  let sum = 0;
  for (const [index, weight] of weights.entries()) sums[index] = sum += weight;
  return sums;
}
