/**
 * MCP over HTTP as a function from request to response: stateless, one server a request, with the bearer token that the
 * caller sent. It opens no port: what listens is Stayport's own, with its limits of connections and memory.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import {
  createMcpHandler,
  type McpHttpHandler,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { Stayport } from '../../sdk/src/index.ts';
import { buildMcpServer } from './build-server.ts';
import { type Refusals, shareRefusals } from './tools/with-scope.ts';

export const MCP_PATH = '/mcp';
const BEARER = /^Bearer ([\x21-\x7e]+)$/i;
/** A 429 is the caller's answer, and so is every other failure: nobody waits here while his assistant gives up. */
const RETRIES = 0;
/** Tokens of which it is known what they may not ask; with more, all are forgotten. */
const TOKENS_KNOWN_MAX = 10_000;

export interface McpHandlerOptions {
  /** The partner API. */
  readonly baseUrl: string;
  /** Names by which clients may reach this server. */
  readonly hosts: readonly string[];
  /** The largest body, bytes. */
  readonly bodyBytesMax: number;
  /** Streams that may be open at once. */
  readonly subscriptionsMax: number;
  /** Serves everybody, with one token: what callers send as theirs is not read. */
  readonly open?: OpenAccess | undefined;
  /** Origins of pictures that cards may show. */
  readonly pictureOrigins: readonly string[];
}

export interface OpenAccess {
  readonly token: string;
  readonly canQuote: boolean;
}

export interface McpHandler {
  /** Why a page or a name that is not ours may not call; undefined when it may. */
  findRefusal(host: string | undefined, origin: string | undefined): string | undefined;
  /** Callers need no token. */
  readonly isOpen: boolean;
  /** The token of an `Authorization` header. */
  findToken(authorization: string | undefined): string | undefined;
  /**
   * `X-Forwarded-For` of the request is told to the partner API, so that it can count each caller by itself.
   * `message`: the parsed body of a POST; bytes of `request` are not read then.
   */
  fetch(
    request: Request,
    asked: { readonly source: string; readonly message: object | undefined },
  ): Promise<Response>;
  close(): Promise<void>;
}

export function openMcpHandler(options: McpHandlerOptions): McpHandler {
  const { baseUrl, bodyBytesMax, subscriptionsMax, open, pictureOrigins } = options;
  const hosts = [...options.hosts];
  const known = new Map<string, Refusals>();
  const callers = new Callers();
  const sources = new AsyncLocalStorage<string>();
  const refusalsOf = (token: string): Refusals => {
    const key = hash('sha256', token);
    const refusals = known.get(key) ?? new Map();
    if (known.size >= TOKENS_KNOWN_MAX) known.clear();
    known.set(key, refusals);
    return refusals;
  };
  const handler: McpHttpHandler = createMcpHandler(
    ({ requestInfo }) => {
      const token = open?.token ?? findToken(requestInfo?.headers.get('authorization')) ?? '';
      const source = requestInfo?.headers.get('x-forwarded-for') ?? '';
      // Where one token serves everybody, an address is a caller.
      const inTurn = callers.turnsOf(hash('sha256', open === undefined ? token : (sources.getStore() ?? '')));
      const client = clientOf(baseUrl, { token, source, inTurn });
      shareRefusals(client, refusalsOf(token));
      return buildMcpServer(client, { canQuote: open?.canQuote, pictureOrigins });
    },
    { maxRequestBodySize: bodyBytesMax, maxSubscriptions: subscriptionsMax },
  );
  return {
    isOpen: open !== undefined,
    findRefusal(host, origin) {
      for (const result of [validateHostHeader(host, hosts), validateOriginHeader(origin, hosts)]) {
        if (!result.ok) return result.message;
      }
      return undefined;
    },
    findToken,
    fetch: (request, { source, message }) =>
      sources.run(source, () => handler.fetch(request, { parsedBody: message })),
    close: () => handler.close(),
  };
}

function findToken(authorization: string | null | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}

interface Caller {
  readonly token: string;
  /** `X-Forwarded-For` of the request; empty without one. */
  readonly source: string;
  readonly inTurn: Turns;
}

function clientOf(baseUrl: string, { token, source, inTurn }: Caller): Stayport {
  const send: typeof fetch = (input, init) => {
    const told = new Headers(init?.headers);
    if (source !== '') told.set('X-Forwarded-For', source);
    return inTurn(() => fetch(input, { ...init, headers: told }));
  };
  return new Stayport({ baseUrl, token, maxRetries: RETRIES, fetch: send });
}

/** Calls to the partner API at once for one caller; further ones wait. */
export const CALLS_AT_ONCE_MAX = 8;

type Turns = <T>(call: () => Promise<T>) => Promise<T>;

/** However many messages a caller sends at once, its calls take turns. */
class Callers {
  /** Of callers with calls under way alone. */
  readonly #underWay = new Map<string, { count: number; readonly waiting: (() => void)[] }>();

  turnsOf(caller: string): Turns {
    return async (call) => {
      const calls = this.#underWay.get(caller) ?? { count: 0, waiting: [] };
      this.#underWay.set(caller, calls);
      if (calls.count < CALLS_AT_ONCE_MAX) calls.count += 1;
      else await new Promise<void>((resolve) => void calls.waiting.push(resolve));
      try {
        return await call();
      } finally {
        const next = calls.waiting.shift();
        // The next one takes this turn over.
        if (next !== undefined) next();
        else if ((calls.count -= 1) === 0) this.#underWay.delete(caller);
      }
    };
  }
}
