/** Maps rooms as a person chose them, several at once: all of the changes are written, or none. */
import { connectionOf, sourceOfConnection } from '../../domain/layers.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import { type Told, Wrong } from '../../domain/wrong.ts';
import type { Connection } from '../../storage/connections/store.ts';
import type { SupplyMapping } from '../../storage/supply/store.ts';
import { onAccount } from './connection-changes.ts';
import type { MappedType } from './connection-view.ts';
import { findCurrencyProblem, type MapDeps } from './map-rooms.ts';
import { listMappings, settleMappings } from './mapped-rooms.ts';

export interface ChosenRoom {
  readonly room: string;
  /** Null: its mapping ends. */
  readonly type: MappedType | null;
  readonly withPrices: boolean;
}

export interface SavedRooms {
  readonly name: string;
  readonly mapped: number;
  readonly ended: number;
  /** By room, what is wrong; nothing was written then. */
  readonly problems: ReadonlyMap<string, Told>;
}

/** Rooms that are not among `chosen`, or chosen as they are, stay. The account is read at once. */
export function saveRooms(
  deps: MapDeps,
  name: string,
  chosen: readonly ChosenRoom[],
): Promise<Outcome<SavedRooms>> {
  return onAccount(deps, name, async (connection) => {
    const before = await listMappings(deps, name);
    const changed = chosen.filter((one) => !isSame(before.get(one.room), mappingOf(name, one)));
    const problems = await findProblems(deps, connection, changed);
    const saved = {
      name,
      mapped: changed.filter(({ type }) => type !== null).length,
      ended: changed.filter(({ type }) => type === null).length,
      problems,
    };
    if (problems.size > 0 || changed.length === 0) return done(saved);
    for (const { room } of changed) {
      const mapping = before.get(room);
      if (mapping !== undefined) await deps.storage.deleteSupplyMapping(mapping.source, room);
    }
    await deps.storage.putSupplyMappings(
      changed.map((one) => mappingOf(name, one)).filter((mapping) => mapping !== undefined),
    );
    await settleMappings(deps, connection);
    await deps.storage.saveConnectionState(name, { ...connection, nextPollAtMs: deps.clock() });
    return done(saved);
  });
}

function mappingOf(name: string, { room, type, withPrices }: ChosenRoom): SupplyMapping | undefined {
  return type === null
    ? undefined
    : { source: sourceOfConnection(name, { withPrices }), externalKey: room, ...type };
}

function isSame(one: SupplyMapping | undefined, other: SupplyMapping | undefined): boolean {
  return (
    one?.source === other?.source &&
    one?.propertyId === other?.propertyId &&
    one?.inventoryTypeId === other?.inventoryTypeId
  );
}

/** A type has one room of one connection, as it would be after all changes. */
async function findProblems(
  { storage }: MapDeps,
  { name, rooms }: Connection,
  changed: readonly ChosenRoom[],
): Promise<ReadonlyMap<string, Told>> {
  const changing = new Set(changed.map(({ room }) => room));
  const taken = new Map<string, { readonly source: string; readonly room: string }>();
  for (const { source, externalKey: room, ...type } of await storage.listSupplyMappings()) {
    const of = connectionOf(source);
    if (of !== undefined && !(of.name === name && changing.has(room)))
      taken.set(keyOf(type), { source, room });
  }
  const problems = new Map<string, Told>();
  for (const { room, type, withPrices } of changed) {
    const known = rooms.find((one) => one.room === room);
    if (known === undefined && type !== null)
      problems.set(room, new Wrong('unknownRoom', { room: JSON.stringify(room), name }));
    if (known === undefined || type === null) continue;
    const other = taken.get(keyOf(type));
    const layered = await storage.findLayers(type.propertyId);
    const isType = layered?.stored.property.inventoryTypes.some(
      ({ inventoryTypeId }) => inventoryTypeId === type.inventoryTypeId,
    );
    const problem =
      other !== undefined
        ? new Wrong('typeConnected', other)
        : layered === undefined || isType !== true
          ? new Wrong('unknownProperty', { id: JSON.stringify(type.propertyId) })
          : findCurrencyProblem(known, layered);
    if (problem === undefined)
      taken.set(keyOf(type), { source: sourceOfConnection(name, { withPrices }), room });
    else problems.set(room, problem);
  }
  return problems;
}

function keyOf({ propertyId, inventoryTypeId }: MappedType): string {
  return `${propertyId}\n${inventoryTypeId}`;
}
