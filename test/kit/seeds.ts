/** Seeds of the inputs that tests draw. */

/** Drawn once, for what a test needs to be so: the same on every machine. */
export const FIXED_SEED = { seed: 20_261_120 } as const;

/** Chosen by `npm run fuzz`; elsewhere tests draw the same inputs every time. */
const chosen = process.env['FUZZ_SEED'];

/** For a property that holds of all inputs. */
export const RUN_SEED = { seed: seedOfRun(FIXED_SEED.seed) } as const;

/** The seed of a property that has its own. */
export function seedOfRun(fixed: number): number {
  return chosen === undefined ? fixed : Number(chosen);
}
