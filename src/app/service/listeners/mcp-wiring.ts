/** MCP over HTTP, put together: the handler of `mcp/` behind a listener like all others. */
import type { Logger } from 'pino';
import { type OpenAccess, openMcpHandler, MCP_PATH } from '../../../../mcp/src/http-handler.ts';
import { createWaitingBudget, waitingBytesOfHeap } from '../../../http/listener/waiting-budget.ts';
import { buildMcpListener } from '../../../partner/mcp/mcp-server.ts';
import { createOwnLimits } from '../../../limits/own-limits.ts';
import { createRequestMeter } from '../../../http/observability/metrics/request-meter.ts';

export const BODY_BYTES_MAX = 65_536;
export const CONNECTIONS_MAX = 500;
export const CONNECTIONS_PER_ADDRESS_MAX = 256;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const WRITE_TIMEOUT_MS = 30_000;

export interface McpOptions {
  readonly host: string;
  readonly port: number;
  /** The partner API. */
  readonly baseUrl: string;
  /** Names by which clients reach this server, besides loopback and `host`. */
  readonly allowedHosts: readonly string[];
  /** Requests per source address, and per token, in a minute; 0 turns both limits off. */
  readonly limit: number;
  /** CIDRs or addresses whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Serves everybody with this token. */
  readonly open?: OpenAccess | undefined;
  /** Origins of pictures that cards may show. */
  readonly pictureOrigins: readonly string[];
  readonly logger: Logger;
}

export interface McpListener {
  readonly url: string;
  /** Finishes what is under way. */
  close(): Promise<void>;
}

/** Resolves once it listens; rejects when the address can't be had. */
export async function startMcpListener(options: McpOptions): Promise<McpListener> {
  const { host, port, baseUrl, allowedHosts, limit, trustedProxies, logger } = options;
  const shownHost = host.includes(':') ? `[${host}]` : host;
  const handler = openMcpHandler({
    baseUrl,
    hosts: ['localhost', '127.0.0.1', '[::1]', shownHost, ...allowedHosts],
    bodyBytesMax: BODY_BYTES_MAX,
    subscriptionsMax: CONNECTIONS_MAX,
    open: options.open,
    pictureOrigins: options.pictureOrigins,
  });
  const listener = buildMcpListener({
    ...createOwnLimits(),
    handler,
    logger,
    meter: createRequestMeter(),
    budget: createWaitingBudget(waitingBytesOfHeap()),
    settings: {
      path: MCP_PATH,
      problemsBaseUrl: `${baseUrl.replace(/(?<!\/)\/+$/, '')}/problems`,
      bodyBytesMax: BODY_BYTES_MAX,
      limit,
      trustedProxies,
      headersTimeoutMs: HEADERS_TIMEOUT_MS,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      writeTimeoutMs: WRITE_TIMEOUT_MS,
      connectionsMax: CONNECTIONS_MAX,
      connectionsPerAddressMax: CONNECTIONS_PER_ADDRESS_MAX,
    },
  });
  const address = await listener.listen(port, host);
  return {
    url: `http://${shownHost}:${address.port}${MCP_PATH}`,
    async close() {
      // Streams that never end would be waited for.
      await handler.close();
      await listener.close();
    },
  };
}
