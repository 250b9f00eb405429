/** iCal feeds: how they are, and what came of their polls. */
import type { Clock } from '../../runtime/clock.ts';
import type { FeedSummary } from '../../storage/feeds/store.ts';
import { type MetricFamily, single } from './metric-family.ts';

export interface FeedNumbers {
  /** Polls of this process by outcome. */
  readonly polls: Readonly<Record<string, number>>;
  readonly state: () => FeedSummary;
}

export function feedFamilies({ polls, state }: FeedNumbers, clock: Clock): MetricFamily[] {
  return [
    {
      name: 'stayport_ical_polls_total',
      help: 'Polls of iCal feeds by outcome: changed, unchanged, held back, failed.',
      type: 'counter',
      *read() {
        for (const [outcome, value] of Object.entries(polls)) yield { value, labels: { outcome } };
      },
    },
    {
      name: 'stayport_ical_feeds',
      help: 'iCal feeds by state: new, ok, held back, failing. Each process counts all of the database.',
      type: 'gauge',
      aggregator: 'max',
      *read() {
        for (const [condition, value] of Object.entries(state().counts)) {
          yield { value, labels: { state: condition } };
        }
      },
    },
    {
      name: 'stayport_ical_overdue_seconds',
      help: 'How long the most overdue iCal feed has been overdue.',
      type: 'gauge',
      aggregator: 'max',
      read: single(() => {
        const { confirmationDueMs } = state();
        return confirmationDueMs === null ? 0 : Math.max(0, clock() - confirmationDueMs) / 1000;
      }),
    },
  ];
}
