/** A proxy in front of a real service that fails as networks and proxies fail, one planned fault a request. */
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Fault =
  | 'pass'
  | 'reset'
  | 'reset-after-answer'
  | 'truncate'
  | 'stall'
  | 'html'
  | 'unavailable'
  | 'rate-limited'
  | 'rate-limited-for-hours';

export interface FaultyProxy {
  readonly url: string;
  /** What the next requests meet, in order; then `pass`. */
  plan(...faults: Fault[]): void;
  /** Requests that arrived, and those that reached the service. */
  readonly counts: { seen: number; passed: number };
  close(): Promise<void>;
}

export async function startFaultyProxy(serviceUrl: string): Promise<FaultyProxy> {
  const planned: Fault[] = [];
  const counts = { seen: 0, passed: 0 };
  const server = createServer((request, response) => {
    counts.seen += 1;
    const fault = planned.shift() ?? 'pass';
    if (fault === 'pass' || fault === 'reset-after-answer' || fault === 'truncate') {
      counts.passed += 1;
      forward(serviceUrl, request, response, fault);
    } else fail(fault, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plan: (...faults) => void planned.splice(0, planned.length, ...faults),
    counts,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(serviceUrl: string, request: IncomingMessage, response: ServerResponse, fault: Fault): void {
  const { method, url, headers } = request;
  const onward = httpRequest(`${serviceUrl}${url}`, { method, headers }, (answer) => {
    const pieces: Buffer[] = [];
    answer.on('data', (piece: Buffer) => pieces.push(piece));
    answer.on('end', () => {
      const body = Buffer.concat(pieces);
      if (fault === 'reset-after-answer') return void request.socket.resetAndDestroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (fault === 'pass') return void response.end(body);
      response.write(body.subarray(0, body.length / 2));
      setTimeout(() => request.socket.destroy(), 20);
      return undefined;
    });
  });
  request.pipe(onward);
}

function fail(fault: Fault, { socket }: IncomingMessage, response: ServerResponse): void {
  if (fault === 'reset') socket.resetAndDestroy();
  else if (fault === 'html') response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Log in</h1>');
  else if (fault === 'unavailable') answerProblem(response, 503, 'PARTNER_API_UNAVAILABLE', '0');
  else if (fault === 'rate-limited') answerProblem(response, 429, 'RATE_LIMIT_EXCEEDED', '0');
  else if (fault === 'rate-limited-for-hours') answerProblem(response, 429, 'RATE_LIMIT_EXCEEDED', '7200');
  // A stalled request gets nothing; the client's timeout ends it.
}

function answerProblem(response: ServerResponse, status: number, code: string, retryAfter: string): void {
  const problem = { type: 'about:blank', title: code, status, detail: code, code, correlationId: 'proxy' };
  response.writeHead(status, { 'Content-Type': 'application/problem+json', 'Retry-After': retryAfter });
  response.end(JSON.stringify(problem));
}
