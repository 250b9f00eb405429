/**
 * The rooms of a connection that are mapped, and those that were: a mapping that ends, in whatever way, deletes the
 * layer that it kept.
 */
import { connectionOf, sourceOfConnection } from '../../domain/layers.ts';
import type { Connection, ConnectedRoom, ConnectionStore } from '../../storage/connections/store.ts';
import type { SupplyMapping, SupplyStore } from '../../storage/supply/store.ts';
import type { NightsDeps } from '../messages/receive-message.ts';
import { dropLayer } from './connection-layer.ts';

export type MappingDeps = NightsDeps & {
  readonly storage: NightsDeps['storage'] &
    Pick<ConnectionStore, 'listConnectedRooms' | 'putConnectedRooms' | 'deleteConnectedRooms'> &
    Pick<SupplyStore, 'listSupplyMappings'>;
};

/** The names of its sources: with prices, and without. */
export function sourcesOf(name: string): readonly [string, string] {
  return [sourceOfConnection(name, { withPrices: true }), sourceOfConnection(name, { withPrices: false })];
}

/** The mappings of the connection; of two of one room, the one with prices. */
export async function listMappings(
  { storage }: { readonly storage: Pick<SupplyStore, 'listSupplyMappings'> },
  name: string,
): Promise<ReadonlyMap<string, SupplyMapping>> {
  const [priced, unpriced] = sourcesOf(name);
  const all = [
    ...(await storage.listSupplyMappings(unpriced)),
    ...(await storage.listSupplyMappings(priced)),
  ];
  return new Map(all.map((mapping) => [mapping.externalKey, mapping]));
}

/** Brings the stored rooms to what is mapped now. Returns them; call it as the one that works on the account. */
export async function settleMappings(
  deps: MappingDeps,
  { name }: Pick<Connection, 'name'>,
): Promise<readonly ConnectedRoom[]> {
  const mappings = await listMappings(deps, name);
  const stored = await deps.storage.listConnectedRooms(name);
  const isSame = (room: ConnectedRoom): boolean => {
    const mapping = mappings.get(room.room);
    return (
      mapping?.source === room.source &&
      mapping.propertyId === room.propertyId &&
      mapping.inventoryTypeId === room.inventoryTypeId
    );
  };
  const ended = stored.filter((room) => !isSame(room));
  for (const room of ended) {
    await dropLayer(deps, room.source, room);
    await deps.storage.deleteConnectedRooms(name, [room.room]);
  }
  const kept = stored.filter(isSame);
  const known = new Set(kept.map(({ room }) => room));
  const begun = [...mappings.values()]
    .filter(({ externalKey }) => !known.has(externalKey))
    .map((mapping) => newRoom(name, mapping, deps.clock()));
  if (begun.length > 0) await deps.storage.putConnectedRooms(begun);
  return [...kept, ...begun];
}

/** After a change of its mappings: a running service reads at once. Call it as the one that works on the account. */
export async function takeMappings(
  deps: MappingDeps & { readonly storage: Pick<ConnectionStore, 'saveConnectionState'> },
  connection: Connection,
): Promise<void> {
  await settleMappings(deps, connection);
  await deps.storage.saveConnectionState(connection.name, { ...connection, nextPollAtMs: deps.clock() });
}

function newRoom(
  name: string,
  { source, externalKey, propertyId, inventoryTypeId }: SupplyMapping,
  nowMs: number,
): ConnectedRoom {
  return {
    name,
    room: externalKey,
    source,
    propertyId,
    inventoryTypeId,
    mappedAtMs: nowMs,
    readAtMs: null,
    held: null,
    failureWrong: null,
    unpriced: [],
    isClosed: false,
  };
}

/** Whether the connection sets the type's prices. */
export function setsPrices({ source }: Pick<ConnectedRoom, 'source'>): boolean {
  return connectionOf(source)?.withPrices === true;
}
