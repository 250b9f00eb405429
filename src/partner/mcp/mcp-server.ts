/**
 * The MCP listener: it checks limits, names, path and bearer; the handler speaks the protocol. It listens as the other
 * listeners do, so a client's request lines, bodies or silence can do no more harm than there.
 */
import { inEnglish } from '../../domain/wrong.ts';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AnyProblemCode } from '../../contract/problem-body.ts';
import type { RequestLimits, WindowHit } from '../../limits/request-limits.ts';
import { JSON_TYPE, retryAfterHeader } from '../../http/answers/answer-headers.ts';
import { rawPathOf } from '../../http/listener/request-head.ts';
import { bodyHook, decodeJsonText } from '../../http/listener/request-body.ts';
import { type Exchange, type Hook, NO_BODY } from '../../http/listener/exchange.ts';
import {
  buildListener,
  type ListenerDeps,
  type ListenerSettings,
  type ListeningServer,
  PARTNER_CODES,
  runHooks,
} from '../../http/listener/listener.ts';
import { makeSourceAddress } from '../../http/listener/source-address.ts';
import { readJsonText } from '../../supply/native/json-text.ts';

/** Answers requests that passed all checks; a rejection becomes a 500. */
export interface McpPort {
  /** Callers need no token: addresses are counted instead of tokens. */
  readonly isOpen: boolean;
  findRefusal(host: string | undefined, origin: string | undefined): string | undefined;
  findToken(authorization: string | undefined): string | undefined;
  /** `source`: the address that limits count. `message`: the parsed body of a POST; `request` has none. */
  fetch(
    request: Request,
    asked: { readonly source: string; readonly message: object | undefined },
  ): Promise<Response>;
}

export interface McpServerSettings extends ListenerSettings {
  readonly path: string;
  readonly bodyBytesMax: number;
  /** Requests per source address, and per token, in a window; 0 turns both limits off. */
  readonly limit: number;
}

export interface McpServerDeps
  extends Pick<RequestLimits, 'ingress' | 'quota'>, Pick<ListenerDeps, 'logger' | 'meter' | 'budget'> {
  readonly handler: McpPort;
  readonly settings: McpServerSettings;
}

/** Methods that the protocol uses; `fetch` cannot represent some others. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE']);
/** Headers passed to the handler; all others of the client are dropped. */
const TOLD_HEADERS = /^(?:accept|authorization|content-type|last-event-id|mcp-[a-z0-9-]{1,60})$/;
/** Length of a forwarded chain of proxies. */
const FORWARDED_LENGTH_MAX = 512;

/** The MCP listener, not yet listening. */
export function buildMcpListener(deps: McpServerDeps): ListeningServer {
  const { handler, settings } = deps;
  const hooks: readonly Hook[] = [
    limitHook(deps),
    nameHook(handler),
    pathHook(settings.path),
    bearerHook(deps),
    bodyHook({
      limitBytes: settings.bodyBytesMax,
      onTooLarge: (exchange) =>
        refuse(exchange, 413, 'PAYLOAD_TOO_LARGE', `a body has at most ${settings.bodyBytesMax} bytes`),
      timeoutMs: settings.requestTimeoutMs,
      rules: { budget: deps.budget, meter: deps.meter.connections },
    }),
    answerHook(deps),
  ];
  return buildListener({ ...deps, isKnownOrigin: () => false, codes: PARTNER_CODES }, (request, response) => {
    response.operationName = 'mcp';
    runHooks(hooks, { request, response, body: NO_BODY, presentFailure });
  });
}

function presentFailure(exchange: Exchange, err: unknown): void {
  exchange.response.failureCause = { err };
  refuse(exchange, 500, 'INTERNAL_ERROR', 'the request could not be served');
}

function limitHook({ ingress, settings }: McpServerDeps): Hook {
  const sourceAddress = makeSourceAddress(settings.trustedProxies);
  return async (exchange) => {
    if (settings.limit === 0) return;
    judge(exchange, await ingress.hit(sourceAddress(exchange.request)), settings.limit, 'this address');
  };
}

function judge(exchange: Exchange, hit: WindowHit, limit: number, whose: string): void {
  if (hit.count <= limit) return;
  const message = `${whose} has sent more than ${limit} requests in a minute; try again after Retry-After`;
  refuse(exchange, 429, 'RATE_LIMIT_EXCEEDED', message, retryAfterHeader(hit));
}

function nameHook(handler: McpPort): Hook {
  return (exchange) => {
    const { host, origin } = exchange.request.headers;
    const refusal = handler.findRefusal(host, origin);
    if (refusal !== undefined) refuse(exchange, 403, 'ORIGIN_NOT_ALLOWED', refusal);
  };
}

function pathHook(path: string): Hook {
  return (exchange) => {
    const { method = '', url = '' } = exchange.request;
    if (rawPathOf(url) !== path) {
      refuse(exchange, 404, 'PARTNER_OPERATION_NOT_FOUND', `not found; MCP is at ${path}`);
    } else if (!METHODS.has(method)) {
      const allowed = ['Allow', [...METHODS].join(', ')];
      refuse(exchange, 405, 'PARTNER_OPERATION_NOT_FOUND', `MCP does not support ${method}`, allowed);
    }
  };
}

