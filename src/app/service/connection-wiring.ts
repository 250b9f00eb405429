/** Builds the reading and counting of connections from the settings. */
import { randomUUID } from 'node:crypto';
import type { AccountNumbers } from '../../http/observability/metrics/account-families.ts';
import type { Storage } from '../../storage/storage.ts';
import { randomMessageIds } from '../../storage/supply/message-id.ts';
import { createReadCounts, startConnectionPoller } from '../../supply/connections/connection-poller.ts';
import { watchConnections } from '../../supply/connections/watch-connections.ts';
import type { Settings } from '../settings/settings.ts';
import type { ServiceDeps } from './context/service-context.ts';

export interface ReadAccounts extends AccountNumbers {
  stop(): Promise<void>;
}

export function startConnections(
  settings: Settings,
  storage: Storage,
  { clock, random, logger }: ServiceDeps,
): ReadAccounts {
  const reads = createReadCounts();
  let calls = 0;
  const poller = startConnectionPoller({
    storage,
    clock,
    random,
    logger,
    counts: reads,
    holder: randomUUID(),
    newMessageId: randomMessageIds(random),
    horizonNights: settings.horizonNights,
    calling: { allowsPrivate: settings.connectionsAllowPrivate },
    onCall: () => void (calls += 1),
  });
  const watch = watchConnections({ storage, clock, logger });
  return {
    reads,
    calls: () => calls,
    state: () => watch.state(),
    async stop() {
      await Promise.all([poller.stop(), watch.stop()]);
    },
  };
}
