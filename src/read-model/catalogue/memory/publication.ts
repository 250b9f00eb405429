/**
 * Publishes one thread's writes to readers, and tells the writer which versions are unused.
 *
 * Everything that readers reach hangs off one word, the root. One store publishes it, and everything reachable before
 * that store stays unchanged, so a reader checks nothing twice. `Atomics` are sequentially consistent: on arm64 too, a
 * reader that loads a root sees all earlier writes.
 *
 * At the start of an answer a reader claims a version, and drops the claim at its end. The order of steps makes this
 * right; `publication.test.ts` tries every interleaving of two readers and the writer. Reader: look at the version,
 * claim it, take the root. Writer: store the root, then the version, then look at the claims. A claim that the writer
 * does not see yet belongs to a reader that takes the root after the store, and so gets the new one.
 */
import type { Address } from './memory.ts';

const ROOT = 0;
const VERSION = 1;
/** A cache line for each reader, so that they do not disturb one another. */
const LINE_WORDS = 16;
const IDLE = 0;
/** The version before the first one. */
export const NOTHING_SHOWN = 0;
export const FIRST_VERSION = 1;

/** Allocates for so many readers, numbered from 0. */
export function allocatePublication(readerCount: number): SharedArrayBuffer {
  return new SharedArrayBuffer((readerCount + 1) * LINE_WORDS * Int32Array.BYTES_PER_ELEMENT);
}

/** Drops the claims of a reader that ended. Its number may be used again. */
export function releaseReader(shared: SharedArrayBuffer, reader: number): void {
  Atomics.store(new Int32Array(shared), claimOf(reader), IDLE);
}

function claimOf(reader: number): number {
  return (reader + 1) * LINE_WORDS;
}

/** A reader's side; `enter` and `leave` enclose each synchronous answer. */
export class Reading {
  readonly #words: Int32Array;
  readonly #claim: number;
  #isInside = false;

  constructor(shared: SharedArrayBuffer, reader: number) {
    this.#words = new Int32Array(shared);
    this.#claim = claimOf(reader);
  }

  /** The root of the newest version; nothing under it changes before `leave`. */
  enter(): Address {
    if (this.#isInside) throw new Error('an answer began within another one');
    this.#isInside = true;
    this.claim(this.look());
    return this.take();
  }

  leave(): void {
    Atomics.store(this.#words, this.#claim, IDLE);
    this.#isInside = false;
  }

  look(): number {
    return Atomics.load(this.#words, VERSION);
  }

  claim(version: number): void {
    Atomics.store(this.#words, this.#claim, version);
  }

  take(): Address {
    return Atomics.load(this.#words, ROOT);
  }
}

/** The writer's side. Only one writer at a time; a later one continues from the last published version. */
export class Publishing {
  readonly #words: Int32Array;
  readonly #readerCount: number;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new Int32Array(shared);
    this.#readerCount = this.#words.length / LINE_WORDS - 1;
  }

  get publishedVersion(): number {
    return Atomics.load(this.#words, VERSION);
  }

  publishRoot(root: Address): void {
    Atomics.store(this.#words, ROOT, root);
  }

  /** After `publishRoot`: a reader that sees the version gets this root or a later one. */
  publishVersion(version: number): void {
    Atomics.store(this.#words, VERSION, version);
  }

  /** After `publishVersion`: readers use this version or later ones. */
  oldestClaim(): number {
    let oldest = this.publishedVersion;
    for (let reader = 0; reader < this.#readerCount; reader++) oldest = this.olderClaim(oldest, reader);
    return oldest;
  }

  /** The older of a version and a reader's claim, if it has one. */
  olderClaim(version: number, reader: number): number {
    const claimed = Atomics.load(this.#words, claimOf(reader));
    return claimed !== IDLE && isBefore(claimed, version) ? claimed : version;
  }
}

/** The next version; they wrap after two billion. */
export function versionAfter(version: number): number {
  const next = (version + 1) | 0;
  return next === IDLE ? FIRST_VERSION : next;
}

/** Compares versions that are at most half of the range apart. */
export function isBefore(one: number, other: number): boolean {
  return ((one - other) | 0) < 0;
}
