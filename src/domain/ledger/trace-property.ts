/** Who set what for which night of a stored property, from its layers and the messages that are kept. */
import { decodeCalendar } from '../calendar-codec.ts';
import { type NightsSettings, type Statement, traceSettings } from './provenance.ts';
import type { SourceHistoryEntry, StoredLayer } from './message.ts';
import type { StoredCalendar } from './stored-write.ts';
import { parseHistoryChange } from './property-change.ts';

/** Messages that are looked through; what older ones set is dated by its layer. */
export const TRACED_MESSAGES_MAX = 100;

export interface TracedProperty {
  readonly stored: { readonly calendars: readonly StoredCalendar[] };
  readonly layers: readonly StoredLayer[];
}

/** By inventory type, in the order of the property; `history` is newest first. */
export function traceProperty(
  { stored, layers }: TracedProperty,
  history: readonly SourceHistoryEntry[],
): readonly (readonly NightsSettings[])[] {
  const ascending = history.toReversed();
  return stored.calendars.map(({ inventoryTypeId, nights, rates }) => {
    const own = layers
      .filter((layer) => layer.inventoryTypeId === inventoryTypeId)
      .map(({ source, changedAtMs, ...layer }) => ({
        source,
        changedAtMs,
        calendar: decodeCalendar(layer.nights, layer.rates),
      }));
    const statements = ascending.flatMap((message) => statementsOf(message, inventoryTypeId));
    return traceSettings(own, statements, decodeCalendar(nights, rates));
  });
}

function statementsOf(message: SourceHistoryEntry, inventoryTypeId: string): Statement[] {
  const about = { source: message.source, messageId: message.messageId, atMs: message.receivedAtMs };
  if (message.change === '') return [{ ...about, entries: undefined, replaces: true }];
  const { types, isCut = false } = parseHistoryChange(message.change);
  // It may have set any night: what older messages said explains none any more, and the layer dates them.
  if (isCut) return [{ ...about, entries: [], replaces: true }];
  return types
    .filter((type) => type.inventoryTypeId === inventoryTypeId)
    .map(({ entries, replaces, clears }) => ({ ...about, entries, replaces, clears }));
}
