/** A listener: one node:http server, with everything around requests that keeps its answers in our own form. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type ListenOptions, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server as TlsServer, TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import type { Tracing } from '../../observability/tracing/tracing.ts';
import { answerClientError, writeProblem } from './client-errors.ts';
import { type ConnectionLimits, watchConnections } from './connections.ts';
import { awaitContinue } from './continue.ts';
import { type GuardedResponse, type ListenerCodes, responseClassFor } from '../answers/guarded-response.ts';
import { findOddity, HEADER_COUNT_MAX, UNKNOWN_EXPECTATION } from './odd-requests.ts';
import { presentIssues } from '../answers/present-problem.ts';
import { makeRecorder } from '../answers/record-answer.ts';
import { behindAnswers, holdWhileUnread, inTurn } from './turns.ts';
import type { RequestMeter } from '../../observability/metrics/request-meter.ts';
import { originFormOf } from '../answers/request-target.ts';

/** Request line and headers together; more is refused by node's parser. */
export const HEADER_BYTES_MAX = 16_384;
/** Above what common load balancers keep idle connections for, so that they close them and not we. */
const KEEP_ALIVE_MS = 72_000;
/** How late a timeout may be noticed. */
const TIMEOUT_CHECK_MS_MAX = 1_000;
/** What has arrived when the listener closes is read and answered within this time. */
const SETTLE_MS = 100;
/** Answers under way may take this long to finish; below the 10 s that containers are usually given to stop. */
export const CLOSE_GRACE_MS = 8_000;

export interface ListeningServer {
  /**
   * Resolves once connections are accepted; rejects when the address can't be had. Port 0 picks a free one. With
   * `sharesPort`, others that do so as well may listen there too.
   */
  listen(port: number, host: string, sharesPort?: boolean): Promise<AddressInfo>;
  /** Stops accepting, finishes what is under way within CLOSE_GRACE_MS, then resolves. */
  close(): Promise<void>;
}

export interface ListenerSettings extends ConnectionLimits {
  readonly problemsBaseUrl: string;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

/** PEM texts of a certificate chain and its key. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

export interface ListenerDeps {
  readonly logger: Logger;
  readonly meter: RequestMeter;
  readonly tracing?: Tracing | undefined;
  readonly isKnownOrigin: (origin: string) => boolean;
  /** Undefined: plain HTTP. */
  readonly tls?: TlsPair | undefined;
  readonly codes: ListenerCodes;
  readonly settings: ListenerSettings;
}

export interface Listener extends ListeningServer {
  readonly isClosing: () => boolean;
}

/** What a listener does with each request that is one; `request.url` is path and query, undecoded. */
export type Handle = (request: IncomingMessage, response: GuardedResponse) => void;

export function buildListener(deps: ListenerDeps, handle: Handle): Listener {
  const { meter, tracing, codes } = deps;
  const { problemsBaseUrl } = deps.settings;
  const socketContext = { problemsBaseUrl, meter };
  let closing = false;
  const isClosing = (): boolean => closing;
  const record = makeRecorder(deps);
  const ListenerResponse = responseClassFor({
    ...deps,
    problemsBaseUrl,
    isClosing,
    onAnswered: (response, status, code) => {
      holdWhileUnread(response, deps.settings.writeTimeoutMs, () => (meter.connections.cutUnread += 1));
      record(response, status, code);
    },
  });

  const start = (response: GuardedResponse): void => {
    const { req: request } = response;
    response.startedAtMs = performance.now();
    if (tracing !== undefined) response.trace = tracing.startRequest(findHeader(request, 'traceparent'));
    admitRequest(request, response, handle);
  };
  const countCut = (): void => {
    meter.connections.cutPipelined += 1;
  };
  const options = { ...serverOptions(deps.settings), ServerResponse: ListenerResponse };
  const server =
    deps.tls === undefined
      ? createServer(options)
      : createTlsServer({ ...options, ...deps.tls, handshakeTimeout: options.headersTimeout });
  // Node drops header lines beyond its limit silently; one more than ours is enough to see that there were more.
  server.maxHeadersCount = HEADER_COUNT_MAX + 1;
  server.on('request', (_request, response) => inTurn(response, start, countCut));
  server.on('checkContinue', (request: IncomingMessage, response: GuardedResponse) => {
    awaitContinue(request, response);
    inTurn(response, start, countCut);
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: GuardedResponse) => {
    inTurn(response, refuseExpectation, countCut);
  });
  // The target of CONNECT is not a path, and there is no response object for it.
  server.on('connect', (_request, socket) =>
    behindAnswers(socket, () => writeProblem(socket, socketContext, codes.operationNotFound)),
  );
  server.on('clientError', (error, socket) => answerClientError(socketContext, error, socket));
  const { settings: limits, logger } = deps;
  const sockets = watchConnections(server as Server, { limits, meter: meter.connections, logger });

  return {
    isClosing,
    listen: (port, host, sharesPort = false) => startListening(server, { port, host, reusePort: sharesPort }),
    async close() {
      closing = true;
      await stopListening(server, sockets);
    },
  };
}

function refuseExpectation(response: GuardedResponse): void {
  presentIssues(response, [UNKNOWN_EXPECTATION], ['Connection', 'close']);
}

/** What every request passes before it is routed. */
function admitRequest(request: IncomingMessage, response: GuardedResponse, handle: Handle): void {
  const oddity = findOddity(request);
  if (oddity !== undefined) {
    presentIssues(response, [oddity], ['Connection', 'close']);
    return;
  }
  // Its parser drops what follows an upgrade that nobody takes: the client learns that it must ask again.
  if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  request.url = originFormOf(request.url ?? '/');
  handle(request, response);
}

function findHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function serverOptions({ headersTimeoutMs, requestTimeoutMs }: ListenerSettings) {
  const headersTimeout = Math.min(headersTimeoutMs, requestTimeoutMs);
  return {
    headersTimeout,
    // A body is bounded where it is read (`bodyHook`), and behind its answer (`lingerOver`).
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS_MAX, Math.ceil(headersTimeout / 4)),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    // A missing Host is answered by `findOddity`; node would answer without a body.
    requireHostHeader: false,
  };
}

type OurServer = Server<typeof IncomingMessage, typeof GuardedResponse>;

function startListening(server: OurServer, options: ListenOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

async function stopListening(server: OurServer, sockets: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    // Of net: that of http would cut idle connections at once, also those whose next request has arrived, but was
    // not yet read.
    NetServer.prototype.close.call(server, () => resolve());
  });
  if (sockets.size > 0) await sleep(SETTLE_MS);
  server.closeIdleConnections();
  // Connections on which nothing was ever asked are not idle to node, and would be waited for.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  if (server instanceof TlsServer) for (const socket of withoutHandshake(sockets)) socket.destroy();
  const timer = setTimeout(() => {
    server.closeAllConnections();
    // What the HTTP server has let go of (CONNECT) is not among its connections.
    for (const socket of sockets) socket.destroy();
  }, CLOSE_GRACE_MS);
  await closed;
  clearTimeout(timer);
}

/** Connections of a TLS server that are not connections to the HTTP server yet: nothing was asked on them. */
function withoutHandshake(sockets: ReadonlySet<Socket>): Socket[] {
  const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  const all = [...sockets];
  const secured = new Set(all.filter((socket) => socket instanceof TLSSocket).map(endOf));
  return all.filter((socket) => !secured.has(endOf(socket)));
}
