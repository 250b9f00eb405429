/** One try: a POST to the endpoint of a partner, which may be slow, wrong or hostile. */
import type { IncomingMessage } from 'node:http';
import { withinExchange } from '../../runtime/outbound/exchange.ts';
import {
  type AddressRule,
  failureOf,
  discardRest,
  type RequestFailure,
  requestPublic,
} from '../../runtime/outbound/public-request.ts';

/** From the first lookup to the last byte. */
export const TRY_MS_MAX = 15_000;
/** So much of an answer is read, out of politeness; nobody looks at it. */
export const ANSWER_BYTES_MAX = 64 * 1024;

export interface PostOptions extends AddressRule {
  readonly timeoutMs?: number;
  /** Gives the try up. */
  readonly signal: AbortSignal;
}

export type PostResult =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | undefined }
  /** Why, without the URL. */
  | { readonly kind: 'failed'; readonly wrong: RequestFailure };

/** Rejects only when `options.signal` gives up. */
export async function postDelivery(
  url: URL,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  options: PostOptions,
): Promise<PostResult> {
  const timeoutMs = options.timeoutMs ?? TRY_MS_MAX;
  let answer: PostResult | undefined;
  try {
    await withinExchange({ timeoutMs, signal: options.signal }, async (signal) => {
      const response = await requestPublic(url, {
        ...options,
        method: 'POST',
        headers: {
          ...headers,
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(body)),
          'User-Agent': 'Stayport',
        },
        body,
        signal,
      });
      answer = {
        kind: 'answered',
        status: response.statusCode ?? 0,
        retryAfter: response.headers['retry-after'],
      };
      await drain(response);
    });
  } catch (error) {
    if (options.signal.aborted) throw error;
    // The status is the answer: a body that never ends does not change it.
    answer ??= { kind: 'failed', wrong: failureOf(error, 'WEBHOOK_ALLOW_PRIVATE') };
  }
  return answer!;
}

async function drain(response: IncomingMessage): Promise<void> {
  let sizeBytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > ANSWER_BYTES_MAX) break;
    }
  } catch {
    // The connection ended.
  }
  discardRest(response, undefined);
}
