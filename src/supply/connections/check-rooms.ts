/** Whether rooms may be mapped so: each type to one room of all connections, in its own currency. */
import { connectionOf } from '../../domain/layers.ts';
import { refuseProperty, refuseType } from '../../domain/outcome.ts';
import { type Told, Wrong } from '../../domain/wrong.ts';
import type { Connection, ConnectionStore, StoredRoom } from '../../storage/connections/store.ts';
import type { LayeredStored, SupplyMapping, SupplyStore } from '../../storage/supply/store.ts';
import { listMappings } from './mapped-rooms.ts';

type CheckStore = Pick<ConnectionStore, 'listConnections'> &
  Pick<SupplyStore, 'findLayers' | 'listSupplyMappings'>;

/** The reason against a mapping; undefined for mappings of other sources, and for those that may stand. */
export type CheckRoom = (mapping: SupplyMapping) => Promise<Told | undefined>;

interface Known {
  readonly connections: ReadonlyMap<string, Connection>;
  /** By type, the room that it is mapped to. */
  readonly taken: Map<string, SupplyMapping>;
}

/**
 * Those that passed count for the ones behind them; the mappings of rooms that `isEnding` end with them. What is mapped
 * is read once, with the first mapping of a connection.
 */
export function makeRoomCheck(
  storage: CheckStore,
  isEnding: (mapping: SupplyMapping) => boolean = () => false,
): CheckRoom {
  let reading: Promise<Known> | undefined;
  return async (mapping) => {
    const of = connectionOf(mapping.source);
    if (of === undefined) return undefined;
    const { connections, taken } = await (reading ??= readKnown(storage, isEnding));
    const connection = connections.get(of.name);
    if (connection === undefined) return new Wrong('unknownConnection', { name: JSON.stringify(of.name) });
    const room = connection.rooms.find((one) => one.room === mapping.externalKey);
    if (room === undefined)
      return new Wrong('unknownRoom', { room: JSON.stringify(mapping.externalKey), name: of.name });
    const layered = await storage.findLayers(mapping.propertyId);
    const problem = findTypeProblem(mapping, layered, taken) ?? findCurrencyProblem(room, layered!);
    if (problem === undefined) taken.set(typeOf(mapping), mapping);
    return problem;
  };
}

async function readKnown(storage: CheckStore, isEnding: (mapping: SupplyMapping) => boolean): Promise<Known> {
  const connections = await storage.listConnections();
  const taken = new Map<string, SupplyMapping>();
  for (const { name } of connections)
    for (const mapping of (await listMappings({ storage }, name)).values())
      if (!isEnding(mapping)) taken.set(typeOf(mapping), mapping);
  return { connections: new Map(connections.map((one) => [one.name, one])), taken };
}

function findTypeProblem(
  mapping: SupplyMapping,
  layered: LayeredStored | undefined,
  taken: Known['taken'],
): Told | undefined {
  const { propertyId, inventoryTypeId, source, externalKey: room } = mapping;
  if (layered === undefined) return refuseProperty(propertyId).problem;
  const other = taken.get(typeOf(mapping));
  const isOther =
    other !== undefined &&
    !(other.externalKey === room && connectionOf(other.source)!.name === connectionOf(source)!.name);
  if (isOther) return new Wrong('typeConnected', { room: other.externalKey, source: other.source });
  return refuseType(layered.stored.property, inventoryTypeId)?.problem;
}

/** Undefined where the system does not say a currency. */
function findCurrencyProblem({ currency }: StoredRoom, { stored }: LayeredStored): Told | undefined {
  const ours = stored.property.currency;
  return currency === null || currency === ours
    ? undefined
    : new Wrong('roomCurrency', { theirs: currency, ours });
}

function typeOf({ propertyId, inventoryTypeId }: SupplyMapping): string {
  return `${propertyId}\n${inventoryTypeId}`;
}
