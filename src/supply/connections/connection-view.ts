/** A connection for people and scripts, without secrets; instants are texts of RFC 3339. */
import { inEnglish, type Told } from '../../domain/wrong.ts';
import type {
  ConnectedRoom,
  Connection,
  ConnectionStore,
  ConnectionSummary,
  UnpricedNights,
} from '../../storage/connections/store.ts';
import type { SupplyMapping } from '../../storage/supply/store.ts';
import { setsPrices } from './mapped-rooms.ts';
import { CONNECTION_KINDS } from './connection-kinds.ts';

/** The first that holds: a key, right or clock is wrong; a type was not read for two intervals; and so on. */
export const CONNECTION_STATES = ['refused', 'late', 'failing', 'held', 'new', 'ok'] as const;
export type ConnectionCondition = (typeof CONNECTION_STATES)[number];

export interface ConnectionView extends Pick<Connection, 'name' | 'kind' | 'account'> {
  readonly state: ConnectionCondition;
  /** The problem of the last read; null: there is none. */
  readonly message: string | null;
  readonly lastReadAt: string | null;
  readonly nextReadAt: string;
  /** Mapped rooms, and rooms that are not. */
  readonly types: number;
  readonly unmapped: number;
  /** Types with nights that have no exact price. */
  readonly unpriced: number;
  /** Types whose last reading is held back. */
  readonly held: number;
}

export interface KindView {
  readonly kind: string;
  readonly key: readonly string[];
  readonly reads: readonly string[];
  readonly byHand: readonly string[];
  /** The provider's own, of which half is used. */
  readonly limit: string;
  readonly live: boolean;
}

export interface RoomView {
  readonly room: string;
  readonly name: string;
  readonly guests: number | null;
  readonly currency: string | null;
  readonly timezone: string | null;
  readonly propertyId: string | null;
  readonly inventoryTypeId: string | null;
  /** Whether its prices are taken; null: it is not mapped. */
  readonly prices: boolean | null;
  readonly suggested: MappedType | null;
  readonly unpriced: readonly UnpricedNights[];
  readonly byHand: readonly string[];
}

export interface MappedType {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
}

/** As `connection list` prints them. */
export async function listConnectionViews(
  storage: Pick<ConnectionStore, 'listConnections' | 'listConnectedRooms'>,
  nowMs: number,
): Promise<ConnectionView[]> {
  const connections = await storage.listConnections();
  const rooms = connections.length === 0 ? [] : await storage.listConnectedRooms();
  const own = Map.groupBy(rooms, ({ name }) => name);
  return connections.map((one) => viewConnection(one, own.get(one.name) ?? [], nowMs));
}

export function viewKinds(): KindView[] {
  return CONNECTION_KINDS.map(({ kind, keyParts, reads, byHand, limit, live }) => ({
    kind,
    key: keyParts.map(({ name }) => name),
    reads,
    byHand,
    limit: `${limit.calls} in ${limit.windowMs / 1_000} s`,
    live,
  }));
}

const SECOND_MS = 1_000;

export function conditionOf(
  { isRefused, failureWrong, everySeconds, polledAtMs, oldestReadAtMs, held }: Judged,
  nowMs: number,
): ConnectionCondition {
  if (isRefused) return 'refused';
  if (oldestReadAtMs !== null && nowMs - oldestReadAtMs >= 2 * everySeconds * SECOND_MS) return 'late';
  if (failureWrong !== null) return 'failing';
  if (held > 0) return 'held';
  return polledAtMs === null ? 'new' : 'ok';
}

type Judged = Pick<
  ConnectionSummary,
  'isRefused' | 'failureWrong' | 'everySeconds' | 'polledAtMs' | 'oldestReadAtMs' | 'held'
>;

/** As the storage sums the rooms of a connection. */
export function sumRooms(
  rooms: readonly ConnectedRoom[],
): Pick<ConnectionSummary, 'held' | 'oldestReadAtMs'> {
  const readAtMs = rooms.map((room) => room.readAtMs ?? room.mappedAtMs);
  return {
    held: rooms.filter(({ held }) => held !== null).length,
    oldestReadAtMs:
      rooms.length === 0 ? null : readAtMs.reduce((least, atMs) => Math.min(least, atMs), Infinity),
  };
}

export function viewConnection(
  connection: Connection,
  rooms: readonly ConnectedRoom[],
  nowMs: number,
): ConnectionView {
  const { name, kind, account, failureWrong, readAtMs, nextPollAtMs } = connection;
  const mapped = new Set(rooms.map(({ room }) => room));
  const summed = sumRooms(rooms);
  return {
    name,
    kind,
    account,
    state: conditionOf({ ...connection, ...summed }, nowMs),
    message: failureWrong === null ? null : inEnglish(failureWrong),
    lastReadAt: instant(readAtMs),
    nextReadAt: new Date(nextPollAtMs).toISOString(),
    types: rooms.length,
    unmapped: connection.rooms.filter(({ room }) => !mapped.has(room)).length,
    unpriced: rooms.filter((room) => setsPrices(room) && room.unpriced.some(({ isUsed }) => isUsed !== true))
      .length,
    held: summed.held,
  };
}

/** Rooms in the account's order, and behind them those that are mapped and gone. */
export function viewRooms(
  connection: Connection,
  connected: readonly ConnectedRoom[],
  mappings: ReadonlyMap<string, SupplyMapping>,
  suggested: ReadonlyMap<string, MappedType>,
): (RoomView & { readonly failure: Told | null })[] {
  const known = new Map(connection.rooms.map((one) => [one.room, one]));
  const states = new Map(connected.map((one) => [one.room, one]));
  // Those that are gone are last.
  return [...new Set([...known.keys(), ...mappings.keys()])].map((room) => {
    const listed = known.get(room);
    const own = states.get(room);
    const mapping = mappings.get(room);
    return {
      room,
      name: listed?.name ?? '',
      guests: listed?.guests ?? null,
      currency: listed?.currency ?? null,
      timezone: listed?.timezone ?? null,
      propertyId: mapping?.propertyId ?? null,
      inventoryTypeId: mapping?.inventoryTypeId ?? null,
      prices: mapping === undefined ? null : setsPrices(mapping),
      suggested: mapping === undefined ? (suggested.get(room) ?? null) : null,
      unpriced: own?.unpriced ?? [],
      byHand: listed?.byHand ?? [],
      failure: own?.failureWrong ?? null,
    };
  });
}

function instant(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
