/** Searches that found nothing to sell: cities by week of arrival, the reasons, and places without any property. */
import { firstCheckInAt } from '../../../operator/activity/activity-retention.ts';
import * as reports from '../../../operator/activity/demand-report.ts';
import type { DemandOfWeek } from '../../../operator/activity/demand-report.ts';
import type { BlockedProperty } from '../../../operator/activity/unmet-causes.ts';
import { reportUnmet, type UnmetEntry, type UnmetReport } from '../../../operator/activity/unmet-report.ts';
import {
  formatIsoWeek,
  formatLocalDate,
  isoWeekOf,
  parseLocalDate,
  utcDay,
} from '../../../domain/local-date.ts';
import { type Locale, textFor } from '../../../domain/property.ts';
import { OTHER } from '../../../storage/activity/store.ts';
import { isFoundByAll } from '../../reading/found-stays.ts';
import type { PagePorts, PageQuestion, ShownBy } from '../../reading/console-page.ts';
import { type AskedDays, isAnything, isDay, readAsked, readDays } from '../../reading/paths.ts';

export type { UnmetEntry };
/** The row for searches that did not fit in memory; it cannot be a city's name in a query. */
export const OTHER_NAME = OTHER;
/** Rows of `demand`, first days first. */
export const DEMAND_ROWS_MAX = 2_000;
export const UNKNOWN_ROWS_MAX = 50;
/** The most searched stays of all cities, including those with causes. */
const UNMET_STAYS_READ = 1_000;
const UNMET_SHOWN = 40;
/** More are shown unasked: each asks for every partner. */
const LIKELY_SOLVED_MAX = 10;
const CITIES_SHOWN = 20;
const WEEKS_SHOWN = 16;

export type DemandShown = ShownBy<typeof readDemand>;
export type CityDemand = ReturnType<typeof byCity>[number];
export type UnmetStay = NonNullable<DemandShown['stays']>['shown'][number];

const READABLE = { from: isDay, to: isDay, city: isAnything, country: isAnything, partner: isAnything };

export async function readDemand(ports: PagePorts, { query, isJson, locale }: PageQuestion) {
  const { storage, clock, dayCache } = ports;
  const nowMs = clock();
  const { asked, unread } = readAsked(query, READABLE);
  const { unread: ofDays, ...days } = readDays(asked, nowMs);
  const { city, partner } = asked;
  const country = asked.country?.toUpperCase();
  const rowsOfWeeks = await dayCache.read(`weeks ${partner ?? ''}`, days, (some) =>
    reports.reportDemandWeeks(storage, { ...some, partnerId: partner }),
  );
  const sums = reports.addUpWeeks(rowsOfWeeks, { city, country });
  const unmet = await reportUnmet(storage, {
    city,
    checkInFrom: firstCheckInAt(nowMs),
    rowsMax: UNMET_STAYS_READ,
  });
  const question = { ...days, city, country, partnerId: partner, rowsMax: DEMAND_ROWS_MAX };
  const cities = byCity(sums);
  const { weeks, isCut } = chooseWeeks(sums, nowMs);
  return {
    /** As `demand`, which the page does not show, `demand --unmet` and `demand --unknown`. */
    rows: {
      demand: isJson ? await reports.reportDemand(storage, question) : [],
      unmet: unmet.entries,
      unknown: await readUnknown(ports, days, isJson),
    },
    stays: isJson ? undefined : await presentUnmet(ports, unmet, locale),
    asked: { from: formatLocalDate(days.from), to: formatLocalDate(days.to), city, country, partner },
    unread: [...unread, ...ofDays],
    weeks,
    cities: cities.slice(0, CITIES_SHOWN),
    /** Whether cities or weeks are left out. */
    isCut: isCut || cities.length > CITIES_SHOWN,
  };
}

