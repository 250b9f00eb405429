/**
 * A balancer in front of several processes: asks `/readyz` of each, passes requests on in turn, and never sends one
 * twice. A request that a process does not answer breaks the client's connection, so that a test sees it.
 */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const ASKED_EVERY_MS = 50;

export interface Behind {
  readonly partnerUrl: string;
  readonly operatorUrl: string;
}

export interface Balancer {
  /** Each leads to that listener of one of the processes. */
  readonly partnerUrl: string;
  readonly operatorUrl: string;
  /** Resolves when the process takes part. */
  add(behind: Behind): Promise<void>;
  remove(behind: Behind): void;
  close(): Promise<void>;
}

export async function openBalancer(): Promise<Balancer> {
  const ready = new Map<Behind, boolean>();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  let isClosed = false;

  function choose(): Behind | undefined {
    const candidates = [...ready].flatMap(([behind, isReady]) => (isReady ? [behind] : []));
    return candidates[(turn += 1) % Math.max(1, candidates.length)];
  }

  async function listen(urlOf: (behind: Behind) => string): Promise<{ server: Server; url: string }> {
    const server = createServer((incoming, outgoing) => {
      const behind = choose();
      if (behind === undefined) incoming.socket.destroy();
      else forward({ incoming, outgoing, url: urlOf(behind), agent });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  async function watch(behind: Behind): Promise<void> {
    while (!isClosed && ready.has(behind)) {
      const isReady = await isReadyNow(behind);
      if (ready.has(behind)) ready.set(behind, isReady);
      await sleep(ASKED_EVERY_MS);
    }
  }

  const partner = await listen(({ partnerUrl }) => partnerUrl);
  const operator = await listen(({ operatorUrl }) => operatorUrl);
  return {
    partnerUrl: partner.url,
    operatorUrl: operator.url,
    async add(behind) {
      ready.set(behind, false);
      void watch(behind);
      while (ready.get(behind) === false) await sleep(ASKED_EVERY_MS);
    },
    remove: (behind) => void ready.delete(behind),
    async close() {
      isClosed = true;
      agent.destroy();
      for (const { server } of [partner, operator]) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
}

async function isReadyNow({ operatorUrl }: Behind): Promise<boolean> {
  try {
    const response = await fetch(`${operatorUrl}/readyz`, { signal: AbortSignal.timeout(1_000) });
    await response.bytes();
    return response.status === 200;
  } catch {
    return false;
  }
}

interface Forwarded {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly url: string;
  readonly agent: Agent;
}

function forward({ incoming, outgoing, url, agent }: Forwarded): void {
  const { method, url: path, headers } = incoming;
  const { hostname, port } = new URL(url);
  const sending = request({ agent, hostname, port, method, path, headers }, (answer) => {
    const { connection: _ofThisHop, ...kept } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, kept);
    answer.pipe(outgoing);
  });
  sending.on('error', () => incoming.socket.destroy());
  incoming.pipe(sending);
}
