/** The reason against a mapping of a room, for those who map by hand or by a file. */
import { connectionOf } from '../../domain/layers.ts';
import { type Told, Wrong } from '../../domain/wrong.ts';
import type { ConnectionStore } from '../../storage/connections/store.ts';
import type { SupplyMapping, SupplyStore } from '../../storage/supply/store.ts';
import { findCurrencyProblem } from './map-rooms.ts';

/** Undefined for mappings of other sources, and for those that may stand. */
export async function findRoomProblem(
  storage: Pick<ConnectionStore, 'findConnection'> & Pick<SupplyStore, 'findLayers' | 'listSupplyMappings'>,
  { source, externalKey, propertyId, inventoryTypeId }: SupplyMapping,
): Promise<Told | undefined> {
  const of = connectionOf(source);
  if (of === undefined) return undefined;
  const connection = await storage.findConnection(of.name);
  if (connection === undefined) return new Wrong('unknownConnection', { name: JSON.stringify(of.name) });
  const room = connection.rooms.find((one) => one.room === externalKey);
  if (room === undefined)
    return new Wrong('unknownRoom', { room: JSON.stringify(externalKey), name: of.name });
  const layered = await storage.findLayers(propertyId);
  if (layered === undefined) return new Wrong('unknownProperty', { id: JSON.stringify(propertyId) });
  const others = await storage.listSupplyMappings();
  const other = others.find(
    (one) =>
      connectionOf(one.source) !== undefined &&
      one.propertyId === propertyId &&
      one.inventoryTypeId === inventoryTypeId &&
      !(one.externalKey === externalKey && connectionOf(one.source)!.name === of.name),
  );
  if (other !== undefined)
    return new Wrong('typeConnected', { room: other.externalKey, source: other.source });
  return findCurrencyProblem(room, layered);
}
