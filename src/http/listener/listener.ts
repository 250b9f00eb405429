/**
 * A listener: one node:http server that keeps every answer in our own form. Each request passes its hooks, and no work
 * behind an answer takes for ever.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type ListenOptions, Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AnswerListener } from '../answers/answered-request.ts';
import type { RequestTrace, Tracing } from '../observability/tracing.ts';
import { answerClientError, writeProblem } from './client-errors.ts';
import { type ConnectionLimits, type Connections, watchConnections } from './connections.ts';
import type { Exchange, Hook } from './exchange.ts';
import { awaitContinue } from './request-body.ts';
import {
  type GuardedResponse,
  type ListenerCodes,
  type OnAnswered,
  responseClassFor,
} from '../answers/guarded-response.ts';
import { findMalformation, HEADER_COUNT_MAX, originFormOf, UNKNOWN_EXPECTATION } from './request-head.ts';
import { presentIssues } from '../answers/present-problem.ts';
import { behindAnswers, holdWhileUnread, inTurn, lastResponseOn } from './pipelining.ts';
import { UnauthenticatedConnections } from './unauthenticated-connections.ts';
import type { WaitingBudget } from './waiting-budget.ts';
import { makePeerAddress } from './source-address.ts';
import { NO_PROBLEM, type RequestMeter } from '../observability/metrics/request-meter.ts';
import { Deadlines } from '../../runtime/deadlines.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { idsOf } from '../observability/caller.ts';
import { createFailureLog } from '../observability/failure-log.ts';
import { createRefusalLog } from '../observability/refusal-log.ts';

/** Request line and headers together; more is refused by node's parser. */
const HEADER_BYTES_MAX = 16_384;
/**
 * Connections that the operating system queues; Linux bounds it by `net.core.somaxconn`, 4,096 by default. A dropped
 * client waits a second and more before it tries again.
 */
const BACKLOG = 4_096;
/** Longer than common load balancers keep idle connections, so that they close them first. */
const KEEP_ALIVE_MS = 72_000;
/** Largest delay in noticing a timeout. */
const TIMEOUT_CHECK_MS_MAX = 1_000;
/** Connections that have arrived at the close are accepted within this time. */
const ARRIVED_MS_MAX = 1_000;
/** Input that has arrived at the close is read and answered within this time. */
const SETTLE_MS = 100;
/** Time for answers under way; with the two before it, below the usual 10 s of containers. */
export const CLOSE_GRACE_MS = 8_000;

export interface ListeningServer {
  /**
   * Resolves once connections are accepted; rejects when the address is not available. Port 0 picks a free one.
   * `sharesPort` allows others with the same option.
   */
  listen(port: number, host: string, sharesPort?: boolean): Promise<AddressInfo>;
  /** Stops accepting, finishes answers under way within CLOSE_GRACE_MS, then resolves. */
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

/** Codes of the listener itself, for all but the operator's; the table of operations has all others. */
export const PARTNER_CODES: ListenerCodes = {
  operationNotFound: 'PARTNER_OPERATION_NOT_FOUND',
  unavailable: 'PARTNER_API_UNAVAILABLE',
};

export interface ListenerDeps {
  readonly logger: Logger;
  readonly meter: RequestMeter;
  readonly tracing?: Tracing | undefined;
  /** Counts answers to partners. */
  readonly activity?: AnswerListener | undefined;
  readonly isKnownOrigin: (origin: string) => boolean;
  /** Undefined: plain HTTP. */
  readonly tls?: TlsPair | undefined;
  readonly codes: ListenerCodes;
  /** Shared by all listeners of the thread. */
  readonly budget: WaitingBudget;
  readonly settings: ListenerSettings;
}

export interface Listener extends ListeningServer {
  readonly isClosing: () => boolean;
}

/** Handles each request; `request.url` is path and query, undecoded. */
type Handle = (request: IncomingMessage, response: GuardedResponse) => void;

export function buildListener(deps: ListenerDeps, handle: Handle): Listener {
  const { meter, tracing, codes, budget, settings, logger } = deps;
  const { problemsBaseUrl } = settings;
  const socketContext = { problemsBaseUrl, meter };
  const rules = { meter: meter.connections, budget };
  let closing = false;
  const isClosing = (): boolean => closing;
  const record = createRecorder(deps);
  const ListenerResponse = responseClassFor({
    ...deps,
    problemsBaseUrl,
    hasTls: deps.tls !== undefined,
    isClosing,
    onAnswered: (response, status, code) => {
      if (response.caller !== undefined && status < 400) leaveStrangers(response.req.socket);
      holdWhileUnread(response, settings.writeTimeoutMs, rules);
      record(response, status, code);
    },
  });

  const start = (response: GuardedResponse): void => {
    const { req: request } = response;
    response.startedAtMs = performance.now();
    if (tracing !== undefined) response.trace = tracing.startRequest(findHeader(request, 'traceparent'));
    admitRequest(request, response, handle);
  };
  const take = (response: GuardedResponse, begin = start): void => {
    const { socket } = response.req;
    const earlier = lastResponseOn(socket);
    if (earlier === undefined) connections.noteRequest(socket);
    unauthenticated.noteRequest(socket);
    inTurn(response, begin, rules);
  };
  const server = buildServer(deps, ListenerResponse);
  takeRequests(server, take);
  // The target of CONNECT is not a path, and there is no response object for it.
  server.on('connect', (_request, socket) =>
    behindAnswers(socket, () => writeProblem(socket, socketContext, codes.operationNotFound)),
  );
  server.on('clientError', (error, socket) => answerClientError(socketContext, error, socket));
  const peerAddressOf = makePeerAddress(settings.trustedProxies);
  const unauthenticated = new UnauthenticatedConnections();
  const leaveStrangers = (socket: Socket): void =>
    unauthenticated.leave(socket, () => peerAddressOf(socket.remoteAddress));
  server.on(deps.tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) =>
    unauthenticated.enter(socket, peerAddressOf(socket.remoteAddress)),
  );
  const connections = watchConnections(server as Server, {
    limits: settings,
    meter: meter.connections,
    logger,
  });

