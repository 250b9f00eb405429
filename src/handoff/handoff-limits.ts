/** How long handoff values and their URLs can be. */

/** Longest ids and largest total need about 800; anything longer is not ours. */
export const HANDOFF_VALUE_LENGTH_MAX = 1000;
/** So that URL, `?handoff=` and the longest value stay under 2,000 characters, which every client can carry. */
export const HANDOFF_BASE_URL_LENGTH_MAX = 900;
