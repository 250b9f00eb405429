/**
 * Closes properties whose sources have been silent for `maxSupplyAgeHours`, and reopens them when a source confirms
 * them.
 *
 * The closing is a layer like any other (`SUPPLY_AGE_SOURCE`): one process writes it, all follow it, and search,
 * availability, quotes and explanations agree. A confirmation of a property reopens it in the same transaction
 * (`storage/supply/supply-plan.ts`); the sweep only reopens after a confirmation of everything that a source has. A
 * property confirmed between the sweep's read and its write is left alone (`ifConfirmedAtMs`).
 */
import { EPOCH_DAY_MAX, EPOCH_DAY_MIN, HOUR_MS } from '../../domain/local-date.ts';
import { SUPPLY_AGE_SOURCE } from '../../domain/layers.ts';
import { formatPropertyChange } from '../../domain/ledger/property-change.ts';
import type { CatalogueStore } from '../../storage/catalogue/store.ts';
import type { SupplyAgeLimit, SupplyStore } from '../../storage/supply/store.ts';
import { applyOwnMessage, makeOwnMessage, type MessageDeps } from '../messages/receive-message.ts';

/** Properties per read: about a millisecond. */
export const PROPERTIES_PER_SLICE = 500;
const ALL_NIGHTS = { from: EPOCH_DAY_MIN, to: EPOCH_DAY_MAX };

export interface CloseSilentDeps extends MessageDeps {
  readonly storage: Pick<SupplyStore, 'listSupplyAgeLimits' | 'applySupply'> &
    Pick<CatalogueStore, 'findProperty'>;
  readonly horizonNights: number;
}

export interface SliceResult {
  /** Where to continue; undefined after the last property. */
  readonly lastId: string | undefined;
  readonly closedIds: readonly string[];
  readonly openedIds: readonly string[];
  /** Properties of the slice that are closed now. */
  readonly closedCount: number;
}

/** One slice of the sweep; resolves after the commit. */
export async function closeSilentSlice(deps: CloseSilentDeps, afterId: string): Promise<SliceResult> {
  const { limits, lastId } = await deps.storage.listSupplyAgeLimits(afterId, PROPERTIES_PER_SLICE);
  const nowMs = deps.clock();
  const isSilent = (limit: SupplyAgeLimit): boolean =>
    nowMs - limit.confirmedAtMs >= limit.maxSupplyAgeHours * HOUR_MS;
  const turned = limits.filter((limit) => isSilent(limit) !== limit.isClosed);
  const turnedIds = turned.length > 0 ? await turn(deps, turned) : new Set<string>();
  const idsOf = (wasClosed: boolean): string[] =>
    turned
      .filter(({ propertyId, isClosed }) => isClosed === wasClosed && turnedIds.has(propertyId))
      .map(({ propertyId }) => propertyId);
  const isClosedNow = ({ propertyId, isClosed }: SupplyAgeLimit): boolean =>
    isClosed !== turnedIds.has(propertyId);
  return {
    lastId,
    closedIds: idsOf(false),
    openedIds: idsOf(true),
    closedCount: limits.filter(isClosedNow).length,
  };
}

/**
 * Closes open properties and opens closed ones with a message of our own, listed like any other. Returns the properties
 * that it turned: those that no source has confirmed since the read.
 */
async function turn(deps: CloseSilentDeps, turned: readonly SupplyAgeLimit[]): Promise<ReadonlySet<string>> {
  const changes: Uint8Array[] = [];
  const propertyIds: string[] = [];
  const ifConfirmedAtMs: number[] = [];
  for (const { propertyId, isClosed, confirmedAtMs } of turned) {
    const stored = await deps.storage.findProperty(propertyId);
    // Withdrawn since the read.
    if (stored === undefined) continue;
    const entries = isClosed ? [] : [{ ...ALL_NIGHTS, set: { stopSell: 1 } }];
    const types = stored.property.inventoryTypes.map(({ inventoryTypeId }) => ({
      inventoryTypeId,
      replaces: true,
      entries,
      positions: entries.map(() => 0),
    }));
    changes.push(formatPropertyChange({ propertyId, types }));
    propertyIds.push(propertyId);
    ifConfirmedAtMs.push(confirmedAtMs);
  }
  const { horizonNights } = deps;
  const scope = { propertyIds, ifConfirmedAtMs, isPartial: true, horizonNights };
  const work = { kind: 'calendars', changes, ...scope } as const;
  const message = makeOwnMessage(deps, { source: SUPPLY_AGE_SOURCE, kind: 'supply-age', work });
  const { refusals } = await applyOwnMessage(deps.storage, message);
  const turnedIds = new Set(propertyIds);
  for (const { propertyId } of refusals) turnedIds.delete(propertyId);
  return turnedIds;
}
