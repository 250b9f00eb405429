/** How long deliveries can be listed and replayed. */
import { DAY_MS } from '../../domain/local-date.ts';
import { type Retention, type RetentionDeps, startRetention } from '../../storage/tasks/retention.ts';
import type { WebhookSending } from '../../storage/webhooks/store.ts';

export const DELIVERY_DAYS_MAX = 30;
/** Deliveries kept per endpoint; the oldest are deleted, delivered or not. */
export const DELIVERIES_MAX = 10_000;
const SLICE_MAX = 500;

type Deps = Omit<RetentionDeps, 'retentionDays' | 'storage'> & {
  readonly storage: RetentionDeps['storage'] &
    Pick<WebhookSending, 'deleteDeliveriesBefore' | 'trimDeliveries'>;
};

export function startDeliveryRetention(deps: Deps): Retention {
  const { storage } = deps;
  return startRetention(
    { ...deps, retentionDays: DELIVERY_DAYS_MAX },
    {
      what: 'webhook deliveries',
      sliceMax: SLICE_MAX,
      async deleteSlice(nowMs) {
        const old = await storage.deleteDeliveriesBefore(nowMs - DELIVERY_DAYS_MAX * DAY_MS, SLICE_MAX);
        const room = SLICE_MAX - old;
        return room === 0 ? old : old + (await storage.trimDeliveries(DELIVERIES_MAX, room));
      },
    },
  );
}
