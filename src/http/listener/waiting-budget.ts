/**
 * Bounds the memory that clients occupy on all connections together: waiting requests and unread answers
 * (`pipelining.ts` bounds each connection). Over the budget, the connection that has read nothing for the longest time
 * is closed.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { getHeapStatistics } from 'node:v8';
import type { ConnectionMeter } from '../observability/metrics/connection-meter.ts';

/** Share of the heap, unless the operator sets a number of bytes. */
const HEAP_SHARE = 1 / 8;

/** Objects of one request and its response, measured with Node 24. */
export const WAITING_REQUEST_BYTES = 4_096;
/** A header line beside its text: two strings, two places in a list, an entry in a table. */
const HEADER_LINE_BYTES = 128;

export interface WaitingBudget {
  readonly maxBytes: number;
  /** Held by all connections now. */
  readonly heldBytes: () => number;
  /** Adds bytes to a connection. Closes connections over the budget, perhaps this one. */
  hold(socket: Duplex, bytes: number, meter: ConnectionMeter): void;
  /** Removes bytes from a connection that read something: it is then the last to be closed. */
  release(socket: Duplex, bytes: number): void;
}

interface Holding {
  bytes: number;
  readonly meter: ConnectionMeter;
}

/** An eighth of this thread's maximal heap, in bytes: connections and their parsers need as much again. */
export function waitingBytesOfHeap(): number {
  return Math.floor(getHeapStatistics().heap_size_limit * HEAP_SHARE);
}

/** One for all listeners of a thread. */
export function createWaitingBudget(maxBytes: number): WaitingBudget {
  /** In the order of their last read. */
  const holdings = new Map<Duplex, Holding>();
  const watched = new WeakSet<Duplex>();
  let heldBytes = 0;

  /** Registers each connection once. */
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

/** Memory of a held request in bytes; computed only for waiting ones. */
export function bytesOfRequest({ rawHeaders, url = '' }: IncomingMessage): number {
  let textBytes = url.length;
  for (const text of rawHeaders) textBytes += text.length;
  return WAITING_REQUEST_BYTES + textBytes + (rawHeaders.length / 2) * HEADER_LINE_BYTES;
}
