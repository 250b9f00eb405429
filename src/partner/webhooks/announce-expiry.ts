/** Tells partners that a credential ends soon. */
import { DAY_MS } from '../../domain/local-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import { deliveryIdOf, formatEvent } from '../../storage/webhooks/outbox.ts';
import type { ExpiringCredential, NewDelivery, WebhookStore } from '../../storage/webhooks/store.ts';

export const EXPIRY_NOTICE_MS = 7 * DAY_MS;

export interface ExpiryDeps {
  readonly storage: Pick<WebhookStore, 'listExpiringCredentials' | 'insertDeliveries'>;
  readonly clock: Clock;
}

/** The id of a notice is made of what it tells, so each is stored once, however often and by whom it is noticed. */
export async function announceExpiring({ storage, clock }: ExpiryDeps): Promise<void> {
  const nowMs = clock();
  const expiring = await storage.listExpiringCredentials(nowMs, nowMs + EXPIRY_NOTICE_MS);
  if (expiring.length > 0) await storage.insertDeliveries(expiring.map((one) => noticeOf(one, nowMs)));
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
