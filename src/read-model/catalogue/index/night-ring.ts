/**
 * The held nights: a ring of lines, one per night, that moves on with the days.
 *
 * It holds more nights than are offered. Every timezone has its own today, at most a day from UTC's, and the last
 * check-out date follows the last night: three nights. The margin on top lets a new day begin without a database read:
 * the follower refills at leisure when half of it is used up.
 */
import { type EpochDay, utcDay } from '../../../domain/local-date.ts';

const EDGE_NIGHTS = 3;
export const MARGIN_NIGHTS = 30;

export class NightRing {
  readonly lineCount: number;
  /** First held night. */
  from: EpochDay;

  constructor(horizonNights: number, nowMs: number) {
    this.lineCount = horizonNights + EDGE_NIGHTS + MARGIN_NIGHTS;
    this.from = earliestToday(nowMs);
  }

  /** The night after the last held one. */
  get until(): EpochDay {
    return this.from + this.lineCount;
  }

  lineOf(night: EpochDay): number {
    const line = night % this.lineCount;
    return line < 0 ? line + this.lineCount : line;
  }

  /**
   * True when half of the margin behind `from` is used up (or time went back): `moveTo` and a refill are due.
   */
  isRefillDue(nowMs: number, from = this.from): boolean {
    const today = earliestToday(nowMs);
    return today < from || today - from >= MARGIN_NIGHTS / 2;
  }

  /** Makes the earliest today the first night. */
  moveTo(nowMs: number): void {
    this.from = earliestToday(nowMs);
  }

  /** Nights that came into reach since `from` was the first one: their lines are stale. */
  addedSince(from: EpochDay): EpochDay[] {
    const added: EpochDay[] = [];
    for (let night = this.from; night < this.until; night++) {
      if (night < from || night >= from + this.lineCount) added.push(night);
    }
    return added;
  }
}

/** The date at UTC-12, where the day starts last. */
function earliestToday(nowMs: number): EpochDay {
  return utcDay(nowMs) - 1;
}
