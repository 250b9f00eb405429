/** The connections of a listener: how many there may be, and who is told of those refused. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { ConnectionMeter } from '../../observability/metrics/connection-meter.ts';

export interface ConnectionLimits {
  /** Connections at once; further ones are closed as they come. */
  readonly connectionsMax: number;
  /** An answer of which the client takes nothing for so long ends its connection. */
  readonly writeTimeoutMs: number;
}

/** One log line tells of all connections that were refused since the last one. */
const REFUSAL_LINE_MS = 10_000;

interface Deps {
  readonly limits: ConnectionLimits;
  readonly meter: ConnectionMeter;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Bounds the connections of a server that is not yet listening; the sockets that are open at any time. */
export function watchConnections(server: Server, { limits, meter, logger }: Deps): ReadonlySet<Socket> {
  const { connectionsMax } = limits;
  const sockets = new Set<Socket>();
  const watch = (socket: Socket): void => {
    // Node takes its own listener off a socket that it hands over (CONNECT, upgrades); without one, a connection that
    // breaks then would end the process. This one stays as long as the socket.
    socket.on('error', ignoreBrokenConnection);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  server.on('connection', (socket: Socket) => {
    meter.open += 1;
    socket.once('close', () => (meter.open -= 1));
    watch(socket);
  });
  // With TLS there is one more socket within each connection.
  server.on('secureConnection', watch);

  server.maxConnections = connectionsMax;
  let untoldCount = 0;
  server.on('drop', () => {
    meter.refused += 1;
    untoldCount += 1;
    if (untoldCount > 1) return;
    logger.warn({ connectionsMax }, 'connections are refused: as many are open as may be');
    setTimeout(() => {
      if (untoldCount > 1) logger.warn({ refusedCount: untoldCount }, 'more connections were refused');
      untoldCount = 0;
    }, REFUSAL_LINE_MS).unref();
  });
  return sockets;
}

/** Nobody is left to be answered, and the end of the socket is told by its `close`. */
function ignoreBrokenConnection(): void {}
