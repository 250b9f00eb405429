/** Words in shared memory that are replaced as a whole: copied before the first change after they were shown. */
import { Heap } from './heap.ts';
import { type Address, type Memory, NOWHERE } from './memory.ts';

const NO_WORDS = new Int32Array(0);

/** The memory to write to; only the thread that owns it has one. */
export function heapOf(memory: Memory): Heap {
  if (!(memory instanceof Heap)) throw new Error('readers do not write');
  return memory;
}

export class Part {
  readonly memory: Memory;
  address: Address;
  words: Int32Array;

  /** What is at the address; new words, all 0, where there is none. */
  constructor(memory: Memory, wordCount: number, address?: Address) {
    this.memory = memory;
    this.address = address ?? heapOf(memory).allocate(wordCount);
    this.words = this.address === NOWHERE ? NO_WORDS : memory.view(this.address, wordCount);
  }

  /** The same words, which may be written until they are shown. */
  own(): Int32Array {
    const { length } = this.words;
    if (length > 0 && !heapOf(this.memory).isOwn(this.address)) this.resize(length);
    return this.words;
  }

  /** As `own`, with other words more or fewer at the end. */
  resize(wordCount: number): Int32Array {
    const heap = heapOf(this.memory);
    this.address = heap.own(this.address, wordCount);
    this.words = this.address === NOWHERE ? NO_WORDS : heap.view(this.address, wordCount);
    return this.words;
  }

  /** Other words in the place of these. */
  replace(words: Int32Array): void {
    const heap = heapOf(this.memory);
    heap.release(this.address);
    this.address = heap.allocate(words.length, false);
    this.words = this.address === NOWHERE ? NO_WORDS : heap.view(this.address, words.length);
    this.words.set(words);
  }

  release(): void {
    heapOf(this.memory).release(this.address);
  }
}
