/**
 * Names of places as partners type them, compared without case, diacritics, kinds of apostrophes and of dashes, and
 * spaces.
 */

/** Letters of a folded text from which one typing mistake is forgiven, and then two. */
export const MISTAKE_LETTERS = [4, 8] as const;

/** Apostrophes that keyboards and transliterations write, before NFKD makes a blank and an accent of some. */
const APOSTROPHES =
  /[\u0060\u00B4\u02B9-\u02BF\u02C8\u0384\u055A\u05F3\u07F4\u1FBD\u1FBF\u1FEF\u1FFD\u1FFE\u2018-\u201B\u2032\u2035\uA78B\uA78C\uFF07\uFF40]/g;

/** Characters without width: soft hyphens, joiners, marks of direction. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Marks on letters of any script. Japanese voicing marks and the vowel signs of one script (Devanagari and others)
 * stay: they spell another name, not the same one with an accent.
 */
const DIACRITICS = /[\p{Script=Inherited}--[\u3099\u309A]]/gv;

/** Latin letters that Unicode does not decompose, upper case: Łódź is found as "lodz", Ærøskøbing as "aeroskobing". */
const LETTERS: ReadonlyMap<string, string> = new Map(
  'Đ D, Ð D, Ħ H, Ł L, Ø O, Ŧ T, Æ AE, Œ OE, Þ TH'
    .split(', ')
    .map((pair) => pair.split(' ') as [string, string]),
);
const LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g');

/** Aix-en-Provence is found as "aix en provence", and St. Moritz as "st moritz". */
const BLANKS = /[\p{Dash}.\s]+/gu;

/**
 * Folds a name, so that names which differ only in these are equal. Lower case comes before upper case: ẞ and ß both
 * end as SS, i and ı as I.
 */
export function foldPlaceName(text: string): string {
  return text
    .replace(APOSTROPHES, "'")
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .replace(DIACRITICS, '')
    .toLowerCase()
    .toUpperCase()
    .replace(LETTER, (letter) => LETTERS.get(letter)!)
    .replace(BLANKS, ' ')
    .trim();
}
