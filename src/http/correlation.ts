/** The id by which one request is found again in logs and support (SPEC 4, X-Correlation-ID). */
import { randomUUID } from 'node:crypto';

/** Always our own: an id that the client chose could not be trusted to name one request. */
export function newCorrelationId(): string {
  return randomUUID();
}
