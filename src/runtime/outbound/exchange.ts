/**
 * Exchanges with somebody else's server, which may be slow, wrong or hostile: one deadline around the whole of each, from
 * the lookup to the last byte, that no answer outlives.
 */
import {
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';

export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';

  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`the server did not answer within ${timeoutMs / 1000} s`);
    this.timeoutMs = timeoutMs;
  }
}

export class ServerSilent extends Error {
  override readonly name = 'ServerSilent';

  readonly silenceMs: number;

  constructor(silenceMs: number) {
    super(`the server sent nothing for ${silenceMs / 1000} s`);
    this.silenceMs = silenceMs;
  }
}

/** The server sent a head, but no answer to the request. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** Undefined: the connection ended. */
  readonly status: number | undefined;

  constructor(status?: number) {
    const ended = 'the connection ended without an answer';
    super(status === undefined ? ended : `the server answered with status ${status}`);
    this.status = status;
  }
}

export interface ExchangeLimits {
  readonly timeoutMs: number;
  /** Gives the exchange up. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work`, whose requests end with the signal that it gets. Rejects with `OutOfTime`, or with the reason of
 * `limits.signal`, as soon as that comes: `work` is not waited for.
 */
export async function withinExchange<T>(
  { timeoutMs, signal: given }: ExchangeLimits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  given?.throwIfAborted();
  const ending = new AbortController();
  const { signal } = ending;
  const giveUp = (): void => ending.abort(given?.reason);
  // A timer of its own: that of `AbortSignal.timeout` does not keep a command alive that waits for it.
  const timer = setTimeout(() => ending.abort(new OutOfTime(timeoutMs)), timeoutMs);
  given?.addEventListener('abort', giveUp);
  try {
    const over = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
    return await Promise.race([work(signal), over]);
  } finally {
    clearTimeout(timer);
    given?.removeEventListener('abort', giveUp);
    // Ends what is still open, such as a body that nobody reads.
    ending.abort();
  }
}

export interface SentRequest {
  /** That of `withinExchange`. */
  readonly signal: AbortSignal;
  readonly body?: string | undefined;
  /** A server that sends nothing for so long, from connecting on, is given up. */
  readonly silenceMs?: number | undefined;
}

const SWITCHING_PROTOCOLS = 101;

/** The answer, its body unread. A connection that is switched to another protocol is none, nor is one that ends. */
export function sendRequest(
  url: URL,
  options: RequestOptions & { readonly rejectUnauthorized: boolean },
  { signal, body, silenceMs }: SentRequest,
): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // A connection that is kept could lead to an address that nobody checked.
    const timeout = silenceMs === undefined ? {} : { timeout: silenceMs };
    const request = send(url, { ...options, ...timeout, agent: false, signal });
    const refuse = (status: number): void => {
      request.destroy();
      reject(new NoAnswer(status));
    };
    let answered: IncomingMessage | undefined;
    request.on('response', (response) => {
      if (response.statusCode === SWITCHING_PROTOCOLS) refuse(SWITCHING_PROTOCOLS);
      else resolve((answered = response));
    });
    request.on('timeout', () => (answered ?? request).destroy(new ServerSilent(silenceMs ?? 0)));
    // Node hands the connection over with it, and no longer ends it with the request.
    request.on('upgrade', (_, socket) => {
      socket.on('error', () => undefined).destroy();
      refuse(SWITCHING_PROTOCOLS);
    });
    request.on('error', reject);
    request.on('close', () => reject(new NoAnswer()));
    request.end(body);
  });
}

/** For a library that sends its own requests: its connections end after some time, whatever was answered on them. */
export function shortLivedAgent(protocol: string, lifeMs: number): HttpAgent {
  const agent = protocol === 'https:' ? new HttpsAgent() : new HttpAgent();
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    const socket = connect(...args) as Duplex;
    const timer = setTimeout(() => socket.destroy(), lifeMs).unref();
    return socket.once('close', () => clearTimeout(timer));
  };
  return agent;
}
