/**
 * Serialises the requests of a connection: one at a time. A pipelined request waits until the operating system has
 * taken the answer before it, and a connection with a waiting answer is not read: a client that never reads costs one
 * answer and no further work. Answers keep their order. `WaitingBudget` bounds all connections together.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hasUnreadBody } from '../answers/drain-body.ts';
import type { GuardedResponse } from '../answers/guarded-response.ts';
import type { ConnectionMeter } from '../observability/metrics/connection-meter.ts';
import { startInRound } from './rounds.ts';
import { bytesOfRequest, type WaitingBudget } from './waiting-budget.ts';

/**
 * Requests that may wait on one connection; a client that sends more is cut off. One read brings up to some 2,000 short
 * ones at about 4 KB each: a few MB could fill the memory. The budget bounds all connections together.
 */
export const PIPELINED_MAX = 100;

/** Kept on the socket itself, because every request reads it. */
const LAST_RESPONSE = Symbol('last response');
const WAITING = Symbol('waiting');
const IS_STOPPING = Symbol('is stopping');
const IS_STOPPED = Symbol('is stopped');

interface PipelinedSocket extends Duplex {
  [LAST_RESPONSE]?: GuardedResponse;
  [WAITING]?: Turn[] | undefined;
  [IS_STOPPING]?: boolean;
  [IS_STOPPED]?: boolean;
}

type Start = (response: GuardedResponse) => void;

interface Turn {
  readonly response: GuardedResponse;
  readonly start: Start;
  /** Memory of the request. */
  readonly bytes: number;
}

/** Gets waiting requests, and connections closed because of them. */
export interface PipelineRules {
  readonly meter: ConnectionMeter;
  readonly budget: WaitingBudget;
}

/** The response to the last request of the connection, including waiting ones. */
export function lastResponseOn(socket: Duplex): GuardedResponse | undefined {
  return (socket as PipelinedSocket)[LAST_RESPONSE];
}

/** Runs `start` after all earlier answers of the connection; never if the connection ends before. */
export function inTurn(response: GuardedResponse, start: Start, rules: PipelineRules): void {
  const socket = response.req.socket as PipelinedSocket;
  const earlier = socket[LAST_RESPONSE];
  if (earlier !== undefined && !earlier.writableFinished) return wait(socket, { response, start }, rules);
  socket[LAST_RESPONSE] = response;
  start(response);
}

function wait(socket: PipelinedSocket, turn: Omit<Turn, 'bytes'>, { meter, budget }: PipelineRules): void {
  // This request arrived in the same read as the one that closed the connection.
  if (socket.destroyed) return;
  if (socket[WAITING] === undefined) closeCheaply(socket);
  const waiting = (socket[WAITING] ??= []);
  if (waiting.length >= PIPELINED_MAX) {
    meter.cutPipelined += 1;
    socket.destroy();
    return;
  }
  const earlier = socket[LAST_RESPONSE]!;
  socket[LAST_RESPONSE] = turn.response;
  const bytes = bytesOfRequest(turn.response.req);
  if (waiting.push({ ...turn, bytes }) === 1) startNextBehind(earlier, socket, budget);
  stopReading(socket, earlier);
  budget.hold(socket, bytes, meter);
}

/**
 * Node makes an error for each waiting request of an ending connection, and nobody sees it. Its stack costs more than
 * the request, and thousands of connections may end at once.
 */
function closeCheaply(socket: PipelinedSocket): void {
  const { stackTraceLimit } = Error;
  socket.prependOnceListener('close', () => (Error.stackTraceLimit = 0));
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit;
    // Who still holds the connection does not hold what waited on it.
    socket[WAITING] = undefined;
  });
}

function startNextBehind(running: GuardedResponse, socket: PipelinedSocket, budget: WaitingBudget): void {
  running.once('finish', () => {
    // Else one client would get all of its answers before anybody else gets one.
    startInRound(() => {
      const waiting = socket[WAITING] ?? [];
      const next = waiting.shift();
      if (next === undefined) return;
      budget.release(socket, next.bytes);
      if (waiting.length > 0) startNextBehind(next.response, socket, budget);
      resumeReading(socket);
      // Where the answer before it said that the connection ends, nobody waits for this one.
      if (socket.writable && !next.response.isAnswered) next.start(next.response);
    });
  });
}

/**
 * Call it before refusing a request over the ingress limit: if more are pipelined behind it, the answer ends the
 * connection. Otherwise each of them costs an answer, which the operating system keeps for a client that never reads.
 */
export function endIfOthersWait(response: GuardedResponse): void {
  const socket: PipelinedSocket = response.req.socket;
  if ((socket[WAITING]?.length ?? 0) > 0) response.shouldKeepAlive = false;
}

/** Runs `write` after all answers under way, for input without a response object. */
export function behindAnswers(socket: Duplex, write: () => void): void {
  const last = lastResponseOn(socket);
  if (last === undefined || last.writableFinished) return write();
  last.once('close', () => {
    if (socket.writable) write();
  });
}

/**
 * Call it after an answer: while a part of it waits for the client, the connection is not read, and it ends after
 * `timeoutMs` without progress. An answer that the operating system took whole, as nearly all are, costs nothing.
 */
export function holdWhileUnread(response: GuardedResponse, timeoutMs: number, rules: PipelineRules): void {
  const { socket } = response;
  if (socket === null || response.isFlushed) return;
  boundUnread(socket, response, timeoutMs, () => (rules.meter.cutUnread += 1));
  const bytes = response.writableLength + bytesOfRequest(response.req);
  response.prependOnceListener('finish', () => rules.budget.release(socket, bytes));
  rules.budget.hold(socket, bytes, rules.meter);
  // Who still sends a body reads afterwards; what that may take is bounded by `drainBody`.
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

/** Until `response` was sent. Waits until node's parser has finished its buffer: it continues at each message. */
function stopReading(socket: PipelinedSocket, response: GuardedResponse): void {
  if (socket[IS_STOPPING] === true) return;
  socket[IS_STOPPING] = true;
  process.nextTick(() => {
    socket[IS_STOPPING] = false;
    if (response.writableFinished) return;
    socket[IS_STOPPED] = true;
    socket.pause();
  });
}

function resumeReading(socket: PipelinedSocket): void {
  if ((socket[WAITING]?.length ?? 0) > 0) return;
  socket[IS_STOPPED] = false;
  socket.resume();
}

/** Whether no answer of the connection is waiting for the client. */
export function mayRead(socket: Duplex): boolean {
  return (socket as PipelinedSocket)[IS_STOPPED] !== true;
}
