/**
 * Bytes of a block's properties in id order, in chunks: first one part of all of them, then the next part. So
 * neighbours are one copy, and a change copies one chunk.
 *
 * Layout of a chunk: number of properties; for each part a table of the starts of its pieces and their end; then the
 * bytes.
 */
import type { Heap } from '../memory/heap.ts';
import { type Address, byteAt, HEAD_WORDS, type Memory, wordAt } from '../memory/memory.ts';
import { heapOf } from '../memory/part.ts';
import type { RecordReader, RecordWriter } from '../memory/record.ts';

const WORD_BYTES = 4;
/** A chunk with more bytes is split, unless it has one property. */
export const CHUNK_BYTES_MAX = 32 * 1024;

/** Sizes of chunks are steps of 4 KiB, so that the old place of a growing chunk fits another one. */
const SIZE_STEP_WORDS = 1_024;

/** Bytes, and the range of a text in them. */
export interface TextRange {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Texts in sequence: a chunk in memory, or one property to be added. */
export interface Texts {
  readonly partCount: number;
  readonly count: number;
  /** Start of piece `index` of a part; `count` gives the end of the last one. */
  readonly startOf: (part: number, index: number) => number;
  readonly bytes: Buffer;
}

export interface Chunk {
  readonly address: Address;
  readonly count: number;
}

/** Consecutive properties of a chunk. */
interface Piece {
  readonly texts: Texts;
  readonly from: number;
  readonly until: number;
}

export class PieceChunks {
  protected readonly memory: Memory;
  readonly #partCount: number;
  #chunks: Chunk[];
  /** The first slot of each chunk, computed on use; undefined after a change. */
  #firsts: number[] | undefined;