  return {
    isClosing,
    listen: (port, host, sharesPort = false) =>
      startListening(server, { port, host, reusePort: sharesPort, backlog: BACKLOG }),
    async close() {
      closing = true;
      await stopListening(server, connections);
    },
  };
}

/** Takes node's requests; `begin` runs when it is a request's turn. */
function takeRequests(
  server: ReturnType<typeof buildServer>,
  take: (response: GuardedResponse, begin?: (response: GuardedResponse) => void) => void,
): void {
  server.on('request', (_request, response) => take(response));
  server.on('checkContinue', (request: IncomingMessage, response: GuardedResponse) => {
    awaitContinue(request, response);
    take(response);
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: GuardedResponse) => {
    take(response, refuseExpectation);
  });
}

function refuseExpectation(response: GuardedResponse): void {
  presentIssues(response, [UNKNOWN_EXPECTATION], ['Connection', 'close']);
}

/** Checks before routing. */
function admitRequest(request: IncomingMessage, response: GuardedResponse, handle: Handle): void {
  const malformation = findMalformation(request);
  if (malformation !== undefined) {
    presentIssues(response, [malformation], ['Connection', 'close']);
    return;
  }
  // Its parser drops what follows an upgrade that nobody takes: the client learns that it must ask again.
  if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
  request.url = originFormOf(request.url ?? '/');
  handle(request, response);
}

/** Runs the hooks until one has answered. A thrown error becomes a problem, and so does a missing answer. */
export function runHooks<E extends Exchange>(hooks: readonly Hook<E>[], exchange: E): void {
  goOn(hooks, exchange, 0);
}

function goOn<E extends Exchange>(hooks: readonly Hook<E>[], exchange: E, from: number): void {
  const { response, presentFailure } = exchange;
  try {
    for (let index = from; index < hooks.length; index += 1) {
      const late = hooks[index]!(exchange);
      if (late !== undefined) {
        late.then(
          () => (response.isAnswered ? undefined : goOn(hooks, exchange, index + 1)),
          (error: unknown) => presentFailure(exchange, error),
        );
        return;
      }
      if (response.isAnswered) return;
    }
    presentFailure(exchange, new Error('the handler gave no answer'));
  } catch (error) {
    presentFailure(exchange, error);
  }
}

function findHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function serverOptions({ headersTimeoutMs, requestTimeoutMs }: ListenerSettings) {
  const headersTimeout = Math.min(headersTimeoutMs, requestTimeoutMs);
  return {
    headersTimeout,
    // A body is bounded where it is read (`bodyHook`), and behind its answer (`drainBody`).
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS_MAX, Math.ceil(headersTimeout / 4)),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    // A missing Host is answered by `findMalformation`; node would answer without a body.
    requireHostHeader: false,
    // A request without a body costs no stream: it has ended when it comes, without a word of it.
    optimizeEmptyRequests: true,
  };
}

