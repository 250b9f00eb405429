/** A cache of folded city names: partners search the same spellings again and again. */
import { foldPlaceName } from '../../../domain/place-name.ts';

export const FOLDED_NAMES_MAX = 10_000;

/** A requested city name, as a copy, and its folded form. */
export interface FoldedName {
  readonly asked: string;
  readonly folded: string;
}

export class FoldedNames {
  readonly #folded = new Map<string, FoldedName>();

  /** `foldPlaceName`, caching at most FOLDED_NAMES_MAX names, each with only its own characters. */
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

/** V8 keeps a substring as a view of the whole, and would keep a whole request line for each name. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
