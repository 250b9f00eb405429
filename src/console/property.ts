/** One property in the console: what each night of its types is for sale as, and what else speaks for it. */
import { type Calendar } from '../domain/calendar.ts';
import { decodeCalendar } from '../domain/calendar-codec.ts';
import { MANUAL_SOURCE } from '../domain/layers.ts';
import { type EpochDay, formatLocalDate, localToday, toEpochDay } from '../domain/local-date.ts';
import { type NightRuns, visitStretches } from '../domain/night-runs.ts';
import { type NightState, nightStateAt } from '../domain/night-state.ts';
import { type InventoryType, type Locale, textFor } from '../domain/property.ts';
import type { LayeredStored } from '../storage/supply/store.ts';
import { type FeedView, viewFeed } from '../supply/ical/feed-changes.ts';
import { viewPublished } from '../supply/published/publish-changes.ts';
import { type PagePorts, firstPage, type PageQuestion, type ShownBy } from './console-page.ts';
import { pathOf, withQuery } from './paths.ts';
import { presentRow } from './properties.ts';

/** The nights `dateFrom`..`dateTo`, both included. */
export interface NightsRow {
  readonly dateFrom: string;
  readonly dateTo: string;
}

/** As `ical list`. */
export type FeedRow = FeedView;
export type PropertyShown = ShownBy<typeof readProperty>;
export type PropertyPage = PropertyShown['rows'];
export type PropertyType = PropertyPage['inventoryTypes'][number];

export const HEAT_MAP_MONTHS = 14;
/** Of one page: their cells stay below 60 KB as they are sent. */
export const TYPES_PER_PAGE = 12;
/** Of each list beside the heat-map. */
export const LISTED_MAX = 50;

/** `{propertyId}?after=`: the type behind which the page begins. Undefined when unknown or withdrawn. */
export async function readProperty({ storage, clock }: PagePorts, { segments, query, locale }: PageQuestion) {
  const { propertyId = '' } = segments;
  const layered = await storage.findLayers(propertyId);
  if (layered === undefined) return undefined;
  const { property, source, changedAtMs } = layered.stored;
  const today = localToday(property.timezone, clock());
  const span = { today, until: monthsAfter(today, HEAT_MAP_MONTHS), locale };
  const after = query.get('after');
  const start = property.inventoryTypes.findIndex((type) => type.inventoryTypeId === after) + 1;
  const { page: types, last } = firstPage(property.inventoryTypes.slice(start), TYPES_PER_PAGE);
  const feeds = await storage.listFeedsOf(propertyId, LISTED_MAX);
  const calendars = await storage.listPublishedCalendars({ propertyId, inventoryTypeId: '' }, LISTED_MAX);
  const rows = {
    ...presentRow(layered.stored, locale),
    ...{ country: property.location.country, timezone: property.timezone },
    /** Whose document it is. */
    source,
    changedAt: new Date(changedAtMs).toISOString(),
    /** At the property. */
    today: formatLocalDate(today),
    ...{ firstNight: formatLocalDate(today), lastNight: formatLocalDate(span.until - 1) },
    inventoryTypes: types.map((type, index) => presentType(layered, type, start + index, span)),
    /** Who has confirmed the calendar, as `freshness` has it. */
    confirmed: layered.confirmations.map((one) => ({
      ...{ source: one.source, confirmedAt: new Date(one.confirmedAtMs).toISOString() },
    })),
    feeds: feeds.map(viewFeed),
    /** As `ical published`. */
    calendars: calendars.filter((one) => one.propertyId === propertyId).map(viewPublished),
  };
  const path = pathOf('properties', propertyId);
  return { rows, nextPath: last && withQuery(path, { after: last.inventoryTypeId }) };
}

/** `until` is excluded; `locale` is of the names. */
type Span = Readonly<Record<'today' | 'until', EpochDay>> & { readonly locale: Locale };

function presentType(layered: LayeredStored, type: InventoryType, index: number, span: Span) {
  const { inventoryTypeId, name, guestsMax } = type;
  const { nights, rates } = layered.stored.calendars[index]!;
  return {
    ...{ inventoryTypeId, name: textFor(name, span.locale), guestsMax },
    /** Without a gap from `firstNight` to `lastNight`; neighbours differ. */
    nights: statesOf(decodeCalendar(nights, rates), span),
    /** What `close` closed and `open` would open, from today on. */
    closedManually: nightsIn(closedManually(layered, inventoryTypeId), [], false, span.today),
  };
}

/** The nights of a type that are closed in the layer of `close` and `open`. */
export function closedManually({ layers }: LayeredStored, inventoryTypeId: string): NightRuns {
  const layer = layers.find((one) => one.source === MANUAL_SOURCE && one.inventoryTypeId === inventoryTypeId);
  if (layer === undefined) return [];
  return decodeCalendar(layer.nights, layer.rates).stopSell.filter(({ value }) => value === 1);
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

/** Nights of `one` from a day on, where they are also in `other`, or are not. */
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

/** The same day of a later month, or the first of the next one where that month is too short. */
export function monthsAfter(day: EpochDay, months: number): EpochDay {
  const [year = 0, month = 0, dayOfMonth = 0] = formatLocalDate(day).split('-').map(Number);
  const index = year * 12 + month - 1 + months;
  const first = toEpochDay(Math.floor(index / 12), (index % 12) + 1, 1);
  const next = toEpochDay(Math.floor((index + 1) / 12), ((index + 1) % 12) + 1, 1);
  return Math.min(first + dayOfMonth - 1, next);
}
