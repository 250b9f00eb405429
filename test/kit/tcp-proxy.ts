/**
 * A way to a server that can be cut off as by a network: connections stay open and nothing comes through.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** On 127.0.0.1. */
  readonly port: number;
  /** From now on no byte passes in either direction; new connections are accepted and not forwarded. */
  cut(): void;
  /** New connections lead there, as when a name has moved; those that are open stay where they are. */
  moveTo(targetPort: number): void;
  /** Releases the held data. */
  restore(): void;
  close(): Promise<void>;
}

export async function openTcpProxy(firstPort: number): Promise<TcpProxy> {
  let targetPort = firstPort;
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (bytes) => void to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isCut) from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    moveTo(port) {
      targetPort = port;
    },
    restore() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
