/** A server that publishes a calendar, as well or as badly as a test wants. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FeedAnswer = (request: IncomingMessage, response: ServerResponse) => void;

export interface FeedServer {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly port: number;
  /** All requests so far, in order. */
  readonly requests: IncomingMessage[];
  /** From now on. */
  answer: FeedAnswer;
  close(): Promise<void>;
}

export async function startFeedServer(): Promise<FeedServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    feeds.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const feeds: FeedServer = {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    answer: status(404),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return feeds;
}

export function status(code: number, headers: Readonly<Record<string, string>> = {}, body = ''): FeedAnswer {
  return (_request, response) => void response.writeHead(code, headers).end(body);
}

/** `[first night, date of leaving]` of each event; answers 304 to who has it already. */
export function calendar(...events: readonly (readonly [string, string])[]): FeedAnswer {
  const body = calendarText(...events);
  const etag = `"${body.length}-${events.flat().join('-')}"`;
  return (request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag, 'content-type': 'text/calendar; charset=utf-8' }).end(body);
  };
}

export function calendarText(...events: readonly (readonly [string, string])[]): string {
  const lines = events.flatMap(([from, to], index) => [
    'BEGIN:VEVENT',
    `UID:${index}@feeds.example`,
    `DTSTART;VALUE=DATE:${from.replaceAll('-', '')}`,
    `DTEND;VALUE=DATE:${to.replaceAll('-', '')}`,
    'SUMMARY:CLOSED - Not available',
    'END:VEVENT',
  ]);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}
