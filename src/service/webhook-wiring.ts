/** What sends webhooks, put together from the settings. */
import { randomUUID } from 'node:crypto';
import type { Settings } from '../settings/settings.ts';
import type { Storage } from '../storage/storage.ts';
import type { VisibleChanges } from '../webhooks/announce-changes.ts';
import { startWebhooks, type Webhooks } from '../webhooks/start-webhooks.ts';
import type { ServiceDeps } from './service-context.ts';

export function openWebhooks(
  { webhookAllowPrivate }: Settings,
  storage: Storage,
  { clock, random, logger }: ServiceDeps,
  changes: VisibleChanges | undefined,
): Webhooks {
  return startWebhooks({
    storage,
    clock,
    random,
    logger,
    changes,
    holder: randomUUID(),
    addresses: { allowsPrivate: webhookAllowPrivate },
  });
}