/** A node server, with or without TLS, that does not listen yet. */
function buildServer({ tls, settings }: ListenerDeps, response: typeof GuardedResponse): OurServer {
  const options = { ...serverOptions(settings), ServerResponse: response };
  const server =
    tls === undefined
      ? createServer(options)
      : createTlsServer({ ...options, ...tls, handshakeTimeout: options.headersTimeout });
  // Node drops header lines beyond its limit silently; one more than ours is enough to see that there were more.
  server.maxHeadersCount = HEADER_COUNT_MAX + 1;
  return server;
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

/**
 * The system resets connections that nobody accepted; a turn of the event loop accepts one. Where more keep coming, some
 * are reset.
 */
async function acceptArrived(server: OurServer): Promise<void> {
  const untilMs = performance.now() + ARRIVED_MS_MAX;
  let hasAccepted = true;
  server.on('connection', () => (hasAccepted = true));
  while (hasAccepted && performance.now() < untilMs) {
    hasAccepted = false;
    await aWholeTurn();
  }
}

/** The rest of this turn of the event loop, and one that is whole: what had arrived has been looked at. */
async function aWholeTurn(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

async function stopListening(server: OurServer, connections: Connections): Promise<void> {
  const { sockets } = connections;
  if (!server.listening) return;
  await acceptArrived(server);
  const closed = new Promise<void>((resolve) => {
    // The close of net: that of http would cut idle connections at once, also those with an unread request.
    NetServer.prototype.close.call(server, () => resolve());
  });
  if (sockets.size > 0) {
    await sleep(SETTLE_MS);
    // Where the thread was at work meanwhile, time has passed but nothing was read.
    await aWholeTurn();
  }
  server.closeIdleConnections();
  // Node does not count connections without a request as idle, and would wait for them.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  for (const socket of connections.withoutHandshake()) socket.destroy();
  const timer = setTimeout(() => {
    server.closeAllConnections();
    // Sockets that the HTTP server has detached (CONNECT) are not among its connections.
    for (const socket of sockets) socket.destroy();
  }, CLOSE_GRACE_MS);
  await closed;
  clearTimeout(timer);
}

// No caller waits for ever: what takes too long is answered 503, whatever hangs behind it.

/** Well above the 2 s that storing a quote may take, well below what clients wait. */
export const ANSWER_MS_MAX = 5_000;

/** By limit; there are a few. */
const deadlinesByLimit = new Map<number, Deadlines>();

function deadlinesOf(limitMs: number): Deadlines {
  const known = deadlinesByLimit.get(limitMs);
  if (known !== undefined) return known;
  const deadlines = new Deadlines(limitMs);
  deadlinesByLimit.set(limitMs, deadlines);
  return deadlines;
}

/** For tests whose timers end with them: a deadline that waits for one would wait for ever. */
export function forgetDeadlines(): void {
  deadlinesByLimit.clear();
}

/** The result of the work; rejects with StorageUnavailable when it is late. The work itself continues. */
export async function withinDeadline<T>(work: Promise<T>, limitMs = ANSWER_MS_MAX): Promise<T> {
  const deadlines = deadlinesOf(limitMs);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const deadline = deadlines.start(() => reject(new StorageUnavailable(`no answer within ${limitMs} ms`)));
  work.then(resolve, reject);
  try {
    return await promise;
  } finally {
    deadlines.end(deadline);
  }
}

/** Runs `work` within the request's span, if there is one. */
export function tracedWork<T>(trace: RequestTrace | undefined, work: () => T): T {
  return trace === undefined ? work() : trace.run(work);
}

// Records of an answer: counts, the end of its trace, lines of the log.

/** Codes of requests without a token: no credential was refused. */
const NO_TOKEN_CODES: ReadonlySet<string> = new Set(['PARTNER_AUTH_REQUIRED', 'OPERATOR_AUTH_REQUIRED']);

/** Records the operation instead of the path: some clients put secrets into paths. */
function createRecorder({ meter, logger, activity }: ListenerDeps): OnAnswered {
  const failures = createFailureLog(logger);
  const refusals = createRefusalLog(logger);
  const isEachLogged = logger.isLevelEnabled('debug');

  return (response, status, code) => {
    const { correlationId, trace, caller, liveAsker, failureCause, startedAtMs } = response;
    const { operationName: operation } = response;
    const { method } = response.req;
    // Refused before its turn came, as behind bytes that can't be parsed: its time can't be measured.
    const durationMs = startedAtMs === 0 ? 0 : performance.now() - startedAtMs;
    meter.count(operation, status, code, durationMs);
    meter.credentials.count(caller, status);
    if (liveAsker !== undefined)
      activity?.answered(response, liveAsker, status, code === NO_PROBLEM ? '' : code, durationMs);
    if (status === 401 && failureCause?.isForced !== true && !NO_TOKEN_CODES.has(code))
      refusals.note(code, caller);
    trace?.end({ correlationId, operation, method, status, code });
    if (status < 500 && !isEachLogged) return;
    const ids = caller === undefined ? {} : idsOf(caller);
    const line = { correlationId, operation, method, status, code, durationMs, ...ids };
    if (status >= 500 && failureCause?.isForced !== true) failures.note({ ...line, ...failureCause });
    if (isEachLogged) logger.debug(line, 'answered');
  };
}
