/** The body of PartnerPropertyList, joined from ready bytes: copied, not stringified. */

const HEAD = '{"items":[';
const COMMA = 0x2c;
/** The longest text after the items: names, brackets and four numbers. */
const TAIL_BYTES_MAX = 128;
/** Most pages fit; a longer one gets memory of its own. */
const PAGE_BYTES = 64 * 1024;
/** Longer memory is not kept for the next page. */
const SPARE_BYTES_MAX = 1024 * 1024;

/**
 * Writes one page at a time: `start`, `add` for every item, `finish`.
 *
 * Release a sent page, and the next one reuses its memory, which is still in the processor's cache. Filling fresh
 * memory for every page costs several times as much. The garbage collector frees pages that are not released.
 */
export class ListBody {
  #spare: Buffer | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  /** The bytes of added items that are not copied yet. */
  #source: Buffer | undefined;
  #start = 0;
  #end = 0;

  start(): void {
    this.#length = HEAD.length;
    if (this.#spare !== undefined) {
      // A page that was sent: it begins with the same.
      this.#bytes = this.#spare;
      this.#spare = undefined;
      return;
    }
    this.#bytes = Buffer.allocUnsafeSlow(PAGE_BYTES);
    this.#bytes.write(HEAD, 0, 'latin1');
  }

  /** Appends the item in `source` from `start` to `end`. Adjacent items, with commas between, are one copy. */
  add(source: Buffer, start: number, end: number): void {
    if (source === this.#source && start === this.#end + 1) {
      this.#end = end;
      return;
    }
    this.#copyRun();
    this.#source = source;
    this.#start = start;
    this.#end = end;
  }

  #copyRun(): void {
    const source = this.#source;
    if (source === undefined) return;
    const needed = this.#length + 1 + this.#end - this.#start + TAIL_BYTES_MAX;
    if (needed > this.#bytes.length) this.#grow(needed);
    const bytes = this.#bytes;
    if (this.#length > HEAD.length) bytes[this.#length++] = COMMA;
    this.#length += source.copy(bytes, this.#length, this.#start, this.#end);
    this.#source = undefined;
  }

  /** The JSON bytes of the page (SPEC 2, PartnerPropertyList). */
  finish(page: number, pageSize: number, total: number): Uint8Array {
    this.#copyRun();
    const hasMore = page * pageSize < total;
    const tail = `],"pagination":{"page":${page},"pageSize":${pageSize},"total":${total},"hasMore":${hasMore}}}`;
    const end = this.#length + this.#bytes.write(tail, this.#length, 'latin1');
    return this.#bytes.subarray(0, end);
  }

  /** Takes back the memory of an unused page; it must be one of `finish`. */
  release({ buffer }: Uint8Array): void {
    if (buffer.byteLength <= SPARE_BYTES_MAX) this.#spare = Buffer.from(buffer);
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
