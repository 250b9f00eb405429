/**
 * Ports on which all workers listen. With SO_REUSEPORT the system spreads connections over them, and would spread them
 * over two installations as well: so the process first makes sure that it is alone there, and that it stays alone.
 */
import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { explainListenError, type ListenerAddress } from '../service/listen.ts';

export interface ClaimedPort {
  /** Where the setting said 0, a free one. */
  readonly port: number;
  release(): void;
}

/** Whether several threads can listen on one port here: not on macOS and Windows. */
export async function canSharePorts(): Promise<boolean> {
  try {
    (await openServer({ port: 0, host: '127.0.0.1', reusePort: true })).close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Throws `StartRefused` when anybody listens there. A program that starts later without SO_REUSEPORT is refused by the
 * system, another installation with several workers by the name that this one holds as long as it lives. The system
 * releases the name when the process ends in whatever way.
 */
export async function claimPort(address: ListenerAddress): Promise<ClaimedPort> {
  let name: Server | undefined;
  try {
    const first = await openServer({ port: address.port, host: address.host });
    const bound = first.address() as { readonly address: string; readonly port: number };
    try {
      name = await holdName(`stayport ${bound.address} ${bound.port}`);
    } finally {
      first.close();
    }
    return { port: bound.port, release: () => name?.close() };
  } catch (error) {
    throw explainListenError(error, address);
  }
}

/**
 * In the abstract namespace of Unix sockets, which only Linux has; elsewhere two that start at once are not noticed.
 */
async function holdName(name: string): Promise<Server | undefined> {
  return process.platform === 'linux' ? (await openServer({ path: `\0${name}` })).unref() : undefined;
}

async function openServer(options: ListenOptions): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen(options);
  await once(server, 'listening');
  return server;
}
