/**
 * Ids of supply messages: in the order of time as text, so that a table by id is a table by age.
 */
const TIME_DIGITS = 9;
const RADIX = 32;

/** `sm_`, then the instant in nine digits of base 32 (enough until the year 3084), then what makes it unique. */
export function formatMessageId(receivedAtMs: number, unique: string): string {
  return `sm_${Math.floor(receivedAtMs).toString(RADIX).padStart(TIME_DIGITS, '0')}${unique}`;
}

/** Sorts behind every id of an earlier millisecond and before all others. */
export function firstMessageIdAt(ms: number): string {
  return formatMessageId(Math.max(0, ms), '');
}
