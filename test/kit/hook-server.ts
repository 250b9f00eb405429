/** An endpoint of a partner, over TLS, as good or as bad as a test wants; what it takes is verified. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeTestCertificates, type TestCertificates } from './test-certificates.ts';

export interface ReceivedHook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly path: string;
  readonly atMs: number;
}

export type HookAnswer = (response: ServerResponse, received: ReceivedHook) => void;

export interface HookServer {
  /** `https://localhost:port` */
  readonly url: string;
  readonly received: ReceivedHook[];
  /** TLS connections so far. */
  readonly connectionCount: number;
  /** From now on. */
  answer: HookAnswer;
  close(): Promise<void>;
}

export function status(code: number, headers: Readonly<Record<string, string>> = {}): HookAnswer {
  return (response) => void response.writeHead(code, headers).end();
}

export async function startHookServer(certificates: TestCertificates): Promise<HookServer> {
  const { certificate: cert, key } = certificates;
  const server = createServer({ cert, key }, (request, response) => {
    response.on('error', () => undefined);
    void answer(request, response);
  });
  server.on('tlsClientError', () => undefined);
  let connectionCount = 0;
  server.on('secureConnection', () => (connectionCount += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await receive(request);
    hooks.received.push(received);
    hooks.answer(response, received);
  }

  const hooks: HookServer = {
    url: `https://localhost:${port}`,
    received: [],
    get connectionCount() {
      return connectionCount;
    },
    answer: status(204),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return hooks;
}

async function receive(request: IncomingMessage): Promise<ReceivedHook> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return { headers, body: Buffer.concat(chunks).toString(), path: request.url ?? '', atMs: Date.now() };
}

/** Certificates whose authority this process trusts, as with NODE_EXTRA_CA_CERTS. */
export function trustedCertificates(): TestCertificates {
  const certificates = makeTestCertificates();
  setDefaultCACertificates([...getCACertificates('default'), certificates.authority]);
  return certificates;
}
