/** Tells partners that a credential ends soon. */
import { DAY_MS } from '../domain/local-date.ts';
import type { Clock } from '../runtime/clock.ts';
import { deliveryIdOf, formatEvent } from '../storage/webhooks/outbox.ts';
import type { ExpiringCredential, NewDelivery, WebhookStore } from '../storage/webhooks/store.ts';

export const EXPIRY_NOTICE_MS = 7 * DAY_MS;
/** Notices that this process remembers having stored. */
const TOLD_MAX = 10_000;

export interface ExpiryDeps {
  readonly storage: Pick<WebhookStore, 'listExpiringCredentials' | 'insertDeliveries'>;
  readonly clock: Clock;
}

export interface ExpiryAnnouncer {
  round(): Promise<void>;
}

/** The id of a notice is made of what it tells, so two processes tell it once. */
export function createExpiryAnnouncer({ storage, clock }: ExpiryDeps): ExpiryAnnouncer {
  const told = new Set<string>();
  return {
    async round() {
      const nowMs = clock();
      const expiring = await storage.listExpiringCredentials(nowMs, nowMs + EXPIRY_NOTICE_MS);
      const news = expiring.map((one) => noticeOf(one, nowMs)).filter((one) => !told.has(one.deliveryId));
      if (news.length === 0) return;
      await storage.insertDeliveries(news);
      if (told.size > TOLD_MAX) told.clear();
      for (const { deliveryId } of news) told.add(deliveryId);
    },
  };
}

function noticeOf({ credentialId, expiresAtMs, webhookId }: ExpiringCredential, nowMs: number): NewDelivery {
  const event = 'credential.expiring';
  return {
    deliveryId: deliveryIdOf(event, `${credentialId} ${expiresAtMs}`, webhookId),
    webhookId,
    event,
    body: formatEvent(event, nowMs, { credentialId }),
    createdAtMs: nowMs,
  };
}
