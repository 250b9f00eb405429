/**
 * Layers: the calendars of several sources for one inventory type, and their combination, which partners see. Every
 * rule takes the strictest value, so the order of messages does not matter, and a repeated message changes nothing.
 * Prices are not combined: they come from one layer.
 */
import {
  type Calendar,
  type CalendarEntry,
  EMPTY_CALENDAR,
  makeCalendar,
  type UnknownField,
} from './calendar.ts';
import { FIELDS, isPrice, rowOf } from './calendar-fields.ts';
import { type Told, Wrong } from './wrong.ts';
import { type NightRuns, overlayRuns, type Overlay, visitStretches } from './night-runs.ts';

/** The values of one source for one inventory type. */
export interface CalendarLayer {
  readonly source: string;
  readonly calendar: Calendar;
}

/** Manual overrides, written by `close`, `open` and `nights set`. They concern single nights, so they confirm no supply. */
export const MANUAL_SOURCE = 'manual';
/** Our layer that closes a property whose sources have been silent for `maxSupplyAgeHours`. */
export const SUPPLY_AGE_SOURCE = 'stayport:supply-age';
/** Precedes the id of a feed in the name of its layer. */
export const FEED_SOURCE_PREFIX = 'ical:';
/** Precedes the name of a connection in the name of its layers. */
export const CONNECTION_SOURCE_PREFIX = 'connection:';
/** Follows the name where the connection sets all but prices. */
const WITHOUT_PRICES = ':nights';

const RESERVED_SOURCE_PREFIXES: readonly string[] = [
  'stayport:',
  FEED_SOURCE_PREFIX,
  CONNECTION_SOURCE_PREFIX,
];

/** Characters of a source's name. Older names have up to 200 of any kind; they are still read. */
export const SOURCE_LENGTH_MAX = 64;
const SOURCE_PATTERN = new RegExp(`^[A-Za-z0-9._:~-]{1,${SOURCE_LENGTH_MAX}}$`);
/** The rule for a name. */
export const SOURCE_FORM = new Wrong('sourceForm', { max: SOURCE_LENGTH_MAX });

export function isSourceName(name: string): boolean {
  return SOURCE_PATTERN.test(name);
}

/** Why a source name is reserved for the service or a person; undefined when it is free. */
export function findReservedReason(source: string): Wrong | undefined {
  const name = source.trim().toLowerCase();
  if (name === MANUAL_SOURCE) return new Wrong('sourceOfPeople', { name: JSON.stringify(MANUAL_SOURCE) });
  if (!RESERVED_SOURCE_PREFIXES.some((prefix) => name.startsWith(prefix))) return undefined;
  return new Wrong('sourceOfService', {
    prefixes: RESERVED_SOURCE_PREFIXES.map((prefix) => JSON.stringify(prefix)).join(', '),
  });
}

/** Whether `findReservedReason` gave it: the name is well-formed, and refused anyway. */
export function isReservedReason({ code }: Told): boolean {
  return code === 'sourceOfPeople' || code === 'sourceOfService';
}

/** The source of the types that the connection sets with their prices, or without them. */
export function sourceOfConnection(name: string, { withPrices }: { readonly withPrices: boolean }): string {
  return `${CONNECTION_SOURCE_PREFIX}${name}${withPrices ? '' : WITHOUT_PRICES}`;
}

/** The connection of a source, and whether it sets prices; undefined for other sources. */
export function connectionOf(
  source: string,
): { readonly name: string; readonly withPrices: boolean } | undefined {
  if (!source.startsWith(CONNECTION_SOURCE_PREFIX)) return undefined;
  const withPrices = !source.endsWith(WITHOUT_PRICES);
  const until = withPrices ? source.length : source.length - WITHOUT_PRICES.length;
  return { name: source.slice(CONNECTION_SOURCE_PREFIX.length, until), withPrices };
}

