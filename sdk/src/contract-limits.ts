/** The one number of the contract that this package needs; a test compares it with `openapi.json`. */

/** Properties of one page at most: a walk over all pages asks for so many, and so for the fewest pages. */
export const PAGE_SIZE_MAX = 50;
