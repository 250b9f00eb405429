/**
 * A listener: one node:http server with everything around the framework that keeps its answers in our own form. The
 * framework routes and runs the hooks; the server, its errors and its end are ours.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import fastify from 'fastify';
import type { Logger } from 'pino';
import type { Tracing } from '../../observability/tracing/tracing.ts';
import type { App, AppReply } from './app.ts';
import { answerClientError, trackResponse, writeProblem } from './client-errors.ts';
import { awaitContinue } from './continue.ts';
import { handleError } from './error-handler.ts';
import { type GuardedResponse, responseClassFor } from '../answers/guarded-response.ts';
import { findOddity, HEADER_COUNT_MAX, UNKNOWN_EXPECTATION } from './odd-requests.ts';
import { presentIssues } from '../answers/present-problem.ts';
import { createFailureLog } from '../../observability/failure-log.ts';
import type { RequestMeter } from '../../observability/metrics/request-meter.ts';
import { routerTarget } from '../answers/request-target.ts';

/** Request line and headers together; more is refused by node's parser. */
export const HEADER_BYTES_MAX = 16_384;
/** Above what common load balancers keep idle connections for, so that they close them and not we. */
const KEEP_ALIVE_MS = 72_000;
/** How late a timeout may be noticed. */
const TIMEOUT_CHECK_MS_MAX = 1_000;
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

export interface ListenerSettings {
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
  readonly settings: ListenerSettings;
}

export interface Listener extends ListeningServer {
  /** Hooks and routes are registered here before `listen`. */
  readonly app: App;
  readonly isClosing: () => boolean;
}

type Handle = (request: IncomingMessage, response: GuardedResponse) => void;

export function buildListener(deps: ListenerDeps): Listener {
  const { meter, tracing } = deps;
  const { problemsBaseUrl } = deps.settings;
  const socketContext = { problemsBaseUrl, meter };
  let closing = false;
  const isClosing = (): boolean => closing;
  const ListenerResponse = responseClassFor({
    ...deps,
    problemsBaseUrl,
    isClosing,
    failures: createFailureLog(deps.logger),
    isEachLogged: deps.logger.isLevelEnabled('debug'),
  });

  function buildServer(handle: Handle): Server {
    const admit = (request: IncomingMessage, response: GuardedResponse): void => {
      if (tracing !== undefined) response.trace = tracing.startRequest(findHeader(request, 'traceparent'));
      admitRequest(request, response, handle);
    };
    const options = { ...serverOptions(deps.settings), ServerResponse: ListenerResponse };
    const server =
      deps.tls === undefined
        ? createServer(options)
        : createTlsServer({ ...options, ...deps.tls, handshakeTimeout: options.headersTimeout });
    // Node drops header lines beyond its limit silently; one more than ours is enough to see that there were more.
    server.maxHeadersCount = HEADER_COUNT_MAX + 1;
    server.on('request', (request, response) => admit(request, response));
    server.on('checkContinue', (request: IncomingMessage, response: GuardedResponse) => {
      awaitContinue(request, response);
      admit(request, response);
    });
    server.on('checkExpectation', (_request: IncomingMessage, response: GuardedResponse) => {
      presentIssues(response, [UNKNOWN_EXPECTATION], ['Connection', 'close']);
    });
    // The target of CONNECT is no path, and there is no response object for it.
    server.on('connect', (_request, socket) =>
      writeProblem(socket, socketContext, 'PARTNER_OPERATION_NOT_FOUND'),
    );
    server.on('clientError', (error, socket) => answerClientError(socketContext, error, socket));
    return server as unknown as Server;
  }

  const app = buildApp(buildServer);
  app.setErrorHandler(handleError);
  const { server } = app;
  const sockets = new Set<Socket>();
  const guard = (socket: Socket): void => {
    // Node takes its own listener off a socket that it hands over (CONNECT, upgrades); without one, a connection that
    // breaks then would end the process. This one stays as long as the socket.
    socket.on('error', ignoreBrokenConnection);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  server.on('connection', guard);
  // With TLS there is one more socket within each connection.
  server.on('secureConnection', guard);

  return {
    app,
    isClosing,
    async listen(port, host, sharesPort = false) {
      await app.ready();
      return await startListening(server, { port, host, reusePort: sharesPort });
    },
    async close() {
      closing = true;
      await stopListening(server, sockets);
      await app.close();
    },
  };
}

/** Nobody is left to be answered, and the end of the socket is told by its `close`. */
function ignoreBrokenConnection(): void {}

/** What every request passes before the framework sees it. */
function admitRequest(request: IncomingMessage, response: GuardedResponse, handle: Handle): void {
  trackResponse(request.socket, response);
  const oddity = findOddity(request);
  if (oddity !== undefined) {
    presentIssues(response, [oddity], ['Connection', 'close']);
    return;
  }
  request.url = routerTarget(request.url ?? '/');
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
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS_MAX, Math.ceil(headersTimeout / 4)),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    // A missing Host is answered by `findOddity`; node would answer without a body.
    requireHostHeader: false,
  };
}

function buildApp(buildServer: (handle: Handle) => Server): App {
  return fastify<Server, IncomingMessage, GuardedResponse>({
    logger: false,
    serverFactory: (handle) => buildServer(handle),
    // Both are ours: the first is set on the server above, the second is `closingHook`.
    clientErrorHandler: () => {},
    return503OnClosing: false,
    // Can't happen, since the router gets no malformed path and no long parameter; a mistake there is a 500.
    frameworkErrors: (error, request, reply) => handleError(error, request, reply as unknown as AppReply),
    exposeHeadRoutes: false,
    routerOptions: {
      // Lengths are for the contract to judge; nothing longer than the headers arrives.
      maxParamLength: HEADER_BYTES_MAX,
      // Queries are read strictly by the contract; the framework's object is never looked at.
      querystringParser: () => ({}),
    },
  });
}

function startListening(server: Server, options: ListenOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

async function stopListening(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections on which nothing was ever asked are not idle to node, and would be waited for.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  const timer = setTimeout(() => {
    server.closeAllConnections();
    // A handshake that never ended is no connection to the HTTP server.
    for (const socket of sockets) socket.destroy();
  }, CLOSE_GRACE_MS);
  await closed;
  clearTimeout(timer);
}
