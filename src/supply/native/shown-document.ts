/** The document of a stored property, with the calendars that partners see or with those of one source. */
import { calendarRanges } from '../../domain/calendar.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { isSameCalendar } from '../../domain/ledger/encoded-calendar.ts';
import type { LayeredStored } from '../../storage/supply/store.ts';
import { layerOf, type StoredLayer } from '../../domain/ledger/message.ts';
import type { JsonObject } from '../../domain/document/document-fields.ts';
import { formatPropertyDocument } from './format-property-document.ts';
import { CALENDARS_OF } from './property-document.ts';

/** The document as partners see it. With several sources it is marked and cannot be imported again. */
export function presentCombined(layered: LayeredStored): JsonObject {
  const { stored, details } = layered;
  const isOwn = stored.calendars.every((calendar) =>
    isSameCalendar(calendar, layerOf(layered.layers, stored.source, calendar.inventoryTypeId)),
  );
  const document = formatPropertyDocument(stored.property, stored.calendars.map(rangesOf), details);
  return isOwn ? document : mark(document, sourcesOf(layered));
}

/**
 * The document with one source's settings. Its own source can import it again unchanged; for any other it is marked.
 */
export function presentLayer(layered: LayeredStored, source: string): JsonObject {
  const { property, source: owner } = layered.stored;
  const entries = property.inventoryTypes.map(({ inventoryTypeId }) => {
    const layer = layerOf(layered.layers, source, inventoryTypeId);
    return layer === undefined ? [] : rangesOf(layer);
  });
  const document = formatPropertyDocument(property, entries, layered.details);
  return source === owner ? document : mark(document, [source]);
}

/** Sources with settings, ascending. */
export function sourcesOf({ layers }: LayeredStored): string[] {
  return [...new Set(layers.map(({ source }) => source))].toSorted();
}

export function rangesOf({
  nights,
  rates,
}: Pick<StoredLayer, 'nights' | 'rates'>): ReturnType<typeof calendarRanges> {
  return calendarRanges(decodeCalendar(nights, rates));
}

function mark(document: JsonObject, sources: readonly string[]): JsonObject {
  return { [CALENDARS_OF]: sources, ...document };
}
