/**
 * One night of one inventory type: which source set which field and when, which of them decides, and the state without
 * each source.
 */
import { decodeCalendar } from '../../../domain/calendar-codec.ts';
import { type Calendar } from '../../../domain/calendar.ts';
import { FIELDS, presentValue, type PresentedValue } from '../../../domain/calendar-fields.ts';
import type { GuestRates } from '../../../domain/guest-rates.ts';
import { combineLayers } from '../../../domain/layers.ts';
import { type EpochDay, localToday, parseLocalDate } from '../../../domain/local-date.ts';
import { valueAt } from '../../../domain/night-runs.ts';
import { nightStateAt } from '../../../domain/night-state.ts';
import { textFor } from '../../../domain/property.ts';
import { setBy } from '../../../partner/quotes/explain-quote.ts';
import type { LayeredStored } from '../../../storage/supply/store.ts';
import { traceProperty, TRACED_MESSAGES_MAX } from '../../../domain/ledger/trace-property.ts';
import type { PagePorts, PageQuestion, ShownBy } from '../../reading/console-page.ts';
import { presentRow } from '../properties/read.ts';

export type NightShown = ShownBy<typeof readNight>;

/** `{propertyId}`, `{inventoryTypeId}`, `{date}`; undefined if one is unknown or not a date. */
export async function readNight({ storage, clock }: PagePorts, { segments, locale }: PageQuestion) {
  const { propertyId = '', inventoryTypeId, date = '' } = segments;
  const night = parseLocalDate(date);
  const layered = night === undefined ? undefined : await storage.findLayers(propertyId);
  if (night === undefined || layered === undefined) return undefined;
  const { stored } = layered;
  const { property } = stored;
  const index = property.inventoryTypes.findIndex((type) => type.inventoryTypeId === inventoryTypeId);
  const type = property.inventoryTypes[index];
  if (type === undefined) return undefined;
  const history = await storage.listSourceHistory(propertyId, TRACED_MESSAGES_MAX);
  const own = stored.calendars[index]!;
  // Traces this type only: a large property has many.
  const [trace] = traceProperty({ ...layered, stored: { ...stored, calendars: [own] } }, history);
  const calendar = decodeCalendar(own.nights, own.rates);
  const today = localToday(property.timezone, clock());
  const rows = setBy(trace!, night);
  const sources = [...new Set(rows.map(({ source }) => source))];
  const state = nightStateAt(calendar, night, today);
  const typeName = textFor(type.name, locale);
  return {
    /** As `setBy` of `quote explain`. */
    rows,
    night: {
      ...presentRow(stored, locale),
      currency: property.currency,
      inventoryTypeId: type.inventoryTypeId,
      typeName,
      date,
      state,
    },
    /** The state that partners would see without each source. */
    ifGone: sources.map((source) => {
      const without = calendarWithout(layered, index, source);
      const changes = changedFields(calendar, without, night);
      return { source, state: nightStateAt(without, night, today), changes };
    }),
  };
}

/** Null: not set. */
function changedFields(one: Calendar, other: Calendar, night: EpochDay) {
  return FIELDS.map((field) => ({
    field,
    before: valueOf(one, field, night),
    after: valueOf(other, field, night),
  })).filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
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
