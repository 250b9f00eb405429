export const STORM_QUOTES_AT_ONCE = 50;

/** Written together again and again, so all of them always have the same version. */
export const STORM_BATCH_IDS: readonly string[] = Array.from({ length: 100 }, (_, index) => `storm-${index}`);

/** The line that a storm prints when an import of all of them was acknowledged. */
export const STORM_IMPORTED = 'imported';
