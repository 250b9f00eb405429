/** Demand: dated searches by place, dates and guests, and those without a result. */
import { type EpochDay, formatLocalDate } from '../../domain/local-date.ts';
import { foldPlaceName } from '../../domain/place-name.ts';
import type {
  ActivityStore,
  DemandName,
  DemandRow,
  DemandSum,
  PlaceSum,
} from '../../storage/activity/store.ts';
import { OTHER } from '../../storage/activity/store.ts';
import type { PartnerDays } from '../../storage/portable-sql/days-by-parts.ts';

/** Rarer places are hidden: one person's slip, or a person's name. */
export const UNKNOWN_SHOWN_FROM = 3;

export interface DemandEntry extends Omit<DemandRow, 'day'> {
  /** `YYYY-MM-DD`, UTC */
  readonly day: string;
}

const DEMAND_NAMES = ['day', 'city', 'country', 'arrivalWeek', 'nights', 'guests', 'partnerId'] as const;

export const DEMAND_COLUMNS = [
  ...DEMAND_NAMES,
  'searches',
  'empty',
  'looks',
] as readonly (keyof DemandEntry)[];

export interface DemandQuestion extends PartnerDays {
  /** In any spelling. */
  readonly city?: string | undefined;
  readonly country?: string | undefined;
}

/** The first `rowsMax`, ascending by day, then by names. Spellings of a city count as one. */
export async function reportDemand(
  storage: Pick<ActivityStore, 'readDemand' | 'readDemandCities'>,
  { rowsMax, ...question }: DemandQuestion & { readonly rowsMax?: number },
): Promise<readonly DemandEntry[]> {
  const range = await withSpellings(storage, question);
  if (range === undefined) return [];
  const rows = await storage.readDemand({ ...range, rowsMax });
  const dates = new Map<EpochDay, string>();
  return addUpSpellings(DEMAND_NAMES, rows).map((row) => presentDemand(row, dates));
}

/** The same rows, all of them, a day at a time. */
export async function* reportDemandByDay(
  storage: Pick<ActivityStore, 'readDemand' | 'readDemandCities' | 'readActiveDays'>,
  question: DemandQuestion,
): AsyncGenerator<readonly DemandEntry[]> {
  const days = await storage.readActiveDays('demand', question);
  if (days === undefined) return;
  for (let day = days.from; day <= days.to; day += 1)
    yield await reportDemand(storage, { ...question, from: day, to: day });
}

/** Names of rows of demand with their sums: `empty` of `searches` found nothing. */
export type DemandSumEntry = Partial<Pick<DemandEntry, DemandName>> &
  Pick<DemandEntry, 'searches' | 'empty' | 'looks'> & {
    /** 0 to 100. */
    readonly emptyPercent: number;
  };

export const DEMAND_SUM_COLUMNS = ['searches', 'empty', 'emptyPercent', 'looks'] as const;

/** Most searches without result first, then by names. */
export async function reportDemandSums(
  storage: Pick<ActivityStore, 'sumDemand' | 'readDemandCities'>,
  by: readonly DemandName[],
  question: DemandQuestion,
): Promise<readonly DemandSumEntry[]> {
  const range = await withSpellings(storage, question);
  if (range === undefined) return [];
  const sums = addUpSpellings(by, await storage.sumDemand(by, range));
  const nameOf = (row: DemandSum<DemandName>): string => by.map((name) => row[name]).join(' ');
  return sums
    .map((row) => ({ row, name: nameOf(row) }))
    .toSorted(
      ({ row: one, name }, { row: other, name: otherName }) =>
        other.empty - one.empty || other.searches - one.searches || (name < otherName ? -1 : 1),
    )
    .map(({ row: { day, searches, empty, looks, ...names } }) => ({
      ...(day === undefined ? {} : { day: formatLocalDate(day) }),
      ...names,
      searches,
      empty,
      emptyPercent: percent(empty, searches),
      looks,
    }));
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10;
}

/** Field by field, each date once: with a million rows a spread takes three times as long. */
function presentDemand(row: DemandRow, dates: Map<EpochDay, string>): DemandEntry {
  const { city, country, arrivalWeek, nights, guests, partnerId, searches, empty, looks } = row;
  const day = dates.get(row.day) ?? formatLocalDate(row.day);
  dates.set(row.day, day);
  return { day, city, country, arrivalWeek, nights, guests, partnerId, searches, empty, looks };
}

/** Adds the spellings of its city to a filter; undefined when nobody searched that city. */
async function withSpellings(
  storage: Pick<ActivityStore, 'readDemandCities'>,
  { city, ...range }: DemandQuestion,
) {
  if (city === undefined) return range;
  const cities = await findSpellings(storage, range, city);
  return cities.length === 0 ? undefined : { ...range, cities };
}

/** The database can't fold names, and filtering its bounded rows would lose some: so its names are read first. */
async function findSpellings(
  storage: Pick<ActivityStore, 'readDemandCities'>,
  range: Pick<DemandQuestion, 'from' | 'to'>,
  city: string,
): Promise<readonly string[]> {
  const folded = foldPlaceName(city);
  return (await storage.readDemandCities(range)).filter((name) => foldPlaceName(name) === folded);
}

