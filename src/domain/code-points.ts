/** Order of texts for answers. */

/** The order of code points: `<` compares UTF-16 units, of which those of pairs are not the highest. */
export function compareCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const difference = heightOf(one.charCodeAt(index)) - heightOf(other.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

const SURROGATES_FROM = 0xd800;
const SURROGATES_UNTIL = 0xe000;

/** The rank of a UTF-16 unit; halves of pairs stand above all others. */
function heightOf(unit: number): number {
  return unit >= SURROGATES_FROM && unit < SURROGATES_UNTIL ? unit + 0x1_0000 : unit;
}
