/**
 * Sends requests on new connections without pause, on the core of the load and with the lowest priority: searches
 * that are timed there wait for the server, not for this process.
 */
import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { obeyOrders } from '../machine/channel.ts';
import type { AttackOrder } from './attack.ts';

setPriority(constants.priority.PRIORITY_LOW);

obeyOrders({ attack });

/** Answers how often the server was asked, whatever it answered. */
async function attack(order: AttackOrder): Promise<number> {
  const request = Buffer.concat([Buffer.from(order.head, 'latin1'), bodyOf(order)]);
  const endsAtMs = performance.now() + order.seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: order.connections }, async () => {
      let asked = 0;
      for (; performance.now() < endsAtMs; asked += 1) await askOnce(order.port, request);
      return asked;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function bodyOf({ body }: AttackOrder): Uint8Array {
  if (body === undefined) return Buffer.alloc(0);
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
}

/** Resolves when the connection has ended; the server refuses some while they are still sent. */
function askOnce(port: number, request: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.on('end', () => socket.destroy());
    socket.resume();
    socket.write(request);
  });
}
