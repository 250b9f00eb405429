/** Finds the names of cities that a text begins, or that it would begin without a typing mistake or two. */
import { MISTAKE_LETTERS } from '../../../domain/place-name.ts';
import { lowerBound, type NameWord, readWord } from './word-pages.ts';

/** How a name answers to a text, the best first. */
export const MATCH_RANKS = ['name', 'beginning', 'word', 'mistake'] as const;
/** An index of MATCH_RANKS. */
export type MatchRank = number;

/** A decoded page of words. */
export interface WordPage {
  readonly words: readonly string[];
  /** How many units each word shares with the one before it. */
  readonly shared: Uint16Array;
}

export function makeWordPage(words: readonly string[]): WordPage {
  const shared = Uint16Array.from(words, (word, index) =>
    index === 0 ? 0 : sharedUnits(words[index - 1]!, word),
  );
  return { words, shared };
}

function sharedUnits(one: string, other: string): number {
  const max = Math.min(one.length, other.length);
  for (let unit = 0; unit < max; unit++) if (one.charCodeAt(unit) !== other.charCodeAt(unit)) return unit;
  return max;
}

/** Folded names by the best rank of each, without mistakes. Pages are in the order of their words; `text` is folded. */
export function matchBeginnings(pages: readonly WordPage[], text: string): ReadonlyMap<string, MatchRank> {
  const ranks = new Map<string, MatchRank>();
  for (const { rest, head } of beginningWith(pages, text)) {
    const rank = head !== '' ? 2 : rest === text ? 0 : 1;
    const name = head + rest;
    if (rank < (ranks.get(name) ?? MATCH_RANKS.length)) ranks.set(name, rank);
  }
  return ranks;
}

/** Folded names that would match without a typing mistake or two; those that match as they are among them. */
export function matchMistakes(pages: readonly WordPage[], text: string): ReadonlySet<string> {
  const mistakes = mistakesIn(text);
  if (mistakes === 0) return new Set();
  return new Set(similarTo(pages, text, mistakes).map(({ rest, head }) => head + rest));
}

function mistakesIn(text: string): number {
  const letters = [...text].length;
  return MISTAKE_LETTERS.filter((least) => letters >= least).length;
}

function* beginningWith(pages: readonly WordPage[], text: string): Generator<NameWord> {
  for (let index = firstPageOf(pages, text); index < pages.length; index++) {
    const { words } = pages[index]!;
    for (let at = lowerBound(words, text); at < words.length; at++) {
      if (!words[at]!.startsWith(text)) return;
      yield readWord(words[at]!);
    }
  }
}

/** The page in which the first word at or behind `text` may be. */
function firstPageOf(pages: readonly WordPage[], text: string): number {
  let first = 0;
  for (let low = 0, high = pages.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (pages[middle]!.words[0]! < text) first = low = middle;
    else high = middle;
    if (high - low === 1) break;
  }
  return first;
}

const TAB = 9;

/**
 * Words with a beginning at most `mistakes` away from `text` (optimal string alignment: insert, delete, replace, swap
 * of neighbours). Words are read as the paths of a tree: what two of them share is aligned once, and what no longer can
 * come near enough is passed over with all words that begin so.
 */
function* similarTo(pages: readonly WordPage[], text: string, mistakes: number): Generator<NameWord> {
  const alignment = new Alignment(text, mistakes);
  for (const { words, shared } of pages) {
    /** The units after which it was decided whether a word is near enough. */
    let decidedAt = 0;
    let isNear = false;
    for (let index = 0; index < words.length; index++) {
      const word = words[index]!;
      const kept = shared[index]!;
      if (index === 0 || kept < decidedAt) {
        const from = index === 0 ? 0 : kept;
        decidedAt = alignment.decide(word, from);
        isNear = alignment.isNear;
      }
      if (isNear) yield readWord(word);
    }
  }
}

/** Rows of the alignment table along one word, of which those of a shared beginning are used again. */
class Alignment {
  isNear = false;
  readonly #text: string;
  readonly #mistakes: number;
  /** Row n: the distances of the word's first n units from each beginning of the text; only near the diagonal. */
  readonly #rows: Uint8Array[];

  constructor(text: string, mistakes: number) {
    this.#text = text;
    this.#mistakes = mistakes;
    const far = mistakes + 1;
    const depth = text.length + mistakes + 1;
    this.#rows = Array.from({ length: depth }, () => new Uint8Array(text.length + 1).fill(far));
    for (let column = 0; column <= Math.min(text.length, mistakes); column++) this.#rows[0]![column] = column;
  }

  /** Aligns the word behind its first `from` units, whose rows are there; the units after which it is decided. */
  decide(word: string, from: number): number {
    const last = this.#rows.length - 1;
    this.isNear = false;
    for (let units = from + 1; units <= last; units++) {
      const unit = word.charCodeAt(units - 1);
      // The end of the word decides, too: a longer word shares it, but for the tab.
      if (unit === TAB) return units;
      const least = this.#fill(units, word);
      if (this.#rows[units]![this.#text.length]! <= this.#mistakes) {
        this.isNear = true;
        return units;
      }
      if (least > this.#mistakes && this.#leastOf(units - 1) >= this.#mistakes) return units;
    }
    return last;
  }

  /** The least distance of the row. */
  #fill(units: number, word: string): number {
    const text = this.#text;
    const far = this.#mistakes + 1;
    const row = this.#rows[units]!;
    const above = this.#rows[units - 1]!;
    const unit = word.charCodeAt(units - 1);
    const from = Math.max(1, units - this.#mistakes);
    const until = Math.min(text.length, units + this.#mistakes);
    row[from - 1] = from === 1 ? Math.min(units, far) : far;
    let least = row[from - 1]!;
    for (let column = from; column <= until; column++) {
      const wanted = text.charCodeAt(column - 1);
      let distance = above[column - 1]! + (unit === wanted ? 0 : 1);
      distance = Math.min(distance, above[column]! + 1, row[column - 1]! + 1);
      const isSwap =
        units > 1 &&
        column > 1 &&
        unit === text.charCodeAt(column - 2) &&
        word.charCodeAt(units - 2) === wanted;
      if (isSwap) distance = Math.min(distance, this.#rows[units - 2]![column - 2]! + 1);
      row[column] = Math.min(distance, far);
      least = Math.min(least, row[column]!);
    }
    if (until < text.length) row[until + 1] = far;
    return least;
  }

  #leastOf(units: number): number {
    let least = this.#mistakes + 1;
    for (const distance of this.#rows[units]!) least = Math.min(least, distance);
    return least;
  }
}
