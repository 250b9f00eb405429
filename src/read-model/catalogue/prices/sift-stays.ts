/**
 * Sifts stays around a wanted one before their bits are asked: at one property most of them lack a night, or are too
 * short or too long for their check-in.
 */
import { FIELD_ROWS, type LimitKind, limitKindOf } from '../../../domain/calendar-fields.ts';
import type { OtherStays, StayDates } from '../../../domain/instead-stays.ts';
import { OPENING_DAYS_MAX } from '../../../domain/nearest-shifts.ts';
import { STAY_NIGHTS_MAX } from '../../../domain/stay-limits.ts';
import type { StayLines } from '../index/block-search.ts';
import type { Block } from '../index/block.ts';
import { LIMIT_FIELDS, type NightLimits } from '../index/night-limits.ts';
import { openLine } from '../index/open-nights.ts';
import type { PropertyRef } from './slot-price.ts';

export interface SoughtStays {
  /** All nights of all the stays. */
  readonly window: StayLines;
  /** The wanted one: the others have its check-in, or its length. */
  readonly stay: StayDates;
  /** The types that host the guests. */
  readonly typeIndexes: readonly number[];
}

const WINDOW_NIGHTS_MAX = STAY_NIGHTS_MAX + 2 * OPENING_DAYS_MAX;

// Scratch, by night of the window: the fewest and the most nights of a stay from it on. Answering is synchronous.
const fewest = new Uint8Array(WINDOW_NIGHTS_MAX);
const most = new Uint8Array(WINDOW_NIGHTS_MAX);

/** Those that may be had, in their order; the others are sure not to be. */
export function siftStays(
  { block, slot }: PropertyRef,
  { window, stay, typeIndexes }: SoughtStays,
  others: OtherStays,
): OtherStays {
  const { checkIn: start, nights } = window;
  const wantedNights = stay.checkOut - stay.checkIn;
  // A line stands for a night of the block alone.
  const first = Math.max(0, block.nightsFrom - start);
  const end = Math.min(nights.length, block.nightsUntil - start);
  const limits = arrivalLimits(block);
  fewest.fill(STAY_NIGHTS_MAX + 1);
  most.fill(0);
  let isAny = false;
  for (const typeIndex of typeIndexes) {
    const row = block.slots.firstRow(slot) + typeIndex;
    let open = 0;
    for (let night = end - 1; night >= first; night--) {
      const line = nights[night]!;
      open = block.lines.open.has(openLine(line), row) ? open + 1 : 0;
      if (open < (start + night === stay.checkIn ? 1 : wantedNights)) continue;
      isAny = true;
      fewest[night] = Math.min(fewest[night]!, leastFrom(limits, line, row));
      most[night] = Math.max(most[night]!, Math.min(open, longestFrom(limits, line, row)));
    }
  }
  if (!isAny) return NO_STAYS;
  const mayBeHad = ({ checkIn, checkOut }: StayDates): boolean => {
    const night = checkIn - start;
    const nightCount = checkOut - checkIn;
    return fewest[night]! <= nightCount && nightCount <= most[night]!;
  };
  return { checkIns: others.checkIns.filter(mayBeHad), lengths: others.lengths.filter(mayBeHad) };
}

const NO_STAYS: OtherStays = { checkIns: [], lengths: [] };

const ARRIVAL_LIMITS = LIMIT_FIELDS.filter((field) => FIELD_ROWS[field].appliesTo === 'arrival').map(
  (field) => ({ field, kind: limitKindOf(field) }),
);

interface ArrivalLimit {
  readonly kind: LimitKind;
  readonly numbers: NightLimits;
}

/** Those that some row of the block has. */
function arrivalLimits({ lines }: Block): readonly ArrivalLimit[] {
  const all = ARRIVAL_LIMITS.map(({ field, kind }) => ({ kind, numbers: lines.limits[field] }));
  return all.filter(({ numbers }) => numbers.canExceed(0));
}

function leastFrom(limits: readonly ArrivalLimit[], line: number, row: number): number {
  let least = 1;
  for (const { kind, numbers } of limits)
    if (kind === 'minimum') least = Math.max(least, numbers.numberAt(line, row));
  return least;
}

function longestFrom(limits: readonly ArrivalLimit[], line: number, row: number): number {
  let longest = STAY_NIGHTS_MAX;
  for (const { kind, numbers } of limits) {
    if (kind === 'maximum') longest = Math.min(longest, STAY_NIGHTS_MAX - numbers.numberAt(line, row));
    else if (kind === 'closed' && numbers.numberAt(line, row) > 0) return 0;
  }
  return longest;
}
