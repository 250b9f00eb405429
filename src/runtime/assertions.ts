/**
 * States that can't be unless the program is wrong, and of which partners would be told: counts, versions, sums. Who
 * throws answers later or not at all; who goes on answers wrong.
 */

/** `STAYPORT_CHECK=1`, as all tests run: checks that take longer than what they check. */
export const IS_CHECKING: boolean = process.env['STAYPORT_CHECK'] === '1';

/** Throws unless it is right. For comparisons of numbers at hand, which may stand on the way of every change. */
export function assertState(isRight: boolean, what: string): asserts isRight {
  if (!isRight) throw new WrongState(what);
}

/** Always a bug of the program. */
class WrongState extends Error {
  override readonly name = 'WrongState';
}
