/** Folded city names, remembered: partners ask for the same cities, spelt the same way, again and again. */
import { foldPlaceName } from '../domain/place-name.ts';

export const FOLDED_NAMES_MAX = 10_000;

/** A city name as it was asked for, in memory of its own, and folded. */
export interface FoldedName {
  readonly asked: string;
  readonly folded: string;
}

export class FoldedNames {
  readonly #folded = new Map<string, FoldedName>();

  /** `foldPlaceName`. Remembers at most FOLDED_NAMES_MAX names, each with its own characters only. */
  fold(name: string): FoldedName {
    const known = this.#folded.get(name);
    if (known !== undefined) return known;
    if (this.#folded.size >= FOLDED_NAMES_MAX) this.#folded.clear();
    const asked = ownCopy(name);
    const folded = { asked, folded: foldPlaceName(asked) };
    this.#folded.set(asked, folded);
    return folded;
  }
}

/** V8 keeps a part of a text as a view of the whole, and so would keep a whole request line for each name. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