/** Merges rows that differ only in the spelling of their city. Each name is folded once: there may be many rows. */
function addUpSpellings<Name extends DemandName>(
  by: readonly Name[],
  rows: readonly DemandSum<Name>[],
): readonly DemandSum<Name>[] {
  const folded = new Map([...new Set(rows.map(cityOf))].map((city) => [city, foldPlaceName(city)]));
  if (new Set(folded.values()).size === folded.size) return rows;
  const same = Map.groupBy(rows, (row) =>
    JSON.stringify(by.map((name) => (name === 'city' ? folded.get(cityOf(row)) : row[name]))),
  );
  return [...same.values()].map((group) => ({
    ...group[0]!,
    searches: sum(group, 'searches'),
    empty: sum(group, 'empty'),
    looks: sum(group, 'looks'),
  }));
}

/** Empty for rows without a city. */
function cityOf(row: object): string {
  return 'city' in row ? String(row.city) : '';
}

const WEEK_NAMES = ['city', 'country', 'arrivalWeek'] as const;
/** Searches of a city with arrival in one week. */
export type DemandOfWeek = Pick<DemandRow, (typeof WEEK_NAMES)[number] | 'searches' | 'empty'>;

/** All cities by week of arrival, unordered. */
export async function reportDemandWeeks(
  storage: Pick<ActivityStore, 'sumDemand'>,
  question: PartnerQuestion,
): Promise<readonly DemandOfWeek[]> {
  return addUpWeeks(await storage.sumDemand(WEEK_NAMES, { ...question, daysAtOnce: DAYS_AT_ONCE }));
}

/** One row for each city and week; `city` in any spelling. Each name is folded once. */
export function addUpWeeks(
  rows: readonly DemandOfWeek[],
  { city, country }: Pick<DemandQuestion, 'city' | 'country'> = {},
): readonly DemandOfWeek[] {
  const asked = city === undefined ? undefined : foldPlaceName(city);
  const names = new Map<string, string>();
  const sums = new Map<string, DemandOfWeek>();
  for (const row of rows) {
    const folded = names.get(row.city) ?? foldPlaceName(row.city);
    names.set(row.city, folded);
    if ((asked ?? folded) !== folded || (country ?? row.country) !== row.country) continue;
    const key = `${row.country} ${folded} ${row.arrivalWeek}`;
    const { searches = 0, empty = 0, city: name = row.city } = sums.get(key) ?? {};
    sums.set(key, {
      city: name,
      country: row.country,
      arrivalWeek: row.arrivalWeek,
      searches: searches + row.searches,
      empty: empty + row.empty,
    });
  }
  return [...sums.values()];
}

type DaysAsked = Pick<DemandQuestion, 'from' | 'to'>;
type PartnerQuestion = DaysAsked & Pick<DemandQuestion, 'partnerId'>;

/** With rows of many partners, a few milliseconds of SQLite, which blocks the thread. */
const DAYS_AT_ONCE = 3;

export interface PartnerDemand extends DemandSum<'partnerId'> {
  /** `YYYY-MM-DD`, UTC */
  readonly day: string;
}

/** Dated searches and looks of each partner and day, unordered. */
export async function reportPartnerDemand(
  storage: Pick<ActivityStore, 'sumDemand'>,
  question: PartnerQuestion,
): Promise<readonly PartnerDemand[]> {
  const sums = await storage.sumDemand(['day', 'partnerId'], { ...question, daysAtOnce: DAYS_AT_ONCE });
  return sums.map((row) => ({ ...row, day: formatLocalDate(row.day) }));
}

export interface UnknownPlaceEntry {
  /** Folded as searches fold: `MILANO`. */
  readonly text: string;
  readonly searches: number;
}

export const UNKNOWN_COLUMNS = ['text', 'searches'] as const;

/** Most searched first. */
export async function reportUnknownPlaces(
  storage: Pick<ActivityStore, 'sumUnknownPlaces'>,
  { from, to, rowsMax }: Pick<DemandQuestion, 'from' | 'to'> & { readonly rowsMax: number },
): Promise<readonly UnknownPlaceEntry[]> {
  return reportPlaces(await readUnknownPlaces(storage, { from, to }), rowsMax);
}

/** All of them, also rare ones, unordered. */
export function readUnknownPlaces(
  storage: Pick<ActivityStore, 'sumUnknownPlaces'>,
  days: DaysAsked,
): Promise<readonly PlaceSum[]> {
  return storage.sumUnknownPlaces({ ...days, daysAtOnce: DAYS_AT_ONCE });
}

/** As `reportUnknownPlaces`, from rows already read; earlier releases stored texts that they folded in another way. */
export function reportPlaces(rows: readonly PlaceSum[], rowsMax: number): readonly UnknownPlaceEntry[] {
  const sums = new Map<string, number>();
  for (const { place: stored, searches } of rows) {
    const place = stored === OTHER ? OTHER : foldPlaceName(stored);
    sums.set(place, (sums.get(place) ?? 0) + searches);
  }
  return [...sums]
    .map(([place, searches]) => ({ place, searches }))
    .filter(({ searches }) => searches >= UNKNOWN_SHOWN_FROM)
    .toSorted((one, other) => other.searches - one.searches || (one.place < other.place ? -1 : 1))
    .slice(0, rowsMax)
    .map(({ place, searches }) => ({ text: place, searches }));
}

function sum(
  rows: readonly Pick<DemandRow, 'searches' | 'empty' | 'looks'>[],
  name: 'searches' | 'empty' | 'looks',
): number {
  return rows.reduce((total, row) => total + row[name], 0);
}
