/**
 * The connections of a listener: how many there may be, from one address and altogether, which is closed for a new one,
 * and who is notified of closed ones.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { Logger } from 'pino';
import type { ConnectionMeter } from '../../observability/metrics/connection-meter.ts';
import { makePeerAddress, isLoopback } from './source-address.ts';
import { lastResponseOn } from './pipelining.ts';

export interface ConnectionLimits {
  /** Concurrent connections; beyond them one without a request is closed, or the new one. */
  readonly connectionsMax: number;
  /** Connections at once from one source address; further ones are closed as they come. 0: any number. */
  readonly connectionsPerAddressMax: number;
  /** CIDRs or addresses whose X-Forwarded-For is trusted: their connections carry many sources. */
  readonly trustedProxies: readonly string[];
  /** An answer of which the client takes nothing for so long ends its connection. */
  readonly writeTimeoutMs: number;
}

/** Beyond `connectionsMax`, for callers on this machine: whatever holds the other places, they are answered. */
export const LOOPBACK_PLACES = 16;

/** Connections that are checked to find one to close. */
const LOOKS_MAX = 256;

/** One log line counts all connections that were refused since the last one. */
const REFUSAL_LINE_MS = 10_000;

interface Deps {
  readonly limits: ConnectionLimits;
  readonly meter: ConnectionMeter;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface Connections {
  /** All sockets that are open, those within TLS too. */
  readonly sockets: ReadonlySet<Socket>;
  /** The first request came on the connection: it is not silent any more. */
  noteRequest(socket: Socket): void;
  /** Those of a TLS server on which the handshake is not over. */
  withoutHandshake(): readonly Socket[];
}

/** A TLS connection has two sockets, which know of one another here alone. */
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
  const tellRefusals = createConnectionRefusalLog(logger);

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
      tellRefusals(
        { connectionsPerAddressMax },
        'connections are refused: one address has reached its limit',
      );
      socket.destroy();
    } else if (!places.take(socket)) {
      meter.refused += 1;
      tellRefusals({ connectionsMax }, 'connections are refused: the limit of open connections is reached');
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

/** Tells whether the address of a new connection may have one more, and counts it until it ends. */
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

/** Connections whose TLS handshake is not over; at its end the two sockets of each learn of one another. */
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

/** Who holds a place. Connections that never asked anything are known by themselves, the oldest first. */
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
   * One that can be closed: the oldest without a request; else one whose caller never sent a token that is
   * known, and has its answer. Those of this machine are only closed for others of this machine.
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
  return response !== undefined && response.caller === undefined && response.headersSent;
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
