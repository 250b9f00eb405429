/** Which names answer to a text, and how well, by comparing each beginning of each word with it. */

/** Optimal string alignment of whole texts. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(
        rows[row - 1]![column]! + 1,
        rows[row]![column - 1]! + 1,
        rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
      );
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) least = Math.min(least, rows[row - 2]![column - 2]! + 1);
      rows[row]!.push(least);
    }
  }
  return rows[one.length]![other.length]!;
}

/** The index of MATCH_RANKS; undefined: not at all. Both are folded. */
export function naiveRank(name: string, text: string): number | undefined {
  const starts = [...name].flatMap((_, index) =>
    index === 0 || /[ ']/.test(name[index - 1]!) ? [index] : [],
  );
  const words = starts.map((start) => name.slice(start));
  if (name === text) return 0;
  if (name.startsWith(text)) return 1;
  if (words.some((word) => word.startsWith(text))) return 2;
  const mistakes = text.length >= 8 ? 2 : text.length >= 4 ? 1 : 0;
  if (mistakes === 0) return undefined;
  const isNear = words.some((word) =>
    Array.from({ length: word.length + 1 }, (_, length) => word.slice(0, length)).some(
      (beginning) => distance(beginning, text) <= mistakes,
    ),
  );
  return isNear ? 3 : undefined;
}
