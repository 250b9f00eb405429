/** Speaks to a listener in bytes, for tests: what a well-behaved client library would never send. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RawAnswer {
  readonly status: number;
  readonly statusLine: string;
  /** By lower-case name; a name that came twice has both values, joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RawExchange {
  readonly answers: readonly RawAnswer[];
  /** Bytes that are not part of an answer; empty when all is well. */
  readonly rest: string;
  readonly isClosedByServer: boolean;
}

export interface RawOptions {
  /** Ends our side after the last part. */
  readonly halfClose?: boolean;
  /** Between two parts. */
  readonly pauseMs?: number;
  /** How many final answers to wait for; 1 unless told otherwise. */
  readonly answerCount?: number;
  /** Once the answers are there: how long to watch for more, or for the end of the connection. */
  readonly settledMs?: number;
  /** Answers to HEAD have no body, whatever their Content-Length says. */
  readonly isHead?: boolean;
}

/** How long to watch for more unless told otherwise. */
const SETTLED_MS = 40;
/** An answer that takes longer than this is none. */
const SILENT_MS_MAX = 4_000;

/** Sends the parts one after the other, then reads until the server closes or has answered. */
export async function exchange(
  port: number,
  parts: readonly (string | Uint8Array)[],
  options: RawOptions = {},
): Promise<RawExchange> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const state = { isClosedByServer: false };
  let lastChunkAtMs = Date.now();
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    lastChunkAtMs = Date.now();
  });
  socket.on('error', () => (state.isClosedByServer = true));
  socket.on('end', () => (state.isClosedByServer = true));
  await once(socket, 'connect');
  for (const [index, part] of parts.entries()) {
    if (index > 0) await sleep(options.pauseMs ?? 5);
    if (socket.writable) socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
  }
  if (options.halfClose === true) socket.end();
  lastChunkAtMs = Date.now();
  while (!state.isClosedByServer) {
    const silentMs = Date.now() - lastChunkAtMs;
    const hasAll =
      silentMs > (options.settledMs ?? SETTLED_MS) &&
      countFinal(chunks, options) >= (options.answerCount ?? 1);
    if (hasAll || silentMs > (options.settledMs ?? SILENT_MS_MAX)) break;
    await sleep(5);
  }
  socket.destroy();
  return { ...parseAnswers(Buffer.concat(chunks), options.isHead ?? false), ...state };
}

/** An open connection, for tests that act between two requests on it. */
export async function openConnection(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.on('error', () => {}); // the server may reset it; tests look at what arrived
  return socket;
}

function countFinal(chunks: readonly Buffer[], options: RawOptions): number {
  const { answers } = parseAnswers(Buffer.concat(chunks), options.isHead ?? false);
  return answers.filter(({ status }) => status >= 200).length;
}

/** Splits what was received into answers by Content-Length; interim answers (1xx) have none. */
export function parseAnswers(bytes: Buffer, isHead: boolean): { answers: RawAnswer[]; rest: string } {
  const answers: RawAnswer[] = [];
  let text = bytes.toString('latin1');
  for (;;) {
    const headEnd = text.indexOf('\r\n\r\n');
    if (headEnd === -1 || !text.startsWith('HTTP/1.1 ')) return { answers, rest: text };
    const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
    const headers = new Map<string, string>();
    for (const line of lines) {
      const colonAt = line.indexOf(':');
      const name = line.slice(0, colonAt).toLowerCase();
      const value = line.slice(colonAt + 1).trim();
      headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
    }
    const lengthBytes = isHead ? 0 : Number(headers.get('content-length') ?? 0);
    const body = text.slice(headEnd + 4, headEnd + 4 + lengthBytes);
    if (body.length < lengthBytes) return { answers, rest: text };
    answers.push({ status: Number(statusLine.split(' ')[1]), statusLine, headers, body });
    text = text.slice(headEnd + 4 + lengthBytes);
  }
}
