/** Who sends a source: a system, which repeats itself, or people, who send a file now and then. */
import { CONNECTION_SOURCE_PREFIX, FEED_SOURCE_PREFIX } from '../../domain/layers.ts';
import type { AccessStore } from '../../storage/access/store.ts';
import type { SupplyStore } from '../../storage/supply/store.ts';
import { SENT_KINDS } from '../messages/receive-message.ts';

export interface SystemDeps {
  readonly storage: Pick<SupplyStore, 'listSupplyMessages'> & Pick<AccessStore, 'readAccess'>;
  readonly clock: () => number;
}

/** Feeds, connections, and sources that a token writes or has written as far as messages are kept; people send all others. */
export async function isSystem({ storage, clock }: SystemDeps, source: string): Promise<boolean> {
  if (source.startsWith(FEED_SOURCE_PREFIX) || source.startsWith(CONNECTION_SOURCE_PREFIX)) return true;
  const nowMs = clock();
  const { operatorTokens } = await storage.readAccess();
  const isBound = operatorTokens.some(
    (token) =>
      token.source === source && token.revokedAtMs === null && (token.expiresAtMs ?? Infinity) > nowMs,
  );
  if (isBound) return true;
  const sent = await storage.listSupplyMessages({ source, kinds: SENT_KINDS, limit: 1 });
  return sent.length > 0;
}
