/**
 * One consistent view of the whole database: a REPEATABLE READ transaction on a connection of its own. Writers go on
 * meanwhile.
 */
import type { ClientBase } from 'pg';
import { PropertyBatches, type RowValues } from './property-rows.ts';
import type { FollowedProperty, Snapshot } from './store.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import type { HistoryMark } from '../history/revision.ts';
import { readByCursor } from '../engine/postgres/cursor.ts';
import { selectHistory } from '../history/postgres.ts';
import type { Session } from '../engine/postgres/session.ts';
import { toStorageError } from '../engine/postgres/postgres-errors.ts';

/** Both keep the pause that a batch makes to a few milliseconds. */
const BATCH_LIMITS = { propertiesMax: 250, msMax: 3 };

/** How long the reader may take between two batches. */
const IDLE_MS_MAX = 10 * 60 * 1000;

const PROPERTIES = `
  SELECT p.property_id, p.revision, t.nights, t.rates,
    CASE t.position WHEN 0 THEN p.lowest_rates END, CASE t.position WHEN 0 THEN p.document END
  FROM properties p JOIN inventory_types t ON t.property_id = p.property_id
  WHERE p.withdrawn = 0
  ORDER BY p.property_id, t.position`;

export interface OpenSnapshot extends Snapshot {
  /** Resolves when it has been closed: until then the connection belongs to it. */
  readonly closed: Promise<void>;
}

export async function beginSnapshot(client: ClientBase, known: HistoryMark): Promise<OpenSnapshot> {
  await client.query(`
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS_MAX}`);
  const history = await selectHistory(client, known).catch(async (error: unknown) => {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  });
  const closed = Promise.withResolvers<void>();
  let isClosed = false;
  let underway: Promise<unknown> = Promise.resolve();

  /** One statement at a time: a connection has no second. */
  function read<T>(work: () => Promise<T>): Promise<T> {
    const turn = underway.then(async () => {
      if (isClosed) throw new StorageUnavailable('the snapshot has been closed');
      return work().catch((error: unknown) => {
        throw toStorageError(error);
      });
    });
    underway = turn.catch(() => undefined);
    return turn;
  }

  async function* readProperties(): AsyncGenerator<readonly FollowedProperty[]> {
    const fetches = readByCursor<RowValues>(client, PROPERTIES);
    try {
      yield* batchProperties(() => read(() => fetches.next()));
    } finally {
      await read(() => fetches.return()).catch(() => undefined);
    }
  }

  return {
    history,
    closed: closed.promise,
    readProperties,
    async close() {
      await read(async () => {
        isClosed = true;
        await client.query('COMMIT');
      }).catch(() => undefined);
      closed.resolve();
    },
  };
}

type NextRows = () => Promise<IteratorResult<readonly RowValues[], void>>;

/** The types of a property may be in several fetches. The server looks for the next rows while these are worked on. */
async function* batchProperties(next: NextRows): AsyncGenerator<readonly FollowedProperty[]> {
  const batches = new PropertyBatches(BATCH_LIMITS);
  for (let ahead = next(); ;) {
    const { value: rows } = await ahead;
    if (rows === undefined) break;
    ahead = next();
    // A caller that awaits it gets the rejection; one that stopped before has no use for it.
    ahead.catch(() => undefined);
    yield* batches.add(rows);
  }
  yield* batches.rest();
}

/** The connection is lent until the snapshot is closed. */
export function lendSnapshot(session: Session, known: HistoryMark, onClose: () => void): Promise<Snapshot> {
  return new Promise((resolve, reject) => {
    session
      .run(async (client) => {
        const snapshot = await beginSnapshot(client, known);
        resolve(snapshot);
        await snapshot.closed;
        onClose();
      })
      .catch(reject);
  });
}
