/** Sends calls from the console to the listeners of this machine, wherever they are bound. */
import { Wrong } from '../../../domain/wrong.ts';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { OwnAnswer, OwnCall, OwnCalls } from '../../../console/reading/own-calls.ts';

/** At once, by all people; further ones are refused. */
export const OWN_CALLS_MAX = 4;
export const OWN_CALL_MS_MAX = 8_000;
/** Read of an answer; a page of partners has less. */
export const OWN_ANSWER_BYTES_MAX = 262_144;

interface ListenerUrls {
  readonly partnerUrl: string;
  readonly webUrl: string | undefined;
}

/** `urls` is undefined while the listeners start. */
export function createOwnCalls(urls: () => ListenerUrls | undefined): OwnCalls {
  let count = 0;
  const send = async (url: string | undefined, call: OwnCall): Promise<OwnAnswer | Wrong> => {
    if (url === undefined) return new Wrong('listenerAway', { setting: 'WEB_PORT' });
    if (count >= OWN_CALLS_MAX) return new Wrong('callsBusy');
    count += 1;
    try {
      return await exchange(reachable(url), call);
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException;
      return code === 'ABORT_ERR'
        ? new Wrong('callLate', { max: OWN_CALL_MS_MAX / 1_000 })
        : new Wrong('listenerUnreached', { code });
    } finally {
      count -= 1;
    }
  };
  return {
    toPartnerListener: async (call) => send(urls()?.partnerUrl, call),
    toWebListener: async (call) => send(urls()?.webUrl, call),
  };
}

/** A listener at all addresses is called at that of loopback. */
function reachable(url: string): URL {
  const found = new URL(url);
  if (found.hostname === '0.0.0.0') found.hostname = '127.0.0.1';
  if (found.hostname === '[::]') found.hostname = '[::1]';
  return found;
}

async function exchange({ protocol, hostname, port }: URL, call: OwnCall): Promise<OwnAnswer> {
  const startedAtMs = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<OwnAnswer>();
  const request = (protocol === 'https:' ? requestTls : requestPlain)(
    {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      method: call.method,
      path: call.path,
      headers: { ...call.headers, Connection: 'close' },
      // This process itself: its certificate may be of another name, or self-signed.
      rejectUnauthorized: false,
      signal: AbortSignal.timeout(OWN_CALL_MS_MAX),
    },
    (response) => {
      const parts: Buffer[] = [];
      let length = 0;
      const answer = (isCut: boolean): void =>
        resolve({
          status: response.statusCode ?? 0,
          durationMs: Math.round(performance.now() - startedAtMs),
          body: Buffer.concat(parts).toString('utf8', 0, OWN_ANSWER_BYTES_MAX).toWellFormed(),
          isCut,
          correlationId: [response.headers['x-correlation-id'] ?? null].flat()[0] ?? null,
        });
      response.on('data', (part: Buffer) => {
        parts.push(part);
        length += part.length;
        if (length <= OWN_ANSWER_BYTES_MAX) return;
        answer(true);
        response.destroy();
      });
      response.on('end', () => answer(false));
      response.on('error', reject);
    },
  );
  request.on('error', reject);
  request.end(call.body);
  return promise;
}
