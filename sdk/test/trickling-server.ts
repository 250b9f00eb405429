/** A service that never finishes its answer, and a garbage collector that never rests. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const BLANK_EVERY_MS = 100;

export interface TricklingServer {
  readonly url: string;
  /** Requests that still wait for the rest of their answer. */
  readonly openCount: () => number;
  close(): Promise<void>;
}

/** Sends headers, then a blank every 100 ms; a path that ends in `silent` gets no headers either. */
export async function startTricklingServer(): Promise<TricklingServer> {
  const open = new Set<ServerResponse>();
  const server = createServer(({ url }, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    if (!url?.endsWith('silent')) response.writeHead(200, { 'Content-Type': 'application/json' }).write(' ');
  });
  const timer = setInterval(() => {
    for (const response of open) if (response.headersSent) response.write(' ');
  }, BLANK_EVERY_MS);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    openCount: () => open.size,
    async close() {
      clearInterval(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Collects garbage every 100 ms, until what it returns is called. */
export function collectGarbage(): () => void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const timer = setInterval(gc, BLANK_EVERY_MS);
  return () => clearInterval(timer);
}
