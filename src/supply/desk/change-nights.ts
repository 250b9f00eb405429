/** Closing nights by hand and taking that back: a layer of its own, so that no other system can open them again. */
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { MANUAL_SOURCE } from '../../domain/layers.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import { formatPropertyChange } from '../../storage/layers/property-change.ts';
import type {
  StoredLayer,
  SupplyMessage,
  SupplyOutcome,
  SupplyStore,
  SupplyWork,
} from '../../storage/port/supply-store.ts';
import { makeMessage } from '../messages/send-message.ts';
import { formatNote } from '../messages/supply-result.ts';
import { SupplyPreview, type TypeDifference } from './supply-preview.ts';

export interface NightsWish {
  readonly action: 'close' | 'open';
  readonly propertyId: string;
  readonly inventoryTypeIds: readonly string[];
  /** Both nights included. */
  readonly from: EpochDay;
  readonly to: EpochDay;
  readonly dryRun: boolean;
}

export interface DeskDeps {
  readonly storage: Pick<SupplyStore, 'applySupply' | 'findLayers'>;
  readonly clock: Clock;
  readonly newMessageId: (receivedAtMs: number) => string;
  readonly horizonNights: number;
}

/** Nights that a source keeps closed. */
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
  /** Of the nights named, what other sources keep closed. */
  readonly closedElsewhere: readonly ClosedNights[];
}

/** Resolves after the commit; a dry run writes nothing. */
export async function changeNights(deps: DeskDeps, wish: NightsWish): Promise<NightsChange> {
  const message = messageOf(deps, wish);
  const preview = new SupplyPreview(deps.storage);
  const foreseen = await preview.take(message);
  const differences = preview.differences();
  const closedElsewhere = closedByOthers(preview.layersOf(wish.propertyId), wish);
  if (wish.dryRun) return { outcome: foreseen, differences, closedElsewhere };
  const answer = await deps.storage.applySupply(message);
  if (answer.kind !== 'done') throw new Error('a message without a key has no other answer');
  return { outcome: answer.outcome, differences, closedElsewhere };
}

function messageOf(deps: DeskDeps, wish: NightsWish): SupplyMessage {
  const { action, propertyId, from, to, inventoryTypeIds } = wish;
  const entry = { from, to, set: { stopSell: action === 'close' ? 1 : null } };
  const types = inventoryTypeIds.map((inventoryTypeId, index) => ({
    ...{ inventoryTypeId, replaces: false, entries: [entry], positions: [index] },
  }));
  const changes = [formatPropertyChange({ propertyId, types })];
  const { horizonNights } = deps;
  const scope = { propertyIds: [propertyId], isPartial: false, horizonNights };
  const work: SupplyWork = { kind: 'calendars', changes, ...scope };
  const request = { source: MANUAL_SOURCE, idempotencyKey: null, target: '', bodyHash: '' };
  return makeMessage(deps, request, { kind: action, work, note: formatNote({}) });
}

function closedByOthers(layers: readonly StoredLayer[], wish: NightsWish): ClosedNights[] {
  const { inventoryTypeIds, from, to } = wish;
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
