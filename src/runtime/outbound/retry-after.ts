/** How long a server asks to be left alone. */

/** A server's `Retry-After` is respected up to a day. */
export const RETRY_AFTER_MS_MAX = 24 * 60 * 60_000;
/** The one form that servers send; `Date.parse` alone takes almost anything. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** `Retry-After` (RFC 9110 10.2.3), seconds or a date, as a wait; undefined when it is neither, or is past. */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const isDate = HTTP_DATE.test(text);
  const waitMs = isDate ? Date.parse(text) - nowMs : /^\d+$/.test(text) ? Number(text) * 1000 : 0;
  return waitMs > 0 ? Math.min(waitMs, RETRY_AFTER_MS_MAX) : undefined;
}
