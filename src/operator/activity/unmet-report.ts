/** Unmet stays with their latest causes. */
import { type EpochDay, formatLocalDate } from '../../domain/local-date.ts';
import { foldPlaceName } from '../../domain/place-name.ts';
import { type ActivityStore, OTHER, type StoredUnmet } from '../../storage/activity/store.ts';
import { UNMET_STAYS_MAX } from './activity-retention.ts';
import { type BlockedProperty, byRule, type UnmetCause } from './unmet-causes.ts';
import type { StoredJudgement } from './denial-analysis.ts';

/** The shared row has null for dates and numbers. */
export interface UnmetEntry {
  readonly city: string;
  readonly country: string;
  /** `YYYY-MM-DD` */
  readonly checkIn: string | null;
  readonly nights: number | null;
  readonly guests: number | null;
  /** Ages of the children among them, ascending: `4,9`; null without any. */
  readonly childAges: string | null;
  readonly searches: number;
  /** In the order of the rules. */
  readonly causes: readonly UnmetCause[];
  readonly nearest: {
    readonly checkIn: string;
    readonly nights: number;
    readonly properties: number;
  } | null;
}

export interface UnmetReport {
  /** Most searched first. */
  readonly entries: readonly UnmetEntry[];
  /** Where the stay of an entry could be opened. */
  readonly blocked: ReadonlyMap<UnmetEntry, readonly BlockedProperty[]>;
  /** Time of the oldest judgement; undefined without any. */
  readonly judgedAtMs: number | undefined;
  /** Stays without a judgement, not among the entries. */
  readonly unjudged: number;
}

/** `city` in any spelling. The shared row is the last entry, unless a city is named. */
export async function reportUnmet(
  storage: Pick<ActivityStore, 'readUnmet' | 'countOtherUnmet'>,
  {
    city,
    checkInFrom,
    rowsMax = UNMET_STAYS_MAX,
  }: {
    readonly city?: string | undefined;
    readonly checkInFrom: EpochDay;
    /** The most searched of all cities. */
    readonly rowsMax?: number;
  },
): Promise<UnmetReport> {
  const stored = await storage.readUnmet({ checkInFrom, rowsMax });
  const asked = city === undefined ? undefined : foldPlaceName(city);
  const wanted = stored.filter((stay) => asked === undefined || foldPlaceName(stay.city) === asked);
  const isPassed = (stay: StoredUnmet): boolean => stay.judgedAtMs !== null && stay.judgement === null;
  const judged = addUpSpellings(wanted.filter(({ judgement }) => judgement !== null));
  const others = asked === undefined ? await storage.countOtherUnmet() : 0;
  const found = judged.map(entryOf);
  const times = judged.map(({ judgedAtMs }) => judgedAtMs!);
  return {
    entries: [...found.map(({ entry }) => entry), ...(others === 0 ? [] : [otherEntry(others)])],
    blocked: new Map(found.map(({ entry, blocked }) => [entry, blocked])),
    judgedAtMs: times.length === 0 ? undefined : times.reduce((one, other) => Math.min(one, other)),
    unjudged: wanted.filter((stay) => stay.judgement === null && !isPassed(stay)).length,
  };
}

/** Merges spellings of a city; the latest judgement counts. */
function addUpSpellings(stays: readonly StoredUnmet[]): readonly StoredUnmet[] {
  const same = Map.groupBy(stays, nameOf);
  return [...same.values()]
    .map((group) => ({
      ...group.reduce((one, other) => (other.judgedAtMs! > one.judgedAtMs! ? other : one)),
      searches: group.reduce((sum, { searches }) => sum + searches, 0),
    }))
    .toSorted((one, other) => other.searches - one.searches || (nameOf(one) < nameOf(other) ? -1 : 1));
}

/** Sorts by city, arrival and size. */
function nameOf({ city, country, checkIn, nights, guests, childAges }: StoredUnmet): string {
  const size = [100 + nights, 100 + guests, childAges];
  return [foldPlaceName(city), country, formatLocalDate(checkIn), ...size].join(' ');
}

function entryOf({ city, country, checkIn, nights, guests, childAges, searches, judgement }: StoredUnmet) {
  const { causes, blocked = [], nearest } = JSON.parse(judgement!) as StoredJudgement;
  const entry: UnmetEntry = {
    city,
    country,
    checkIn: formatLocalDate(checkIn),
    nights,
    guests,
    childAges: childAges || null,
    searches,
    causes: causes.toSorted((one, other) => byRule(one, other) || other.properties - one.properties),
    nearest: nearest && {
      checkIn: formatLocalDate(nearest.checkIn),
      nights,
      properties: nearest.properties,
    },
  };
  return { entry, blocked };
}

function otherEntry(searches: number): UnmetEntry {
  const stay = { checkIn: null, nights: null, guests: null, childAges: null };
  return { city: OTHER, country: OTHER, ...stay, searches, causes: [], nearest: null };
}

export const UNMET_COLUMNS = [
  'city',
  'country',
  'checkIn',
  'nights',
  'guests',
  'childAges',
  'searches',
  'causes',
  'nearestCheckIn',
  'nearestProperties',
] as const;

/** One line of a table. Causes are one text: `sold_out pms 3; guests 1`. */
export function unmetLine({ causes, nearest, ...entry }: UnmetEntry) {
  const texts = causes.map(({ rule, source, properties }) =>
    [rule, source, properties].filter(isSet).join(' '),
  );
  return {
    ...entry,
    causes: texts.join('; '),
    nearestCheckIn: nearest?.checkIn ?? null,
    nearestProperties: nearest?.properties ?? null,
  };
}

function isSet(value: string | number | null): boolean {
  return value !== null;
}
