/** A feed as a source of supply: the layer that it keeps, and the messages that replace or confirm it. */
import { calendarOfLayer } from '../../domain/ledger/message.ts';
import { Wrong } from '../../domain/wrong.ts';
import { FEED_SOURCE_PREFIX } from '../../domain/layers.ts';
import { done, type Outcome, refuseProperty, refuseType } from '../../domain/outcome.ts';
import type { NightRuns } from '../../domain/night-runs.ts';
import { formatPropertyChange } from '../../domain/ledger/property-change.ts';
import type { SupplyOutcome, SupplyWork, TypeChange } from '../../domain/ledger/message.ts';
import type { SupplyStore } from '../../storage/supply/store.ts';
import { keepChanges } from '../messages/message-body.ts';
import { RETIREMENT_KIND } from '../sources/retire-source.ts';
import { applyOwnMessage, makeOwnMessage, type NightsDeps } from '../messages/receive-message.ts';

/** The nights of an inventory type, and the source that closes them. */
export interface LayerName {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
  readonly source: string;
}

export const ICAL_KIND = 'ical';

export function sourceOfFeed(feedId: string): string {
  return `${FEED_SOURCE_PREFIX}${feedId}`;
}

export interface FoundLayer {
  readonly timezone: string;
  readonly closed: NightRuns;
}

/** The nights that the source closes now. */
export async function findLayer(
  { storage }: { readonly storage: Pick<SupplyStore, 'findLayers'> },
  name: LayerName,
): Promise<Outcome<FoundLayer>> {
  const { propertyId, inventoryTypeId, source } = name;
  const layered = await storage.findLayers(propertyId);
  if (layered === undefined) return refuseProperty(propertyId);
  const { property } = layered.stored;
  const refused = refuseType(property, inventoryTypeId);
  if (refused !== undefined) return refused;
  const closed = calendarOfLayer(layered.layers, source, inventoryTypeId).stopSell;
  return done({ timezone: property.timezone, closed });
}

/** From now on the source closes these nights and no others. */
export function replaceLayer(deps: NightsDeps, name: LayerName, closed: NightRuns): Promise<SupplyOutcome> {
  return send(deps, name, [closing(name, closed, true)]);
}

/** The source closes these nights too. The calendar is held back, so it confirms nothing. */
export function extendLayer(deps: NightsDeps, name: LayerName, closed: NightRuns): Promise<SupplyOutcome> {
  return send(deps, name, [closing(name, closed, false)], false);
}

function closing({ inventoryTypeId }: LayerName, closed: NightRuns, replaces: boolean): TypeChange {
  const entries = closed.map(({ from, until }) => ({ from, to: until - 1, set: { stopSell: 1 } }));
  return { inventoryTypeId, replaces, entries, positions: entries.map((_entry, position) => position) };
}

/** From now on the source closes nothing, nor when a property that is withdrawn returns, or a type that it has no longer. */
export async function dropLayer(deps: NightsDeps, name: LayerName): Promise<void> {
  const { propertyId, source } = name;
  const { verdict } = await replaceLayer(deps, name, []);
  if (verdict !== 'refused') return;
  const work = { kind: 'retirement', propertyIds: [propertyId], isLast: true } as const;
  await applyOwnMessage(deps.storage, makeOwnMessage(deps, { source, kind: RETIREMENT_KIND, work }));
}

/** The layer is still what the feed says. */
export function confirmLayer(deps: NightsDeps, name: LayerName): Promise<SupplyOutcome> {
  return send(deps, name, []);
}

function send(
  deps: NightsDeps,
  { propertyId, source }: LayerName,
  types: readonly TypeChange[],
  isConfirming = true,
): Promise<SupplyOutcome> {
  const changes = [formatPropertyChange({ propertyId, types })];
  const { horizonNights } = deps;
  const scope = { propertyIds: [propertyId], isPartial: false, isConfirming, horizonNights };
  const work: SupplyWork = { kind: 'calendars', changes, ...scope };
  return applyOwnMessage(
    deps.storage,
    makeOwnMessage(deps, { source, kind: ICAL_KIND, work, entries: keepChanges(propertyId, types) }),
  );
}

/** Why a message was not applied; undefined when it was. */
export function refusalOf(
  { verdict }: SupplyOutcome,
  { propertyId, inventoryTypeId }: LayerName,
): Wrong | undefined {
  if (verdict === 'applied') return undefined;
  return new Wrong('layerGone', { propertyId, typeId: inventoryTypeId });
}
