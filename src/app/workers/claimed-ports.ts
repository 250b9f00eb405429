/**
 * Ports of all workers. With SO_REUSEPORT the system spreads connections over them, and would spread them over a second
 * installation too: so the process first makes sure that it is alone, and stays alone.
 */
import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { explainListenError, type ListenerAddress } from '../service/listeners/listen.ts';

export interface ClaimedPort {
  /** A free one if the setting is 0. */
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
 * Throws `StartRefused` when the port is in use. The system refuses later programs without SO_REUSEPORT; the name that
 * this process holds refuses other installations with several workers. The system releases the name at the end of the
 * process.
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

/** In the abstract namespace of Unix sockets, on Linux only; elsewhere two concurrent starts go unnoticed. */
async function holdName(name: string): Promise<Server | undefined> {
  return process.platform === 'linux' ? (await openServer({ path: `\0${name}` })).unref() : undefined;
}

async function openServer(options: ListenOptions): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen(options);
  await once(server, 'listening');
  return server;
}
