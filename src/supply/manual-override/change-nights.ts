/**
 * Manual overrides: nights that people close or price, in a layer of their own that no other system writes. Prices of a
 * type that a file prices go to the layer of the file.
 */
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { type AnyField, isPrice } from '../../domain/calendar-fields.ts';
import { MANUAL_SOURCE } from '../../domain/layers.ts';
import type { EntryFields } from '../../domain/calendar.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { formatPropertyChange } from '../../domain/ledger/property-change.ts';
import type { StoredLayer, SupplyMessage, SupplyOutcome, SupplyWork } from '../../domain/ledger/message.ts';
import { keepChanges } from '../messages/message-body.ts';
import { applyOwnMessage, makeOwnMessage, type NightsDeps } from '../messages/receive-message.ts';
import { SupplyPreview, type TypeDifference } from './supply-preview.ts';

/** The kind of the messages of the action `set`, in whichever layer. */
export const SET_KIND = 'set';

export interface NightsChangeOptions {
  readonly action: 'close' | 'open' | typeof SET_KIND;
  /** Fields for the action `set`; null clears a field. */
  readonly set?: EntryFields;
  /** The layer that takes the prices of `set` (`findPriceLayer`); `manual` unless given. */
  readonly priceLayer?: string;
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
  const messages = messagesOf(deps, options);
  const preview = new SupplyPreview(deps.storage);
  const outcomes: SupplyOutcome[] = [];
  for (const message of messages) outcomes.push(await preview.take(message));
  const differences = preview.differences();
  const closedElsewhere = closedByOthers(preview.layersOf(options.propertyId), options);
  if (!options.dryRun)
    for (const [index, message] of messages.entries())
      outcomes[index] = await applyOwnMessage(deps.storage, message);
  return { outcome: joinOutcomes(outcomes), differences, closedElsewhere };
}

function joinOutcomes([first, ...others]: readonly SupplyOutcome[]): SupplyOutcome {
  return others.reduce(
    (sum, one) => ({
      ...one,
      changed: sum.changed + one.changed,
      unchanged: sum.unchanged + one.unchanged,
      refused: sum.refused + one.refused,
      refusals: [...sum.refusals, ...one.refusals],
      hidden: [...(sum.hidden ?? []), ...(one.hidden ?? [])],
    }),
    first!,
  );
}

/** One for each layer: prices first, so that what fails between them is seen to be missing. */
function messagesOf(deps: NightsDeps, options: NightsChangeOptions): readonly SupplyMessage[] {
  const { action, set = { stopSell: action === 'close' ? 1 : null }, priceLayer = MANUAL_SOURCE } = options;
  if (priceLayer === MANUAL_SOURCE) return [messageOf(deps, options, MANUAL_SOURCE, set)];
  const fields = Object.entries(set) as [AnyField, unknown][];
  const prices = fields.filter(([field]) => isPrice(field));
  // A price that is taken back must not come to light in the other layer.
  const others = fields.filter(([field, value]) => !isPrice(field) || value === null);
  return [
    ...(prices.length > 0 ? [messageOf(deps, options, priceLayer, Object.fromEntries(prices))] : []),
    ...(others.length > 0 ? [messageOf(deps, options, MANUAL_SOURCE, Object.fromEntries(others))] : []),
  ];
}

function messageOf(
  deps: NightsDeps,
  { action, propertyId, from, to, inventoryTypeIds }: NightsChangeOptions,
  source: string,
  set: EntryFields,
): SupplyMessage {
  const entry = { from, to, set };
  const types = inventoryTypeIds.map((inventoryTypeId, index) => ({
    inventoryTypeId,
    replaces: false,
    entries: [entry],
    positions: [index],
  }));
  const changes = [formatPropertyChange({ propertyId, types })];
  const { horizonNights } = deps;
  // Prices by hand do not show that the source still speaks.
  const isConfirming = source === MANUAL_SOURCE;
  const scope = { propertyIds: [propertyId], isPartial: false, isConfirming, horizonNights };
  const work: SupplyWork = { kind: 'calendars', changes, ...scope };
  const kept = keepChanges(propertyId, types);
  return makeOwnMessage(deps, { source, kind: action, work, entries: kept });
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
