/** Counts the connections by state every few seconds, for the metrics: each process does, and all get the same. */
import type { ConnectionStore } from '../../storage/connections/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import { repeat, type RepeatLogger } from '../../storage/tasks/repeat.ts';
import { CONNECTION_STATES, type ConnectionCondition, conditionOf } from './connection-view.ts';

export interface ConnectionSummary {
  readonly counts: Readonly<Record<ConnectionCondition, number>>;
  /** Since the last good read of the type that was read longest ago; null without a mapped type. */
  readonly ageSeconds: number | null;
}

export interface ConnectionWatch {
  /** As of the last look. */
  state(): ConnectionSummary;
  stop(): Promise<void>;
}

export interface ConnectionWatchDeps {
  readonly storage: Pick<ConnectionStore, 'listConnections' | 'listConnectedRooms'>;
  readonly clock: Clock;
  readonly logger: RepeatLogger;
  /** For tests. */
  readonly lookMs?: number;
}

const LOOK_MS = 5_000;

export function watchConnections({
  storage,
  clock,
  logger,
  lookMs = LOOK_MS,
}: ConnectionWatchDeps): ConnectionWatch {
  let state = summarize([], [], 0);
  const looks = repeat({
    name: 'count connections',
    everyMs: lookMs,
    firstMs: 0,
    logger,
    async round() {
      const connections = await storage.listConnections();
      // Most installations have none, and this is asked every few seconds.
      const rooms = connections.length === 0 ? [] : await storage.listConnectedRooms();
      state = summarize(connections, rooms, clock());
    },
  });
  return { state: () => state, stop: looks.stop };
}

function summarize(
  connections: Awaited<ReturnType<ConnectionStore['listConnections']>>,
  rooms: Awaited<ReturnType<ConnectionStore['listConnectedRooms']>>,
  nowMs: number,
): ConnectionSummary {
  const counts = Object.fromEntries(CONNECTION_STATES.map((name) => [name, 0])) as Record<
    ConnectionCondition,
    number
  >;
  const byName = Map.groupBy(rooms, ({ name }) => name);
  for (const connection of connections)
    counts[conditionOf(connection, byName.get(connection.name) ?? [], nowMs)] += 1;
  const readAtMs = rooms.map((room) => room.readAtMs ?? room.mappedAtMs);
  const oldestMs = readAtMs.reduce((least, atMs) => Math.min(least, atMs), Infinity);
  return {
    counts,
    ageSeconds: rooms.length === 0 ? null : Math.max(0, Math.round((nowMs - oldestMs) / 1_000)),
  };
}
