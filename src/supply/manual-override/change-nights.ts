/** Manual overrides: nights that people close or price, in a layer of their own that no other system writes. */
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { MANUAL_SOURCE } from '../../domain/layers.ts';
import type { EntryFields } from '../../domain/calendar.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { formatPropertyChange } from '../../domain/ledger/property-change.ts';
import type { StoredLayer, SupplyMessage, SupplyOutcome, SupplyWork } from '../../domain/ledger/message.ts';
import { keepChanges } from '../messages/message-body.ts';
import { applyOwnMessage, makeOwnMessage, type NightsDeps } from '../messages/receive-message.ts';
import { SupplyPreview, type TypeDifference } from './supply-preview.ts';

export interface NightsChangeOptions {
  readonly action: 'close' | 'open' | 'set';
  /** Fields for the action `set`; null clears a field. */
  readonly set?: EntryFields;
  readonly propertyId: string;
  readonly inventoryTypeIds: readonly string[];
  /** Both nights included. */
  readonly from: EpochDay;
  readonly to: EpochDay;
  readonly dryRun: boolean;
}

/** Nights that another source keeps closed. */
export interface ClosedNights {
  readonly inventoryTypeId: string;
  readonly source: string;
  readonly from: EpochDay;
  readonly to: EpochDay;
  readonly reason: 'stopSell' | 'availability';
}

export interface NightsChange {
  readonly outcome: SupplyOutcome;
  readonly differences: readonly TypeDifference[];
  /** Nights of the request that other sources keep closed. */
  readonly closedElsewhere: readonly ClosedNights[];
}

/** Resolves after the commit; a dry run writes nothing. */
export async function changeNights(deps: NightsDeps, options: NightsChangeOptions): Promise<NightsChange> {
  const message = messageOf(deps, options);
  const preview = new SupplyPreview(deps.storage);
  const foreseen = await preview.take(message);
  const differences = preview.differences();
  const closedElsewhere = closedByOthers(preview.layersOf(options.propertyId), options);
  if (options.dryRun) return { outcome: foreseen, differences, closedElsewhere };
  return { outcome: await applyOwnMessage(deps.storage, message), differences, closedElsewhere };
}

function messageOf(deps: NightsDeps, options: NightsChangeOptions): SupplyMessage {
  const { action, propertyId, from, to, inventoryTypeIds } = options;
  const { set = { stopSell: action === 'close' ? 1 : null } } = options;
  const entry = { from, to, set };
  const types = inventoryTypeIds.map((inventoryTypeId, index) => ({
    inventoryTypeId,
    replaces: false,
    entries: [entry],
    positions: [index],
  }));
  const changes = [formatPropertyChange({ propertyId, types })];
  const { horizonNights } = deps;
  const scope = { propertyIds: [propertyId], isPartial: false, horizonNights };
  const work: SupplyWork = { kind: 'calendars', changes, ...scope };
  const kept = keepChanges(propertyId, types);
  return makeOwnMessage(deps, { source: MANUAL_SOURCE, kind: action, work, entries: kept });
}

function closedByOthers(layers: readonly StoredLayer[], options: NightsChangeOptions): ClosedNights[] {
  const { inventoryTypeIds, from, to } = options;
  return layers
    .filter((layer) => layer.source !== MANUAL_SOURCE && inventoryTypeIds.includes(layer.inventoryTypeId))
    .flatMap((layer) => closedNightsOf(layer).filter((nights) => nights.to >= from && nights.from <= to))
    .map((nights) => ({ ...nights, from: Math.max(from, nights.from), to: Math.min(to, nights.to) }));
}

function closedNightsOf({ inventoryTypeId, source, nights, rates }: StoredLayer): ClosedNights[] {
  const { stopSell, availability } = decodeCalendar(nights, rates);
  const closed: ClosedNights[] = [];
  const stopped = stopSell
    .filter(({ value }) => value === 1)
    .map((run) => ({ ...run, reason: 'stopSell' as const }));
  const soldOut = availability
    .filter(({ value }) => value === 0)
    .map((run) => ({ ...run, reason: 'availability' as const }));
  for (const { from, until, reason } of [...stopped, ...soldOut]) {
    closed.push({ inventoryTypeId, source, from, to: until - 1, reason });
  }
  return closed;
}
