/** Reads for the operator's systems: a property with its layers, and the messages received. */
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { buildCalendar, calendarRanges } from '../../domain/calendar.ts';
import { type CalendarLayer, findPriceSource } from '../../domain/layers.ts';
import { EPOCH_DAY_MAX, EPOCH_DAY_MIN, type EpochDay, formatLocalDate } from '../../domain/local-date.ts';
import { encode, type EncodedCalendar } from '../../domain/ledger/encoded-calendar.ts';
import { presentSetting } from '../../domain/ledger/provenance.ts';
import { TRACED_MESSAGES_MAX, traceProperty } from '../../domain/ledger/trace-property.ts';
import type {
  LayeredStored,
  MessageFilter,
  SupplyMessageRow,
  SupplyStore,
} from '../../storage/supply/store.ts';
import type { SourceHistoryEntry, SupplyOutcome, SupplyRefusal } from '../../domain/ledger/message.ts';
import type { JsonObject } from '../../domain/document/document-fields.ts';
import { formatEntry } from '../native/format-property-document.ts';
import { rangesOf, presentLayer } from '../native/shown-document.ts';
import { parseMessageId } from '../../storage/supply/message-id.ts';
import { parseStoredEntries, presentErrors } from './message-body.ts';
import {
  presentHidden,
  presentRefusals,
  presentSetByHand,
  type MessageNote,
  type NotedErrors,
  placeIn,
} from './supply-result.ts';

/** A range of nights, both included; either end may be open. */
export interface OpenSpan {
  readonly from: EpochDay | undefined;
  readonly to: EpochDay | undefined;
}

/** Undefined when unknown or withdrawn. */
export async function readProperty(
  storage: Pick<SupplyStore, 'findLayers' | 'listSourceHistory'>,
  propertyId: string,
  span?: OpenSpan,
): Promise<JsonObject | undefined> {
  const found = await storage.findLayers(propertyId);
  if (found === undefined) return undefined;
  return presentLayered(found, await storage.listSourceHistory(propertyId, TRACED_MESSAGES_MAX), span);
}

/**
 * The document as its source wrote it, the layers, the result that partners see, and which source set what; `history`
 * is newest first. With a `span` the document has no calendars: sending it back would erase all other nights.
 */
export function presentLayered(
  whole: LayeredStored,
  history: readonly SourceHistoryEntry[],
  span: OpenSpan = { from: undefined, to: undefined },
): JsonObject {
  const isWhole = span.from === undefined && span.to === undefined;
  const layered = isWhole ? whole : clipLayered(whole, span);
  const { stored, layers, confirmations } = layered;
  const traces = traceProperty(layered, history);
  const { property, source, revision, changedAtMs } = stored;
  return {
    propertyId: property.propertyId,
    source,
    revision,
    changedAt: instant(changedAtMs),
    document: isWhole ? presentLayer(layered, source) : withoutCalendars(presentLayer(layered, source)),
    layers: layers.map((layer) => ({
      inventoryTypeId: layer.inventoryTypeId,
      source: layer.source,
      changedAt: instant(layer.changedAtMs),
      calendar: rangesOf(layer).map(formatEntry),
    })),
    calendars: property.inventoryTypes.map(({ inventoryTypeId, priceSource = source }, index) => ({
      inventoryTypeId,
      priceSource: findPriceSource(decodeLayers(whole.layers, inventoryTypeId), priceSource),
      calendar: rangesOf(stored.calendars[index]!).map(formatEntry),
      setBy: traces[index]!.map(({ from, to, settings }) => ({
        dateFrom: formatLocalDate(from),
        dateTo: formatLocalDate(to),
        settings: settings.map(presentSetting),
      })),
    })),
    confirmed: confirmations.map((one) => ({ source: one.source, at: instant(one.confirmedAtMs) })),
  };
}

function decodeLayers(layers: LayeredStored['layers'], inventoryTypeId: string): readonly CalendarLayer[] {
  return layers
    .filter((layer) => layer.inventoryTypeId === inventoryTypeId)
    .map(({ source, nights, rates }) => ({ source, calendar: decodeCalendar(nights, rates) }));
}

function clipLayered(
  layered: LayeredStored,
  { from = EPOCH_DAY_MIN, to = EPOCH_DAY_MAX }: OpenSpan,
): LayeredStored {
  const clip = <C extends EncodedCalendar>(calendar: C): C => {
    const decoded = decodeCalendar(calendar.nights, calendar.rates);
    const ranges = calendarRanges(decoded)
      .filter((range) => range.from <= to && range.to >= from)
      .map((range) => ({ ...range, from: Math.max(from, range.from), to: Math.min(to, range.to) }));
    return { ...calendar, ...encode(buildCalendar(ranges)) };
  };
  const { stored, layers } = layered;
  return {
    ...layered,
    stored: { ...stored, calendars: stored.calendars.map(clip) },
    layers: layers.map(clip),
  };
}

