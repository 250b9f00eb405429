/**
 * A directory in shared memory: numbers by hash, several for equal hashes. Different keys may share a hash, so the
 * caller checks each number.
 *
 * A page has all entries whose hashes begin alike; a change copies one page and the list of pages, not the directory.
 */
import { type Address, type Memory, NOWHERE, wordAt } from './memory.ts';
import { heapOf, Part } from './part.ts';

// The list of pages: their number as a power of two, the entries of all of them, the pages' addresses.
const BITS = 0;
const COUNT = 1;
const LIST_HEAD = 2;
/** Above this average the number of pages doubles. */
const PAGE_ENTRIES_MAX = 96;

/** Hash of a text (FNV-1a over its UTF-16 units, mixed), as a 32-bit integer. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1);
}

const NUMBER_FACTOR = 0x9e3779b1;
/** Their product is 1 in 32 bits. */
const NUMBER_FACTOR_INVERSE = 0x0e8b2f51;

/** Hash of a number, unique for it. */
export function hashNumber(number: number): number {
  return Math.imul(number, NUMBER_FACTOR);
}

/** The inverse of `hashNumber`. */
export function numberOfHash(hash: number): number {
  return Math.imul(hash, NUMBER_FACTOR_INVERSE);
}

export class HashPages extends Part {
  /** Opens the directory at the address, or an empty one. */
  static open(memory: Memory, address?: Address): HashPages {
    const bits = address === undefined ? 0 : memory.words(address)[wordAt(address) + BITS]!;
    return new HashPages(memory, LIST_HEAD + (1 << bits), address);
  }

  get entryCount(): number {
    return this.words[COUNT]!;
  }

  /** Calls `take` with each number of the hash until it returns true. */
  some(hash: number, take: (number: number) => boolean): boolean {
    const page = this.words[this.#pageOf(hash)]!;
    if (page === NOWHERE) return false;
    const words = this.memory.words(page);
    const at = wordAt(page);
    for (let entry = at + words[at]! * 2 - 1; entry > at; entry -= 2) {
      if (words[entry] === hash && take(words[entry + 1]!)) return true;
    }
    return false;
  }

  /** The number of a unique hash; NOWHERE without one. */
  get(hash: number): number {
    const page = this.words[this.#pageOf(hash)]!;
    if (page === NOWHERE) return NOWHERE;
    const words = this.memory.words(page);
    const at = wordAt(page);
    for (let entry = at + words[at]! * 2 - 1; entry > at; entry -= 2) {
      if (words[entry] === hash) return words[entry + 1]!;
    }
    return NOWHERE;
  }

  *entries(): Generator<readonly [hash: number, number: number]> {
    for (let index = LIST_HEAD; index < this.words.length; index++) {
      const page = this.words[index]!;
      if (page === NOWHERE) continue;
      const words = this.memory.words(page);
      const at = wordAt(page);
      for (let entry = at + 1; entry < at + words[at]! * 2; entry += 2)
        yield [words[entry]!, words[entry + 1]!];
    }
  }

  add(hash: number, number: number): void {
    const list = this.own();
    if (list[COUNT]! >= PAGE_ENTRIES_MAX << list[BITS]!) return this.#double(hash, number);
    list[COUNT]! += 1;
    this.#append(this.words, this.#pageOf(hash), hash, number);
  }

  /** Removes an entry, which must exist. */
  remove(hash: number, number: number): void {
    const list = this.own();
    const index = this.#pageOf(hash);
    const { words, at } = this.#ownPage(list, index, 0);
    const last = at + words[at]! * 2 - 1;
    for (let entry = at + 1; entry <= last; entry += 2) {
      if (words[entry] !== hash || words[entry + 1] !== number) continue;
      words[entry] = words[last]!;
      words[entry + 1] = words[last + 1]!;
      words[at]! -= 1;
      list[COUNT]! -= 1;
      return;
    }
    throw new Error('the entry is not in the directory');
  }

  #append(list: Int32Array, index: number, hash: number, number: number): void {
    const { words, at } = this.#ownPage(list, index, 1);
    const end = at + words[at]! * 2 + 1;
    words[end] = hash;
    words[end + 1] = number;
    words[at]! += 1;
  }

  /** A page for writing, with room for `more` entries. */
  #ownPage(list: Int32Array, index: number, more: number): { words: Int32Array; at: number } {
    const heap = heapOf(this.memory);
    const page: Address = list[index]!;
    const count = page === NOWHERE ? 0 : heap.words(page)[wordAt(page)]!;
    const owned = heap.own(page, 1 + (count + more) * 2);
    list[index] = owned;
    return { words: heap.words(owned), at: wordAt(owned) };
  }

  #double(hash: number, number: number): void {
    const heap = heapOf(this.memory);
    const before = [...this.words.subarray(LIST_HEAD)];
    const bits = this.words[BITS]! + 1;
    const count = this.words[COUNT]!;
    const list = this.resize(LIST_HEAD + (1 << bits));
    list.fill(NOWHERE, LIST_HEAD);
    list[BITS] = bits;
    list[COUNT] = count + 1;
    for (const page of before) {
      if (page === NOWHERE) continue;
      const words = heap.words(page);
      const at = wordAt(page);
      for (let entry = at + 1; entry < at + words[at]! * 2; entry += 2)
        this.#append(list, this.#pageOf(words[entry]!), words[entry]!, words[entry + 1]!);
      heap.release(page);
    }
    this.#append(list, this.#pageOf(hash), hash, number);
  }

  /** Index of a hash's page in the list. */
  #pageOf(hash: number): number {
    const bits = this.words[BITS]!;
    return LIST_HEAD + (bits === 0 ? 0 : hash >>> (32 - bits));
  }
}
