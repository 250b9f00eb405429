/**
 * Answers as a server gave them, for a contestant that repeats them and for comparisons.
 */
import { Agent, request as httpRequest } from 'node:http';

export interface RecordedAnswer {
  readonly status: number;
  /** Names and values in turn, as they were sent, without those that `node:http` adds by itself. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}

const ADDED_BY_NODE = new Set(['date', 'connection', 'keep-alive']);
const ASKED_AT_ONCE = 8;

/** What a request is made of, before it becomes text. */
export interface RequestParts {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token: string;
  readonly body?: string;
}

/** Asks every request once and keeps the answers, in order. */
export async function recordAnswers(
  port: number,
  requests: readonly RequestParts[],
): Promise<RecordedAnswer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: ASKED_AT_ONCE });
  const answers: RecordedAnswer[] = new Array(requests.length);
  let next = 0;
  const askOn = async (): Promise<void> => {
    for (let index = next++; index < requests.length; index = next++) {
      answers[index] = await ask(agent, port, requests[index]!);
    }
  };
  try {
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askOn));
    return answers;
  } finally {
    agent.destroy();
  }
}

function ask(
  agent: Agent,
  port: number,
  { method, path, token, body }: RequestParts,
): Promise<RecordedAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : JSON_TYPE) };
    const outgoing = httpRequest({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: withoutAdded(response.rawHeaders),
          body: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };

function withoutAdded(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!ADDED_BY_NODE.has(rawHeaders[index]!.toLowerCase()))
      kept.push(rawHeaders[index]!, rawHeaders[index + 1]!);
  }
  return kept;
}

/** The same request as text, ready for the wire. */
export function formatRequest({ method, path, token, body }: RequestParts): string {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Accept: application/json',
    'User-Agent: stayport-bench',
  ];
  if (body === undefined) return `${head.join('\r\n')}\r\n\r\n`;
  head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
