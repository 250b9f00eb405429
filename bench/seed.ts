/** Everything that is drawn at random is drawn from this. */
export const SEED = 20_261_120;
