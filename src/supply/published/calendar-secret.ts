/** The secret in the URL of a published calendar: who knows it may read which nights are closed, and nothing else. */
import { hash } from 'node:crypto';
import type { Random } from '../../runtime/random.ts';

const SECRET_BYTES = 32;
/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;
const FILE_END = '.ics';

/** A new secret; shown once, then known only by its hash. */
export function mintCalendarSecret(random: Random): string {
  return Buffer.from(random(SECRET_BYTES)).toString('base64url');
}

/** SHA-256, hex: the form in which it is stored and looked up. */
export function hashCalendarSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** `SECRET.ics` at the end of the base. */
export function formatCalendarUrl(baseUrl: string, secret: string): string {
  return `${baseUrl}/${secret}${FILE_END}`;
}

/** The secret of the last segment of such a URL; undefined when it can't be one. */
export function parseCalendarFile(segment: string): string | undefined {
  if (!segment.endsWith(FILE_END)) return undefined;
  const secret = segment.slice(0, -FILE_END.length);
  return SECRET.test(secret) ? secret : undefined;
}
