/** How many connections each listener may hold, so that one of them never takes the descriptors of another. */
import { readFileSync } from 'node:fs';

/** Kept for the operator listener, the database and files; of few descriptors, three quarters. */
const RESERVED_DESCRIPTORS = 256;
const RESERVED_SHARE = 0.75;
/** Scrapes, health checks and the operator's own systems; of few descriptors, an eighth. */
const OPERATOR_CONNECTIONS_MAX = 128;
const OPERATOR_SHARE = 0.125;

/** What a connection may hold before it has sent a whole request: header lines, of which as many come as are read. */
export const CONNECTION_BYTES_MAX = 40_960;
/** Of the heap of a worker, for all connections. */
const HEAP_SHARE = 0.25;

export interface ConnectionShares {
  readonly partner: number;
  readonly operator: number;
  readonly web: number;
}

export interface SharedConnections {
  /** MAX_CONNECTIONS: of the partner listener of this machine, and as many of the web listener. */
  readonly wanted: number;
  /** What the process may open; undefined where the system does not say. */
  readonly descriptorsMax: number | undefined;
  /** The heap that each worker may have. */
  readonly heapBytes: number;
  /** Workers of the process; each has its part. */
  readonly workerCount: number;
  readonly hasWeb: boolean;
}

/** The share of one worker. At least one connection each, whatever the numbers. */
export function shareConnections(shared: SharedConnections): ConnectionShares {
  const { wanted, descriptorsMax = Number.POSITIVE_INFINITY, heapBytes, workerCount, hasWeb } = shared;
  const listeners = hasWeb ? 2 : 1;
  const reserved = Math.min(RESERVED_DESCRIPTORS, descriptorsMax * RESERVED_SHARE);
  const left = (descriptorsMax - reserved) / listeners;
  const ofHeap = Math.floor((heapBytes * HEAP_SHARE) / CONNECTION_BYTES_MAX / listeners);
  const partner = Math.max(1, Math.min(perWorker(Math.min(wanted, left), workerCount), ofHeap));
  return {
    partner,
    web: partner,
    operator: perWorker(Math.min(OPERATOR_CONNECTIONS_MAX, descriptorsMax * OPERATOR_SHARE), workerCount),
  };
}

/**
 * What one worker lets an address have, so that it has no more on the whole machine: the system spreads connections
 * evenly, from one address too. 0 stays 0, which is any number.
 */
export function shareOfAddress(wanted: number, workerCount: number): number {
  return wanted === 0 ? 0 : perWorker(wanted, workerCount);
}

function perWorker(total: number, workerCount: number): number {
  return Math.max(1, Math.floor(total / workerCount));
}

/** The soft limit of open files, which Node has raised to the hard one; undefined outside Linux. */
export function readDescriptorsMax(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
