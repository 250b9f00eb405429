/**
 * A loopback port that stays ours while nobody listens on it: for servers that tests stop and start again. Systems
 * hand out ports above this range; and of the tests of all processes, only who holds the port after it takes one.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Linux hands out ports from 32 768 on, others from 49 152. `fetch` and browsers refuse 10 080 (Fetch, "bad port"). */
export const PORT_MIN = 10_100;
export const PORT_MAX = 12_100;
/** The port and its guard. */
const PORTS_EACH = 2;
const PAIR_COUNT = (PORT_MAX - PORT_MIN) / PORTS_EACH;

export interface ReservedPort {
  readonly port: number;
  /** The end of the process does it too, however it ends. */
  release(): Promise<void>;
}

/** Test processes run beside each other: each begins to look at another place. */
let pairNext = (process.pid * 37) % PAIR_COUNT;

export interface PortOptions {
  /** Another port must be free at this distance, for the same server. */
  readonly alsoAt?: number;
  /** The first one to look at. */
  readonly from?: number;
}

export async function reservePort({ alsoAt, from }: PortOptions = {}): Promise<ReservedPort> {
  if (from !== undefined) pairNext = (from - PORT_MIN) / PORTS_EACH;
  for (let attempt = 0; attempt < PAIR_COUNT; attempt += 1) {
    const port = PORT_MIN + PORTS_EACH * pairNext;
    pairNext = (pairNext + 1) % PAIR_COUNT;
    const guard = await listenOn(port + 1);
    if (guard === undefined) continue;
    guard.unref();
    const isFree = (await canListenOn(port)) && (alsoAt === undefined || (await canListenOn(port + alsoAt)));
    if (isFree) return { port, release: () => close(guard) };
    await close(guard);
  }
  throw new Error(`no free port between ${PORT_MIN} and ${PORT_MAX}`);
}

async function canListenOn(port: number): Promise<boolean> {
  const probe = await listenOn(port);
  if (probe !== undefined) await close(probe);
  return probe !== undefined;
}

/** Undefined where somebody else listens. */
async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
