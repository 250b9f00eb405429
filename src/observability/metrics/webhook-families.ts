/** How webhooks fare, for the metrics. */
import type { Clock } from '../../runtime/clock.ts';
import type { WebhookNumbers } from '../../webhooks/start-webhooks.ts';
import { type MetricFamily, single } from './metric-family.ts';

export function webhookFamilies({ tries, state }: WebhookNumbers, clock: Clock): MetricFamily[] {
  return [
    {
      name: 'stayport_webhook_tries_total',
      help: 'Tries to deliver an event to a webhook of a partner, by outcome: delivered, failed.',
      type: 'counter',
      *read() {
        for (const [outcome, value] of Object.entries(tries)) yield { value, labels: { outcome } };
      },
    },
    {
      name: 'stayport_webhooks',
      help: 'Webhooks by state: ok, failing, disabled by the operator, stopped by the service. Of all the database.',
      type: 'gauge',
      aggregator: 'max',
      *read() {
        for (const [name, value] of Object.entries(state().counts)) yield { value, labels: { state: name } };
      },
    },
    {
      name: 'stayport_webhook_waiting_seconds',
      help: 'How long the oldest event has waited for its first try.',
      type: 'gauge',
      aggregator: 'max',
      read: single(() => {
        const { oldestUntriedMs } = state();
        return oldestUntriedMs === null ? 0 : Math.max(0, clock() - oldestUntriedMs) / 1000;
      }),
    },
  ];
}
