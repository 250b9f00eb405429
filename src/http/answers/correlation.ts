/** The id by which one request is found again in logs and support (SPEC 4, X-Correlation-ID). */
import { randomBytes } from 'node:crypto';

/** Tells the processes of one installation apart, and today's from yesterday's: 72 random bits. */
const processPart = randomBytes(9).toString('base64url');
let count = 0;

/**
 * Always our own: an id that the client chose could not be trusted to name one request. It is not a secret, so a counter
 * behind a random part is as good as random bits for each request, and costs a tenth.
 */
export function newCorrelationId(): string {
  count += 1;
  return `${processPart}-${count.toString(36)}`;
}
