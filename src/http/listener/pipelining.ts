/**
 * Whose turn it is: one request at a time on each connection, and strangers in rounds. What a client pipelines waits
 * until the answer before it has been taken by the operating system, and nothing is read from a connection whose answer
 * waits: a client that never reads costs one answer, and gets no work done. The order of answers needs no other care.
 * What waits on all connections together is bounded by `WaitingBudget`.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type GuardedResponse, hasUnreadBody } from '../answers/guarded-response.ts';
import type { ConnectionMeter } from '../../observability/metrics/connection-meter.ts';
import type { IncomingMessage } from 'node:http';
import { getHeapStatistics } from 'node:v8';

/**
 * Requests that may wait on one connection; one that sends more is cut. One read brings up to some 2,000 short ones,
 * each of which costs about 4 KB while it waits: anonymous clients could fill the memory with a few MB. How much all
 * connections may hold together is bounded by the budget.
 */
export const PIPELINED_MAX = 100;

/** Kept on the socket itself, since every request looks at it. */
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
  /** What the request holds in memory. */
  readonly bytes: number;
}

/** Is notified of waiting requests, and of connections closed because of them. */
export interface PipelineRules {
  readonly meter: ConnectionMeter;
  readonly budget: WaitingBudget;
}

/** The response to the last request that came on the connection, waiting ones included. */
export function lastResponseOn(socket: Duplex): GuardedResponse | undefined {
  return (socket as PipelinedSocket)[LAST_RESPONSE];
}

/** Runs `start` when all earlier answers of the connection were sent; never if the connection ends before. */
export function inTurn(response: GuardedResponse, start: Start, rules: PipelineRules): void {
  const socket = response.req.socket as PipelinedSocket;
  const earlier = socket[LAST_RESPONSE];
  if (earlier !== undefined && !earlier.writableFinished) return wait(socket, { response, start }, rules);
  socket[LAST_RESPONSE] = response;
  start(response);
}

