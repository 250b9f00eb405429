/**
 * How what one thread writes becomes visible to readers, and how the writer knows what none of them needs any more.
 *
 * Everything that readers reach hangs off one word, the root. It is shown by one store, and what was reachable before
 * that store never changes afterwards, so a reader needs no second look. `Atomics` are sequentially consistent, hence
 * on arm64 too a reader that loads a root sees all that was written before it was stored.
 *
 * A reader says at the start of an answer which version it may be reading, and at its end that it reads none. The
 * order of steps is what makes this right; `publication.test.ts` tries every order in which two readers and the
 * writer can meet. Reader: look at the version, claim it, take the root. Writer: store the root, then the version,
 * then look at the claims. A claim that the writer did not see yet is of a reader that takes the root later than the
 * store, and so gets the new one.
 */
import { type Address, NOWHERE } from './memory.ts';

const ROOT = 0;
const VERSION = 1;
/** A cache line for each reader, so that they do not disturb one another. */
const LINE_WORDS = 16;
const IDLE = 0;
export const FIRST_VERSION = 1;

/** For so many readers, numbered from 0. */
export function allocatePublication(readerCount: number): SharedArrayBuffer {
  return new SharedArrayBuffer((readerCount + 1) * LINE_WORDS * Int32Array.BYTES_PER_ELEMENT);
}

/** The reader has ended, in whatever way: it holds nothing any more. Its number may be used again. */
export function releaseReader(shared: SharedArrayBuffer, reader: number): void {
  Atomics.store(new Int32Array(shared), claimOf(reader), IDLE);
}

function claimOf(reader: number): number {
  return (reader + 1) * LINE_WORDS;
}

/** One thread's side of reading; `enter` and `leave` enclose each answer, which is synchronous. */
export class Reading {
  readonly #words: Int32Array;
  readonly #claim: number;
  #isInside = false;
  /** Versions that stay claimed beside answers, ascending. */
  readonly #held: number[] = [];

  constructor(shared: SharedArrayBuffer, reader: number) {
    this.#words = new Int32Array(shared);
    this.#claim = claimOf(reader);
  }

  /** The root of the newest version; nothing that hangs off it changes or goes away before `leave`. */
  enter(): Address {
    if (this.#isInside) throw new Error('an answer began within another one');
    this.#isInside = true;
    // A held version is older than the newest, and keeps that one, too.
    if (this.#held.length === 0) this.claim(this.look());
    return this.take();
  }

  leave(): void {
    if (this.#held.length === 0) Atomics.store(this.#words, this.#claim, IDLE);
    this.#isInside = false;
  }

  /**
   * The root of the newest version, which stays as it is until `release` is called, while other answers come and go.
   * What the writer gives back meanwhile is kept, so hold it for milliseconds only.
   */
  hold(): { readonly root: Address; readonly release: () => void } {
    const version = this.look();
    if (this.#held.length === 0) this.claim(version);
    this.#held.push(version);
    const root = this.take();
    let isReleased = false;
    return {
      root,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.#held.splice(this.#held.indexOf(version), 1);
        const oldest = this.#held[0];
        if (oldest !== undefined) this.claim(oldest);
        else if (!this.#isInside) Atomics.store(this.#words, this.#claim, IDLE);
      },
    };
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

/** The writer's side. There is one writer at a time; a later one goes on from the version that was shown last. */
export class Publishing {
  readonly #words: Int32Array;
  readonly #readerCount: number;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new Int32Array(shared);
    this.#readerCount = this.#words.length / LINE_WORDS - 1;
  }

  get shownVersion(): number {
    return Atomics.load(this.#words, VERSION);
  }

  get hasRoot(): boolean {
    return Atomics.load(this.#words, ROOT) !== NOWHERE;
  }

  showRoot(root: Address): void {
    Atomics.store(this.#words, ROOT, root);
  }

  /** After `showRoot`: a reader that sees the version gets this root or a later one. */
  showVersion(version: number): void {
    Atomics.store(this.#words, VERSION, version);
  }

  /** After `showVersion`: readers read this version or later ones. */
  oldestClaim(): number {
    let oldest = this.shownVersion;
    for (let reader = 0; reader < this.#readerCount; reader++) oldest = this.olderClaim(oldest, reader);
    return oldest;
  }

  /** The older of a version and that of a reader; its own where it reads nothing. */
  olderClaim(version: number, reader: number): number {
    const claimed = Atomics.load(this.#words, claimOf(reader));
    return claimed !== IDLE && isBefore(claimed, version) ? claimed : version;
  }
}

/** The version after; they go round after two billion. */
export function versionAfter(version: number): number {
  const next = (version + 1) | 0;
  return next === IDLE ? FIRST_VERSION : next;
}

/** Of two versions that are not further apart than half of all. */
export function isBefore(one: number, other: number): boolean {
  return ((one - other) | 0) < 0;
}
