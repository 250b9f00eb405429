/**
 * Where words begin in the folded names of all cities, sorted, in pages: what a partner types is looked for among them.
 * The writer changes a page at a time; readers decode only pages that changed.
 */
import type { Heap } from '../memory/heap.ts';
import { type Address, type Memory, NOWHERE } from '../memory/memory.ts';
import { RecordReader, RecordWriter } from '../memory/record.ts';
import { countLow } from '../index/bisect.ts';

/** A page splits above this: a name that comes costs as much as the words of one page. */
const PAGE_WORDS_MAX = 1024;
/** Behind it comes what the name has before the word. Folded names hold no tabs, and a tab sorts before any letter. */
const HEAD_MARK = '\t';

/** The rest of a name from the beginning of a word, and what comes before it: '' for the whole name. */
export interface NameWord {
  readonly rest: string;
  readonly head: string;
}

export function readWord(entry: string): NameWord {
  const mark = entry.indexOf(HEAD_MARK);
  return { rest: entry.slice(0, mark), head: entry.slice(mark + 1) };
}

/** A letter or number that begins a word: "aquila" is a word of L'Aquila. */
const WORD_START = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]/gu;

/** An entry for the name, and for each further word of it. */
function wordsOf(name: string): string[] {
  const starts = new Set([0, ...[...name.matchAll(WORD_START)].map(({ index }) => index)]);
  return [...starts].map((start) => `${name.slice(start)}${HEAD_MARK}${name.slice(0, start)}`);
}

export function readWordPage(memory: Memory, address: Address): string[] {
  const record = new RecordReader(memory, address);
  return Array.from({ length: record.take() }, () => record.takeText());
}

interface Page {
  readonly words: string[];
  /** NOWHERE before it was written. */
  address: Address;
  isChanged: boolean;
}

export class WordPages {
  readonly #heap: Heap;
  /** In how many markets each name is. */
  readonly #markets = new Map<string, number>();
  #pages: Page[] = [];

  constructor(heap: Heap) {
    this.#heap = heap;
  }

  /** Adopts written pages, which have the words of `names`: all names of all markets. */
  adopt(memory: Memory, addresses: readonly Address[], names: Iterable<string>): void {
    this.#pages = addresses.map((address) => ({
      words: readWordPage(memory, address),
      address,
      isChanged: false,
    }));
    for (const name of names) this.#markets.set(name, (this.#markets.get(name) ?? 0) + 1);
  }

  /** A market has the name now. */
  add(name: string): void {
    const count = this.#markets.get(name) ?? 0;
    this.#markets.set(name, count + 1);
    if (count === 0) for (const word of wordsOf(name)) this.#insert(word);
  }

  /** A market has the name no longer. */
  remove(name: string): void {
    const count = this.#markets.get(name)!;
    if (count > 1) {
      this.#markets.set(name, count - 1);
      return;
    }
    this.#markets.delete(name);
    for (const word of wordsOf(name)) this.#delete(word);
  }

  /** Writes changed pages down; the addresses of all, in the order of their words. */
  write(): readonly Address[] {
    for (const page of this.#pages) {
      if (!page.isChanged) continue;
      this.#heap.release(page.address);
      page.address = storePage(this.#heap, page.words);
      page.isChanged = false;
    }
    return this.#pages.map(({ address }) => address);
  }

  #insert(word: string): void {
    if (this.#pages.length === 0) this.#pages.push({ words: [], address: NOWHERE, isChanged: true });
    const index = this.#pageOf(word);
    const page = this.#pages[index]!;
    page.words.splice(lowerBound(page.words, word), 0, word);
    page.isChanged = true;
    if (page.words.length <= PAGE_WORDS_MAX) return;
    const upper = page.words.splice(PAGE_WORDS_MAX / 2);
    this.#pages.splice(index + 1, 0, { words: upper, address: NOWHERE, isChanged: true });
  }

  #delete(word: string): void {
    const index = this.#pageOf(word);
    const page = this.#pages[index]!;
    page.words.splice(lowerBound(page.words, word), 1);
    page.isChanged = true;
    if (page.words.length > 0) return;
    this.#heap.release(page.address);
    this.#pages.splice(index, 1);
  }

  /** The last page that begins at the word or before it, else the first. */
  #pageOf(word: string): number {
    const below = countLow(this.#pages.length, (index) => this.#pages[index]!.words[0]! <= word);
    return Math.max(0, below - 1);
  }
}

function storePage(heap: Heap, words: readonly string[]): Address {
  const record = new RecordWriter();
  record.put(words.length);
  for (const word of words) record.putText(word);
  return record.store(heap);
}

/** The index of the first word that is not below `wanted`. */
export function lowerBound(words: readonly string[], wanted: string): number {
  return countLow(words.length, (index) => words[index]! < wanted);
}
