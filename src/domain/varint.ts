/**
 * Unsigned integers in as few bytes as they need: seven bits per byte, lowest first, the high bit says that more
 * follow. Every integer of a double (0..2^53 - 1) survives, hence arithmetic instead of 32-bit operators.
 */

/** 2^53 - 1 takes eight groups of seven bits. */
const VARINT_BYTES_MAX = 8;

export class VarintWriter {
  readonly #bytes: number[] = [];

  write(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not an unsigned integer: ${value}`);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes.push((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes.push(rest);
  }

  toBytes(): Uint8Array {
    return new Uint8Array(this.#bytes);
  }
}

/** Throws on bytes that end too early or hold a larger integer: such bytes were not written here. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  read(): number {
    const byte = this.#bytes[this.#position++];
    if (byte !== undefined && byte < 0x80) return byte;
    return this.#readLong(byte);
  }

  #readLong(first: number | undefined): number {
    let byte = first;
    let value = 0;
    let weight = 1;
    for (let count = 1; byte !== undefined && count <= VARINT_BYTES_MAX; count++) {
      value += (byte % 0x80) * weight;
      if (byte < 0x80) return value;
      weight *= 0x80;
      byte = this.#bytes[this.#position++];
    }
    throw new RangeError('damaged varint');
  }
}
