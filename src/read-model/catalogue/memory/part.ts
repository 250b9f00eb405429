/** Words in shared memory that are replaced as a whole: copied before the first change after publication. */
import { Heap } from './heap.ts';
import { type Address, type Memory, NOWHERE } from './memory.ts';

const NO_WORDS = new Int32Array(0);

/** The memory for writing; only the owning thread has one. */
export function heapOf(memory: Memory): Heap {
  if (!(memory instanceof Heap)) throw new Error('readers do not write');
  return memory;
}

export class Part {
  readonly memory: Memory;
  address: Address;
  words: Int32Array;

  /** Opens the words at the address, or makes new ones, all 0. */
  constructor(memory: Memory, wordCount: number, address?: Address) {
    this.memory = memory;
    this.address = address ?? heapOf(memory).allocate(wordCount);
    this.words = this.address === NOWHERE ? NO_WORDS : memory.view(this.address, wordCount);
  }

  /** The same words, writable until they are published. */
  own(): Int32Array {
    const { length } = this.words;
    if (length > 0 && !heapOf(this.memory).isOwn(this.address)) this.resize(length);
    return this.words;
  }

  /** As `own`, with another number of words. */
  resize(wordCount: number): Int32Array {
    const heap = heapOf(this.memory);
    this.address = heap.own(this.address, wordCount);
    this.words = this.address === NOWHERE ? NO_WORDS : heap.view(this.address, wordCount);
    return this.words;
  }

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
