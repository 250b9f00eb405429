/** Counts with their noun, in the plural form of a language. */

/** `1 night`, `2 nights`; no line ends between the number and its noun. */
export type Counted = (count: number, one: string, other: string) => string;

/** `locale` is BCP 47. It knows two plural forms, one and other: enough for the languages that pages have. */
export function makeCounted(locale: string): Counted {
  const plural = new Intl.PluralRules(locale);
  const number = new Intl.NumberFormat(locale);
  return (count, one, other) =>
    `${number.format(count)}\u00A0${plural.select(count) === 'one' ? one : other}`;
}
