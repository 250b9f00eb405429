/**
 * Text of strangers on a terminal: names and descriptions may hold sequences that move the cursor, change the window's
 * title or turn the direction of writing.
 */

/** Control characters but the line feed, and those that change the direction of text. */
const NOT_PRINTABLE = /(?!\n)[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Writes them as `\u001b`, which says the same in a JSON document. */
export function escapeControls(text: string): string {
  return text.replaceAll(NOT_PRINTABLE, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