/** The connection among the sources that set a type: all its prices come from there, and no other's count. */
export function pricingConnection(sources: Iterable<string>): string | undefined {
  return [...sources].filter((source) => connectionOf(source)?.withPrices === true).toSorted()[0];
}

type Strictest = (one: number, other: number) => number;
const STRICTEST: Readonly<Record<'lowest' | 'highest', Strictest>> = { lowest: Math.min, highest: Math.max };

/**
 * Combines the layers night by night: of each field the strictest value, as its row says. A field that no layer sets is
 * not set. Prices come from one layer: that of `findPriceSource`; without that layer there are none.
 */
export function combineLayers(layers: readonly CalendarLayer[], priceSource: string): Calendar {
  const pricer = findPriceSource(layers, priceSource);
  const priced = layers.find(({ source }) => source === pricer)?.calendar ?? EMPTY_CALENDAR;
  return makeCalendar(
    (field) => {
      const { combine } = rowOf(field);
      if (combine === 'price') return priced[field];
      const runsOfLayers = layers.map(({ calendar }) => calendar[field]);
      return combineRuns(runsOfLayers, STRICTEST[combine]);
    },
    priced.ratesByGuests,
    combineUnknown(layers),
  );
}

/**
 * Whose prices count: those of a connection alone. Without one those of `priceSource`; while it has set none, those that
 * people have set manually.
 */
export function findPriceSource(layers: readonly CalendarLayer[], priceSource: string): string {
  const connection = pricingConnection(layers.map(({ source }) => source));
  if (connection !== undefined) return connection;
  const prices = (name: string): boolean =>
    layers.some(({ source, calendar }) => source === name && hasPrices(calendar));
  return !prices(priceSource) && prices(MANUAL_SOURCE) ? MANUAL_SOURCE : priceSource;
}

/** Nights whose price in `before` is another one in `after`, or none. */
export function nightsRepriced(before: Calendar, after: Calendar): NightRuns {
  const prices = FIELDS.filter(isPrice);
  const nights: Overlay[] = [];
  const runs = [...prices.map((field) => before[field]), ...prices.map((field) => after[field])];
  visitStretches<readonly NightRuns<unknown>[]>(runs, (from, until, values) => {
    const [one, other] = [values.slice(0, prices.length), values.slice(prices.length)];
    const isPriced = one.some((value) => value !== undefined);
    if (isPriced && JSON.stringify(one) !== JSON.stringify(other)) nights.push({ from, until, value: 1 });
  });
  return overlayRuns(nights);
}

export function hasPrices(calendar: Calendar): boolean {
  return FIELDS.some((field) => isPrice(field) && calendar[field].length > 0);
}

/** Keeps the highest value of a field of a later release: that release combines the layers again. */
function combineUnknown(layers: readonly CalendarLayer[]): readonly UnknownField[] {
  const fields = layers.flatMap(({ calendar }) => calendar.unknown);
  const codes = [...new Set(fields.map(({ code }) => code))].toSorted((one, other) => one - other);
  return codes.map((code) => {
    const runsOfLayers = fields.filter((field) => field.code === code).map(({ runs }) => runs);
    return { code, runs: combineRuns(runsOfLayers, STRICTEST.highest) };
  });
}

/** Whether the entry sets a price; clearing one does not count. */
export function setsPrice({ set }: CalendarEntry): boolean {
  return FIELDS.some((field) => isPrice(field) && set[field] !== undefined && set[field] !== null);
}

function combineRuns(runsOfLayers: readonly NightRuns[], strictest: Strictest): NightRuns {
  const written = runsOfLayers.filter((runs) => runs.length > 0);
  if (written.length <= 1) return written[0] ?? [];
  const stretches: Overlay[] = [];
  visitStretches(written, (from, until, values) => {
    let value: number | undefined;
    for (const layerValue of values) {
      if (layerValue !== undefined) value = value === undefined ? layerValue : strictest(value, layerValue);
    }
    if (value !== undefined) stretches.push({ from, until, value });
  });
  return overlayRuns(stretches);
}
