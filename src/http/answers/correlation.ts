/** The id by which one request is found again in logs and support (SPEC 4, X-Correlation-ID). */
import { randomBytes } from 'node:crypto';

/** 96 random bits: no two requests share one, and an id tells nothing of how many requests there were. */
const ID_BYTES = 12;
/** In base64url: four characters for three bytes, without a rest. */
const ID_LENGTH = 16;
/** Ids are written many at a time: for one alone, fetching random bytes and encoding them costs more than the rest. */
const POOL_IDS = 512;

let pool = '';
let usedLength = 0;

/** Always our own: an id that the client chose could not be trusted to name one request. */
export function newCorrelationId(): string {
  if (usedLength === pool.length) {
    pool = randomBytes(ID_BYTES * POOL_IDS).toString('base64url');
    usedLength = 0;
  }
  usedLength += ID_LENGTH;
  return pool.slice(usedLength - ID_LENGTH, usedLength);
}
