/**
 * Why nothing was found, worked out in the most obvious way: what each source says is looked up night by night, and
 * every arrival of the horizon is tried. No calendar runs and no code of the domain, only its types.
 */
import type { CalendarEntry, EntryFields } from '../../src/domain/calendar.ts';
import type { InventoryType } from '../../src/domain/property.ts';
import { NAIVE_FIELDS, naiveLookedAt, naiveValue, type NaiveStay } from './naive-model.ts';

export interface NaiveLayer {
  readonly source: string;
  readonly entries: readonly CalendarEntry[];
}

export interface NaiveLayered {
  /** Source of the document. */
  readonly source: string;
  readonly types: readonly { readonly type: InventoryType; readonly layers: readonly NaiveLayer[] }[];
  readonly today: number;
  readonly horizonNights: number;
}

export interface NaiveUnmet {
  /** `rule source` and the number of properties. */
  readonly causes: Readonly<Record<string, number>>;
  readonly nearest: { readonly checkIn: number; readonly properties: number } | null;
}

type Field = Exclude<keyof EntryFields, 'rate' | 'ratesByGuests'>;

const ORDER = [
  ...Object.values(NAIVE_FIELDS).flatMap((limit) => (limit.combined === 'price' ? [] : [limit.reason])),
  'advance',
  'guests',
  'beyond_horizon',
];

export function naiveUnmet(city: readonly NaiveLayered[], stay: NaiveStay): NaiveUnmet {
  const causes: Record<string, number> = {};
  for (const property of city) {
    const cause = naiveCause(property, stay);
    if (cause !== undefined) causes[cause] = (causes[cause] ?? 0) + 1;
  }
  return { causes, nearest: naiveNearest(city, stay) };
}

function naiveNearest(city: readonly NaiveLayered[], stay: NaiveStay): NaiveUnmet['nearest'] {
  const openAt = (checkIn: number): number => {
    const moved = { checkIn, checkOut: checkIn + stay.checkOut - stay.checkIn, guests: stay.guests };
    return city.filter((property) => naiveCause(property, moved) === undefined).length;
  };
  const last = Math.max(...city.map(({ today, horizonNights }) => today + horizonNights));
  const first = Math.min(...city.map(({ today }) => today));
  for (let days = 0; days <= Math.max(last - stay.checkIn, stay.checkIn - first, 0); days += 1)
    for (const checkIn of days === 0 ? [stay.checkIn] : [stay.checkIn + days, stay.checkIn - days]) {
      const properties = openAt(checkIn);
      if (properties > 0) return { checkIn, properties };
    }
  return null;
}

/** `rule source`; undefined where some type hosts the stay. */
function naiveCause({ source: own, types, ...world }: NaiveLayered, stay: NaiveStay): string | undefined {
  const failures = types.map((one) => naiveFailures(one, own, world, stay));
  if (failures.some((failed) => failed.size === 0)) return undefined;
  const fewest = Math.min(...failures.map((failed) => failed.size));
  const equal = failures.filter((failed) => failed.size === fewest);
  const chosen = equal.find((failed) => !failed.has('guests')) ?? equal[0]!;
  const rule = ORDER.find((name) => chosen.has(name))!;
  return `${rule} ${chosen.get(rule)}`;
}

/** The source by the rule that fails. */
function naiveFailures(
  { type, layers }: NaiveLayered['types'][number],
  own: string,
  { today, horizonNights }: Pick<NaiveLayered, 'today' | 'horizonNights'>,
  stay: NaiveStay,
): Map<string, string | null> {
  const { checkIn, checkOut, guests } = stay;
  const failed = new Map<string, string | null>();
  const fail = (rule: string, source: string | null): void => {
    if (!failed.has(rule)) failed.set(rule, source);
  };
  const said = (field: Field, night: number): (readonly [string, number])[] =>
    layers.flatMap(({ source, entries }) => {
      const value = naiveValue(entries, field, night);
      return value === undefined ? [] : [[source, value] as const];
    });
  /** The first by name of those that say the strictest of all. */
  const strictest = (field: Field, night: number, pick: (...values: number[]) => number) => {
    const all = said(field, night);
    if (all.length === 0) return undefined;
    const value = pick(...all.map(([, one]) => one));
    const names = all.filter(([, one]) => one === value).map(([name]) => name);
    return { value, source: names.toSorted()[0]! };
  };
  for (const [name, limit] of Object.entries(NAIVE_FIELDS)) {
    if (limit.combined === 'price') continue;
    const pick = limit.combined === 'lowest' ? Math.min : Math.max;
    for (const night of naiveLookedAt(limit.on, stay)) {
      const counts = strictest(name as Field, night, pick);
      if (limit.refuses(counts?.value, checkOut - checkIn)) fail(limit.reason, counts?.source ?? own);
    }
  }
  for (const night of naiveLookedAt('nights', stay))
    if (night < today || night >= today + horizonNights) fail('beyond_horizon', own);
  const ahead = checkIn - today;
  if (ahead < (type.minAdvanceDays ?? -Infinity) || ahead > (type.maxAdvanceDays ?? Infinity))
    fail('advance', own);
  if (type.guestsMax < guests) fail('guests', null);
  return failed;
}
