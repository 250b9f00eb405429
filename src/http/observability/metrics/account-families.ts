/** Connections to property management systems, for the metrics. */
import { counter, counterBy, gauge, gaugeBy, type MetricFamily } from './metric-family.ts';

export interface AccountNumbers {
  /** Reads of this process by outcome, and its calls. */
  readonly reads: Readonly<Record<string, number>>;
  readonly calls: () => number;
  readonly state: () => {
    readonly counts: Readonly<Record<string, number>>;
    /** Null without a mapped type. */
    readonly ageSeconds: number | null;
  };
}

export function accountFamilies({ reads, calls, state }: AccountNumbers): MetricFamily[] {
  return [
    counterBy(
      'stayport_connection_reads_total',
      'Reads of connected accounts by outcome: changed, unchanged, held back, failed.',
      'outcome',
      () => reads,
    ),
    counter('stayport_connection_calls_total', 'Calls to the systems of connected accounts.', calls),
    gaugeBy(
      'stayport_connections',
      'Connections by state: refused, late, failing, held back, new, ok. Each process counts all of the database.',
      'state',
      () => state().counts,
      'max',
    ),
    gauge(
      'stayport_connection_age_seconds',
      'Time since the last good read of the connected type that was read longest ago.',
      () => state().ageSeconds ?? 0,
      'max',
    ),
  ];
}
