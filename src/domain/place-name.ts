/** City names as partners type them, compared without case, diacritics and repeated spaces. */

/**
 * Marks on letters of any script. Japanese voicing marks and the vowel signs of one script (Devanagari and others)
 * stay: they spell another name, not the same one with an accent.
 */
const DIACRITICS = /[\p{Script=Inherited}--[\u3099\u309A]]/gv;

/**
 * Latin letters with a stroke that Unicode does not decompose, upper case: Łódź is found as "lodz", Tromsø as "tromso".
 */
const STROKED = /[ĐĦŁØŦ]/g;
const UNSTROKED: Readonly<Record<string, string>> = { Đ: 'D', Ħ: 'H', Ł: 'L', Ø: 'O', Ŧ: 'T' };

/**
 * Folds a name, so that names which differ only in case, diacritics or spaces are equal. Lower case comes before upper
 * case: ẞ and ß both end as SS, i and ı as I.
 */
export function foldPlaceName(text: string): string {
  return text
    .normalize('NFKD')
    .replace(DIACRITICS, '')
    .toLowerCase()
    .toUpperCase()
    .replace(STROKED, (letter) => UNSTROKED[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
}
