/**
 * What a client still sends of a request that is answered already (OPERATOR: "Wire behaviour"). It is read and dropped
 * for a while, as nginx lingers: a client that sends first and reads then would see a reset instead of its answer.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** For so long at most, whatever its size. */
export const DRAIN_SECONDS_MAX = 30;
/** And no longer than this without a byte. */
export const DRAIN_QUIET_SECONDS_MAX = 5;
const SECOND_MS = 1000;

/** Whether bytes may follow the headers; `complete` alone is true only after the request was handed over. */
export function hasUnreadBody({ headers, complete }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** To be called for a request with an unread body, when its answer is given. */
export function drainBody(request: IncomingMessage): void {
  const { socket } = request;
  // Where the connection ends behind the answer, node would close it whole: only our side ends.
  socket.destroySoon = endOurSide;
  request.on('error', ignoreBrokenBody).resume();
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
    Reflect.deleteProperty(socket, 'destroySoon'); // node's own again
  }, SECOND_MS).unref();
}

function endOurSide(this: Socket): void {
  this.end();
}

/** Nobody waits for the body any more. */
function ignoreBrokenBody(): void {}
