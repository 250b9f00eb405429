/** Verifies what a webhook of the service sends: Standard Webhooks, `v1` (HMAC-SHA256) and `v1a` (ed25519). */

/** One event: ids only; ask the API for the rest. */
export interface WebhookEvent {
  /** Such as `quote.converted`. */
  readonly type: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, string>>;
}

/** As `fetch` has them, or Node's `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** It was not sent by the service, or not now: answer with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** How far the clocks of sender and receiver may be apart, and how old a message may be. */
const TOLERANCE_SECONDS = 300;

/**
 * The event, if the body is from the holder of this key and at most five minutes old; otherwise it rejects with
 * `WebhookError`. `payload` is the body as it came, before anybody parses it; `key` is the secret `whsec_...` or the
 * public key `whpk_...`. The comparison takes the same time for every wrong signature.
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  key: string,
): Promise<WebhookEvent> {
  const read = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value === 'string') return value;
    throw new WebhookError(`${name} is missing`);
  };
  const time = read('webhook-timestamp');
  // Digits only: NaN ends here, too.
  const ageSeconds = Date.now() / 1000 - (/^\d+$/.test(time) ? Number(time) : NaN);
  if (!(Math.abs(ageSeconds) <= TOLERANCE_SECONDS)) throw new WebhookError('webhook-timestamp is wrong');
  const text = typeof payload === 'string' ? payload : new TextDecoder().decode(payload);
  const signed = new TextEncoder().encode(`${read('webhook-id')}.${time}.${text}`);
  const isPublic = key.startsWith('whpk_');
  const algorithm = isPublic ? { name: 'Ed25519' } : { name: 'HMAC', hash: 'SHA-256' };
  const { subtle } = crypto;
  const opened = await subtle.importKey('raw', decode(key.replace(/^wh.+_/, '')), algorithm, false, [
    'verify',
  ]);
  for (const signature of read('webhook-signature').split(' ')) {
    const [version, value = ''] = signature.split(',');
    if (
      version === (isPublic ? 'v1a' : 'v1') &&
      (await subtle.verify(algorithm, opened, decode(value), signed))
    )
      return JSON.parse(text) as WebhookEvent;
  }
  throw new WebhookError('webhook-signature does not match');
}

/** Base64. What is not has no bytes, which match nothing. */
function decode(text: string): Uint8Array<ArrayBuffer> {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0
    ? Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
    : new Uint8Array();
}
