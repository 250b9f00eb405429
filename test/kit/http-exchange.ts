/** One request and its answer over a real socket, byte for byte. */
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Asked {
  readonly method?: string;
  /** Sent as it is, escapes and all. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** False leaves out the media type of the body. */
  readonly isTyped?: boolean;
  /** Without a length, in pieces. */
  readonly chunked?: boolean;
}

export interface Received {
  readonly status: number;
  /** Lower-case names; every value that was sent. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export function exchange(baseUrl: string, asked: Asked): Promise<Received> {
  const { method = 'GET', path, body, chunked = false } = asked;
  const { hostname, port } = new URL(baseUrl);
  const headers: OutgoingHttpHeaders = { ...asked.headers };
  if (body !== undefined && !chunked) headers['content-length'] = Buffer.byteLength(body);
  if (chunked) headers['transfer-encoding'] = 'chunked';
  return new Promise((resolve, reject) => {
    const sending = request({ agent, hostname, port, method, path, headers }, (response) => {
      const { statusCode: status = 0, headersDistinct } = response;
      resolve(buffer(response).then((bytes) => ({ status, headers: headersDistinct, body: bytes })));
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

/** Lets go of connections that were kept for the next request. */
export function closeConnections(): void {
  agent.destroy();
}

/** The header's only value; undefined when it is absent or sent twice. */
export function headerOf({ headers }: Received, name: string): string | undefined {
  const values = headers[name.toLowerCase()];
  return values?.length === 1 ? values[0] : undefined;
}
