/** Bounds of requests and answers beside those in `domain`. */

export const GUESTS_MIN = 1;
export const GUESTS_DEFAULT = 2;
export const PAGE_DEFAULT = 1;
/** A larger JSON number is not exact. */
export const PAGE_MAX = Number.MAX_SAFE_INTEGER;
export const PAGE_SIZE_MAX = 50;
export const PAGE_SIZE_DEFAULT = 20;

/** Properties of one request for prices. */
export const PRICED_IDS_MAX = 100;
/** Check-in dates of one calendar of prices. */
export const CALENDAR_DATES_MAX = 92;
export const CALENDAR_DATES_DEFAULT = 31;
/** Nights of the stays in a calendar of prices. */
export const CALENDAR_NIGHTS_MAX = 30;
/** Stays of one calendar of several lengths: dates times lengths. */
export const CALENDAR_STAYS_MAX = 1_000;

/** Check-in dates of a search over many, first and last included. */
export const WINDOW_DATES_MAX = 92;
export const WINDOW_DATES_DEFAULT = 31;
/** Lengths of stays in one such search: as many nights more. */
export const FURTHER_NIGHTS_MAX = 6;

/** Values of a filter of searches with prices. */
export const FILTER_TYPES_MAX = 10;
export const FILTER_AMENITIES_MAX = 20;
export const FILTER_AREAS_MAX = 20;

/** Changes of one answer of the feed. */
export const CHANGES_MAX = 1_000;
/** How long an answer of the feed that has nothing to tell may be held back. */
export const WAIT_SECONDS_MAX = 20;

/** Issues of one answer; a query of unknown parameters could name thousands. */
export const ISSUES_MAX = 50;
/** Code points of a parameter or field name that an issue echoes; a longer name is cut and marked. */
export const ECHOED_NAME_LENGTH_MAX = 64;

/** An absolute https URL in visible ASCII, safe in headers and links. */
export const HTTPS_URL_PATTERN = '^https://[!-~]+$';
