/** The catalogue on PostgreSQL, but for documents, which are written with the layers of supply. */
import type { Clock } from '../../runtime/clock.ts';
import { createBatches } from '../engine/batches.ts';
import { DECISION_BATCHES_AT_ONCE, DECISION_WAIT_MS } from '../engine/postgres/connections.ts';
import type { Session } from '../engine/postgres/session.ts';
import { NOTHING_READ } from '../history/revision.ts';
import {
  selectChanges,
  selectDetails,
  selectListed,
  selectProperties,
  selectPropertyIds,
} from './postgres-queries.ts';
import { lendSnapshot } from './postgres-snapshot.ts';
import { applyWithdrawals } from './postgres-writes.ts';
import type { CatalogueStore, FollowedCatalogue, Snapshot } from './store.ts';

const PROPERTIES_PER_BATCH_MAX = 20;

export interface PostgresCatalogue {
  readonly store: Omit<CatalogueStore, 'writeProperties' | 'compareProperties'> &
    Omit<FollowedCatalogue, 'readHistory'>;
  /** Of those that are open. */
  readonly closeSnapshots: () => Promise<unknown>;
}

export function postgresCatalogue(session: Session, clock: Clock): PostgresCatalogue {
  const snapshots = new Set<Snapshot>();
  const store: PostgresCatalogue['store'] = {
    withdrawProperties: (propertyIds) =>
      session.run((client) => applyWithdrawals(client, propertyIds, clock())),
    listPropertyIds: (source, afterId, limit) =>
      session.run((client) => selectPropertyIds(client, source, afterId, limit)),
    listProperties: (afterId, limit, source) =>
      session.run((client) => selectListed(client, afterId, limit, source)),
    findProperty: createBatches({
      run: (propertyIds: readonly string[]) =>
        session.decide((client) => selectProperties(client, propertyIds)),
      batchMax: PROPERTIES_PER_BATCH_MAX,
      batchesAtOnce: DECISION_BATCHES_AT_ONCE,
      waitMs: DECISION_WAIT_MS,
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
