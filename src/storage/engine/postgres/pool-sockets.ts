/**
 * The sockets of one pool, so that closing it has a bound: the driver waits for a server to hang up, and one that is
 * frozen or behind a cut cable never does.
 */
import { Socket } from 'node:net';

/** What runs gets so long to finish; all that a partner waits for is done or refused earlier. */
export const CLOSE_MS_MAX = 3_000;

export interface PoolSockets {
  /** A socket that is not connected yet. */
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
