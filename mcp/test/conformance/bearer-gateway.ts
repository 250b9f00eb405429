/**
 * A gateway that adds a bearer token, as a company's own gateway would: the suite has no way to send one. Everything
 * else, `Host` and `Origin` included, passes as it came, so that the server judges what the suite sent.
 */
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Gateway {
  readonly url: string;
  close(): Promise<void>;
}

export async function openBearerGateway(mcpUrl: string, token: string): Promise<Gateway> {
  const { hostname, port, pathname } = new URL(mcpUrl);
  const server = createServer((request, response) => {
    forward({ host: hostname, port, token }, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(
  { host, port, token }: { host: string; port: string; token: string },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const headers = [...request.rawHeaders, 'Authorization', `Bearer ${token}`];
  const options = { host, port, method: request.method, path: request.url, setHost: false, headers };
  const onward = httpRequest(options, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}
