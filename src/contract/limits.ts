/** Every bound that the contract puts on a request (SPEC 8), by name. */

/** Occupied nights of one stay (SPEC 1). */
export const STAY_NIGHTS_MAX = 60;
export const GUESTS_MIN = 1;
export const GUESTS_MAX = 30;
export const GUESTS_DEFAULT = 2;
/** Code points of `city`, counted after trimming. */
export const CITY_LENGTH_MAX = 120;
export const PROPERTY_ID_LENGTH_MAX = 160;
export const PAGE_DEFAULT = 1;
/** Beyond it a JSON number is no longer exact. */
export const PAGE_MAX = Number.MAX_SAFE_INTEGER;
export const PAGE_SIZE_MAX = 50;
export const PAGE_SIZE_DEFAULT = 20;

/** Issues of one answer; a query of nothing but unknown parameters could otherwise name thousands. */
export const ISSUES_MAX = 50;
/** Code points of a parameter or field name that an issue echoes; a longer name is cut and marked. */
export const ECHOED_NAME_LENGTH_MAX = 64;

/** An absolute https URL in visible ASCII: what may stand in a header and in a link. */
export const HTTPS_URL_PATTERN = '^https://[!-~]+$';
