/**
 * The rest of a request that is already answered (OPERATOR: "Wire behaviour"). It is read and dropped for a while, as
 * nginx lingers: otherwise a client that sends everything before it reads would see a reset instead of its answer. All
 * such clients of a thread together are read only so fast: who sends bodies that nobody wants takes no turns of others.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The longest time, whatever the size. */
const DRAIN_SECONDS_MAX = 30;
/** The longest time without a byte. */
export const DRAIN_QUIET_SECONDS_MAX = 5;
const SECOND_MS = 1000;
/** Bytes that a thread drops in each interval, 40 MB in a second; further bodies wait for the next interval. */
export const DROPPED_BYTES_MAX = 2_000_000;
export const DROPPED_INTERVAL_MS = 50;
/** Bodies that go on in an interval, each with one read of the socket at least. */
const RESUMED_MAX = 30;

/** Whether bytes may follow the headers; `complete` is only reliable after the request was handled. */
export function hasUnreadBody({ headers, complete }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Call it for a request with an unread body after answering it. */
export function drainBody(request: IncomingMessage): void {
  const { socket } = request;
  // If the connection ends after the answer, Node would close both sides: end only ours.
  socket.destroySoon = endOurSide;
  request.on('error', ignoreBrokenBody).on('data', (chunk: Uint8Array) => drop(request, chunk.length));
  let seenBytes = socket.bytesRead;
  let secondCount = 0;
  let quietSeconds = 0;
  const timer = setInterval(() => {
    secondCount += 1;
    quietSeconds = socket.bytesRead === seenBytes ? quietSeconds + 1 : 0;
    seenBytes = socket.bytesRead;
    const isOver = request.complete && socket.writableEnded;
    if (isOver || secondCount >= DRAIN_SECONDS_MAX || quietSeconds >= DRAIN_QUIET_SECONDS_MAX) {
      socket.destroy();
    }
    if (!request.complete && !socket.destroyed) return;
    clearInterval(timer);
    waiting.delete(request);
    Reflect.deleteProperty(socket, 'destroySoon'); // node's own again
  }, SECOND_MS).unref();
}

let droppedBytes = 0;
let interval: NodeJS.Timeout | undefined;
const waiting = new Set<IncomingMessage>();

function drop(request: IncomingMessage, bytes: number): void {
  droppedBytes += bytes;
  interval ??= setTimeout(beginInterval, DROPPED_INTERVAL_MS).unref();
  if (droppedBytes < DROPPED_BYTES_MAX) return;
  request.pause();
  waiting.add(request);
}

function beginInterval(): void {
  droppedBytes = 0;
  interval = undefined;
  for (const request of [...waiting].slice(0, RESUMED_MAX)) {
    waiting.delete(request);
    request.resume();
  }
  if (waiting.size > 0) interval = setTimeout(beginInterval, DROPPED_INTERVAL_MS).unref();
}

function endOurSide(this: Socket): void {
  this.end();
}

/** The body is no longer needed. */
function ignoreBrokenBody(): void {}
