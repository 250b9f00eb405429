/**
 * The sandbox: test properties in a catalogue of their own, generated in memory for the local day of each property. A
 * test token sees only this catalogue; a live token never meets it, because it is another index. Days are made one at a
 * time, in slices, so that live requests wait for a slice at most.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Catalogue } from '../../read-model/catalogue/catalogue.ts';
import { DAY_MS, type EpochDay, localToday } from '../../domain/local-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { FollowedProperty, StoredProperty } from '../../storage/catalogue/store.ts';
import { TEST_TIMEZONES } from './special-properties.ts';
import { TestProperties } from './test-properties.ts';

export interface SandboxDay {
  readonly catalogue: Catalogue;
  /** The clock of its day. */
  readonly clock: Clock;
  readonly findProperty: (propertyId: string) => StoredProperty | undefined;
}

export interface Sandbox {
  /** Generated again when a day has begun in one of its timezones. */
  today(): Promise<SandboxDay>;
  /** As if it were noon UTC of this day; undefined while too many days are waiting. */
  on(day: EpochDay): Promise<SandboxDay> | undefined;
  /** The property at the traveller's arrival, which may differ from the quoted one. */
  findAtHandoff(propertyId: string): Promise<StoredProperty | undefined>;
}

export interface SandboxOptions {
  readonly clock: Clock;
  readonly horizonNights: number;
}

/** Cached days of `on`, some 0.2 MB each. The least recently used is dropped first. */
export const SANDBOX_DAYS_MAX = 4;
/** Days of `on` that may wait to be generated. */
export const SANDBOX_DAYS_WAITING_MAX = 8;
/** Each takes some 20 microseconds, a few of them 100. */
const PROPERTIES_PER_SLICE = 4;

/** Generates on first use: without test tokens the sandbox costs nothing. */
export function createSandbox({ clock, horizonNights }: SandboxOptions): Sandbox {
  const properties = new TestProperties({ clock, horizonNights });
  const others = new Map<EpochDay, Promise<SandboxDay>>();
  let current: { readonly days: string; readonly sandbox: Promise<SandboxDay> } | undefined;
  let lastBuild: Promise<unknown> = Promise.resolve();
  let waitingCount = 0;

  /** Calls `forget` on failure, so that the next request tries again. */
  function build(dayClock: Clock, forget: () => void): Promise<SandboxDay> {
    waitingCount += 1;
    const built = buildAfter(lastBuild, dayClock);
    lastBuild = built.catch(forget);
    return built;
  }

  async function buildAfter(before: Promise<unknown>, dayClock: Clock): Promise<SandboxDay> {
    try {
      await before;
      return await buildDay(properties, dayClock, horizonNights);
    } finally {
      waitingCount -= 1;
    }
  }

  function today(): Promise<SandboxDay> {
    const nowMs = clock();
    const days = TEST_TIMEZONES.map((timezone) => localToday(timezone, nowMs)).join();
    if (current?.days !== days) current = { days, sandbox: build(clock, () => (current = undefined)) };
    return current.sandbox;
  }

  return {
    today,
    on(day) {
      const known = others.get(day);
      if (known === undefined && waitingCount >= SANDBOX_DAYS_WAITING_MAX) return undefined;
      const noonMs = (day + 0.5) * DAY_MS;
      const sandbox =
        known ??
        build(
          () => noonMs,
          () => others.delete(day),
        );
      others.delete(day);
      others.set(day, sandbox);
      for (const oldest of others.keys()) {
        if (others.size <= SANDBOX_DAYS_MAX) break;
        others.delete(oldest);
      }
      return sandbox;
    },
    async findAtHandoff(propertyId) {
      return properties.findAtHandoff(propertyId, clock()) ?? (await today()).findProperty(propertyId);
    },
  };
}

async function buildDay(
  properties: TestProperties,
  clock: Clock,
  horizonNights: number,
): Promise<SandboxDay> {
  const catalogue = new Catalogue({ clock, horizonNights });
  const byId = new Map<string, StoredProperty>();
  for (const stored of properties.all(clock())) {
    if (byId.size % PROPERTIES_PER_SLICE === 0) await nextTurn();
    byId.set(stored.property.propertyId, stored);
    catalogue.apply(followedOf(stored));
  }
  return { catalogue, clock, findProperty: (propertyId) => byId.get(propertyId) };
}

function followedOf({ property, revision, lowestRates, calendars }: StoredProperty): FollowedProperty {
  const columns = {
    nights: calendars.map(({ nights }) => nights),
    rates: calendars.map(({ rates }) => rates),
  };
  return { property, revision, lowestRates, ...columns };
}
