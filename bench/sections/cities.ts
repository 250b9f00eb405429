/** The process that has generated cities in memory, as sections see it. */
import { join } from 'node:path';
import type { Party } from '../../src/domain/child-ages.ts';
import type { StayFilters } from '../../src/domain/stay-filters.ts';
import type { Context } from '../context.ts';
import { type Child, startChild } from '../machine/child.ts';

export interface CityOrder {
  readonly city: string;
  /** Inventory types. */
  readonly typeCount: number;
  /** Of each of its properties, with a cleaning fee; none when absent. */
  readonly rules?: {
    readonly taxes: number;
    readonly discounts: number;
    /** Bands of ages, and taxes by person that exempt children. */
    readonly hasAges?: boolean;
  };
}

export interface PriceTimes {
  /** Median, with the answer's bytes. */
  readonly ms: number;
  /** Properties that were available, on average. */
  readonly found: number;
}

/** A question by total about one stay, the best of a window, or each day. Without `guests`: one to four. */
export interface AskedOver extends Partial<Party> {
  readonly over: 'stay' | 'window' | 'days';
  readonly nights: number;
  readonly maxNights?: number;
  /** Check-in dates. */
  readonly dates: number;
  readonly filters?: StayFilters;
  readonly counts?: boolean;
}

export interface TurnOrder {
  readonly city: string;
  readonly count: number;
  readonly asked: readonly AskedOver[];
}

/** Ended with the context unless before. */
export function startCities(context: Context): Child {
  const child = startChild({
    role: 'server',
    name: 'cities',
    args: [join(import.meta.dirname, 'cities-process.ts')],
  });
  context.onEnd(() => child.stop());
  return child;
}