/** Stays that still find nothing, and where to open them; `solved` of others can be booked by now. */
async function presentUnmet(ports: PagePorts, { entries, blocked }: UnmetReport, locale: Locale) {
  const solved = await findSolved(ports, entries);
  const unsolved = entries.filter((entry) => !solved.has(entry));
  const shown = unsolved.slice(0, UNMET_SHOWN);
  const ids = new Set(shown.flatMap((entry) => (blocked.get(entry) ?? []).map((one) => one.propertyId)));
  const stored = await Promise.all([...ids].map((id) => ports.storage.findProperty(id)));
  const names = new Map(
    stored
      .filter((one) => one !== undefined)
      .map(({ property }) => [property.propertyId, textFor(property.name, locale)]),
  );
  return {
    shown: shown.map((entry) => ({ entry, openAt: nameBlocked(blocked.get(entry) ?? [], names) })),
    isCut: unsolved.length > UNMET_SHOWN,
    solved: solved.size,
  };
}

/** Looks at those with an opening in the last analysis, which does not know the partner who sees a property. */
async function findSolved(
  ports: PagePorts,
  entries: readonly UnmetEntry[],
): Promise<ReadonlySet<UnmetEntry>> {
  const likely = entries.filter(({ checkIn, nearest }) => nearest !== null && nearest.checkIn === checkIn);
  const solved = new Set<UnmetEntry>();
  for (const entry of likely.slice(0, LIKELY_SOLVED_MAX)) {
    const { city, country, checkIn, nights, guests, childAges } = entry;
    const party = { guests: guests!, childAges: childAges ?? '' };
    const stay = { city, country, checkIn: parseLocalDate(checkIn!)!, nights: nights!, ...party };
    if (await isFoundByAll(ports, stay)) solved.add(entry);
  }
  return solved;
}

/** Without properties that are gone. */
function nameBlocked(blocked: readonly BlockedProperty[], names: ReadonlyMap<string, string>) {
  return blocked.flatMap(({ propertyId, inventoryTypeId, night }) => {
    const name = names.get(propertyId);
    return name === undefined ? [] : [{ propertyId, inventoryTypeId, date: formatLocalDate(night), name }];
  });
}

async function readUnknown({ storage, dayCache }: PagePorts, days: AskedDays, isJson: boolean) {
  if (isJson) return reports.reportUnknownPlaces(storage, { ...days, rowsMax: UNKNOWN_ROWS_MAX });
  const places = await dayCache.read('unknown', days, (some) => reports.readUnknownPlaces(storage, some));
  return reports.reportPlaces(places, UNKNOWN_ROWS_MAX);
}

/** From this week on; if there are none, the last ones. Ascending. */
function chooseWeeks(sums: readonly DemandOfWeek[], nowMs: number) {
  const all = [...new Set(sums.map(({ arrivalWeek }) => arrivalWeek))].toSorted();
  const present = formatIsoWeek(isoWeekOf(utcDay(nowMs)));
  const toCome = all.filter((week) => week >= present);
  const weeks = toCome.length > 0 ? toCome.slice(0, WEEKS_SHOWN) : all.slice(-WEEKS_SHOWN);
  return { weeks, isCut: all.length > weeks.length };
}

/** Most searches without a result first; `byWeek` lacks weeks without searches. */
function byCity(sums: readonly DemandOfWeek[]) {
  const groups = Map.groupBy(sums, ({ city, country }) => `${country} ${city}`);
  const total = (rows: readonly DemandOfWeek[], name: 'searches' | 'empty'): number =>
    rows.reduce((sum, row) => sum + row[name], 0);
  return [...groups.values()]
    .map((rows) => ({
      city: rows[0]!.city,
      country: rows[0]!.country,
      searches: total(rows, 'searches'),
      empty: total(rows, 'empty'),
      byWeek: new Map(rows.map((row) => [row.arrivalWeek, row])),
    }))
    .toSorted((one, other) => other.empty - one.empty || other.searches - one.searches);
}
