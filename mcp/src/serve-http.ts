/** MCP over HTTP at /mcp: stateless, one server a request, with the bearer token that the caller sent. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { Stayport } from '../../sdk/src/index.ts';
import { buildMcpServer } from './build-server.ts';

const PATH = '/mcp';
const BODY_BYTES_MAX = 65_536;
const CONNECTIONS_MAX = 500;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const BEARER = /^Bearer ([\x21-\x7e]+)$/i;

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  /** The partner API. */
  readonly baseUrl: string;
  /** Names by which clients reach this server, besides loopback and `host`. */
  readonly allowedHosts: readonly string[];
}

/** Resolves once it listens. */
export function serveMcpOverHttp({ host, port, baseUrl, allowedHosts }: HttpOptions): Promise<Server> {
  const handler = createMcpHandler(
    ({ requestInfo }) =>
      buildMcpServer(
        new Stayport({ baseUrl, token: bearerOf(requestInfo?.headers.get('authorization')) ?? '' }),
      ),
    { maxRequestBodySize: BODY_BYTES_MAX, maxSubscriptions: CONNECTIONS_MAX },
  );
  const handle = toNodeHandler(handler);
  const names = ['localhost', '127.0.0.1', '[::1]', host.includes(':') ? `[${host}]` : host, ...allowedHosts];
  const isForUs = hostHeaderValidation(names);
  const isFromUs = originValidation(names);
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      if (!isForUs(request, response) || !isFromUs(request, response)) return;
      if (new URL(request.url ?? '/', 'http://any').pathname !== PATH) {
        refuse(response, 404, `there is nothing here; MCP is at ${PATH}`);
      } else if (bearerOf(request.headers.authorization) === undefined) {
        response.setHeader('WWW-Authenticate', 'Bearer realm="stayport"');
        refuse(response, 401, 'send your partner token: Authorization: Bearer <token>');
      } else {
        void serve(handle, request, response);
      }
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  // A socket handed over for CONNECT or an upgrade has no listener of its own, and its error would end the process.
  for (const event of ['connect', 'upgrade'] as const) {
    server.on(event, (_request, socket) => socket.on('error', () => {}).destroy());
  }
  server.on('close', () => void handler.close());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

async function serve(
  handle: ReturnType<typeof toNodeHandler>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    // A request that a server got has a method and a URL.
    await handle(request as IncomingMessage & { method: string; url: string }, response);
  } catch (error) {
    // The peer went away, or a bug: named without what was sent.
    process.stderr.write(`stayport mcp: ${error instanceof Error ? error.message : 'a request failed'}\n`);
    if (response.headersSent) response.destroy();
    else refuse(response, 500, 'the request could not be served');
  }
}

function bearerOf(header: string | null | undefined): string | undefined {
  return BEARER.exec(header ?? '')?.[1];
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }));
}
