/**
 * Layers: the calendars that several sources keep of one inventory type, and their combination, which is what
 * partners see. Every rule takes the strictest value, so the order in which sources speak never matters, and saying
 * the same thing twice changes nothing. Prices are not combined: they come from one layer.
 */
import { type Calendar, type CalendarEntry, EMPTY_CALENDAR } from './calendar.ts';
import { type NightRuns, overlayRuns, type Overlay, visitStretches } from './night-runs.ts';

/** What one source set for one inventory type. */
export interface CalendarLayer {
  readonly source: string;
  readonly calendar: Calendar;
}

/** The person at the desk. What they close says nothing of other nights, so it confirms no supply. */
export const MANUAL_SOURCE = 'manual';
/** Closes a property whose sources have been silent for `maxSupplyAgeHours`; the layer is ours. */
export const SUPPLY_AGE_SOURCE = 'stayport:supply-age';
/** In front of the id of a feed whose layer it is. */
export const FEED_SOURCE_PREFIX = 'ical:';

const RESERVED_SOURCE_PREFIXES: readonly string[] = ['stayport:', FEED_SOURCE_PREFIX];

/** Nobody else may speak in the name of a source that the service writes itself: why, without its full stop. */
export function findReservedReason(source: string): string | undefined {
  const name = source.trim().toLowerCase();
  if (!RESERVED_SOURCE_PREFIXES.some((prefix) => name.startsWith(prefix))) return undefined;
  const prefixes = RESERVED_SOURCE_PREFIXES.map((prefix) => JSON.stringify(prefix)).join(' and ');
  return `sources that begin with ${prefixes} are for the service itself; choose another name`;
}

type Strictest = (one: number, other: number) => number;

/** The fields of a night that are combined, and how; all others are prices. */
const STRICTEST = {
  availability: Math.min,
  stopSell: Math.max,
  closedToArrival: Math.max,
  closedToDeparture: Math.max,
  minStayArrival: Math.max,
  minStayThrough: Math.max,
  maxStay: Math.min,
} as const satisfies Partial<Record<keyof Calendar, Strictest>>;

/**
 * The calendar that the layers make together, night by night: the fewest units that any layer sets, stop-sell and
 * closings where any layer has them, the longest minimum stays, the shortest `maxStay`. What no layer sets is not
 * set. Prices are those of the layer of `priceSource`; without such a layer there are none.
 */
export function combineLayers(layers: readonly CalendarLayer[], priceSource: string): Calendar {
  const priced = layers.find(({ source }) => source === priceSource)?.calendar ?? EMPTY_CALENDAR;
  const strictest = (field: keyof typeof STRICTEST): NightRuns =>
    combineRuns(
      layers.map(({ calendar }) => calendar[field]),
      STRICTEST[field],
    );
  return {
    ...priced,
    availability: strictest('availability'),
    stopSell: strictest('stopSell'),
    closedToArrival: strictest('closedToArrival'),
    closedToDeparture: strictest('closedToDeparture'),
    minStayArrival: strictest('minStayArrival'),
    minStayThrough: strictest('minStayThrough'),
    maxStay: strictest('maxStay'),
  };
}

/** Whether the entry says anything about prices, other than that there is none. */
export function setsPrice({ set }: CalendarEntry): boolean {
  return Object.entries(set).some(
    ([field, value]) => !Object.hasOwn(STRICTEST, field) && value !== undefined && value !== null,
  );
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
