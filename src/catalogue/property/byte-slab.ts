/**
 * Many byte strings in one buffer. A catalogue holds millions of them; one object each would cost more than the bytes.
 *
 * Replaced strings leave holes; when a quarter is holes, the owner compacts, in place (see `Block`). So nobody may hold
 * on to the bytes of a slab: for every 64 MB of buffers that are left behind, V8 marks the whole heap.
 */
const SLAB_BYTES_MIN = 2048;
/** A slab of more than so many times what is in it is given up for a smaller one. */
const WASTE_MAX = 4;

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

  isWorthCompacting(): boolean {
    return this.#holes > SLAB_BYTES_MIN && this.#holes * 4 > this.#used;
  }

  /** Holds these bytes from now on, without holes, and nothing else. */
  refill(value: Uint8Array): void {
    const { length } = this.bytes;
    if (length < value.length || length > Math.max(SLAB_BYTES_MIN, value.length * WASTE_MAX)) {
      this.bytes = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES_MIN, Math.ceil(value.length * 1.25)));
    }
    this.bytes.set(value);
    this.#used = value.length;
    this.#holes = 0;
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES_MIN, needed, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.#used);
    this.bytes = grown;
  }
}
