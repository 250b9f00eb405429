/**
 * Bounds the connections of a listener, altogether and by address, chooses one to close for a new one, and reports
 * closed ones.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { Logger } from 'pino';
import type { ConnectionMeter } from '../observability/metrics/connection-meter.ts';
import { makePeerAddress, isLoopback } from './source-address.ts';
import { lastResponseOn } from './pipelining.ts';

export interface ConnectionLimits {
  /** Concurrent connections; beyond, a silent one is closed, or the new one. */
  readonly connectionsMax: number;
  /** Concurrent connections of one source address; further ones are closed at once. 0: no limit. */
  readonly connectionsPerAddressMax: number;
  /** CIDRs or addresses with a trusted X-Forwarded-For: their connections carry many sources. */
  readonly trustedProxies: readonly string[];
  /** A connection ends when its client reads nothing of an answer for so long. */
  readonly writeTimeoutMs: number;
}

/** Extra places for callers on this machine, whatever holds the others. */
export const LOOPBACK_PLACES = 16;

/** Connections checked to find one to close. */
const LOOKS_MAX = 256;

/** One log line counts all refused connections of this time. */
const REFUSAL_LINE_MS = 10_000;

interface Deps {
  readonly limits: ConnectionLimits;
  readonly meter: ConnectionMeter;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface Connections {
  /** All open sockets, also those within TLS. */
  readonly sockets: ReadonlySet<Socket>;
  /** Marks a connection as no longer silent. */
  noteRequest(socket: Socket): void;
  /** TLS connections without a finished handshake. */
  withoutHandshake(): readonly Socket[];
}

/** A TLS connection has two sockets; only here they know each other. */
interface PairedSocket extends Socket {
  [INNER]?: Socket;
  [OUTER]?: Socket;
}
const INNER = Symbol('within TLS');
const OUTER = Symbol('outside of TLS');

/** Bounds the connections of a server that is not yet listening. */
export function watchConnections(server: Server, { limits, meter, logger }: Deps): Connections {
  const { connectionsMax, connectionsPerAddressMax } = limits;
  const sockets = new Set<Socket>();
  const places = new Places(connectionsMax, meter);
  const handshakes = new Handshakes();
  const takeOfAddress = boundPerAddress(limits);
  const logRefusals = createConnectionRefusalLog(logger);

  const watch = (socket: Socket): void => {
    // Node takes its own listener off a socket that it hands over (CONNECT, upgrades); without one, a connection that
    // breaks then would end the process. This one stays as long as the socket.
    socket.on('error', ignoreBrokenConnection);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };

  server.on('connection', (socket: Socket) => {
    watch(socket);
    if (!takeOfAddress(socket)) {
      meter.refusedAddress += 1;
      logRefusals({ connectionsPerAddressMax }, 'connections are refused: one address has reached its limit');
      socket.destroy();
    } else if (!places.take(socket)) {
      meter.refused += 1;
      logRefusals({ connectionsMax }, 'connections are refused: the limit of open connections is reached');
      socket.destroy();
    } else {
      meter.open += 1;
      socket.once('close', () => (meter.open -= 1));
      if (server instanceof TlsServer) handshakes.begin(socket);
    }
  });

  // With TLS there is one more socket within each connection.
  server.on('secureConnection', (socket: Socket) => {
    watch(socket);
    handshakes.end(socket);
  });
  return {
    sockets,
    noteRequest: (socket: PairedSocket) => places.noteRequest(socket[OUTER] ?? socket),
    withoutHandshake: () => handshakes.underWay(),
  };
}

/** Says whether the address of a new connection may have one more, and counts it until it ends. */
function boundPerAddress({
  connectionsPerAddressMax,
  trustedProxies,
}: ConnectionLimits): (socket: Socket) => boolean {
  const peerAddressOf = makePeerAddress(trustedProxies);
  const countByAddress = new Map<string, number>();
  return (socket: Socket): boolean => {
    const address = connectionsPerAddressMax === 0 ? undefined : peerAddressOf(socket.remoteAddress);
    if (address === undefined) return true;
    const count = countByAddress.get(address) ?? 0;
    if (count >= connectionsPerAddressMax) return false;
    countByAddress.set(address, count + 1);
    socket.once('close', () => {
      const left = (countByAddress.get(address) ?? 1) - 1;
      if (left === 0) countByAddress.delete(address);
      else countByAddress.set(address, left);
    });
    return true;
  };
}

/** TLS connections in their handshake; at its end the two sockets learn of each other. */
class Handshakes {
  /** By the other end. */
  readonly #outer = new Map<string, PairedSocket>();

