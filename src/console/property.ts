/** One property in the console: what each night of its types is for sale as, and what else speaks for it. */
import { type Calendar } from '../domain/calendar.ts';
import { decodeCalendar } from '../domain/calendar-codec.ts';
import { MANUAL_SOURCE } from '../domain/layers.ts';
import { type EpochDay, formatLocalDate, localToday, toEpochDay } from '../domain/local-date.ts';
import { type NightState, nightStateAt } from '../domain/night-state.ts';
import { type InventoryType, type Locale, textFor } from '../domain/property.ts';
import type { Clock } from '../runtime/clock.ts';
import type { FeedStore } from '../storage/feeds/store.ts';
import type { PublishedStore } from '../storage/published/store.ts';
import type { LayeredStored, SupplyStore } from '../storage/supply/store.ts';
import { type FeedView, viewFeed } from '../supply/ical/feed-changes.ts';
import { type PublishedView, viewPublished } from '../supply/published/publish-changes.ts';
import type { PageQuestion } from './console-page.ts';
import { pathOf, withQuery } from './paths.ts';
import { type PropertyRow, presentRow } from './properties.ts';

export interface PropertyDeps {
  readonly storage: Pick<SupplyStore, 'findLayers'> &
    Pick<FeedStore, 'listFeedsOf'> &
    Pick<PublishedStore, 'listPublishedCalendars'>;
  readonly clock: Clock;
}

/** The nights `dateFrom`..`dateTo`, both included. */
export interface NightsRow {
  readonly dateFrom: string;
  readonly dateTo: string;
}

interface StateRow extends NightsRow {
  readonly state: NightState;
}

export interface PropertyType {
  readonly inventoryTypeId: string;
  readonly name: string;
  readonly guestsMax: number;
  /** Without a gap from `firstNight` to `lastNight`; neighbours differ. */
  readonly nights: readonly StateRow[];
  /** What `close` closed and `open` would open, from today on. */
  readonly closedManually: readonly NightsRow[];
}

/** As `ical list`. */
export type FeedRow = FeedView;

export interface PropertyShown {
  readonly rows: PropertyPage;
  /** To the types behind these. */
  readonly nextPath: string | undefined;
}

export interface PropertyPage extends PropertyRow {
  readonly country: string;
  readonly timezone: string;
  /** Whose document it is. */
  readonly source: string;
  readonly changedAt: string;
  /** At the property. */
  readonly today: string;
  readonly firstNight: string;
  readonly lastNight: string;
  readonly inventoryTypes: readonly PropertyType[];
  /** Who has confirmed the calendar, as `freshness` has it. */
  readonly confirmed: readonly { readonly source: string; readonly confirmedAt: string }[];
  readonly feeds: readonly FeedRow[];
  /** As `ical published`. */
  readonly calendars: readonly PublishedView[];
}

export const HEAT_MAP_MONTHS = 14;
/** Of one page: their cells stay below 60 KB as they are sent. */
export const TYPES_PER_PAGE = 12;
/** Of each list beside the heat-map. */
export const LISTED_MAX = 50;

/** `{propertyId}?after=`: the type behind which the page begins. Undefined when unknown or withdrawn. */
export async function readProperty(
  { storage, clock }: PropertyDeps,
  { segments, query, locale }: PageQuestion,
): Promise<PropertyShown | undefined> {
  const { propertyId = '' } = segments;
  const after = query.get('after');
  const layered = await storage.findLayers(propertyId);
  if (layered === undefined) return undefined;
  const { property, source, changedAtMs } = layered.stored;
  const today = localToday(property.timezone, clock());
  const shown = { today, until: monthsAfter(today, HEAT_MAP_MONTHS), locale };
  const start = property.inventoryTypes.findIndex((type) => type.inventoryTypeId === after) + 1;
  const types = property.inventoryTypes.slice(start, start + TYPES_PER_PAGE);
  const isLast = start + types.length >= property.inventoryTypes.length;
  const feeds = await storage.listFeedsOf(propertyId, LISTED_MAX);
  const calendars = await storage.listPublishedCalendars({ propertyId, inventoryTypeId: '' }, LISTED_MAX);
  const rows = {
    ...presentRow(layered.stored, locale),
    ...{ country: property.location.country, timezone: property.timezone, source },
    changedAt: new Date(changedAtMs).toISOString(),
    today: formatLocalDate(today),
    ...{ firstNight: formatLocalDate(today), lastNight: formatLocalDate(shown.until - 1) },
    inventoryTypes: types.map((type, index) => presentType(layered, type, start + index, shown)),
    confirmed: layered.confirmations.map((one) => ({
      ...{ source: one.source, confirmedAt: new Date(one.confirmedAtMs).toISOString() },
    })),
    feeds: feeds.map(viewFeed),
    calendars: calendars.filter((one) => one.propertyId === propertyId).map(viewPublished),
  };
  const lastType = types.at(-1)?.inventoryTypeId;
  const nextPath = isLast ? undefined : withQuery(pathOf('properties', propertyId), { after: lastType });
  return { rows, nextPath };
}

interface Span {
  readonly today: EpochDay;
  /** Excluded. */
  readonly until: EpochDay;
  readonly locale: Locale;
}

function presentType(
  { stored, layers }: LayeredStored,
  { inventoryTypeId, name, guestsMax }: InventoryType,
  index: number,
  span: Span,
): PropertyType {
  const { nights, rates } = stored.calendars[index]!;
  const manual = layers.find(
    (layer) => layer.source === MANUAL_SOURCE && layer.inventoryTypeId === inventoryTypeId,
  );
  const closed = manual === undefined ? [] : decodeCalendar(manual.nights, manual.rates).stopSell;
  return {
    ...{ inventoryTypeId, name: textFor(name, span.locale), guestsMax },
    nights: statesOf(decodeCalendar(nights, rates), span),
    closedManually: closed
      .filter(({ until, value }) => until > span.today && value === 1)
      .map(({ from, until }) => nightsRow(Math.max(from, span.today), until)),
  };
}

function statesOf(calendar: Calendar, { today, until }: Span): StateRow[] {
  const rows: StateRow[] = [];
  let from = today;
  let state = nightStateAt(calendar, from, today);
  for (let night = today + 1; night <= until; night += 1) {
    const next = night === until ? undefined : nightStateAt(calendar, night, today);
    if (next === state) continue;
    rows.push({ ...nightsRow(from, night), state });
    from = night;
    if (next !== undefined) state = next;
  }
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
