/** Maps rooms as a person chose them, several at once: all of the changes are written, or none. */
import { connectionOf, sourceOfConnection } from '../../domain/layers.ts';
import { done, type Outcome } from '../../domain/outcome.ts';
import type { Told } from '../../domain/wrong.ts';
import type { SupplyMapping } from '../../storage/supply/store.ts';
import { onAccount } from './connection-changes.ts';
import type { MappedType } from './connection-view.ts';
import { makeRoomCheck } from './check-rooms.ts';
import type { MapDeps } from './map-rooms.ts';
import { listMappings, takeMappings } from './mapped-rooms.ts';

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
    const problems = await findProblems(deps, name, changed);
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
    await takeMappings(deps, connection);
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

/** As it would be after all changes. */
async function findProblems(
  { storage }: MapDeps,
  name: string,
  changed: readonly ChosenRoom[],
): Promise<ReadonlyMap<string, Told>> {
  const ending = new Set(changed.map(({ room }) => room));
  const isEnding = ({ source, externalKey }: SupplyMapping): boolean =>
    connectionOf(source)!.name === name && ending.has(externalKey);
  const checkRoom = makeRoomCheck(storage, isEnding);
  const problems = new Map<string, Told>();
  for (const one of changed) {
    const mapping = mappingOf(name, one);
    const problem = mapping && (await checkRoom(mapping));
    if (problem !== undefined) problems.set(one.room, problem);
  }
  return problems;
}