function withoutCalendars(document: JsonObject): JsonObject {
  const types = document['inventoryTypes'] as readonly JsonObject[];
  return { ...document, inventoryTypes: types.map((type) => ({ ...type, calendar: undefined })) };
}

interface MessageDetail extends Pick<SupplyOutcome, 'hidden' | 'setByHand'> {
  readonly note: Partial<MessageNote>;
  readonly refused: number;
  readonly refusals: readonly SupplyRefusal[];
}

/** Characters of entries in one answer. Entries of the oldest messages beyond it need their own call. */
export const ENTRIES_ANSWERED_MAX = 1024 * 1024;
/** Messages whose entries are read together. */
const ENTRIES_SLICE = 16;
const NO_ENTRIES = { entries: [], entriesLeftOut: 0 };
const NO_ROOM = { entries: null, entriesLeftOut: null };

export type MessageStore = Pick<SupplyStore, 'listSupplyMessages' | 'readMessageEntries'>;

/** Newest first, with entries while there is room. */
export async function readMessages(storage: MessageStore, filter: MessageFilter): Promise<JsonObject[]> {
  const rows = await storage.listSupplyMessages(filter);
  const presented: JsonObject[] = [];
  let room = ENTRIES_ANSWERED_MAX;
  for (let start = 0; start < rows.length; start += ENTRIES_SLICE) {
    const slice = rows.slice(start, start + ENTRIES_SLICE);
    const ids = slice.map(({ messageId }) => messageId);
    const entries = room > 0 ? await storage.readMessageEntries(ids) : undefined;
    for (const row of slice) {
      const text = entries?.get(row.messageId);
      room -= text?.length ?? 0;
      const isShown = entries !== undefined && room >= 0;
      presented.push({ ...presentMessage(row), ...(isShown ? presentEntries(text) : NO_ROOM) });
    }
  }
  return presented;
}

/** Undefined for an unknown id. */
export async function readMessage(storage: MessageStore, messageId: string): Promise<JsonObject | undefined> {
  const receivedAtMs = parseMessageId(messageId);
  if (receivedAtMs === undefined) return undefined;
  const span = { sinceMs: receivedAtMs, untilMs: receivedAtMs + 1 };
  const rows = await storage.listSupplyMessages({ ...span, limit: MESSAGES_PER_MS_MAX });
  const row = rows.find((one) => one.messageId === messageId);
  if (row === undefined) return undefined;
  const entries = await storage.readMessageEntries([messageId]);
  return { ...presentMessage(row), ...presentEntries(entries.get(messageId)) };
}

function presentEntries(text: string | undefined): JsonObject {
  if (text === undefined) return NO_ENTRIES;
  const { entries, leftOut } = parseStoredEntries(text);
  return { entries, entriesLeftOut: leftOut };
}

/** Far more than a database stores in a millisecond. */
const MESSAGES_PER_MS_MAX = 1_000;

/** Without its entries. */
export function presentMessage(row: SupplyMessageRow) {
  const { messageId, source, kind, receivedAtMs, verdict, revision, changed, unchanged } = row;
  const { warnings, errors } = mistakesOf(row);
  return {
    messageId,
    source,
    kind,
    receivedAt: instant(receivedAtMs),
    verdict,
    revision,
    changed,
    unchanged,
    warnings: presentErrors(warnings),
    warningCount: warnings.count,
    errors: presentErrors(errors),
    errorCount: errors.count,
  };
}

/** The warnings and errors of a message, with their reasons as codes. */
export function mistakesOf({ kind, detail }: Pick<SupplyMessageRow, 'kind' | 'detail'>): {
  readonly warnings: NotedErrors;
  readonly errors: NotedErrors;
} {
  const { note, refused, refusals, hidden, setByHand = [] } = JSON.parse(detail) as MessageDetail;
  const hiding = presentHidden(hidden === undefined ? {} : { hidden }, placeIn(kind));
  return {
    warnings: joinAll(presentSetByHand({ setByHand }), note.warnings, hiding),
    errors: joinAll(note.errors, presentRefusals({ refused, refusals }, placeIn(kind))),
  };
}

function joinAll(...all: readonly (NotedErrors | undefined)[]): NotedErrors {
  const given = all.filter((one) => one !== undefined);
  return {
    count: given.reduce((sum, { count }) => sum + count, 0),
    named: given.flatMap(({ named }) => named),
  };
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
