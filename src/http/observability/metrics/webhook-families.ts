/** How webhooks fare, for the metrics. */
import type { Clock } from '../../../runtime/clock.ts';
import type { WebhookSummary } from '../../../storage/webhooks/store.ts';
import { counterBy, gauge, gaugeBy, type MetricFamily } from './metric-family.ts';

export interface WebhookNumbers {
  /** Tries of this process. */
  readonly tries: Readonly<Record<'delivered' | 'failed', number>>;
  readonly state: () => WebhookSummary;
}

export function webhookFamilies({ tries, state }: WebhookNumbers, clock: Clock): MetricFamily[] {
  return [
    counterBy(
      'stayport_webhook_tries_total',
      'Tries to deliver an event to a webhook of a partner, by outcome: delivered, failed.',
      'outcome',
      () => tries,
    ),
    gaugeBy(
      'stayport_webhooks',
      'Webhooks by state: ok, failing, disabled by the operator, stopped by the service. Of all the database.',
      'state',
      () => state().counts,
      'max',
    ),
    gauge(
      'stayport_webhook_waiting_seconds',
      'How long the oldest event has waited for its first try.',
      () => {
        const { oldestUntriedMs } = state();
        return oldestUntriedMs === null ? 0 : Math.max(0, clock() - oldestUntriedMs) / 1000;
      },
      'max',
    ),
  ];
}
