/** A booking site for tests: takes all who come over TLS, and remembers what they asked for. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

export interface BookingSite {
  /** `127.0.0.1:port`. */
  readonly place: string;
  /** `METHOD HOST/PATH`, in their order. */
  readonly reached: readonly string[];
  close(): Promise<void>;
}

export async function startBookingSite(): Promise<BookingSite> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'book.example.com' }], {
    keyType: 'ec',
    algorithm: 'sha256',
  });
  const reached: string[] = [];
  const server = createServer({ cert, key }, ({ method, headers, url }, response) => {
    if (url !== '/favicon.ico') reached.push(`${method} ${headers.host}${url}`);
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Booking</title><h1>Booking</h1>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    place: `127.0.0.1:${port}`,
    reached,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
