/**
 * Traits of properties, for filters and counts: types, areas, amenities, ratings, bathrooms, read from the summaries and
 * kept as numbers.
 *
 * Summaries are read a chunk at a time, on first use and again when the memory of the chunk is another. Texts are
 * numbers of the book, so that a filter compares no texts of properties, and counts are arrays.
 */
import { compareCodePoints } from '../../../domain/code-points.ts';
import { foldPlaceName } from '../../../domain/place-name.ts';
import { LOCALES } from '../../../domain/property.ts';
import type { Block } from '../index/block.ts';
import type { Address, Memory } from '../memory/memory.ts';
import { type Traits, traitsInSummary } from '../property/summary.ts';

/** A fuller book is closed, and the next question begins another one. */
export const BOOK_BYTES_MAX = 64 * 1024 * 1024;
/** A text, its folded form, and their places in lists. */
const TEXT_BYTES = 300;

/** The number of no text. */
export const NO_TEXT = 0;

/** Traits of the properties of a chunk, by index. */
interface ChunkTraits {
  readonly version: number;
  readonly types: Uint32Array;
  /** For each property one by locale. */
  readonly areas: Uint32Array;
  /** NaN without a rating. */
  readonly ratings: Float64Array;
  readonly bathrooms: Float64Array;
  /** Start of the amenities of each, and their end. */
  readonly starts: Uint32Array;
  readonly amenities: Uint32Array;
}

/** Books of a thread: the present one, until it is full. */
export class TraitBooks {
  #present = new TraitBook();

  open(): TraitBook {
    if (this.#present.bytes > BOOK_BYTES_MAX) this.#present = new TraitBook();
    return this.#present;
  }
}

export class TraitBook {
  bytes = 0;
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [''];
  readonly #folded: string[] = [''];
  /** By number, and by folded text: the first number of those that fold alike. */
  readonly #equals: number[] = [NO_TEXT];
  readonly #firstFolded = new Map<string, number>();
  readonly #chunks = new WeakMap<Memory, Map<Address, ChunkTraits>>();

  text(number: number): string {
    return this.#texts[number]!;
  }

  /** As `foldPlaceName` folds it. */
  folded(number: number): string {
    return this.#folded[number]!;
  }

  /** The number that stands for all texts that fold like this one. */
  equalOf(number: number): number {
    return this.#equals[number]!;
  }

  /** All numbers are below this. */
  get size(): number {
    return this.#texts.length;
  }

  /** The traits of the chunk that begins at slot `first` of a block. */
  chunk(block: Block, address: Address, first: number, count: number): ChunkTraits {
    const chunks = this.#chunksOf(block.memory);
    const version = block.memory.versionOf(address);
    const known = chunks.get(address);
    if (known?.version === version) return known;
    const read = this.#read(block, version, first, count);
    chunks.set(address, read);
    this.bytes += bytesOf(read) - (known === undefined ? 0 : bytesOf(known));
    return read;
  }

  #chunksOf(memory: Memory): Map<Address, ChunkTraits> {
    let chunks = this.#chunks.get(memory);
    if (chunks === undefined) this.#chunks.set(memory, (chunks = new Map<Address, ChunkTraits>()));
    return chunks;
  }

  #read(block: Block, version: number, first: number, count: number): ChunkTraits {
    const areas = new Uint32Array(count * LOCALES.length);
    const types = new Uint32Array(count);
    const ratings = new Float64Array(count);
    const bathrooms = new Float64Array(count);
    const starts = new Uint32Array(count + 1);
    const amenities: number[] = [];
    for (let index = 0; index < count; index++) {
      const traits = readTraits(block, first + index);
      const [{ propertyType, rating, capacity }] = traits;
      types[index] = this.#number(propertyType);
      ratings[index] = rating === null ? Number.NaN : rating.score;
      bathrooms[index] = capacity.bathrooms;
      for (const [locale, { location }] of traits.entries())
        areas[index * LOCALES.length + locale] =
          location.area === null ? NO_TEXT : this.#number(location.area);
      amenities.push(...this.#distinct(traits[0].amenities));
      starts[index + 1] = amenities.length;
    }
    return { version, types, areas, ratings, bathrooms, starts, amenities: Uint32Array.from(amenities) };
  }

  /** The least one of texts that fold alike: a property has each of its amenities once. */
  #distinct(texts: readonly string[]): readonly number[] {
    const numbers = new Map<string, number>();
    for (const text of texts) {
      const number = this.#number(text);
      const folded = this.folded(number);
      const before = numbers.get(folded);
      if (before === undefined || compareCodePoints(text, this.text(before)) < 0) numbers.set(folded, number);
    }
    return [...numbers.values()];
  }

  #number(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      const folded = foldPlaceName(text);
      this.#folded.push(folded);
      this.#numbers.set(text, number);
      if (!this.#firstFolded.has(folded)) this.#firstFolded.set(folded, number);
      this.#equals.push(this.#firstFolded.get(folded)!);
      this.bytes += TEXT_BYTES + 4 * text.length;
    }
    return number;
  }
}

/** In the order of LOCALES. */
function readTraits(block: Block, slot: number): readonly [Traits, ...Traits[]] {
  let start = -1;
  let last: Traits | undefined;
  const read = LOCALES.map((_, locale) => {
    const summary = block.summary(slot, locale);
    // Locales with the same texts share one summary.
    if (last === undefined || summary.start !== start) last = traitsInSummary(summary);
    start = summary.start;
    return last;
  });
  return read as readonly Traits[] as readonly [Traits, ...Traits[]];
}

function bytesOf({ types, areas, ratings, bathrooms, starts, amenities }: ChunkTraits): number {
  return [types, areas, ratings, bathrooms, starts, amenities].reduce(
    (sum, { byteLength }) => sum + byteLength,
    0,
  );
}

/** The traits of one property after the other, in the order of a walk. */
export class TraitCursor {
  traits!: ChunkTraits;
  index = 0;
  readonly #book: TraitBook;
  #block: Block | undefined;
  #first = 0;
  #end = 0;

  constructor(book: TraitBook) {
    this.#book = book;
  }

  seek(block: Block, slot: number): void {
    if (block !== this.#block || slot < this.#first || slot >= this.#end) {
      const { address, first, count } = block.textChunk(slot);
      this.traits = this.#book.chunk(block, address, first, count);
      this.#block = block;
      this.#first = first;
      this.#end = first + count;
    }
    this.index = slot - this.#first;
  }
}
