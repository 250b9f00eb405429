/**
 * One request at a time on each connection. What a client pipelines waits until the answer before it has been taken by
 * the operating system, and nothing is read from a connection whose answer waits: a client that never reads costs one
 * answer, and gets no work done. The order of answers needs no other care.
 */
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
const CURRENT_RESPONSE = Symbol('current response');
const WAITING_COUNT = Symbol('waiting count');

interface TurnSocket extends Duplex {
  [LAST_RESPONSE]?: GuardedResponse;
  [CURRENT_RESPONSE]?: GuardedResponse;
  [WAITING_COUNT]?: number;
}

/** The response to the last request that came on the connection, waiting ones included. */
export function lastResponseOn(socket: Duplex): GuardedResponse | undefined {
  return (socket as TurnSocket)[LAST_RESPONSE];
}

/** The response whose turn it is, or was last. */
export function currentResponseOn(socket: Duplex): GuardedResponse | undefined {
  return (socket as TurnSocket)[CURRENT_RESPONSE];
}

/** Runs `start` when all earlier answers of the connection are gone; never when the connection ends before. */
export function inTurn(response: GuardedResponse, start: () => void, onTooMany: () => void): void {
  const socket = response.req.socket as TurnSocket;
  const earlier = socket[LAST_RESPONSE];
  socket[LAST_RESPONSE] = response;
  const startNow = (): void => {
    socket[CURRENT_RESPONSE] = response;
    start();
  };
  if (earlier === undefined || earlier.writableFinished) return startNow();
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
    if (socket.writable && !response.isAnswered) startNow();
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

/** To be called when an answer was given: reads no further while a part of it waits for the client. */
export function holdWhileUnread(response: GuardedResponse): void {
  const { socket } = response;
  // Who still sends a body reads afterwards; what that may take is bounded by `lingerOver`.
  if (socket === null || response.isHandedOver || hasUnreadBody(response.req)) return;
  stopReading(socket, response);
  response.once('finish', () => resumeReading(socket));
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
