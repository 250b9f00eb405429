/** How much one supply message may hold. */

/** Entries of a message, before weekdays make several of one. */
export const MESSAGE_ENTRIES_MAX = 200_000;
/** Mistakes that an answer names; the others are counted. */
export const MESSAGE_ERRORS_MAX = 100;
/** A larger body is read in a thread of its own, so that nobody waits for it. */
export const INLINE_BYTES_MAX = 32 * 1024;
/** Memory of that thread, in MiB. One that needs more is lost; its messages are answered 503, and it starts again. */
export const PARSER_HEAP_MB_MAX = 512;
/** Characters of an `Idempotency-Key`. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
/** Characters of a name that another system uses. */
export const EXTERNAL_KEY_LENGTH_MAX = 255;