  constructor(memory: Memory, partCount: number, record?: RecordReader) {
    this.memory = memory;
    this.#partCount = partCount;
    this.#chunks = Array.from({ length: record?.take() ?? 0 }, () => {
      const count = record!.take();
      return { count, address: record!.take() };
    });
  }

  write(record: RecordWriter): void {
    record.put(this.#chunks.length);
    for (const { count, address } of this.#chunks) record.put(count, address);
  }

  release(): void {
    for (const { address } of this.#chunks) heapOf(this.memory).release(address);
  }

  /** A part of a slot; valid until the answer ends. */
  range(slot: number, part: number): TextRange {
    const { chunk, index } = this.locate(slot);
    const { bytes, startOf } = this.textsOf(chunk);
    return { bytes, start: startOf(part, index), end: startOf(part, index + 1) };
  }

  insert(slot: number, texts: Texts): void {
    this.#firsts = undefined;
    if (this.#chunks.length === 0) {
      this.#chunks.push(join(heapOf(this.memory), [whole(texts)]));
      return;
    }
    const { chunk, index } = this.#find(slot);
    const isBehindAll = chunk === this.#chunks.length - 1 && index === this.#chunks[chunk]!.count;
    // Behind the last one a full chunk stays full: loading in id order leaves no half-empty chunks.
    if (isBehindAll && this.#bytesOf(chunk) + texts.bytes.length > CHUNK_BYTES_MAX)
      this.#chunks.push(join(heapOf(this.memory), [whole(texts)]));
    else this.#splice(chunk, index, 0, [whole(texts)]);
  }

  replace(slot: number, texts: Texts): void {
    this.#firsts = undefined;
    const { chunk, index } = this.#find(slot);
    const held = this.textsOf(chunk);
    if (!isSame(held, index, texts)) this.#splice(chunk, index, 1, [whole(texts)]);
  }

  remove(slot: number): void {
    this.#firsts = undefined;
    const { chunk, index } = this.#find(slot);
    this.#splice(chunk, index, 1, []);
  }

  /** Moves the slots from `from` on into `upper`, which is empty. */
  protected moveFrom(from: number, upper: PieceChunks): void {
    this.#firsts = undefined;
    const { chunk, index } = this.#find(from);
    if (index > 0 && index < this.#chunks[chunk]!.count) this.#halve(chunk, index);
    upper.#chunks = this.#chunks.splice(index === 0 ? chunk : chunk + 1);
  }

  /** Prefers the later place: the end of a chunk is the start of the next. */
  #find(slot: number): { readonly chunk: number; readonly index: number } {
    let chunk = 0;
    let index = slot;
    for (; chunk < this.#chunks.length - 1 && index >= this.#chunks[chunk]!.count; chunk++)
      index -= this.#chunks[chunk]!.count;
    return { chunk, index };
  }

  /** The first slot of each chunk. */
  protected firsts(): readonly number[] {
    return (this.#firsts ??= this.#firstSlots());
  }

  protected locate(slot: number): { readonly chunk: number; readonly index: number } {
    const firsts = this.firsts();
    const chunk = chunkAt(firsts, slot);
    return { chunk, index: slot - firsts[chunk]! };
  }

  protected chunk(chunk: number): Chunk {
    return this.#chunks[chunk]!;
  }

  protected textsOf(chunk: number): Texts {
    return textsOf(this.memory, this.#chunks[chunk]!, this.#partCount);
  }

  #firstSlots(): number[] {
    let first = 0;
    return this.#chunks.map(({ count }) => (first += count) - count);
  }

  #bytesOf(chunk: number): number {
    const { count, startOf } = this.textsOf(chunk);
    return startOf(this.#partCount - 1, count) - startOf(0, 0);
  }

  #splice(chunk: number, index: number, removed: number, added: readonly Piece[]): void {
    const heap = heapOf(this.memory);
    const held = this.#chunks[chunk]!;
    const texts = textsOf(heap, held, this.#partCount);
    const behind = { texts, from: index + removed, until: held.count };
    const joined = join(heap, [{ texts, from: 0, until: index }, ...added, behind]);
    heap.release(held.address);
    if (joined.count > 0) this.#chunks[chunk] = joined;
    else {
      heap.release(joined.address);
      this.#chunks.splice(chunk, 1);
      return;
    }
    if (joined.count > 1 && this.#bytesOf(chunk) > CHUNK_BYTES_MAX) this.#halve(chunk, joined.count >>> 1);
  }

  #halve(chunk: number, at: number): void {
    const heap = heapOf(this.memory);
    const held = this.#chunks[chunk]!;
    const texts = textsOf(heap, held, this.#partCount);
    const halves = [
      join(heap, [{ texts, from: 0, until: at }]),
      join(heap, [{ texts, from: at, until: held.count }]),
    ];
    heap.release(held.address);
    this.#chunks.splice(chunk, 1, ...halves);
  }
}

/** The last chunk that begins at or before the slot. */
export function chunkAt(firsts: readonly number[], slot: number): number {
  let low = 0;
  for (let high = firsts.length; high - low > 1;) {
    const middle = (low + high) >>> 1;
    if (firsts[middle]! <= slot) low = middle;
    else high = middle;
  }
  return low;
}

function whole(texts: Texts): Piece {
  return { texts, from: 0, until: texts.count };
}

function textsOf(memory: Memory, { address, count }: Chunk, partCount: number): Texts {
  const words = memory.words(address);
  const starts = wordAt(address) + 1;
  const base = byteAt(address);
  return {
    partCount,
    count,
    bytes: memory.bytes(address),
    startOf: (part, index) => base + words[starts + part * (count + 1) + index]!,
  };
}

/** Joins pieces into a new chunk; starts count from the beginning of the chunk. */
function join(heap: Heap, pieces: readonly Piece[]): Chunk {
  const { partCount } = pieces[0]!.texts;
  let count = 0;
  let byteCount = 0;
  for (const { texts, from, until } of pieces) {
    count += until - from;
    for (let part = 0; part < partCount; part++)
      byteCount += texts.startOf(part, until) - texts.startOf(part, from);
  }
  const tableWords = 1 + partCount * (count + 1);
  const wordCount = HEAD_WORDS + tableWords + Math.ceil(byteCount / WORD_BYTES);
  const steps = Math.ceil(wordCount / SIZE_STEP_WORDS);
  const address = heap.allocate(steps * SIZE_STEP_WORDS - HEAD_WORDS, false);
  const words = heap.words(address);
  const bytes = heap.bytes(address);
  const base = byteAt(address);
  let place = wordAt(address);
  words[place++] = count;
  let end = tableWords * WORD_BYTES;
  for (let part = 0; part < partCount; part++) {
    for (const { texts, from, until } of pieces) {
      const start = texts.startOf(part, from);
      for (let index = from; index < until; index++)
        words[place++] = end + texts.startOf(part, index) - start;
      const stop = texts.startOf(part, until);
      // Most properties have no texts of their own in further locales.
      if (stop > start) end += texts.bytes.copy(bytes, base + end, start, stop);
    }
    words[place++] = end;
  }
  // Clears the old content of the memory: it must not be saved.
  bytes.fill(0, base + end, base + (steps * SIZE_STEP_WORDS - HEAD_WORDS) * WORD_BYTES);
  return { address, count };
}

function isSame(held: Texts, index: number, { partCount, bytes, startOf }: Texts): boolean {
  for (let part = 0; part < partCount; part++) {
    const start = held.startOf(part, index);
    const end = held.startOf(part, index + 1);
    if (bytes.compare(held.bytes, start, end, startOf(part, 0), startOf(part, 1)) !== 0) return false;
  }
  return true;
}
