/** The signature of a call to Smoobu: HMAC-SHA256 over seven lines, which the other side computes again. */
import { createHash, createHmac } from 'node:crypto';

export interface SignedCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** As it goes out (`formatQuery`). */
  readonly query: string;
  /** `formatTimestamp` */
  readonly timestamp: string;
  /** Never used twice. */
  readonly nonce: string;
  /** Empty where none is sent. */
  readonly body: string;
}

export interface SigningKey {
  readonly key: string;
  readonly secret: string;
}

/** Base64. */
export function signatureOf(
  { method, path, query, timestamp, nonce, body }: SignedCall,
  { key, secret }: SigningKey,
): string {
  const bodyHash = createHash('sha256').update(body, 'utf8').digest('hex');
  const text = [method, path, query, timestamp, nonce, bodyHash, key].join('\n');
  return createHmac('sha256', secret).update(text, 'utf8').digest('base64');
}

/** UTC, in seconds: `2026-11-28T20:00:00Z`. */
export function formatTimestamp(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
}

/** Sorted by name, then by value, so that it does not matter whether the other side sorts equal names. */
export function formatQuery(pairs: readonly (readonly [name: string, value: string])[]): string {
  return pairs
    .toSorted((one, other) => compare(one[0], other[0]) || compare(one[1], other[1]))
    .map(([name, value]) => `${escape3986(name)}=${escape3986(value)}`)
    .join('&');
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Escapes all but the unreserved characters of RFC 3986. */
function escape3986(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
