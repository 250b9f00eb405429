/**
 * Properties by id or search. For one property: the state of each night of its types, and the other sources of its
 * supply.
 */
import { calendarOfLayer } from '../../../domain/ledger/message.ts';
import type { Calendar } from '../../../domain/calendar.ts';
import { decodeCalendar } from '../../../domain/calendar-codec.ts';
import { limitKindOf, presentValue, STAY_LENGTH_FIELDS } from '../../../domain/calendar-fields.ts';
import type { GuestRates } from '../../../domain/guest-rates.ts';
import { MANUAL_SOURCE } from '../../../domain/layers.ts';
import {
  addMonths,
  type EpochDay,
  formatLocalDate,
  getLocalDate,
  localToday,
} from '../../../domain/local-date.ts';
import { type NightRun, type NightRuns, overlayRuns, valueAt } from '../../../domain/night-runs.ts';
import { type NightState, nightStateAt } from '../../../domain/night-state.ts';
import { ID_PATTERN, type InventoryType, type Locale, textFor } from '../../../domain/property.ts';
import type { ListedProperty, StoredProperty } from '../../../storage/catalogue/store.ts';
import type { LayeredStored } from '../../../storage/supply/store.ts';
import { failuresOf, viewFeed } from '../../../supply/ical/feed-changes.ts';
import { viewPublished } from '../../../supply/published/publish-changes.ts';
import { type PagePorts, firstPage, type PageQuestion, type ShownBy } from '../../reading/console-page.ts';
import { nightsIn, type NightsRow, nightsRow } from '../../reading/night-rows.ts';
import { pathOf, readAsked, withQuery } from '../../reading/paths.ts';
import {
  figuresOfProperty,
  type Sort,
  SORTED_MAX,
  sortedIds,
  type SortQuestion,
  SORTS,
} from '../../reading/property-table.ts';

export type PropertiesShown = ShownBy<typeof readProperties>;

export const PROPERTIES_PER_PAGE = 50;
/** Characters of a search; longer than any id and any usual name. */
export const SEARCH_LENGTH_MAX = 200;

/**
 * `?search=&sort=&after=`: by id after `after`, or the matches of `search`, with a property of exactly that id first.
 * `sort=open` is ascending, `sort=-open` descending; needs fewer than SORTED_MAX properties.
 */
export async function readProperties(ports: PagePorts, { query, locale, isJson }: PageQuestion) {
  const search = (query.get('search') ?? '').slice(0, SEARCH_LENGTH_MAX).trim();
  const after = query.get('after') ?? '';
  const count = await ports.storage.countProperties(SORTED_MAX);
  const isSortable = count < SORTED_MAX;
  const { asked, unread } = readAsked(query, { sort: (text) => isSortable && isSort(text) });
  const { found, next, total } =
    asked.sort === undefined
      ? await (search === '' ? listAll(ports, after, count) : findNamed(ports, search, after))
      : await listSorted(ports, { search, locale, ...sortOf(asked.sort) }, after);
  const figured = { nowMs: ports.clock(), horizonNights: ports.horizonNights };
  const stored = isJson ? [] : await readStored(ports, found);
  return {
    search,
    sort: asked.sort,
    unread,
    isSortable,
    /** Count over all pages; undefined: too many to count. */
    total: isSortable ? total : undefined,
    rows: found.map((one) => presentRow(one, locale)),
    /** Figures of the same rows; undefined for a property that disappeared meanwhile. Not in JSON. */
    figures: stored.map((one) => one && figuresOfProperty(one, figured)),
    nextPath:
      next && withQuery(PATH, { search: search === '' ? undefined : search, sort: asked.sort, after: next }),
  };
}

const PATH = '/console/properties';

function isSort(text: string): boolean {
  return SORTS.includes(sortOf(text).sort);
}

function sortOf(text: string): Pick<SortQuestion, 'sort' | 'isFalling'> {
  return { sort: text.replace(/^-/, '') as Sort, isFalling: text.startsWith('-') };
}

async function listAll({ storage, names }: PagePorts, after: string, total: number) {
  names.prepare();
  const rows = await storage.listProperties(ID_PATTERN.test(after) ? after : '', PROPERTIES_PER_PAGE + 1);
  const { page: found, last } = firstPage(rows, PROPERTIES_PER_PAGE);
  return { found, next: last?.property.propertyId, total };
}

async function findNamed(ports: PagePorts, search: string, after: string) {
  const { propertyIds, next, total } = await ports.names.find(search, after, PROPERTIES_PER_PAGE);
  // Finds a property that was just imported by its id, before the names are read again.
  const isId = after === '' && ID_PATTERN.test(search);
  const ids = isId ? [search, ...propertyIds.filter((id) => id !== search)] : propertyIds;
  const found = await findStored(ports, ids);
  return { found, next, total: total && Math.max(total, found.length) };
}

