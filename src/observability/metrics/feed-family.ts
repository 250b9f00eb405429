/** Polls of iCal feeds. */
import type { MetricFamily } from './metric-family.ts';

export function feedFamily(polls: Readonly<Record<string, number>>): MetricFamily {
  return {
    name: 'stayport_ical_polls_total',
    help: 'Polls of iCal feeds by outcome: changed, unchanged, held back, failed.',
    type: 'counter',
    *read() {
      for (const [outcome, value] of Object.entries(polls)) yield { value, labels: { outcome } };
    },
  };
}
