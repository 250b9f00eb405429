/** Folded city names, remembered: partners ask for the same cities, spelt the same way, again and again. */
import { foldPlaceName } from '../../domain/place-name.ts';

export const FOLDED_NAMES_MAX = 10_000;

export class FoldedNames {
  readonly #folded = new Map<string, string>();

  /** `foldPlaceName`. Remembers at most FOLDED_NAMES_MAX names, each with its own characters only. */
  fold(name: string): string {
    const known = this.#folded.get(name);
    if (known !== undefined) return known;
    if (this.#folded.size >= FOLDED_NAMES_MAX) this.#folded.clear();
    const own = ownCopy(name);
    const folded = foldPlaceName(own);
    this.#folded.set(own, folded);
    return folded;
  }
}

/** V8 keeps a part of a text as a view of the whole, and so would keep a whole request line for each name. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
