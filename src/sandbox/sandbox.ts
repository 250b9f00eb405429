/**
 * The sandbox: test properties in a catalogue of their own, generated in memory for the local day of each property. A
 * test token sees this catalogue and nothing else; a live token never meets it, because it is another index.
 */
import { Catalogue } from '../catalogue/catalogue.ts';
import type { EpochDay } from '../domain/local-date.ts';
import { localToday } from '../domain/timezone.ts';
import type { Clock } from '../runtime/clock.ts';
import type { FollowedProperty, StoredProperty } from '../storage/port/catalogue-store.ts';
import { generateAtHandoff, generateSandbox } from './generate-sandbox.ts';
import { TEST_TIMEZONES } from './special-properties.ts';

/** The sandbox of one day. */
export interface SandboxDay {
  readonly catalogue: Catalogue;
  /** The moment that it is for. */
  readonly clock: Clock;
  readonly findProperty: (propertyId: string) => StoredProperty | undefined;
  /** As the traveller meets it, which is not always what was quoted. */
  readonly findAtHandoff: (propertyId: string) => StoredProperty | undefined;
}

export interface Sandbox {
  /** Generated again when a day has begun in one of its timezones. */
  today(): SandboxDay;
  /** As if it were noon, UTC, of this day. */
  on(day: EpochDay): SandboxDay;
}

export interface SandboxOptions {
  readonly clock: Clock;
  readonly horizonNights: number;
}

/** Days asked with `on` that are kept; some 1 MB each. The one that was asked longest ago goes first. */
export const SANDBOX_DAYS_MAX = 4;
const MS_PER_DAY = 86_400_000;

/** Nothing is generated before it is asked for: without test tokens the sandbox costs nothing. */
export function makeSandbox({ clock, horizonNights }: SandboxOptions): Sandbox {
  let current: { readonly days: string; readonly sandbox: SandboxDay } | undefined;
  const others = new Map<EpochDay, SandboxDay>();

  return {
    today() {
      const nowMs = clock();
      const days = TEST_TIMEZONES.map((timezone) => localToday(timezone, nowMs)).join();
      if (current?.days !== days) current = { days, sandbox: generateDay(clock, horizonNights) };
      return current.sandbox;
    },
    on(day) {
      const noonMs = (day + 0.5) * MS_PER_DAY;
      const known = others.get(day) ?? generateDay(() => noonMs, horizonNights);
      others.delete(day);
      others.set(day, known);
      for (const oldest of others.keys()) {
        if (others.size <= SANDBOX_DAYS_MAX) break;
        others.delete(oldest);
      }
      return known;
    },
  };
}

function generateDay(clock: Clock, horizonNights: number): SandboxDay {
  const moment = { nowMs: clock(), horizonNights };
  const properties = byId(generateSandbox(moment));
  const atHandoff = byId(generateAtHandoff(moment));
  const catalogue = new Catalogue({ clock, horizonNights });
  for (const stored of properties.values()) catalogue.apply(followedOf(stored));
  return {
    catalogue,
    clock,
    findProperty: (propertyId) => properties.get(propertyId),
    findAtHandoff: (propertyId) => atHandoff.get(propertyId) ?? properties.get(propertyId),
  };
}

function byId(all: readonly StoredProperty[]): ReadonlyMap<string, StoredProperty> {
  return new Map(all.map((stored) => [stored.property.propertyId, stored]));
}

function followedOf({ property, revision, lowestRates, calendars }: StoredProperty): FollowedProperty {
  return { property, revision, lowestRates, nights: calendars.map(({ nights }) => nights) };
}
