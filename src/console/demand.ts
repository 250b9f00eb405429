/** What was searched and could not be sold: cities by week of arrival, why, and places that nobody offers. */
import { firstCheckInAt } from '../activity/activity-retention.ts';
import {
  addUpWeeks,
  type DemandEntry,
  type DemandOfWeek,
  readUnknownPlaces,
  reportDemand,
  reportDemandWeeks,
  reportPlaces,
  reportUnknownPlaces,
  type UnknownPlaceEntry,
} from '../activity/demand-report.ts';
import { reportUnmet, type UnmetEntry } from '../activity/unmet-report.ts';
import { formatIsoWeek, formatLocalDate, isoWeekOf, utcDay } from '../domain/local-date.ts';
import { OTHER } from '../storage/activity/store.ts';
import { readDays, readName } from './asked-days.ts';
import type { PagePorts, PageQuestion } from './console-page.ts';

export type { UnmetEntry };
/** What found no room when it was counted: no city to ask for. */
export const OTHER_NAME = OTHER;
/** Of `demand`, the first days first. */
export const DEMAND_ROWS_MAX = 2_000;
const UNKNOWN_ROWS_MAX = 50;
/** The most asked of all cities; those that have causes are among them. */
const UNMET_STAYS_READ = 1_000;
const CITIES_SHOWN = 20;
const WEEKS_SHOWN = 16;

export interface DemandShown {
  readonly rows: {
    /** As `demand`, DEMAND_ROWS_MAX at most; empty for the page, which does not show them. */
    readonly demand: readonly DemandEntry[];
    /** As `demand --unmet`. */
    readonly unmet: readonly UnmetEntry[];
    /** As `demand --unknown`, UNKNOWN_ROWS_MAX at most. */
    readonly unknown: readonly UnknownPlaceEntry[];
  };
  readonly asked: {
    readonly from: string;
    readonly to: string;
    readonly city: string | undefined;
    readonly country: string | undefined;
    readonly partner: string | undefined;
  };
  /** Weeks of arrival, ascending. */
  readonly weeks: readonly string[];
  /** Most searches that found nothing first. */
  readonly cities: readonly CityDemand[];
  readonly leftOut: { readonly cities: number; readonly weeks: number };
}

export interface CityDemand {
  readonly city: string;
  readonly country: string;
  readonly searches: number;
  readonly empty: number;
  /** By week of arrival; a week without searches is missing. */
  readonly byWeek: ReadonlyMap<string, Pick<DemandOfWeek, 'searches' | 'empty'>>;
}

export async function readDemand(
  { storage, clock, keptDays }: PagePorts,
  { query, isJson }: PageQuestion,
): Promise<DemandShown> {
  const nowMs = clock();
  const days = readDays(query, nowMs);
  const city = readName(query, 'city');
  const country = readName(query, 'country')?.toUpperCase();
  const partnerId = readName(query, 'partner');
  const asked = { ...days, city, country, partnerId };
  const rowsOfWeeks = await keptDays.read(`weeks ${partnerId ?? ''}`, days, (some) =>
    reportDemandWeeks(storage, { ...some, partnerId }),
  );
  const sums = addUpWeeks(rowsOfWeeks, { city, country });
  const unmet = await reportUnmet(storage, {
    ...{ city, checkInFrom: firstCheckInAt(nowMs), rowsMax: UNMET_STAYS_READ },
  });
  const unknown = isJson
    ? await reportUnknownPlaces(storage, { ...days, rowsMax: UNKNOWN_ROWS_MAX })
    : reportPlaces(
        await keptDays.read('unknown', days, (some) => readUnknownPlaces(storage, some)),
        UNKNOWN_ROWS_MAX,
      );
  const { weeks, leftOut } = chooseWeeks(sums, nowMs);
  const cities = byCity(sums);
  return {
    rows: {
      demand: isJson ? await reportDemand(storage, { ...asked, rowsMax: DEMAND_ROWS_MAX }) : [],
      unmet: unmet.entries,
      unknown,
    },
    asked: {
      ...{ from: formatLocalDate(days.from), to: formatLocalDate(days.to) },
      ...{ city, country, partner: partnerId },
    },
    weeks,
    cities: cities.slice(0, CITIES_SHOWN),
    leftOut: { cities: Math.max(0, cities.length - CITIES_SHOWN), weeks: leftOut },
  };
}

/** From this week on; where nobody asked for such, the last ones. */
function chooseWeeks(
  sums: readonly DemandOfWeek[],
  nowMs: number,
): { readonly weeks: readonly string[]; readonly leftOut: number } {
  const all = [...new Set(sums.map(({ arrivalWeek }) => arrivalWeek))].toSorted();
  const present = formatIsoWeek(isoWeekOf(utcDay(nowMs)));
  const toCome = all.filter((week) => week >= present);
  const weeks = toCome.length > 0 ? toCome.slice(0, WEEKS_SHOWN) : all.slice(-WEEKS_SHOWN);
  return { weeks, leftOut: all.length - weeks.length };
}

function byCity(sums: readonly DemandOfWeek[]): CityDemand[] {
  const groups = Map.groupBy(sums, ({ city, country }) => `${country} ${city}`);
  const total = (rows: readonly DemandOfWeek[], name: 'searches' | 'empty'): number =>
    rows.reduce((sum, row) => sum + row[name], 0);
  return [...groups.values()]
    .map((rows) => ({
      ...{ city: rows[0]!.city, country: rows[0]!.country },
      ...{ searches: total(rows, 'searches'), empty: total(rows, 'empty') },
      byWeek: new Map(rows.map((row) => [row.arrivalWeek, row])),
    }))
    .toSorted((one, other) => other.empty - one.empty || other.searches - one.searches);
}
