/**
 * Inputs that are nearly right, the same ones every time but in `npm run fuzz`: whatever is changed in them, reading ends, soon, and in an
 * answer.
 */
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { seedOfRun } from './seeds.ts';

/** All inputs of a parser: `MUTATIONS=100000`. */
const PART = 20_000;
export const MUTATIONS = Number(process.env['MUTATIONS'] ?? PART);
/** For one input; of this thread, so that a busy machine changes nothing. */
const CPU_MS_MAX = 1_000;
const HEAP_BYTES_MAX = 300 * 1024 * 1024;
const INPUTS_PER_TURN = 500;

/** A whole number below `below`. */
export type MutationRandom = (below: number) => number;

/** A small generator with a fixed seed (mulberry32). */
export function createRandom(seed: number): MutationRandom {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Puts one to three of the pieces into the text, over as many characters as `random` says. */
export function mutate(
  text: string,
  pieces: readonly string[],
  random: MutationRandom,
  cutMax: number,
): string {
  let mutated = text;
  for (let change = random(3); change >= 0; change--) {
    const at = random(mutated.length);
    const length = random(4) === 0 ? random(cutMax) : random(3);
    mutated = mutated.slice(0, at) + pieces[random(pieces.length)]! + mutated.slice(at + length);
  }
  return mutated;
}

export interface MutationRun<Input, Verdict extends string> {
  readonly seed: number;
  readonly make: (random: MutationRandom) => Input;
  /** Reads an input and may make further assertions. */
  readonly read: (input: Input) => Verdict;
}

/** How many of MUTATIONS inputs came to which end. Fails when one takes too long, or all too much memory. */
export async function readMutations<Input, Verdict extends string>(
  run: MutationRun<Input, Verdict>,
): Promise<Record<Verdict, number>> {
  const random = createRandom(seedOfRun(run.seed));
  const counts: Partial<Record<Verdict, number>> = {};
  for (let index = 0; index < MUTATIONS; index += 1) {
    const input = run.make(random);
    const before = process.threadCpuUsage();
    const verdict = run.read(input);
    const { user, system } = process.threadCpuUsage(before);
    assert.ok((user + system) / 1000 < CPU_MS_MAX, `${(user + system) / 1000} ms: ${JSON.stringify(input)}`);
    counts[verdict] = (counts[verdict] ?? 0) + 1;
    if (index % INPUTS_PER_TURN > 0) continue;
    // Others have their turn, as they do in a service; what nobody needs any more can be collected.
    await turn();
    assert.ok(process.memoryUsage().heapUsed < HEAP_BYTES_MAX);
  }
  return counts as Record<Verdict, number>;
}

/** At least so many hundredths of all inputs came to this end. */
export function assertShare(count: number | undefined, hundredths: number): void {
  assert.ok((count ?? 0) * 100 >= MUTATIONS * hundredths, `${count} of ${MUTATIONS}`);
}
