/** What the operator's systems read back: a property with its layers, and what arrived. */
import { formatLocalDate } from '../../domain/local-date.ts';
import { presentSetting } from '../../storage/layers/provenance.ts';
import { traceProperty } from '../../storage/layers/trace-property.ts';
import type {
  LayeredStored,
  SaidOfProperty,
  SupplyMessageRow,
  SupplyRefusal,
} from '../../storage/port/supply-store.ts';
import type { JsonObject } from '../native/document-fields.ts';
import { formatEntry } from '../native/format-property-document.ts';
import { rangesOf, showLayer } from '../native/shown-document.ts';
import { describeRefusals, type MessageNote, type RefusalPlace } from './supply-result.ts';
import type { Mistakes } from './message-errors.ts';

/** With the document as its source wrote it, the layers, what partners see, and who set what; `said` is newest first. */
export function presentLayered(layered: LayeredStored, said: readonly SaidOfProperty[]): JsonObject {
  const { stored, layers, confirmations } = layered;
  const traces = traceProperty(layered, said);
  const { property, source, revision, changedAtMs } = stored;
  return {
    propertyId: property.propertyId,
    source,
    revision,
    changedAt: instant(changedAtMs),
    document: showLayer(layered, source),
    layers: layers.map((layer) => ({
      inventoryTypeId: layer.inventoryTypeId,
      source: layer.source,
      changedAt: instant(layer.changedAtMs),
      calendar: rangesOf(layer).map(formatEntry),
    })),
    calendars: property.inventoryTypes.map(({ inventoryTypeId, priceSource = source }, index) => ({
      inventoryTypeId,
      priceSource,
      calendar: rangesOf(stored.calendars[index]!).map(formatEntry),
      setBy: traces[index]!.map(({ from, to, settings }) => ({
        ...{ dateFrom: formatLocalDate(from), dateTo: formatLocalDate(to) },
        settings: settings.map(presentSetting),
      })),
    })),
    confirmed: confirmations.map((one) => ({ source: one.source, at: instant(one.confirmedAtMs) })),
  };
}

interface MessageDetail {
  readonly note: Partial<MessageNote>;
  readonly refused: number;
  readonly refusals: readonly SupplyRefusal[];
}

export function presentMessage(row: SupplyMessageRow): JsonObject {
  const { messageId, source, kind, receivedAtMs, verdict, revision, changed, unchanged } = row;
  const { note, refused, refusals } = JSON.parse(row.detail) as MessageDetail;
  const place: RefusalPlace = (position) => `/${kind === 'ari' ? 'values' : 'entries'}/${position}`;
  return {
    ...{ messageId, source, kind, receivedAt: instant(receivedAtMs), verdict, revision, changed, unchanged },
    warnings: namedOf(note.warnings),
    errors: [...namedOf(note.errors), ...describeRefusals({ refused, refusals }, place).named],
  };
}

function namedOf(mistakes: Mistakes | undefined): Mistakes['named'] {
  return mistakes?.named ?? [];
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
