/**
 * What clients make the process hold: requests that wait for their turn and answers that nobody takes. Each connection
 * is bounded by itself (`pipelining.ts`); this bounds all of them together, whatever listener they came to. What is over
 * the budget is closed: first the connection that has taken nothing for longest.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { getHeapStatistics } from 'node:v8';
import type { ConnectionMeter } from '../../observability/metrics/connection-meter.ts';

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
export function bytesOfRequest({ rawHeaders, url = '' }: IncomingMessage): number {
  let textBytes = url.length;
  for (const text of rawHeaders) textBytes += text.length;
  return WAITING_REQUEST_BYTES + textBytes + (rawHeaders.length / 2) * HEADER_LINE_BYTES;
}
