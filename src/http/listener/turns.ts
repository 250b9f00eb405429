/**
 * One request at a time on each connection. What a client pipelines waits until the answer before it has been taken by
 * the operating system, and nothing is read from a connection whose answer waits: a client that never reads costs one
 * answer, and gets no work done. The order of answers needs no other care.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { GuardedResponse } from '../answers/guarded-response.ts';
import { hasUnreadBody } from '../answers/linger.ts';

/**
 * Requests that may wait on one connection; one that sends more is cut. One read brings up to some 2,000 short ones,
 * each of which costs about 4 KB while it waits: anonymous clients could fill the memory with a few MB.
 */
export const PIPELINED_MAX = 100;

/** Kept on the socket itself, since every request looks at it. */
const LAST_RESPONSE = Symbol('last response');
const WAITING_COUNT = Symbol('waiting count');

interface TurnSocket extends Duplex {
  [LAST_RESPONSE]?: GuardedResponse;
  [WAITING_COUNT]?: number;
}

/** The response to the last request that came on the connection, waiting ones included. */
export function lastResponseOn(socket: Duplex): GuardedResponse | undefined {
  return (socket as TurnSocket)[LAST_RESPONSE];
}

/** Runs `start` when all earlier answers of the connection are gone; never when the connection ends before. */
export function inTurn(
  response: GuardedResponse,
  start: (response: GuardedResponse) => void,
  onTooMany: () => void,
): void {
  const socket = response.req.socket as TurnSocket;
  const earlier = socket[LAST_RESPONSE];
  socket[LAST_RESPONSE] = response;
  if (earlier === undefined || earlier.writableFinished) return start(response);
  const waitingCount = (socket[WAITING_COUNT] ?? 0) + 1;
  socket[WAITING_COUNT] = waitingCount;
  if (waitingCount > PIPELINED_MAX) {
    if (!socket.destroyed) onTooMany();
    socket.destroy();
    return;
  }
  stopReading(socket, earlier);
  earlier.once('finish', () => {
    socket[WAITING_COUNT] = (socket[WAITING_COUNT] ?? 1) - 1;
    resumeReading(socket);
    // Where the answer before it said that the connection ends, nobody waits for this one.
    if (socket.writable && !response.isAnswered) start(response);
  });
}

/** For what has no response object: runs `write` behind all answers that are under way. */
export function behindAnswers(socket: Duplex, write: () => void): void {
  const last = lastResponseOn(socket);
  if (last === undefined || last.writableFinished) return write();
  last.once('close', () => {
    if (socket.writable) write();
  });
}

/**
 * To be called when an answer was given: while a part of it waits for the client, reads no further, and ends the
 * connection after `timeoutMs` in which the client took nothing. An answer that the operating system took whole, as
 * nearly all are, costs nothing.
 */
export function holdWhileUnread(response: GuardedResponse, timeoutMs: number, onCut: () => void): void {
  const { socket } = response;
  if (socket === null || response.isHandedOver) return;
  boundUnread(socket, response, timeoutMs, onCut);
  // Who still sends a body reads afterwards; what that may take is bounded by `lingerOver`.
  if (hasUnreadBody(response.req)) return;
  stopReading(socket, response);
  response.once('finish', () => resumeReading(socket));
}

function boundUnread(socket: Socket, response: GuardedResponse, timeoutMs: number, onCut: () => void): void {
  const cut = (): void => {
    onCut();
    socket.destroy();
  };
  socket.setTimeout(timeoutMs, cut);
  // Before node's own listener, which then bounds how long the connection may be idle.
  response.prependOnceListener('finish', () => {
    socket.off('timeout', cut);
    socket.setTimeout(0);
  });
}

/** Until `response` is gone. Not before node's parser is through with what it has: it reads on at each message. */
function stopReading(socket: TurnSocket, response: GuardedResponse): void {
  process.nextTick(() => {
    if (!response.writableFinished) socket.pause();
  });
}

function resumeReading(socket: TurnSocket): void {
  if ((socket[WAITING_COUNT] ?? 0) === 0) socket.resume();
}
