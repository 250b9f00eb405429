/** The catalogue on PostgreSQL, except documents, which are written with the layers of supply. */
import type { ClientBase } from 'pg';
import type { PropertyDetails } from '../../domain/property-details.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createBatches } from '../engine/batches.ts';
import { textArray } from '../engine/postgres/binary-array.ts';
import { DECISION_BATCHES_AT_ONCE } from '../engine/postgres/connections.ts';
import type { Session } from '../engine/postgres/session.ts';
import { continueHistory, historyColumns, type HistoryRow } from '../history/history.ts';
import { NOTHING_READ } from '../history/revision.ts';
import { lendSnapshot } from './postgres-snapshot.ts';
import { applyWithdrawals } from './postgres-writes.ts';
import type {
  CatalogueStore,
  ChangeCursor,
  FollowedCatalogue,
  PropertyChanges,
  Snapshot,
  StoredProperty,
} from './store.ts';
import { pageOfChanges } from './change-cursor.ts';
import { collectChanges, type FollowedRow, type StoredRow, toStoredProperty } from './property-rows.ts';
import { type DetailsRow, parseDetails } from '../../domain/ledger/stored-document.ts';

const PROPERTIES_PER_BATCH_MAX = 20;

export interface PostgresCatalogue {
  readonly store: Pick<CatalogueStore, 'withdrawProperties' | 'findProperty' | 'findDetails'> &
    Omit<FollowedCatalogue, 'readHistory'>;
  /** Closes all open snapshots. */
  readonly closeSnapshots: () => Promise<unknown>;
}

export function postgresCatalogue(session: Session, clock: Clock): PostgresCatalogue {
  const snapshots = new Set<Snapshot>();
  const store: PostgresCatalogue['store'] = {
    withdrawProperties: (propertyIds) =>
      session.run((client) => applyWithdrawals(client, propertyIds, clock())),
    findProperty: createBatches({
      run: (propertyIds: readonly string[]) =>
        session.decide((client) => selectProperties(client, propertyIds)),
      batchMax: PROPERTIES_PER_BATCH_MAX,
      batchesAtOnce: DECISION_BATCHES_AT_ONCE,
      waitMs: session.decisionMs,
    }),
    findDetails: (propertyId) => session.decide((client) => selectDetails(client, propertyId)),
    readPropertyChanges: (after, limit) => session.follow((client) => selectChanges(client, after, limit)),
    async openSnapshot(known = NOTHING_READ) {
      const snapshot = await lendSnapshot(session, known, () => snapshots.delete(snapshot));
      snapshots.add(snapshot);
      return snapshot;
    },
  };
  return {
    store,
    closeSnapshots: () => Promise.all(Array.from(snapshots, (snapshot) => snapshot.close())),
  };
}

// Reading properties. Statements are named, so each connection plans them once; every one uses an index.

/** In the order of the ids, undefined for unknown ids; a batch for `createBatches`. */
export async function selectProperties(
  client: ClientBase,
  propertyIds: readonly string[],
): Promise<(StoredProperty | undefined)[]> {
  const { rows } = await client.query<StoredRow>({
    name: 'properties',
    text: `
      SELECT p.property_id, p.revision, p.source, p.changed_at_ms, t.nights, t.rates,
        CASE t.position WHEN 0 THEN p.lowest_rates END AS lowest_rates,
        CASE t.position WHEN 0 THEN p.document END AS document
      FROM properties p JOIN inventory_types t ON t.property_id = p.property_id
      WHERE p.property_id = ANY ($1::text[])
      ORDER BY t.property_id, t.position`,
    values: [textArray(propertyIds)],
  });
  const rowsOf = Map.groupBy(rows, (row) => row.property_id);
  return propertyIds.map((propertyId) => toStoredProperty(rowsOf.get(propertyId) ?? []));
}

export async function selectDetails(
  client: ClientBase,
  propertyId: string,
): Promise<PropertyDetails | undefined> {
  const { rows } = await client.query<DetailsRow>({
    name: 'details',
    text: 'SELECT details FROM property_details WHERE property_id = $1',
    values: [propertyId],
  });
  return rows[0] && parseDetails(rows[0].details);
}

/** Every row has the history. Without changes there is a single row, with `property_id` null. */
type ChangedRow = HistoryRow & (FollowedRow | { readonly property_id: null });

/**
 * One statement, so that the history is the one that the rows show; throws `HistoryLost`. The limit is in its text: a
 * plan made for any limit would read all inventory types.
 */
export async function selectChanges(
  client: ClientBase,
  after: ChangeCursor,
  limit: number,
): Promise<PropertyChanges> {
  const { rows } = await client.query<ChangedRow>({
    name: `changes-${limit}`,
    text: `
      WITH changed AS MATERIALIZED (
        SELECT property_id, revision, lowest_rates, document FROM properties
        WHERE (revision, property_id) > ($1, $2)
        ORDER BY revision, property_id
        LIMIT ${limit + 1}
      ), history AS MATERIALIZED (SELECT ${historyColumns('$3')} FROM revision AS r)
      SELECT r.*, c.property_id, c.revision, t.nights, t.rates,
        CASE WHEN t.position = 0 THEN c.lowest_rates END AS lowest_rates,
        CASE WHEN t.position = 0 THEN c.document END AS document
      FROM history r
        LEFT JOIN changed c ON true
        LEFT JOIN inventory_types t ON t.property_id = c.property_id
      ORDER BY c.revision, c.property_id, t.position`,
    values: [after.revision, after.propertyId, after.history.revision],
  });
  const newest = continueHistory(rows[0], after.history);
  const changes = collectChanges(rows.filter(isChange));
  return pageOfChanges(changes.slice(0, limit), changes.length > limit, newest);
}

function isChange(row: ChangedRow): row is ChangedRow & FollowedRow {
  return row.property_id !== null;
}
