/** Freshness of supply, and the state of feeds, for the metrics. */
import type { Clock } from '../../../runtime/clock.ts';
import { counterBy, gauge, gaugeBy, type MetricFamily } from './metric-family.ts';
import type { FeedSummary } from '../../../storage/feeds/store.ts';

/** Set in the watching process only. */
export interface SupplyFreshness {
  readonly closedProperties: number;
  readonly sources: ReadonlyMap<
    string,
    { readonly newestConfirmedAtMs: number; readonly oldestConfirmedAtMs: number }
  >;
}

export function supplyFamilies(freshness: () => SupplyFreshness, clock: Clock): MetricFamily[] {
  return [
    gauge(
      'stayport_supply_closed_properties',
      'Properties that are closed because no source has confirmed them for maxSupplyAgeHours.',
      () => freshness().closedProperties,
      'max',
    ),
    {
      name: 'stayport_supply_confirmation_age_seconds',
      help: 'Time since a source confirmed a property: its most recent one, and its oldest one.',
      type: 'gauge',
      aggregator: 'max',
      *read() {
        for (const [source, { newestConfirmedAtMs, oldestConfirmedAtMs }] of freshness().sources) {
          yield { value: ageOf(newestConfirmedAtMs), labels: { source, property: 'newest' } };
          yield { value: ageOf(oldestConfirmedAtMs), labels: { source, property: 'oldest' } };
        }
      },
    },
  ];

  function ageOf(confirmedAtMs: number): number {
    return Math.max(0, clock() - confirmedAtMs) / 1000;
  }
}

export interface FeedNumbers {
  /** Polls of this process by outcome. */
  readonly polls: Readonly<Record<string, number>>;
  readonly state: () => FeedSummary;
}

export function feedFamilies({ polls, state }: FeedNumbers, clock: Clock): MetricFamily[] {
  return [
    counterBy(
      'stayport_ical_polls_total',
      'Polls of iCal feeds by outcome: changed, unchanged, held back, failed.',
      'outcome',
      () => polls,
    ),
    gaugeBy(
      'stayport_ical_feeds',
      'iCal feeds by state: new, ok, held back, failing. Each process counts all of the database.',
      'state',
      () => state().counts,
      'max',
    ),
    gauge(
      'stayport_ical_overdue_seconds',
      'How long the most overdue iCal feed has been overdue.',
      () => {
        const { confirmationDueMs } = state();
        return confirmationDueMs === null ? 0 : Math.max(0, clock() - confirmationDueMs) / 1000;
      },
      'max',
    ),
  ];
}
