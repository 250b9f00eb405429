/**
 * The sockets of one pool, so that closing it takes bounded time. The driver waits for the server to hang up, which a
 * frozen server or one behind a cut cable never does.
 */
import { Socket } from 'node:net';

/** Time for running work to finish. All work that a partner waits for ends or fails earlier. */
export const CLOSE_MS_MAX = 3_000;

export interface PoolSockets {
  /** Creates an unconnected socket. */
  open(): Socket;
  /** Resolves when the pool and all of its sockets have ended; after CLOSE_MS_MAX they are cut off. */
  untilClosed(poolEnded: Promise<void>): Promise<void>;
}

export function createPoolSockets(): PoolSockets {
  const sockets = new Map<Socket, Promise<void>>();
  return {
    open() {
      const socket = new Socket();
      const { promise, resolve } = Promise.withResolvers<void>();
      sockets.set(socket, promise);
      socket.once('close', () => {
        sockets.delete(socket);
        resolve();
      });
      return socket;
    },
    async untilClosed(poolEnded) {
      const timer = setTimeout(() => {
        for (const socket of sockets.keys()) socket.destroy();
      }, CLOSE_MS_MAX);
      try {
        await Promise.all([poolEnded, ...sockets.values()]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
