/** One night of one inventory type: who set which field when, which of them decides, and what would be without one. */
import { decodeCalendar } from '../domain/calendar-codec.ts';
import { type Calendar } from '../domain/calendar.ts';
import { type AnyField, FIELDS, presentValue, type PresentedValue } from '../domain/calendar-fields.ts';
import type { GuestRates } from '../domain/guest-rates.ts';
import { combineLayers } from '../domain/layers.ts';
import { type EpochDay, localToday, parseLocalDate } from '../domain/local-date.ts';
import { valueAt } from '../domain/night-runs.ts';
import { type NightState, nightStateAt } from '../domain/night-state.ts';
import { textFor } from '../domain/property.ts';
import { setBy } from '../quotes/explain-quote.ts';
import type { Clock } from '../runtime/clock.ts';
import type { PresentedSetting } from '../storage/supply/provenance.ts';
import type { LayeredStored, SupplyStore } from '../storage/supply/store.ts';
import { traceProperty, TRACED_MESSAGES_MAX } from '../storage/supply/trace-property.ts';
import type { PageQuestion } from './console-page.ts';
import { type PropertyRow, presentRow } from './properties.ts';

export interface NightDeps {
  readonly storage: Pick<SupplyStore, 'findLayers' | 'listSourceHistory'>;
  readonly clock: Clock;
}

/** What partners would see if the source had said nothing. */
export interface WithoutSource {
  readonly source: string;
  readonly state: NightState;
  /** Fields that would have another value; null: not set. */
  readonly changes: readonly {
    readonly field: AnyField;
    readonly before: PresentedValue | null;
    readonly after: PresentedValue | null;
  }[];
}

export interface NightShown {
  /** As `setBy` of `quote explain`. */
  readonly rows: readonly PresentedSetting[];
  readonly night: NightAbout;
  readonly ifGone: readonly WithoutSource[];
}

interface NightAbout extends PropertyRow {
  readonly inventoryTypeId: string;
  readonly typeName: string;
  readonly date: string;
  readonly state: NightState;
}

/** `{propertyId}`, `{inventoryTypeId}`, `{date}`; undefined when one of them is unknown or no date. */
export async function readNight(
  { storage, clock }: NightDeps,
  { segments, locale }: PageQuestion,
): Promise<NightShown | undefined> {
  const { propertyId = '', inventoryTypeId, date = '' } = segments;
  const night = parseLocalDate(date);
  if (night === undefined) return undefined;
  const layered = await storage.findLayers(propertyId);
  if (layered === undefined) return undefined;
  const { property } = layered.stored;
  const index = property.inventoryTypes.findIndex((type) => type.inventoryTypeId === inventoryTypeId);
  const type = property.inventoryTypes[index];
  if (type === undefined) return undefined;
  const history = await storage.listSourceHistory(propertyId, TRACED_MESSAGES_MAX);
  const own = layered.stored.calendars[index]!;
  // Of this type alone: a large property has many.
  const [trace] = traceProperty({ ...layered, stored: { ...layered.stored, calendars: [own] } }, history);
  const settings = setBy(trace!, night);
  const { nights, rates } = own;
  const calendar = decodeCalendar(nights, rates);
  const today = localToday(property.timezone, clock());
  const sources = [...new Set(settings.map(({ source }) => source))];
  const state = nightStateAt(calendar, night, today);
  const typeName = textFor(type.name, locale);
  return {
    rows: settings,
    night: {
      ...presentRow(layered.stored, locale),
      ...{ inventoryTypeId: type.inventoryTypeId, typeName, date, state },
    },
    ifGone: sources.map((source) => {
      const without = calendarWithout(layered, index, source);
      const changes = FIELDS.map((field) => ({
        field,
        before: valueOf(calendar, field, night),
        after: valueOf(without, field, night),
      })).filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
      return { source, state: nightStateAt(without, night, today), changes };
    }),
  };
}

function calendarWithout({ stored, layers }: LayeredStored, index: number, source: string): Calendar {
  const { inventoryTypeId, priceSource = stored.source } = stored.property.inventoryTypes[index]!;
  const others = layers
    .filter((layer) => layer.inventoryTypeId === inventoryTypeId && layer.source !== source)
    .map((layer) => ({ source: layer.source, calendar: decodeCalendar(layer.nights, layer.rates) }));
  return combineLayers(others, priceSource);
}

function valueOf(calendar: Calendar, field: (typeof FIELDS)[number], night: EpochDay): PresentedValue | null {
  const value = valueAt<number | GuestRates>(calendar[field], night);
  return value === undefined ? null : presentValue(field, value);
}