function wait(socket: PipelinedSocket, turn: Omit<Turn, 'bytes'>, { meter, budget }: PipelineRules): void {
  // What it was cut for came in one piece with this.
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
 * Node makes an error for each request that waits on a connection which ends, and nobody sees it. Its stack costs more
 * than the request did, and thousands of connections may end at once.
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
 * To be called before a request is refused because its source asks too often: where more are pipelined behind it, the
 * answer ends the connection. Else each of them costs an answer, which the operating system keeps for a client that
 * never reads.
 */
export function endIfOthersWait(response: GuardedResponse): void {
  const socket: PipelinedSocket = response.req.socket;
  if ((socket[WAITING]?.length ?? 0) > 0) response.shouldKeepAlive = false;
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

/** Until `response` was sent. Not before node's parser has finished its buffer: it continues at each message. */
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

/** Whether nothing of the connection waits that it would have to take before it is read on. */
function mayRead(socket: Duplex): boolean {
  return (socket as PipelinedSocket)[IS_STOPPED] !== true;
}

// Nobody holds up everybody else: work that strangers bring in one piece is done in rounds of the event loop, so that
// a partner's request meanwhile waits for one round and not for all of it. Two things come in one piece. Pipelined
// requests follow one another without a pause, each as soon as the system has taken the answer before it. And where
// thousands of connections have sent something, the loop reads them all before anything else gets its turn. Callers who
// have shown a token that is known are never held back.

/** Pipelined requests are started for so long, then everything else gets its turn. */
const ROUND_MS = 5;
/** Once requests of strangers have come for so long in one turn of the loop, the other strangers wait. */
const READING_MS = 10;
/** Of those that wait, so many are read on in a turn; those that it has no time for wait again. */
const READ_AT_ONCE = 64;

/**
 * While connections arrive, work for strangers waits, at most so long at a time. Node accepts one connection in each
 * turn of the loop: in turns full of work, a partner's new connection would wait behind thousands for minutes.
 */
const ACCEPTING_MS_MAX = 100;

let arrivedCount = 0;
const ready: (() => void)[] = [];
let isStarting = false;

/** In the next turn of the loop in which no connection arrives. */
function whenNobodyArrives(run: () => void): void {
  const endsAtMs = performance.now() + ACCEPTING_MS_MAX;
  let seenCount = arrivedCount;
  const look = (): void => {
    if (arrivedCount === seenCount || performance.now() > endsAtMs) return run();
    seenCount = arrivedCount;
    setImmediate(look);
  };
  setImmediate(look);
}

/** Runs `start` in a turn of the loop that has time for it, behind all that were given before. */
function startInRound(start: () => void): void {
  ready.push(start);
  if (isStarting) return;
  isStarting = true;
  whenNobodyArrives(startReady);
}

function startReady(): void {
  const endsAtMs = performance.now() + ROUND_MS;
  let count = 0;
  while (count < ready.length && performance.now() < endsAtMs) {
    ready[count]!();
    count += 1;
  }
  ready.splice(0, count);
  isStarting = ready.length > 0;
  if (isStarting) whenNobodyArrives(startReady);
}

/** An address from which a token was good is known for so long after its last connection. */
const KNOWN_MS = 600_000;
export const KNOWN_ADDRESSES_MAX = 10_000;

/** The connections of one listener whose callers nobody knows yet. */
export class Strangers {
  readonly #sockets = new Set<Socket>();
  readonly #known = new KnownAddresses();
  /**
   * They wait to be read, those that have waited for longest first. One that has closed leaves at once: a hundred
   * requests may hang on it.
   */
  readonly #held = new Set<Socket>();
  #isReading = false;
  #turnStartedAtMs = 0;

  /** `address` is undefined where those of many come from it. */
  enter(socket: Socket, address: string | undefined): void {
    arrivedCount += 1;
    if (this.#known.has(address)) return;
    this.#sockets.add(socket);
    this.#hold(socket);
    if (!this.#isReading) this.#readInTurns();
    socket.once('close', () => {
      this.#held.delete(socket);
      if (!this.#sockets.delete(socket)) this.#known.add(address);
    });
  }

  /** A token on it was good: further connections from its address are not held back either. */
  leave(socket: Socket, address: () => string | undefined): void {
    if (this.#sockets.delete(socket)) this.#known.add(address());
  }

  /** A request came. */
  noteRequest(socket: Socket): void {
    if (!this.#sockets.has(socket)) return;
    const nowMs = performance.now();
    if (this.#turnStartedAtMs === 0) {
      this.#turnStartedAtMs = nowMs;
      setImmediate(() => (this.#turnStartedAtMs = 0));
    } else if (nowMs - this.#turnStartedAtMs > READING_MS) {
      // Once in a turn: what else was read already in one piece with this changes nothing.
      this.#turnStartedAtMs = Number.POSITIVE_INFINITY;
      this.#holdAll();
    }
  }

  #holdAll(): void {
    for (const socket of this.#sockets) {
      if (!socket.isPaused()) this.#hold(socket);
    }
    if (!this.#isReading) this.#readInTurns();
  }

  #hold(socket: Socket): void {
    socket.pause();
    this.#held.add(socket);
  }

  #readInTurns(): void {
    this.#isReading = this.#held.size > 0;
    if (!this.#isReading) return;
    whenNobodyArrives(() => {
      let count = 0;
      for (const socket of this.#held) {
        if (count === READ_AT_ONCE) break;
        count += 1;
        this.#held.delete(socket);
        if (!socket.destroyed && mayRead(socket)) socket.resume();
      }
      this.#readInTurns();
    });
  }
}

/** Where good tokens came from lately; the one that was seen first is forgotten first. */
class KnownAddresses {
  readonly #endsAtMs = new Map<string, number>();

  add(address: string | undefined): void {
    if (address === undefined) return;
    this.#endsAtMs.delete(address);
    this.#endsAtMs.set(address, performance.now() + KNOWN_MS);
    if (this.#endsAtMs.size <= KNOWN_ADDRESSES_MAX) return;
    const [oldest] = this.#endsAtMs.keys();
    if (oldest !== undefined) this.#endsAtMs.delete(oldest);
  }

  has(address: string | undefined): boolean {
    return address !== undefined && (this.#endsAtMs.get(address) ?? 0) > performance.now();
  }
}

// What clients make the process hold: requests that wait for their turn and answers that nobody takes. Each connection
// is bounded by itself above; this bounds all of them together, whatever listener they came to. What is over the budget
// is closed: first the connection that has taken nothing for longest.

/** Of the heap, unless the operator sets another number of bytes. */
const HEAP_SHARE = 1 / 8;

/** The objects of one request and its response, measured with Node 24. */
export const WAITING_REQUEST_BYTES = 4_096;
/** Of one header line beside its text: two strings, two places in a list, an entry in a table. */
const HEADER_LINE_BYTES = 128;

export interface WaitingBudget {
  readonly maxBytes: number;
  /** Of all connections at this moment. */
  readonly heldBytes: () => number;
  /** The connection holds so many bytes more. Closes what is then over the budget, perhaps this one. */
  hold(socket: Duplex, bytes: number, meter: ConnectionMeter): void;
  /** The connection holds so many bytes less, because it took something: it is the last one to be closed. */
  release(socket: Duplex, bytes: number): void;
}

interface Holding {
  bytes: number;
  readonly meter: ConnectionMeter;
}

/**
 * An eighth of what the heap of this thread may become, in bytes: connections and their parsers need as much beside it.
 */
export function waitingBytesOfHeap(): number {
  return Math.floor(getHeapStatistics().heap_size_limit * HEAP_SHARE);
}

/** One for all listeners of a thread. */
export function createWaitingBudget(maxBytes: number): WaitingBudget {
  /** In the order in which they last took something. */
  const holdings = new Map<Duplex, Holding>();
  const watched = new WeakSet<Duplex>();
  let heldBytes = 0;

  /** Once for each connection, however often it holds something. */
  function dropWhenClosed(socket: Duplex): void {
    if (watched.has(socket)) return;
    watched.add(socket);
    socket.once('close', () => drop(socket));
  }

  function drop(socket: Duplex): void {
    const holding = holdings.get(socket);
    if (holding === undefined) return;
    holdings.delete(socket);
    heldBytes -= holding.bytes;
  }

  function closeOldest(): void {
    for (const [socket, { meter }] of holdings) {
      if (heldBytes <= maxBytes) return;
      drop(socket);
      meter.cutMemory += 1;
      socket.destroy();
    }
  }

  return {
    maxBytes,
    heldBytes: () => heldBytes,
    hold(socket, bytes, meter) {
      if (socket.destroyed) return;
      heldBytes += bytes;
      const holding = holdings.get(socket);
      if (holding === undefined) {
        holdings.set(socket, { bytes, meter });
        dropWhenClosed(socket);
      } else holding.bytes += bytes;
      if (heldBytes > maxBytes) closeOldest();
    },
    release(socket, bytes) {
      const holding = holdings.get(socket);
      if (holding === undefined) return;
      heldBytes -= bytes;
      holding.bytes -= bytes;
      holdings.delete(socket);
      if (holding.bytes > 0) holdings.set(socket, holding);
    },
  };
}

/** What a request costs as long as it is held, in bytes; only computed for those that wait. */
function bytesOfRequest({ rawHeaders, url = '' }: IncomingMessage): number {
  let textBytes = url.length;
  for (const text of rawHeaders) textBytes += text.length;
  return WAITING_REQUEST_BYTES + textBytes + (rawHeaders.length / 2) * HEADER_LINE_BYTES;
}
