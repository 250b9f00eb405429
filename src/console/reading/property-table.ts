/** How each property is for sale, one line each, sorted by any column. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import type { Calendar } from '../../domain/calendar.ts';
import { lowestGuestRate } from '../../domain/guest-rates.ts';
import { type EpochDay, localToday } from '../../domain/local-date.ts';
import { valueAt } from '../../domain/night-runs.ts';
import { nightStateAt } from '../../domain/night-state.ts';
import { foldPlaceName } from '../../domain/place-name.ts';
import { type Locale, LOCALES, textFor } from '../../domain/property.ts';
import { inPages } from '../../runtime/in-pages.ts';
import type { ListedProperty, StoredProperty } from '../../storage/catalogue/store.ts';
import type { Storage } from '../../storage/storage.ts';
import { createCache, type Cache } from './cache.ts';
import { hasWords, wordsOf } from './property-names.ts';

/** Nights from today over which the share of open nights is computed. */
export const OPEN_NIGHTS = 90;
/** From this number on, properties are neither sorted nor counted. */
export const SORTED_MAX = 10_000;
const IDS_PER_READ = 200;
const KEPT_MS = 30_000;

/** Columns to sort by, in the order of the page. */
export const SORTS = ['name', 'next', 'open', 'price', 'changed', 'source'] as const;
export type Sort = (typeof SORTS)[number];

export interface PropertyFigures {
  /** The first night from today, in the property's timezone, that some type sells; null: none within the horizon. */
  readonly nextNight: EpochDay | null;
  /** The lowest price of that night over all types and numbers of guests, minor units. */
  readonly price: number | null;
  readonly currency: string;
  /** Nights of the next `ofNights` that some type sells. */
  readonly openNights: number;
  readonly ofNights: number;
  /** Last change of the property or a calendar, Unix ms. */
  readonly changedAtMs: number;
  /** The source of its document. */
  readonly source: string;
}

interface Figured {
  readonly nowMs: number;
  readonly horizonNights: number;
}

export function figuresOfProperty(
  stored: StoredProperty,
  { nowMs, horizonNights }: Figured,
): PropertyFigures {
  const { property, calendars, changedAtMs, source } = stored;
  const today = localToday(property.timezone, nowMs);
  const decoded = calendars.map(({ nights, rates }) => decodeCalendar(nights, rates));
  const ofNights = Math.min(OPEN_NIGHTS, horizonNights);
  let nextNight: EpochDay | null = null;
  let openNights = 0;
  for (let night = today; night < today + horizonNights; night += 1) {
    if (night >= today + ofNights && nextNight !== null) break;
    if (!decoded.some((calendar) => isForSale(calendar, night, today))) continue;
    nextNight ??= night;
    if (night < today + ofNights) openNights += 1;
  }
  const price = nextNight === null ? null : lowestAt(decoded, nextNight, today);
  return { nextNight, price, currency: property.currency, openNights, ofNights, changedAtMs, source };
}

/** A minimum stay, or a day closed to arrival, does not close a night. */
function isForSale(calendar: Calendar, night: EpochDay, today: EpochDay): boolean {
  const state = nightStateAt(calendar, night, today);
  return state === 'open' || state === 'restricted';
}

function lowestAt(calendars: readonly Calendar[], night: EpochDay, today: EpochDay): number {
  const rates = calendars
    .filter((calendar) => isForSale(calendar, night, today))
    .map((calendar) => {
      const byGuests = valueAt(calendar.ratesByGuests, night);
      return byGuests === undefined ? valueAt(calendar.rate, night)! : lowestGuestRate(byGuests)!;
    });
  return Math.min(...rates);
}

interface Line extends PropertyFigures {
  readonly propertyId: string;
  /** As the page shows it, by language. */
  readonly names: Readonly<Record<Locale, string>>;
  /** The id and every name, folded. */
  readonly texts: readonly string[];
}

/** Undefined if there are SORTED_MAX or more. */
export type PropertyTable = Cache<readonly Line[] | undefined>;

interface TableDeps {
  readonly storage: Pick<Storage, 'listProperties' | 'findProperty'>;
  readonly clock: () => number;
  readonly horizonNights: number;
}

/** All properties, up to half a minute old, or older if reading them takes long. */
export function createPropertyTable(deps: TableDeps): PropertyTable {
  return createCache({ make: () => readLines(deps), isOutdated: (ageMs) => ageMs >= KEPT_MS });
}

async function readLines({ storage, clock, horizonNights }: TableDeps): Promise<readonly Line[] | undefined> {
  const lines: Line[] = [];
  const pages = inPages<ListedProperty>(IDS_PER_READ, (last, limit) =>
    storage.listProperties(last?.property.propertyId ?? '', limit),
  );
  for await (const listed of pages) {
    const found = await Promise.all(listed.map(({ property }) => storage.findProperty(property.propertyId)));
    for (const stored of found)
      if (stored !== undefined) lines.push(lineOf(stored, { nowMs: clock(), horizonNights }));
    if (lines.length >= SORTED_MAX) return undefined;
    await nextTurn();
  }
  return lines;
}

function lineOf(stored: StoredProperty, figured: Figured): Line {
  const { propertyId, name } = stored.property;
  const names = Object.fromEntries(LOCALES.map((locale) => [locale, textFor(name, locale)]));
  const texts = [...new Set([propertyId, ...Object.values(names)].map(foldPlaceName))];
  return {
    ...figuresOfProperty(stored, figured),
    propertyId,
    names: names as Record<Locale, string>,
    texts,
  };
}

/** Ids of the lines that match the search, sorted; lines without a value come last in both directions. */
export function sortedIds(
  lines: readonly Line[],
  { search, sort, isFalling, locale }: SortQuestion,
): readonly string[] {
  const words = wordsOf(search);
  const found = lines.filter(({ texts }) => texts.some((text) => hasWords(text, words)));
  const compare = COMPARISONS[sort](locale);
  const hasValue = (line: Line): boolean => (sort !== 'next' && sort !== 'price') || line.nextNight !== null;
  const byId = (one: Line, other: Line): number => (one.propertyId < other.propertyId ? -1 : 1);
  const sorted = found.filter(hasValue).sort((one, other) => {
    const order = compare(one, other);
    return (isFalling ? -order : order) || byId(one, other);
  });
  const others = found.filter((line) => !hasValue(line)).sort(byId);
  return [...sorted, ...others].map(({ propertyId }) => propertyId);
}

export interface SortQuestion {
  /** Empty: all. */
  readonly search: string;
  readonly sort: Sort;
  readonly isFalling: boolean;
  /** Language of names. */
  readonly locale: Locale;
}

type Compare = (one: Line, other: Line) => number;

const byText = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

const COMPARISONS: Readonly<Record<Sort, (locale: Locale) => Compare>> = {
  name: (locale) => {
    const { compare } = new Intl.Collator(locale, { numeric: true });
    return (one, other) => compare(one.names[locale], other.names[locale]);
  },
  next: () => (one, other) => one.nextNight! - other.nextNight!,
  open: () => (one, other) => one.openNights - other.openNights,
  // Amounts in different currencies can't be compared.
  price: () => (one, other) => byText(one.currency, other.currency) || one.price! - other.price!,
  changed: () => (one, other) => one.changedAtMs - other.changedAtMs,
  source: () => (one, other) => byText(one.source, other.source),
};
