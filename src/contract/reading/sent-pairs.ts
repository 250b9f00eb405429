/**
 * Names and values that anybody may send, `a=1&b=2`: bounded in number before anything is decoded, then read in one
 * pass. `URLSearchParams` takes time by the square of what it reads when a pair has no `=` or an escape is broken.
 */

/** Parameters of a page, and what mail programs add to its address. */
export const QUERY_PAIRS_MAX = 50;

/** Whether more than `countMax` pairs were sent; nothing is decoded. */
export function hasMorePairs(sent: Uint8Array, countMax: number): boolean {
  let count = 1;
  for (let at = sent.indexOf(AMPERSAND); at !== -1; at = sent.indexOf(AMPERSAND, at + 1)) {
    count += 1;
    if (count > countMax) return true;
  }
  return false;
}

const AMPERSAND = 0x26;

/** The first `countMax` pairs, as `URLSearchParams` reads them; the rest is left. */
export function readPairs(text: string, countMax = QUERY_PAIRS_MAX): URLSearchParams {
  const pairs = new URLSearchParams();
  for (const pair of text.split('&', countMax)) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const end = equals === -1 ? pair.length : equals;
    pairs.append(decode(pair.slice(0, end)), decode(pair.slice(end + 1)));
  }
  return pairs;
}

/** Without `decodeURIComponent`: thousands of broken escapes would be thousands of exceptions. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  const bytes = asciiOf(spaced).replaceAll(ESCAPE, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

const ESCAPE = /%([0-9a-f]{2})/gi;

function asciiOf(text: string): string {
  return text.toWellFormed().replaceAll(/[^\0-\x7f]+/gu, encodeURIComponent);
}
