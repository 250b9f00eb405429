/** The connections of this database, as one kind of what is read by the clock. */
import type { Connection, ConnectionStore } from '../../storage/connections/store.ts';
import { type Poller, type PollerDeps, startPoller } from '../polling/poller.ts';
import { type ConnectionDeps, taskOfAccount } from './connection-deps.ts';
import { conditionOf, sumRooms } from './connection-view.ts';
import { readConnection, type ReadOutcome } from './read-connection.ts';

type Log = (fields: object, message: string) => void;

export interface ConnectionPollerDeps extends ConnectionDeps, Omit<PollerDeps, 'storage'> {
  readonly storage: ConnectionDeps['storage'] & Pick<ConnectionStore, 'listDueConnections'>;
  readonly logger: PollerDeps['logger'] & { readonly info: Log; readonly warn: Log };
  /** Reads by outcome, counted for the metrics. */
  readonly counts: Record<ReadOutcome, number>;
}

export function createReadCounts(): Record<ReadOutcome, number> {
  return { changed: 0, unchanged: 0, held: 0, failed: 0 };
}

export function startConnectionPoller(deps: ConnectionPollerDeps): Poller {
  const { storage, clock, logger, counts } = deps;
  return startPoller<Connection>(deps, {
    name: 'read connections',
    idOf: ({ name }) => name,
    taskOf: taskOfAccount,
    listDue: (nowMs, limit) => storage.listDueConnections(nowMs, limit),
    find: (name) => storage.findConnection(name),
    async poll(before, turn) {
      const conditionNow = async (connection: Connection) =>
        conditionOf(
          { ...connection, ...sumRooms(await storage.listConnectedRooms(connection.name)) },
          clock(),
        );
      const was = await conditionNow(before);
      const { outcome, connection, changed } = await readConnection(deps, before, turn);
      counts[outcome] += 1;
      const is = await conditionNow(connection);
      const fields = { connection: connection.name, kind: connection.kind, state: is };
      // One line per change of its state, and never a word of the provider's.
      if (is !== was && is === 'ok') logger.info(fields, 'connection is in order');
      else if (is !== was) logger.warn({ ...fields, reason: connection.failure }, 'connection needs a look');
      if (outcome === 'changed') logger.info({ ...fields, changed }, 'connection changed nights or prices');
    },
  });
}
