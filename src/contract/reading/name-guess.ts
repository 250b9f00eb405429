/** Guesses the known name that a caller meant. */

/** Longer names are not typing slips; skipping them makes hostile queries cheap. */
const GUESSED_LENGTH_MAX = 24;
/** Slips that leave a name recognisable: one in a short name, two in a longer one. */
const SLIPS_MAX = 2;
const SHORT_NAME_LENGTH_MAX = 4;

/** The nearest known name, ignoring case; undefined when none is near. */
export function guessName(name: string, knownNames: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > GUESSED_LENGTH_MAX) return undefined;
  const wanted = name.toLowerCase();
  let nearest: string | undefined;
  let fewestSlips = Infinity;
  for (const known of knownNames) {
    const slips = countSlips(wanted, known.toLowerCase());
    const allowed = known.length <= SHORT_NAME_LENGTH_MAX ? 1 : SLIPS_MAX;
    if (slips > allowed || slips >= fewestSlips) continue;
    nearest = known;
    fewestSlips = slips;
  }
  return nearest;
}

/** ` Did you mean checkIn?`, to append to a sentence; empty when no name is near. */
export function guessText(name: string, knownNames: Iterable<string>): string {
  const guess = guessName(name, knownNames);
  return guess === undefined ? '' : ` Did you mean ${guess}?`;
}

/**
 * Letters inserted, omitted or changed (Levenshtein); underscores and hyphens cost nothing: `check_in` is `checkin`.
 */
function countSlips(name: string, known: string): number {
  const written = name.replaceAll(/[_-]/g, '');
  let row = Array.from({ length: known.length + 1 }, (_, index) => index);
  for (let i = 1; i <= written.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= known.length; j += 1) {
      const changed = row[j - 1]! + (written[i - 1] === known[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[known.length]!;
}