/** After the property `after`; from the beginning if it no longer exists. */
async function listSorted(ports: PagePorts, question: SortQuestion, after: string) {
  const lines = (await ports.propertyTable.get()) ?? [];
  const ids = sortedIds(lines, question);
  const start = ids.indexOf(after) + 1;
  const { page, last } = firstPage(ids.slice(start, start + PROPERTIES_PER_PAGE + 1), PROPERTIES_PER_PAGE);
  return { found: await findStored(ports, page), next: last, total: ids.length };
}

async function findStored({ storage }: PagePorts, ids: readonly string[]) {
  const stored = await Promise.all(ids.map((id) => storage.findProperty(id)));
  return stored.filter((one) => one !== undefined);
}

/** With its calendars. */
async function readStored({ storage }: PagePorts, found: readonly (ListedProperty | StoredProperty)[]) {
  const read = async (one: ListedProperty | StoredProperty): Promise<StoredProperty | undefined> =>
    'calendars' in one ? one : storage.findProperty(one.property.propertyId);
  return Promise.all(found.map(read));
}

export function presentRow({ property }: Pick<ListedProperty, 'property'>, locale: Locale) {
  return {
    propertyId: property.propertyId,
    name: textFor(property.name, locale),
    city: textFor(property.location.city, locale),
  };
}

export type PropertyShown = ShownBy<typeof readProperty>;
export type PropertyPage = PropertyShown['rows'];

export const HEAT_MAP_MONTHS = 14;
/** Inventory types on one page: their cells stay below 60 KB as sent. */
export const TYPES_PER_PAGE = 12;
/** Rows of each list beside the heat map. */
export const LISTED_MAX = 50;

/** `{propertyId}?after=`: the page begins after this type. Undefined if unknown or withdrawn. */
export async function readProperty({ storage, clock }: PagePorts, { segments, query, locale }: PageQuestion) {
  const { propertyId = '' } = segments;
  const layered = await storage.findLayers(propertyId);
  if (layered === undefined) return undefined;
  const { property, source, changedAtMs } = layered.stored;
  const today = localToday(property.timezone, clock());
  const until = addMonths(today, HEAT_MAP_MONTHS);
  const span = { today, until, locale };
  const after = query.get('after');
  const start = property.inventoryTypes.findIndex((type) => type.inventoryTypeId === after) + 1;
  const { page: types, last } = firstPage(property.inventoryTypes.slice(start), TYPES_PER_PAGE);
  const feeds = await storage.listFeedsOf(propertyId, LISTED_MAX);
  const calendars = await storage.listPublishedCalendars({ propertyId, inventoryTypeId: '' }, LISTED_MAX);
  const rows = {
    ...presentRow(layered.stored, locale),
    country: property.location.country,
    timezone: property.timezone,
    /** The source of the document. */
    source,
    changedAt: new Date(changedAtMs).toISOString(),
    /** In the property's timezone. */
    today: formatLocalDate(today),
    firstNight: formatLocalDate(today),
    lastNight: formatLocalDate(span.until - 1),
    inventoryTypes: types.map((type, index) => presentType(layered, type, start + index, span)),
    /** Sources that confirmed the calendar, as in `freshness`. */
    confirmed: layered.confirmations.map((one) => ({
      source: one.source,
      confirmedAt: new Date(one.confirmedAtMs).toISOString(),
    })),
    feeds: feeds.map(viewFeed),
    /** As `ical published`. */
    calendars: calendars.filter((one) => one.propertyId === propertyId).map(viewPublished),
  };
  const path = pathOf('properties', propertyId);
  const show = NIGHT_FIGURES.find((name) => name === query.get('show'));
  const ownCalendars = types.map((_type, index) => layered.stored.calendars[start + index]!);
  return {
    rows,
    failures: failuresOf(feeds),
    show,
    currency: property.currency,
    /** Figures of each type, night by night from `firstNight` on; empty unless requested. */
    figures:
      show === undefined
        ? []
        : ownCalendars.map(({ nights, rates }) => figuresOf(decodeCalendar(nights, rates), show, span)),
    /** One type by month; not in JSON. */
    month: monthOf(rows.inventoryTypes, ownCalendars, query.get('type'), span),
    nextPath: last && withQuery(path, { show, after: last.inventoryTypeId }),
  };
}

/** Minimum stays that are told of a type. */
const MIN_STAYS_TOLD = 6;

