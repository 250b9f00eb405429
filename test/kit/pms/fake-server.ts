/** The part that all invented property management systems share: a server on loopback that keeps what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call as it arrived. Header names are lower-case. */
export interface FakeRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export interface FakeCall {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** The status of the answer; 0 while it is owed. */
  status: number;
}

export interface FakeReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text goes out unchanged. */
  readonly body: unknown;
}

/** How it answers wrongly, from now on, until it is undefined again. */
export type Mischief =
  /** 200 for a failure. */
  | 'failureAs200'
  /** 200 and an object without members. */
  | 'emptyAnswer'
  /** The text of the answer ends in the middle. */
  | 'cutText'
  /** 200 and a page for people. */
  | 'webPage'
  /** Fewer entries than the answer announces. */
  | 'halfPage'
  /** There is always a next page. */
  | 'endlessPages'
  /** A room that nobody asked for. */
  | 'extraRoom'
  /** 429 with the system's own headers. */
  | 'tooMany'
  /** 429 with these headers in their other spelling or meaning. */
  | 'tooManyOtherwise'
  /** 429 with `Retry-After` alone. */
  | 'tooManyRetryAfter'
  /** 403. */
  | 'forbidden'
  | 'serverError'
  /** No answer before `stop`. */
  | 'slow'
  | 'redirect'
  /** 400 with the key and all tokens in its text. */
  | 'echoesKey';

export interface FakeServer {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** All calls so far, in order. */
  readonly calls: FakeCall[];
  /** Calls that would have stored something: there must be none. */
  readonly violations: string[];
  mischief: Mischief | undefined;
  stop(): Promise<void>;
}

export interface FakeRules {
  /** The clock of the system, also of its `Date` header. */
  readonly nowMs: () => number;
  /** Whether the call stores nothing. */
  readonly isReading: (request: FakeRequest) => boolean;
  readonly answer: (request: FakeRequest, mischief: Mischief | undefined) => FakeReply;
  /** Headers of a 429. */
  readonly tooMany: Readonly<Record<'own' | 'otherwise', () => Readonly<Record<string, string>>>>;
  /** Never in an answer, but for `echoesKey`. */
  readonly secrets: () => readonly string[];
  readonly failure: unknown;
}

/** Seconds of `Retry-After`, and of the own headers. */
export const RETRY_SECONDS = 120;

export async function startFakeServer(rules: FakeRules): Promise<FakeServer> {
  const server = createServer((request, response) => void serve(request, response));
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await receive(request);
    const call = { method: received.method, path: received.path, query: received.query, status: 0 };
    fake.calls.push(call);
    if (!rules.isReading(received)) fake.violations.push(`${received.method} ${received.path}`);
    if (fake.mischief === 'slow') return;
    call.status = send(response, replyTo(received, fake, rules), rules.nowMs());
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fake: FakeServer = {
    origin: `http://127.0.0.1:${port}`,
    calls: [],
    violations: [],
    mischief: undefined,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

async function receive(request: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const headers = request.headers as Readonly<Record<string, string | undefined>>;
  return { method: request.method ?? '', path, query, headers, body: Buffer.concat(chunks) };
}

function send(response: ServerResponse, { status, headers, body }: FakeReply, nowMs: number): number {
  response.sendDate = false;
  response.writeHead(status, {
    date: new Date(nowMs).toUTCString(),
    'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
    ...headers,
  });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
  return status;
}

function replyTo(request: FakeRequest, { mischief }: FakeServer, rules: FakeRules): FakeReply {
  if (!rules.isReading(request)) return { status: 405, body: rules.failure };
  const spoilt = mischief === undefined ? undefined : SPOILT[mischief];
  return spoilt?.(rules, request) ?? rules.answer(request, mischief);
}

/** The others are up to the answers of each system. */
const SPOILT: Readonly<Partial<Record<Mischief, (rules: FakeRules, request: FakeRequest) => FakeReply>>> = {
  failureAs200: ({ failure }) => ({ status: 200, body: failure }),
  webPage: () => ({ status: 200, body: '<!doctype html><title>Maintenance</title>' }),
  tooMany: ({ failure, tooMany }) => ({ status: 429, headers: tooMany.own(), body: failure }),
  tooManyOtherwise: ({ failure, tooMany }) => ({ status: 429, headers: tooMany.otherwise(), body: failure }),
  tooManyRetryAfter: ({ failure }) => ({
    status: 429,
    headers: { 'retry-after': String(RETRY_SECONDS) },
    body: failure,
  }),
  emptyAnswer: () => ({ status: 200, body: {} }),
  forbidden: () => ({ status: 403, body: {} }),
  serverError: () => ({ status: 500, body: 'Internal Server Error' }),
  redirect: () => ({ status: 302, headers: { location: '/elsewhere' }, body: '' }),
  echoesKey: ({ secrets }) => ({ status: 400, body: { success: false, error: secrets().join(' ') } }),
  cutText(rules, request) {
    const { body, ...reply } = rules.answer(request, undefined);
    const text = JSON.stringify(body);
    return { ...reply, body: text.slice(0, text.length / 2) };
  },
};

/** Counts calls in windows of so many seconds. */
export class FakeWindow {
  readonly #windowMs: number;
  #startMs = Number.NEGATIVE_INFINITY;
  #used = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** How many calls were made in the window of now, this one included. */
  take(nowMs: number, cost: number): { readonly used: number; readonly endsAtMs: number } {
    if (nowMs < this.#startMs || nowMs >= this.#startMs + this.#windowMs) {
      this.#startMs = nowMs;
      this.#used = 0;
    }
    this.#used += cost;
    return { used: this.#used, endsAtMs: this.#startMs + this.#windowMs };
  }
}
