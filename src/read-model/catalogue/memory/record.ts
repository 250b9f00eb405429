/** Numbers and texts in sequence in one piece of memory: the records of blocks, markets and versions. */
import type { Heap } from './heap.ts';
import { type Address, byteAt, type Memory, wordAt } from './memory.ts';

// Layout: how many numbers, how many bytes of texts, the numbers, the texts as a JSON array.
const COUNT_WORDS = 2;

export class RecordWriter {
  readonly #numbers: number[] = [];
  readonly #texts: string[] = [];

  /** 32-bit integers. */
  put(...numbers: readonly number[]): void {
    this.#numbers.push(...numbers);
  }

  putText(text: string): void {
    this.#texts.push(text);
  }

  store(heap: Heap): Address {
    const texts = Buffer.from(JSON.stringify(this.#texts));
    const count = this.#numbers.length;
    const address = heap.allocate(COUNT_WORDS + count + Math.ceil(texts.length / 4), false);
    const words = heap.words(address);
    const at = wordAt(address);
    words[at] = count;
    words[at + 1] = texts.length;
    words.set(this.#numbers, at + COUNT_WORDS);
    heap.bytes(address).set(texts, byteAt(address) + (COUNT_WORDS + count) * 4);
    return address;
  }
}

/** Reads a record in the order of writing. */
export class RecordReader {
  readonly #memory: Memory;
  readonly #address: Address;
  #next: number;
  #texts: string[] | undefined;
  #nextText = 0;

  constructor(memory: Memory, address: Address) {
    this.#memory = memory;
    this.#address = address;
    this.#next = wordAt(address) + COUNT_WORDS;
  }

  take(): number {
    return this.#memory.words(this.#address)[this.#next++]!;
  }

  /** The address of a piece. */
  takeAddress(): Address {
    return this.take();
  }

  takeText(): string {
    this.#texts ??= this.#readTexts();
    return this.#texts[this.#nextText++]!;
  }

  #readTexts(): string[] {
    const at = wordAt(this.#address);
    const words = this.#memory.words(this.#address);
    const start = (at + COUNT_WORDS + words[at]!) * 4;
    return JSON.parse(
      this.#memory.bytes(this.#address).toString('utf8', start, start + words[at + 1]!),
    ) as string[];
  }
}

/** The same over copies of all pieces, so that the reader gets a second set. */
export class CopyingReader extends RecordReader {
  readonly #heap: Heap;

  constructor(heap: Heap, address: Address) {
    super(heap, address);
    this.#heap = heap;
  }

  override takeAddress(): Address {
    return this.#heap.copy(super.takeAddress());
  }
}
