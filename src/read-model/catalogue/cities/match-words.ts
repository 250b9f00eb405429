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
function similarTo(pages: readonly WordPage[], text: string, mistakes: number): NameWord[] {
  const alignment = new Alignment(text, mistakes);
  const found: NameWord[] = [];
  for (const { words, shared } of pages) {
    /** The units after which it was decided whether a word is near enough. */
    let decidedAt = 0;
    let isNear = false;
    for (let index = 0; index < shared.length; index++) {
      const kept = shared[index]!;
      if (index === 0 || kept < decidedAt) {
        decidedAt = alignment.decide(words[index]!, kept);
        isNear = decidedAt > 0;
        decidedAt = Math.abs(decidedAt);
      }
      if (isNear) found.push(readWord(words[index]!));
    }
  }
  return found;
}

/**
 * Rows of the alignment table along one word, one behind the other; those of a shared beginning are used again. A row
 * has the distances of the word's first units from each beginning of the text, and only those near the diagonal.
 */
class Alignment {
  readonly #text: Uint16Array;
  readonly #mistakes: number;
  readonly #width: number;
  readonly #rows: Uint8Array;
  /** The least distance of each row. */
  readonly #least: Uint8Array;

  constructor(text: string, mistakes: number) {
    this.#text = Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
    this.#mistakes = mistakes;
    this.#width = text.length + 1;
    const depth = text.length + mistakes + 1;
    this.#rows = new Uint8Array(depth * this.#width).fill(mistakes + 1);
    for (let column = 0; column <= mistakes; column++) this.#rows[column] = column;
    this.#least = new Uint8Array(depth);
  }

  /**
   * Aligns the word behind its first `from` units, whose rows are there. The units after which it is decided: positive
   * when their beginning is near enough.
   */
  decide(word: string, from: number): number {
    const mistakes = this.#mistakes;
    const least = this.#least;
    const width = this.#width;
    const last = least.length - 1;
    for (let units = from + 1; units <= last; units++) {
      const unit = word.charCodeAt(units - 1);
      // The end of the word decides, too: a longer word shares it, but for the tab.
      if (unit === TAB) return -units;
      least[units] = this.#fill(units, unit, units > 1 ? word.charCodeAt(units - 2) : 0);
      if (this.#rows[units * width + width - 1]! <= mistakes) return units;
      if (least[units]! > mistakes && least[units - 1]! >= mistakes) return -units;
    }
    return -last;
  }

  /** The least distance of the row. */
  #fill(units: number, unit: number, unitBefore: number): number {
    const text = this.#text;
    const rows = this.#rows;
    const far = this.#mistakes + 1;
    const row = units * this.#width;
    const above = row - this.#width;
    const from = Math.max(1, units - this.#mistakes);
    const until = Math.min(text.length, units + this.#mistakes);
    let left = from === 1 && units < far ? units : far;
    rows[row + from - 1] = left;
    let least = left;
    for (let column = from; column <= until; column++) {
      const wanted = text[column - 1]!;
      let distance = rows[above + column - 1]!;
      if (unit !== wanted) {
        distance += 1;
        const deleted = rows[above + column]! + 1;
        if (deleted < distance) distance = deleted;
        if (left + 1 < distance) distance = left + 1;
        if (unitBefore === wanted && column > 1 && unit === text[column - 2]) {
          const swapped = rows[above - this.#width + column - 2]! + 1;
          if (swapped < distance) distance = swapped;
        }
        if (distance > far) distance = far;
      }
      rows[row + column] = distance;
      left = distance;
      if (distance < least) least = distance;
    }
    if (until < text.length) rows[row + until + 1] = far;
    return least;
  }
}
