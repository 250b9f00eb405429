/** City names as partners type them: compared without case, diacritics and repeated spaces. */

/**
 * Marks that ride on a letter of any script. The Japanese voicing marks are left alone, and so are the vowel signs
 * that belong to one script (Devanagari and others): there they spell another name, not the same one with an accent.
 */
const DIACRITICS = /[\p{Script=Inherited}--[\u3099\u309A]]/gv;

/** Latin letters whose stroke Unicode does not take apart, upper case: Łódź is found as "lodz", Tromsø as "tromso". */
const STROKED = /[ĐĦŁØŦ]/g;
const UNSTROKED: Readonly<Record<string, string>> = { Đ: 'D', Ħ: 'H', Ł: 'L', Ø: 'O', Ŧ: 'T' };

/**
 * The form in which two names are equal when they differ only in case, diacritics or spaces.
 * Lower case comes before upper case so that both ẞ and ß end as SS, and both i and ı as I.
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
