/**
 * Many byte strings in one buffer. A catalogue holds millions of them; one object each would cost more than the bytes.
 *
 * Replaced strings leave holes; when holes outweigh what is in use, the owner compacts (see `Block`).
 */
const SLAB_BYTES_MIN = 2048;

export class ByteSlab {
  bytes: Buffer = Buffer.alloc(0);
  #used = 0;
  #holes = 0;

  /** Appends a copy and returns where it starts. */
  put(value: Uint8Array): number {
    const start = this.#used;
    const end = start + value.length;
    if (end > this.bytes.length) this.#grow(end);
    this.bytes.set(value, start);
    this.#used = end;
    return start;
  }

  /** Counts bytes that nobody refers to any more. */
  release(length: number): void {
    this.#holes += length;
  }

  /** Takes over the bytes of another slab. */
  adopt(other: ByteSlab): void {
    this.bytes = other.bytes;
    this.#used = other.#used;
    this.#holes = other.#holes;
  }

  isWorthCompacting(): boolean {
    return this.#holes > SLAB_BYTES_MIN && this.#holes * 2 > this.#used;
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES_MIN, needed, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.#used);
    this.bytes = grown;
  }
}