  begin(socket: Socket): void {
    const end = otherEndOf(socket);
    this.#outer.set(end, socket);
    socket.once('close', () => {
      if (this.#outer.get(end) === socket) this.#outer.delete(end);
    });
  }

  end(socket: PairedSocket): void {
    const end = otherEndOf(socket);
    const outer = this.#outer.get(end);
    if (outer === undefined) return;
    this.#outer.delete(end);
    outer[INNER] = socket;
    socket[OUTER] = outer;
  }

  underWay(): readonly Socket[] {
    return [...this.#outer.values()];
  }
}

/** Holders of places. Silent connections are kept separately, the oldest first. */
class Places {
  readonly #taken = new Set<Socket>();
  readonly #silent = new Set<Socket>();
  readonly #silentLocal = new Set<Socket>();

  readonly #max: number;
  readonly #meter: ConnectionMeter;

  constructor(connectionsMax: number, meter: ConnectionMeter) {
    this.#max = connectionsMax;
    this.#meter = meter;
  }

  /** False if all are taken and none can be closed. */
  take(socket: Socket): boolean {
    const isLocal = isLoopback(socket.remoteAddress);
    if (this.#taken.size >= this.#max) {
      const victim = this.#findExpendable(isLocal);
      if (victim !== undefined) {
        this.#meter.cutSilent += 1;
        this.#leave(victim);
        victim.destroy();
      } else if (!isLocal || this.#taken.size >= this.#max + LOOPBACK_PLACES) return false;
    }
    this.#taken.add(socket);
    (isLocal ? this.#silentLocal : this.#silent).add(socket);
    socket.once('close', () => this.#leave(socket));
    return true;
  }

  #leave(socket: Socket): void {
    this.#taken.delete(socket);
    this.noteRequest(socket);
  }

  noteRequest(socket: Socket): void {
    if (!this.#silent.delete(socket)) this.#silentLocal.delete(socket);
  }

  /**
   * A connection to close: the oldest silent one; else one without a known token whose answers are finished. Local ones
   * are only closed for local ones.
   */
  #findExpendable(isForLocal: boolean): Socket | undefined {
    const [silent] = this.#silent;
    if (silent !== undefined) return silent;
    const [silentLocal] = this.#silentLocal;
    if (isForLocal && silentLocal !== undefined) return silentLocal;
    let looks = 0;
    for (const socket of this.#taken) {
      if ((looks += 1) > LOOKS_MAX) return undefined;
      if (isAnsweredStranger(socket)) return socket;
    }
    return undefined;
  }
}

function isAnsweredStranger(socket: PairedSocket): boolean {
  const response = lastResponseOn(socket[INNER] ?? socket);
  const isStranger = response?.caller === undefined || response.statusCode === 401;
  return response !== undefined && isStranger && response.headersSent;
}

function otherEndOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

type TellRefusal = (about: object, message: string) => void;

function createConnectionRefusalLog(logger: Pick<Logger, 'warn'>): TellRefusal {
  let untoldCount = 0;
  return (about, message) => {
    untoldCount += 1;
    if (untoldCount > 1) return;
    logger.warn(about, message);
    setTimeout(() => {
      if (untoldCount > 1) logger.warn({ refusedCount: untoldCount }, 'more connections were refused');
      untoldCount = 0;
    }, REFUSAL_LINE_MS).unref();
  };
}

/** There is no client to answer, and `close` reports the end of the socket. */
function ignoreBrokenConnection(): void {}
