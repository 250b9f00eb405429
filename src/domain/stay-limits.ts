/** A stay has at most so many occupied nights (SPEC 1.4). */
export const STAY_NIGHTS_MAX = 60;

/** A stay is for at most so many guests (SPEC 2, Stay). */
export const STAY_GUESTS_MAX = 30;

/** One of the guests at least is an adult. */
export const STAY_CHILDREN_MAX = STAY_GUESTS_MAX - 1;

/** The largest `minAdvanceDays` and `maxAdvanceDays` (OPERATOR 8). */
export const ADVANCE_DAYS_MAX = 730;
