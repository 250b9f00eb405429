/** What was kept of requests, for the metrics. */
import type { MetricFamily } from './metric-family.ts';

export interface ActivityNumbers {
  readonly rowsWritten: number;
  readonly rowsDropped: number;
}

export function activityFamilies(numbers: ActivityNumbers): MetricFamily[] {
  return [
    {
      name: 'stayport_activity_rows_total',
      help: 'Rows of traffic, requests and demand: written, or dropped because their tables did not take them.',
      type: 'counter',
      *read() {
        yield { value: numbers.rowsWritten, labels: { outcome: 'written' } };
        yield { value: numbers.rowsDropped, labels: { outcome: 'dropped' } };
      },
    },
  ];
}
