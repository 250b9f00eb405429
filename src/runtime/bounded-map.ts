interface Entry<T> {
  readonly value: T;
  readonly bytes: number;
}

/** Values by name, up to a number of bytes together. Beyond it the oldest go; a larger one is not kept. */
export class BoundedMap<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(name: string): T | undefined {
    return this.#entries.get(name)?.value;
  }

  /** The newest from now on. */
  set(name: string, value: T, bytes: number): void {
    this.delete(name);
    if (bytes > this.#bytesMax) return;
    this.#entries.set(name, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }
}
