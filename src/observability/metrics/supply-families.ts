/** How fresh supply is, for the metrics. */
import type { Clock } from '../../runtime/clock.ts';
import { type MetricFamily, single } from './metric-family.ts';

/** Of the process that watches; the others have nothing to say. */
export interface SupplyFreshness {
  readonly closedProperties: number;
  readonly sources: ReadonlyMap<
    string,
    { readonly newestConfirmedAtMs: number; readonly oldestConfirmedAtMs: number }
  >;
}

export function supplyFamilies(freshness: () => SupplyFreshness, clock: Clock): MetricFamily[] {
  return [
    {
      name: 'stayport_supply_closed_properties',
      help: 'Properties that are closed because no source has confirmed them for maxSupplyAgeHours.',
      type: 'gauge',
      aggregator: 'max',
      read: single(() => freshness().closedProperties),
    },
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