/** Counts the token over all addresses: many addresses do not make one caller many. */
function bearerHook({ handler, quota, settings }: McpServerDeps): Hook {
  return async (exchange) => {
    if (handler.isOpen) return;
    const token = handler.findToken(exchange.request.headers.authorization);
    if (token === undefined) {
      const challenge = ['WWW-Authenticate', 'Bearer realm="stayport"'];
      const message = 'send your partner token: Authorization: Bearer <token>';
      refuse(exchange, 401, 'PARTNER_AUTH_REQUIRED', message, challenge);
    } else if (settings.limit > 0) {
      const key = createHash('sha256').update(token).digest('base64');
      judge(exchange, await quota.hit(key), settings.limit, 'this token');
    }
  };
}

/**
 * The body of a request, parsed once: the handler reads no bytes. One message each, as protocol versions from 2025-06-18
 * on have it: a batch would be many requests that count as one.
 */
function readMessage(body: Uint8Array): { readonly message: object } | Refused {
  const text = decodeJsonText(body);
  if (text === undefined) return { rpcCode: RPC_PARSE_ERROR, refused: 'is not UTF-8' };
  const json = readJsonText(text);
  if (!json.ok) {
    const subject = json.field === '' ? '' : `${JSON.stringify(json.field.slice(0, FIELD_SHOWN_MAX))} `;
    return { rpcCode: RPC_PARSE_ERROR, refused: `${subject}${inEnglish(json.reason)}` };
  }
  const { value } = json;
  if (Array.isArray(value))
    return { rpcCode: RPC_INVALID_REQUEST, refused: 'must be one message, not a batch' };
  if (typeof value !== 'object' || value === null)
    return { rpcCode: RPC_INVALID_REQUEST, refused: 'must be one object' };
  return { message: value };
}

interface Refused {
  /** Why, with the body as its subject. */
  readonly refused: string;
  readonly rpcCode: number;
}

/** JSON-RPC 2.0, section 5.1. */
const RPC_PARSE_ERROR = -32_700;
const RPC_INVALID_REQUEST = -32_600;
/** The first of the numbers that JSON-RPC leaves to servers. */
const RPC_SERVER_ERROR = -32_000;
/** Characters of a key that a refusal repeats. */
const FIELD_SHOWN_MAX = 100;

function answerHook({ handler, settings }: McpServerDeps): Hook {
  const { writeTimeoutMs } = settings;
  const sourceAddress = makeSourceAddress(settings.trustedProxies);
  return async (exchange) => {
    const { request, response, body } = exchange;
    const read = request.method === 'POST' ? readMessage(body) : { message: undefined };
    if ('refused' in read)
      return refuse(exchange, 400, 'INVALID_JSON', `the body ${read.refused}`, [], read.rpcCode);
    const abort = new AbortController();
    response.once('close', () => abort.abort());
    const asked = { source: sourceAddress(request), message: read.message };
    const answer = await handler.fetch(toWebRequest(request, abort.signal), asked);
    if (response.isAnswered) {
      await answer.body?.cancel();
      return;
    }
    const { status } = answer;
    const headers = [...answer.headers].filter(([name]) => !OUR_HEADERS.has(name)).flat();
    const mediaType = answer.headers.get('content-type') ?? undefined;
    if (answer.body !== null && mediaType?.startsWith('text/event-stream') === true) {
      const parts = { status, mediaType, cacheControl: 'no-store', headers };
      await response.answerInPieces(parts, answer.body, writeTimeoutMs);
      return;
    }
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const content = bytes.length === 0 ? {} : { body: bytes };
    response.answer({
      status,
      ...(mediaType && { mediaType }),
      cacheControl: 'no-store',
      ...content,
      headers,
    });
  };
}

/** Headers that we write for every answer, or that describe another connection. */
const OUR_HEADERS: ReadonlySet<string> = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'keep-alive',
  'transfer-encoding',
]);

/** The library wants both types spelled; a client that takes anything, or does not say, takes both. */
function acceptOf(accept = '*/*'): string {
  const takesAny = accept.split(',').some((type) => type.trim().split(';')[0] === '*/*');
  return takesAny ? ANSWERED_TYPES : accept;
}

const ANSWERED_TYPES = 'application/json, text/event-stream';

/** Appends the caller's address to the existing list, as every proxy does. */
function toWebRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', socket } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && TOLD_HEADERS.test(name)) headers.set(name, String(value));
  }
  headers.set('accept', acceptOf(request.headers.accept));
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').slice(-FORWARDED_LENGTH_MAX);
  const chain = [...forwarded.split(','), socket.remoteAddress ?? ''].map((entry) => entry.trim());
  headers.set('x-forwarded-for', chain.filter((entry) => /^[\da-f.:[\]%]{1,64}$/i.test(entry)).join(', '));
  return new Request('http://stayport/mcp', { method, headers, signal });
}

/** Refusals in the format of the protocol. */
function refuse(
  { response }: Exchange,
  status: number,
  code: AnyProblemCode,
  message: string,
  headers: readonly string[] = [],
  rpcCode = RPC_SERVER_ERROR,
): void {
  response.answer({
    status,
    code,
    mediaType: JSON_TYPE,
    cacheControl: 'no-store',
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: rpcCode, message } }),
    headers,
  });
}
