/** Decides which properties of a search pass its filters, and counts the values of those that do. */
import { compareCodePoints } from '../../../domain/code-points.ts';
import { foldPlaceName } from '../../../domain/place-name.ts';
import { LOCALES } from '../../../domain/property.ts';
import { COUNTED_VALUES_MAX, type StayFilters } from '../../../domain/stay-filters.ts';
import { NO_TEXT, type TraitBook, TraitCursor } from './trait-book.ts';
import { countLow } from '../index/bisect.ts';
import type { Block } from '../index/block.ts';

// Filters that a property does not pass, as bits; counts leave out one of the first two.
export const PASSES = 0;
const OTHER_TYPE = 1;
const OTHER_AREA = 2;
const OTHERWISE = 4;
export const TOO_DEAR = OTHERWISE;

export class SearchFilter {
  readonly cursor: TraitCursor;
  readonly #types: WantedTexts | undefined;
  readonly #areas: WantedTexts | undefined;
  readonly #amenities: WantedTexts | undefined;
  readonly #minRating: number | undefined;
  readonly #minBathrooms: number | undefined;

  constructor(book: TraitBook, filters: StayFilters) {
    const wanted = (texts: readonly string[] | undefined): WantedTexts | undefined =>
      texts && new WantedTexts(book, texts);
    this.cursor = new TraitCursor(book);
    this.#types = wanted(filters.propertyTypes);
    this.#areas = wanted(filters.areas);
    this.#amenities = wanted(filters.amenities);
    this.#minRating = filters.minRating;
    this.#minBathrooms = filters.minBathrooms;
  }

  /** The filters that the property does not pass, beside the price; its traits are then at `cursor`. */
  judge(block: Block, slot: number): number {
    this.cursor.seek(block, slot);
    if (!this.#hasRest()) return OTHERWISE;
    return (this.#hasType() ? PASSES : OTHER_TYPE) | (this.#hasArea() ? PASSES : OTHER_AREA);
  }

  #hasType(): boolean {
    const { traits, index } = this.cursor;
    return this.#types === undefined || this.#types.has(traits.types[index]!);
  }

  #hasArea(): boolean {
    if (this.#areas === undefined) return true;
    const { traits, index } = this.cursor;
    for (let locale = 0; locale < LOCALES.length; locale++)
      if (this.#areas.has(traits.areas[index * LOCALES.length + locale]!)) return true;
    return false;
  }

  #hasRest(): boolean {
    const { traits, index } = this.cursor;
    // Nothing is at least NaN.
    if (this.#minRating !== undefined && !(traits.ratings[index]! >= this.#minRating)) return false;
    if (this.#minBathrooms !== undefined && traits.bathrooms[index]! < this.#minBathrooms) return false;
    if (this.#amenities === undefined) return true;
    let missing = this.#amenities.count;
    // No two of them fold alike.
    for (let at = traits.starts[index]!; at < traits.starts[index + 1]!; at++)
      if (this.#amenities.has(traits.amenities[at]!)) missing -= 1;
    return missing === 0;
  }
}

/** Texts of a filter, and which numbers of the book are equal to one of them. */
class WantedTexts {
  readonly #book: TraitBook;
  readonly #folded: ReadonlySet<string>;
  /** By number, once it was asked for. */
  readonly #known: (boolean | undefined)[] = [];

  constructor(book: TraitBook, texts: readonly string[]) {
    this.#book = book;
    this.#folded = new Set(texts.map(foldPlaceName));
  }

  get count(): number {
    return this.#folded.size;
  }

  has(number: number): boolean {
    if (number === NO_TEXT) return false;
    return (this.#known[number] ??= this.#folded.has(this.#book.folded(number)));
  }
}

/** Whether a property with these failures counts anywhere. */
export function isCounted(failures: number): boolean {
  return failures === PASSES || failures === OTHER_TYPE || failures === OTHER_AREA;
}

/** Counts by number of a text. */
class Tally {
  #counts = new Uint32Array(1_024);

  add(number: number): void {
    if (number >= this.#counts.length) this.#grow(number);
    this.#counts[number]! += 1;
  }

  forEach(visit: (number: number, count: number) => void): void {
    for (let number = 0; number < this.#counts.length; number++)
      if (this.#counts[number]! > 0) visit(number, this.#counts[number]!);
  }

  #grow(number: number): void {
    const grown = new Uint32Array(2 * (number + 1));
    grown.set(this.#counts);
    this.#counts = grown;
  }
}

/** The `counts` of a search, over all properties that it judges. */
export class SearchCounts {
  readonly #book: TraitBook;
  readonly #localeIndex: number;
  readonly #types = new Tally();
  readonly #areas = new Tally();
  readonly #amenities = new Tally();

  constructor(book: TraitBook, localeIndex: number) {
    this.#book = book;
    this.#localeIndex = localeIndex;
  }

  /** Adds a property by the filters that it fails. */
  add(failures: number, { traits, index }: TraitCursor): void {
    if ((failures & ~OTHER_TYPE) === 0) this.#types.add(traits.types[index]!);
    if ((failures & ~OTHER_AREA) === 0) {
      const area = traits.areas[index * LOCALES.length + this.#localeIndex]!;
      if (area !== NO_TEXT) this.#areas.add(area);
    }
    if (failures !== PASSES) return;
    const end = traits.starts[index + 1]!;
    for (let at = traits.starts[index]!; at < end; at++) this.#amenities.add(traits.amenities[at]!);
  }

  /** JSON. */
  format(): string {
    return JSON.stringify({
      propertyTypes: this.#present(this.#types),
      amenities: this.#present(this.#amenities),
      areas: this.#present(this.#areas),
    });
  }

  /** Texts that fold alike are one value, written as the least of them. */
  #present(tally: Tally): readonly CountedValue[] {
    const sums = new Uint32Array(this.#book.size);
    const least = new Uint32Array(this.#book.size);
    tally.forEach((number, count) => {
      const equal = this.#book.equalOf(number);
      sums[equal]! += count;
      const before = least[equal]!;
      if (before === NO_TEXT || compareCodePoints(this.#book.text(number), this.#book.text(before)) < 0)
        least[equal] = number;
    });
    return firstOf(this.#valuesOf(sums, least));
  }

  *#valuesOf(sums: Uint32Array, least: Uint32Array): Generator<CountedValue> {
    for (let equal = 0; equal < sums.length; equal++)
      if (sums[equal]! > 0) yield { value: this.#book.text(least[equal]!), count: sums[equal]! };
  }
}

interface CountedValue {
  readonly value: string;
  readonly count: number;
}

/** The first ones in order; of thousands few are compared with more than the last one kept. */
function firstOf(values: Iterable<CountedValue>): readonly CountedValue[] {
  const first: CountedValue[] = [];
  for (const value of values) {
    if (first.length === COUNTED_VALUES_MAX && compareCounted(first.at(-1)!, value) < 0) continue;
    const at = countLow(first.length, (index) => compareCounted(first[index]!, value) < 0);
    first.splice(at, 0, value);
    if (first.length > COUNTED_VALUES_MAX) first.pop();
  }
  return first;
}

/** Most first, then by value. */
function compareCounted(one: CountedValue, other: CountedValue): number {
  return other.count - one.count || compareCodePoints(one.value, other.value);
}
