/**
 * Connections of callers who have not shown a token that is known: where many of them send at once, they are read in
 * rounds. Callers who are known are never held back.
 */
import type { Socket } from 'node:net';
import { mayRead } from './pipelining.ts';
import { noteArrival, whenNobodyArrives } from './rounds.ts';

/** Once requests of strangers have come for so long in one turn of the loop, the other strangers wait. */
const READING_MS = 10;
/** Of those that wait, so many are read on in a turn; those that it has no time for wait again. */
const READ_AT_ONCE = 64;

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
