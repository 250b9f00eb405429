/** A server that answers as balancers, proxies and wrong addresses do: with what a test gives it, in order. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | ((response: ServerResponse) => void);
}

export interface OddServer {
  readonly url: string;
  /** The headers of each request since the last plan. */
  readonly seen: IncomingHttpHeaders[];
  /** What the next requests get, in order; the last one stays. */
  plan(...answers: Answer[]): void;
  close(): Promise<void>;
}

export async function startOddServer(): Promise<OddServer> {
  const planned: Answer[] = [];
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    const {
      status = 200,
      headers = {},
      body = '{}',
    } = (planned.length > 1 ? planned.shift() : planned[0]) ?? {};
    response.writeHead(status, headers);
    if (typeof body === 'string') response.end(body);
    else body(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    plan(...answers) {
      planned.splice(0, planned.length, ...answers);
      seen.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
