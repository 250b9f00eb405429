/**
 * The limit of the wire: `node:http` and nothing else, writing answers that Stayport gave before, byte for byte, with
 * the same headers. No routing, no look-up: answers go out in turn. For a POST it parses the body, as anyone must.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { obeyOrders } from '../machine/channel.ts';
import { DIAGNOSTICS } from '../machine/diagnostics.ts';
import type { RecordedAnswer } from '../load/recorded-answer.ts';

let answers: readonly RecordedAnswer[] = [];
let next = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') answer(response);
  else parseThenAnswer(request, response);
});

function answer(response: ServerResponse): void {
  const { status, headers, body } = answers[next]!;
  next = next + 1 === answers.length ? 0 : next + 1;
  response.writeHead(status, headers as string[]);
  response.end(body);
}

function parseThenAnswer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString('utf8'));
    answer(response);
  });
}

obeyOrders({
  ...DIAGNOSTICS,
  listen: () =>
    new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    }),
  /** From now on these are the answers. */
  load(given: { readonly answers: readonly RecordedAnswer[]; readonly keepAliveTimeoutMs: number }): void {
    answers = given.answers;
    next = 0;
    server.keepAliveTimeout = given.keepAliveTimeoutMs;
  },
});
