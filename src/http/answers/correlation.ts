/** The id by which one request is found again in logs and support (SPEC 4, X-Correlation-ID). */
import { randomBytes } from 'node:crypto';

/** 96 random bits: no two requests share one, and an id tells nothing of how many requests there were. */
const ID_BYTES = 12;
/** Random bytes are fetched for many ids at once: for one alone, fetching costs more than all the rest. */
const POOL_BYTES = ID_BYTES * 512;

let pool = Buffer.alloc(0);
let usedBytes = 0;

/** Always our own: an id that the client chose could not be trusted to name one request. */
export function newCorrelationId(): string {
  if (usedBytes === pool.length) {
    pool = randomBytes(POOL_BYTES);
    usedBytes = 0;
  }
  usedBytes += ID_BYTES;
  return pool.toString('base64url', usedBytes - ID_BYTES, usedBytes);
}
