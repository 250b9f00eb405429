/**
 * Connections without a known token: if many of them send at once, they are read in rounds. Known callers are never
 * held back.
 */
import type { Socket } from 'node:net';
import { mayRead } from './pipelining.ts';
import { noteArrival, whenNobodyArrives } from './rounds.ts';

/** After so long with anonymous requests in one turn of the loop, other anonymous connections wait. */
const READING_MS = 10;
/** Waiting connections read in one turn; the rest waits again. */
const READ_AT_ONCE = 64;

/** An address with a valid token stays known for so long after its last connection. */
const KNOWN_MS = 600_000;
export const KNOWN_ADDRESSES_MAX = 10_000;

/** The anonymous connections of one listener. */
export class UnauthenticatedConnections {
  readonly #sockets = new Set<Socket>();
  readonly #known = new KnownAddresses();
  /**
   * Waiting to be read, the longest waiting first. A closed one leaves at once: a hundred requests may depend on it.
   */
  readonly #held = new Set<Socket>();
  #isReading = false;
  #turnStartedAtMs = 0;

  /** `address` is undefined for connections that carry many sources. */
  enter(socket: Socket, address: string | undefined): void {
    noteArrival();
    if (this.#known.has(address)) return;
    this.#sockets.add(socket);
    this.#hold(socket);
    if (!this.#isReading) this.#readInTurns();
    socket.once('close', () => {
      this.#held.delete(socket);
      if (!this.#sockets.delete(socket)) this.#known.add(address);
    });
  }

  /** A valid token came on it: new connections of its address are not held back either. */
  leave(socket: Socket, address: () => string | undefined): void {
    if (this.#sockets.delete(socket)) this.#known.add(address());
  }

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

/** Addresses of recent valid tokens; the oldest is dropped first. */
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
