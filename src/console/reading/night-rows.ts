/** Runs of nights as rows: their first and their last night. */
import { type EpochDay, formatLocalDate } from '../../domain/local-date.ts';
import { type NightRuns, visitStretches } from '../../domain/night-runs.ts';

/** The nights `dateFrom`..`dateTo`, both included. */
export interface NightsRow {
  readonly dateFrom: string;
  readonly dateTo: string;
}

/** Nights of `one` from a day on that are, or are not, also in `other`. */
export function nightsIn(one: NightRuns, other: NightRuns, isInOther: boolean, first: EpochDay): NightsRow[] {
  const rows: NightsRow[] = [];
  visitStretches([one, other], (from, until, [own, others]) => {
    if (own !== undefined && (others !== undefined) === isInOther && until > first)
      rows.push(nightsRow(Math.max(from, first), until));
  });
  return rows;
}

/** `until` is excluded. */
export function nightsRow(from: EpochDay, until: EpochDay): NightsRow {
  return { dateFrom: formatLocalDate(from), dateTo: formatLocalDate(until - 1) };
}
