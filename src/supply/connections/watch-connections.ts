/** Counts the connections by state every few seconds, for the metrics: each process does, and all get the same. */
import type { ConnectionStore, ConnectionSummary } from '../../storage/connections/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import { repeat, type RepeatLogger } from '../../storage/tasks/repeat.ts';
import { CONNECTION_STATES, type ConnectionCondition, conditionOf } from './connection-view.ts';

export interface ConnectionStates {
  readonly counts: Readonly<Record<ConnectionCondition, number>>;
  /** Since the last good read of the type that was read longest ago; null without a mapped type. */
  readonly ageSeconds: number | null;
}

export interface ConnectionWatch {
  /** As of the last look. */
  state(): ConnectionStates;
  stop(): Promise<void>;
}

export interface ConnectionWatchDeps {
  readonly storage: Pick<ConnectionStore, 'summarizeConnections'>;
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
  let state = countStates([], 0);
  const looks = repeat({
    name: 'count connections',
    everyMs: lookMs,
    firstMs: 0,
    logger,
    async round() {
      state = countStates(await storage.summarizeConnections(), clock());
    },
  });
  return { state: () => state, stop: looks.stop };
}

function countStates(connections: readonly ConnectionSummary[], nowMs: number): ConnectionStates {
  const counts = Object.fromEntries(CONNECTION_STATES.map((name) => [name, 0])) as Record<
    ConnectionCondition,
    number
  >;
  let oldestMs = Infinity;
  for (const connection of connections) {
    counts[conditionOf(connection, nowMs)] += 1;
    oldestMs = Math.min(oldestMs, connection.oldestReadAtMs ?? Infinity);
  }
  return {
    counts,
    ageSeconds: oldestMs === Infinity ? null : Math.max(0, Math.round((nowMs - oldestMs) / 1_000)),
  };
}