/** The nights of the type that is asked for, or else of the first one: states and prices night by night. */
function monthOf(
  types: readonly ReturnType<typeof presentType>[],
  calendars: readonly LayeredStored['stored']['calendars'][number][],
  asked: string | null,
  span: Span,
) {
  const index = Math.max(
    0,
    types.findIndex(({ inventoryTypeId }) => inventoryTypeId === asked),
  );
  const { inventoryTypeId, nights } = types[index]!;
  const calendar = decodeCalendar(calendars[index]!.nights, calendars[index]!.rates);
  const { today, until } = span;
  const minStays = STAY_LENGTH_FIELDS.filter((field) => limitKindOf(field) === 'minimum')
    .flatMap((field) => calendar[field])
    .filter((run) => run.value > 1 && run.until > today && run.from < until)
    .toSorted((one, other) => one.from - other.from)
    .map(({ from, until: end, value }) => ({
      ...nightsRow(Math.max(from, today), Math.min(end, until)),
      nightCount: value,
    }));
  return {
    inventoryTypeId,
    states: nights.flatMap(({ dateFrom, dateTo, state }) =>
      Array.from({ length: getLocalDate(dateTo) - getLocalDate(dateFrom) + 1 }, () => state),
    ),
    prices: figuresOf(calendar, 'price', span),
    minStays: minStays.slice(0, MIN_STAYS_TOLD),
    moreMinStays: Math.max(0, minStays.length - MIN_STAYS_TOLD),
  };
}

/** `until` is excluded; `locale` is the language of names. */
type Span = Readonly<Record<'today' | 'until', EpochDay>> & { readonly locale: Locale };

function presentType(layered: LayeredStored, type: InventoryType, index: number, span: Span) {
  const { inventoryTypeId, name, guestsMax } = type;
  const { nights, rates } = layered.stored.calendars[index]!;
  const calendar = decodeCalendar(nights, rates);
  return {
    inventoryTypeId,
    name: textFor(name, span.locale),
    guestsMax,
    /** Covers `firstNight` to `lastNight` without gaps; adjacent ranges differ. */
    nights: statesOf(calendar, span),
    /** Nights for sale at a rate of 0.00. */
    sellForNothing: freeNights(calendar, span),
    /** Nights that `close` closed and `open` would reopen, from today on. */
    closedManually: nightsIn(closedManually(layered, inventoryTypeId), [], false, span.today),
  };
}

const FOR_SALE: ReadonlySet<NightState> = new Set(['open', 'restricted']);

function freeNights(calendar: Calendar, { today, until }: Span): NightsRow[] {
  const free = calendar.rate.filter(({ value }) => value === 0);
  if (free.length === 0) return [];
  const sold: NightRun[] = [];
  for (let night = today; night < until; night += 1) {
    const hasOtherPrice = valueAt<GuestRates>(calendar.ratesByGuests, night) !== undefined;
    if (hasOtherPrice || !FOR_SALE.has(nightStateAt(calendar, night, today))) continue;
    sold.push({ from: night, until: night + 1, value: 1 });
  }
  return nightsIn(free, overlayRuns(sold), true, today);
}

/** Nights of a type that the manual layer closes. */
export function closedManually({ layers }: LayeredStored, inventoryTypeId: string): NightRuns {
  const { stopSell } = calendarOfLayer(layers, MANUAL_SOURCE, inventoryTypeId);
  return stopSell.filter(({ value }) => value === 1);
}

/** Figures that a heat map's cell can show instead of its state's letter. */
export const NIGHT_FIGURES = ['price', 'units'] as const;
export type NightFigure = (typeof NIGHT_FIGURES)[number];

/** Whole units of the currency, rounded up; the lowest of amounts by guests. Null: not set. */
function figuresOf(calendar: Calendar, show: NightFigure, { today, until }: Span): (number | null)[] {
  return Array.from({ length: until - today }, (_none, index) => {
    const night = today + index;
    if (show === 'units') return valueAt(calendar.availability, night) ?? null;
    const byGuests = valueAt<GuestRates>(calendar.ratesByGuests, night);
    const plain = valueAt(calendar.rate, night);
    const shown =
      byGuests === undefined
        ? plain !== undefined && presentValue('rate', plain)
        : presentValue('ratesByGuests', byGuests);
    if (shown === false || shown === null) return null;
    const amounts = typeof shown === 'object' ? Object.values(shown).map(Number) : [Number(shown)];
    return amounts.length === 0 ? null : Math.ceil(Math.min(...amounts));
  });
}

function statesOf(calendar: Calendar, { today, until }: Span) {
  const rows: (NightsRow & { readonly state: NightState })[] = [];
  for (let from = today; from < until;) {
    const state = nightStateAt(calendar, from, today);
    let end = from + 1;
    while (end < until && nightStateAt(calendar, end, today) === state) end += 1;
    rows.push({ ...nightsRow(from, end), state });
    from = end;
  }
  return rows;
}
