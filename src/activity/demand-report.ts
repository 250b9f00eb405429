/** What partners searched for, with dates: where, when, for how many, and whether there was anything. */
import { type EpochDay, formatLocalDate } from '../domain/local-date.ts';
import { foldPlaceName } from '../domain/place-name.ts';
import type { ActivityStore, DemandRow } from '../storage/activity/store.ts';

/** Places that were asked for less often are not shown: one person's slip, or a name of somebody. */
export const UNKNOWN_SHOWN_FROM = 3;

export interface DemandEntry extends Omit<DemandRow, 'day'> {
  /** `YYYY-MM-DD`, UTC */
  readonly day: string;
}

export const DEMAND_COLUMNS = [
  ...['day', 'city', 'country', 'arrivalWeek', 'nights', 'guests', 'partnerId', 'searches', 'empty', 'looks'],
] as readonly (keyof DemandEntry)[];

export interface DemandQuestion {
  readonly from: EpochDay;
  /** Included. */
  readonly to: EpochDay;
  /** However it is written. */
  readonly city?: string | undefined;
  readonly country?: string | undefined;
  readonly partnerId?: string | undefined;
  readonly rowsMax: number;
}

/** Ascending by day, then by names. A city that was written differently meanwhile is one. */
export async function reportDemand(
  storage: Pick<ActivityStore, 'readDemand'>,
  question: DemandQuestion,
): Promise<readonly DemandEntry[]> {
  const rows = await storage.readDemand(question);
  const city = question.city === undefined ? undefined : foldPlaceName(question.city);
  const wanted = rows.filter((row) => city === undefined || foldPlaceName(row.city) === city);
  const same = Map.groupBy(wanted, ({ day, city: name, country, arrivalWeek, nights, guests, partnerId }) =>
    JSON.stringify([day, foldPlaceName(name), country, arrivalWeek, nights, guests, partnerId]),
  );
  return [...same.values()].map((group) => ({
    ...group[0]!,
    day: formatLocalDate(group[0]!.day),
    searches: sum(group, 'searches'),
    empty: sum(group, 'empty'),
    looks: sum(group, 'looks'),
  }));
}

export interface UnknownPlaceEntry {
  /** Folded as searches fold: `MILANO`. */
  readonly text: string;
  readonly searches: number;
}

export const UNKNOWN_COLUMNS = ['text', 'searches'] as const;

/** Most asked first. */
export async function reportUnknownPlaces(
  storage: Pick<ActivityStore, 'readUnknownPlaces'>,
  { from, to, rowsMax }: Pick<DemandQuestion, 'from' | 'to' | 'rowsMax'>,
): Promise<readonly UnknownPlaceEntry[]> {
  const rows = await storage.readUnknownPlaces({ from, to, rowsMax, searchesMin: UNKNOWN_SHOWN_FROM });
  return rows.map(({ place, searches }) => ({ text: place, searches }));
}

function sum(rows: readonly DemandRow[], name: 'searches' | 'empty' | 'looks'): number {
  return rows.reduce((total, row) => total + row[name], 0);
}
