/** The number of connections that each listener may hold, so that none takes the descriptors of another. */
import { readFileSync } from 'node:fs';

/** Reserved for the operator listener, the database and files; with few descriptors, three quarters of them. */
const RESERVED_DESCRIPTORS = 256;
const RESERVED_SHARE = 0.75;
/** For scrapes, health checks and the operator's own systems; with few descriptors, an eighth of them. */
const OPERATOR_CONNECTIONS_MAX = 128;
const OPERATOR_SHARE = 0.125;

/** Memory of a connection before its first whole request: header lines, read up to this size. */
export const CONNECTION_BYTES_MAX = 40_960;
/** Share of a worker's heap for all connections. */
const HEAP_SHARE = 0.25;

export interface ConnectionShares {
  readonly partner: number;
  readonly operator: number;
  readonly web: number;
}

export interface SharedConnections {
  /** MAX_CONNECTIONS: for the partner listener of this machine, and as many for the web listener. */
  readonly wanted: number;
  /** Descriptors that the process may open; undefined if the system does not tell. */
  readonly descriptorsMax: number | undefined;
  /** The maximum heap of each worker. */
  readonly heapBytes: number;
  /** Workers of the process; each gets an equal part. */
  readonly workerCount: number;
  readonly hasWeb: boolean;
}

/** The share of one worker; at least one connection per listener. */
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
 * The connections that one worker allows an address, so that the limit holds for the whole machine: the system spreads
 * connections evenly, even those of one address. 0 stays 0, which means unlimited.
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
