/** The metrics of /metrics. docs/operating.md, 'Watching', explains every name. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import { connectionFamilies, doorFamilies, type DoorNumbers } from './connection-meter.ts';
import type { SharingState } from '../../../limits/shared-limits.ts';
import type { EventLoopWatch } from '../../../runtime/event-loop-watch.ts';
import { credentialFamily, type OutcomeMeter, type RequestMeter } from './request-meter.ts';
import type { PoolUse } from '../../../storage/storage.ts';
import { untrustedForwarded } from '../../../limits/untrusted-forwarded.ts';
import { backgroundFamily } from './background-family.ts';
import { accountFamilies, type AccountNumbers } from './account-families.ts';
import { feedFamilies, type FeedNumbers, supplyFamilies, type SupplyFreshness } from './supply-families.ts';
import { limitFamilies, requestFamilies } from './request-families.ts';
import { counter, counterBy, gauge, type MetricFamily, registerFamily } from './metric-family.ts';
import type { Readiness } from '../../../runtime/readiness.ts';
import { webhookFamilies, type WebhookNumbers } from './webhook-families.ts';
import { webFamilies, type WebMeter } from './web-families.ts';
import type { Clock } from '../../../runtime/clock.ts';

/** Sources of the numbers, read at every scrape. */
export interface MetricSources {
  readonly meter: RequestMeter;
  readonly doors: DoorNumbers;
  readonly outcomes: OutcomeMeter;
  readonly webMeter: WebMeter;
  readonly activity: { readonly rowsWritten: number; readonly rowsDropped: number };
  /** Administrative acts by kind. */
  readonly acts: Readonly<Record<string, number>>;
  readonly accounts: AccountNumbers;
  readonly feeds: FeedNumbers;
  readonly webhooks: WebhookNumbers;
  /** Requests that wait for changes. */
  readonly longPolls: { readonly count: number };
  readonly readiness: () => Readiness;
  readonly eventLoop: Pick<EventLoopWatch, 'isOverloaded' | 'delay'>;
  readonly freshness: () => FollowerState;
  /** Losses of history, by the follower that noticed. */
  readonly losses: Readonly<Record<string, number>>;
  readonly catalogueSize: () => CatalogueCounts;
  readonly supplyFreshness: () => SupplyFreshness;
  readonly clock: Clock;
  /** Set when limits are shared. */
  readonly sharing?: (() => SharingState) | undefined;
  readonly poolUse?: (() => readonly PoolUse[]) | undefined;
}

interface FollowerState {
  readonly access: { readonly ageMs: number };
  readonly catalogue: { readonly ageMs: number };
  readonly lagRevisions: number;
  readonly lagMs: number;
  readonly memory?: { readonly bytes: number; readonly freeBytes: number } | undefined;
}

interface CatalogueCounts {
  readonly properties: number;
  readonly inventoryTypes: number;
  readonly markets: number;
}

/** All metrics of this process; with several threads, a label that is added later distinguishes them. */
export function buildMetrics(sources: MetricSources): Registry {
  const registry = new Registry();
  collectProcessMetrics(registry);
  const families = [
    ...requestFamilies(sources.meter),
    credentialFamily(sources.meter.credentials),
    actFamily(sources.acts),
    ...connectionFamilies(sources.meter.connections),
    ...doorFamilies(sources.doors),
    ...limitFamilies(sources.meter, sources.sharing),
    ...catalogueFamilies(sources),
    lossFamily(sources.losses),
    ...eventLoopFamilies(sources),
    ...outcomeFamilies(sources.outcomes),
    ...webFamilies(sources.webMeter),
    activityFamily(sources.activity),
    ...accountFamilies(sources.accounts),
    ...feedFamilies(sources.feeds, sources.clock),
    waitingFamily(sources.longPolls),
    ...webhookFamilies(sources.webhooks, sources.clock),
    ...supplyFamilies(sources.supplyFreshness, sources.clock),
    poolFamily(sources.poolUse),
    backgroundFamily(),
    forwardedFamily(),
  ];
  for (const family of families) registerFamily(registry, family);
  return registry;
}

/** Each process sees every act: the highest count is right. */
function actFamily(acts: MetricSources['acts']): MetricFamily {
  return counterBy(
    'stayport_access_acts_total',
    'Administrative actions: what was issued, changed, revoked or rotated.',
    'act',
    () => acts,
    'max',
  );
}

function waitingFamily(longPolls: MetricSources['longPolls']): MetricFamily {
  return gauge(
    'stayport_changes_waiting',
    'Requests of partners that wait until something changes.',
    () => longPolls.count,
  );
}

function activityFamily(numbers: MetricSources['activity']): MetricFamily {
  return {
    name: 'stayport_activity_rows_total',
    help: 'Rows of traffic, requests and demand: written, or dropped because their tables did not take them.',
    type: 'counter',
    *read() {
      yield { value: numbers.rowsWritten, labels: { outcome: 'written' } };
      yield { value: numbers.rowsDropped, labels: { outcome: 'dropped' } };
    },
  };
}

function forwardedFamily(): MetricFamily {
  return counter(
    'stayport_untrusted_forwarded_total',
    'Requests with X-Forwarded-For from a sender that TRUSTED_PROXIES does not name.',
    untrustedForwarded,
  );
}

/** Each thread and process notices by itself: the highest count is right. */
function lossFamily(losses: MetricSources['losses']): MetricFamily {
  return counterBy(
    'stayport_history_lost_total',
    'How often the database was found restored to an earlier state, and was read again.',
    'what',
    () => losses,
    'max',
  );
}

/** Memory, CPU, handles and garbage collection; the event-loop delay is our own metric. */
function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 1000 });
  for (const { name } of registry.getMetricsAsArray()) {
    if (name.startsWith('nodejs_eventloop_lag')) registry.removeSingleMetric(name);
  }
}

/** The catalogue, and how far it is behind the database. */
export function catalogueFamilies({
  readiness,
  freshness,
  catalogueSize,
}: Pick<MetricSources, 'readiness' | 'freshness' | 'catalogueSize'>): MetricFamily[] {
  const highest = (name: string, help: string, read: () => number) => gauge(name, help, read, 'max');
  return [
    gauge(
      'stayport_ready',
      '1 while partners are served, else 0; /readyz says why.',
      () => (readiness() === 'ready' ? 1 : 0),
      'min',
    ),
    highest(
      'stayport_follower_lag_revisions',
      'Revisions by which the catalogue is behind the database.',
      () => freshness().lagRevisions,
    ),
    highest(
      'stayport_follower_lag_seconds',
      'Time since the catalogue was last up to date with the database.',
      () => freshness().lagMs / 1000,
    ),
    highest(
      'stayport_database_contact_age_seconds',
      'Time since the database was last read successfully: the longer of access and the catalogue.',
      () => Math.max(freshness().access.ageMs, freshness().catalogue.ageMs) / 1000,
    ),
    highest(
      'stayport_access_age_seconds',
      'Time since partners, credentials and keys were last up to date with the database.',
      () => freshness().access.ageMs / 1000,
    ),
    highest('stayport_catalogue_properties', 'Properties in memory.', () => catalogueSize().properties),
    highest(
      'stayport_catalogue_inventory_types',
      'Inventory types in memory.',
      () => catalogueSize().inventoryTypes,
    ),
    highest('stayport_catalogue_markets', 'Markets in memory.', () => catalogueSize().markets),
    highest(
      'stayport_catalogue_memory_bytes',
      'Memory that all threads read the catalogue from.',
      () => freshness().memory?.bytes ?? 0,
    ),
    highest(
      'stayport_catalogue_memory_free_bytes',
      'The part of it that changes can use.',
      () => freshness().memory?.freeBytes ?? 0,
    ),
  ];
}

function eventLoopFamilies({ eventLoop, meter }: MetricSources): MetricFamily[] {
  return [
    {
      name: 'stayport_event_loop_delay_seconds',
      help: 'Delay of the event loop over the last half to whole minute; quantile 1 is the longest.',
      type: 'gauge',
      aggregator: 'max',
      *read() {
        const { p50Ms, p99Ms, maxMs } = eventLoop.delay();
        yield { value: p50Ms / 1000, labels: { quantile: '0.5' } };
        yield { value: p99Ms / 1000, labels: { quantile: '0.99' } };
        yield { value: maxMs / 1000, labels: { quantile: '1' } };
      },
    },
    gauge(
      'stayport_overloaded',
      '1 while new requests are refused because the event loop is late.',
      () => (eventLoop.isOverloaded() ? 1 : 0),
      'max',
    ),
    counter(
      'stayport_requests_shed_total',
      'Requests that were refused because the event loop was late.',
      () => meter.shedCount,
    ),
  ];
}

function outcomeFamilies(outcomes: OutcomeMeter): MetricFamily[] {
  return [
    counter(
      'stayport_quotes_stored_total',
      'Quotes that were stored and answered.',
      () => outcomes.quotesStored,
    ),
    counterBy(
      'stayport_handoffs_resolved_total',
      'Handoff values that were resolved, by outcome.',
      'outcome',
      () => outcomes.handoffs,
    ),
  ];
}

function poolFamily(poolUse: MetricSources['poolUse']): MetricFamily {
  return {
    name: 'stayport_database_pool_connections',
    help: 'Connections to PostgreSQL by pool: open, idle, the limit, and callers waiting for one.',
    type: 'gauge',
    *read() {
      for (const { pool, open, idle, waiting, max } of poolUse?.() ?? []) {
        yield { value: open, labels: { pool, state: 'open' } };
        yield { value: idle, labels: { pool, state: 'idle' } };
        yield { value: waiting, labels: { pool, state: 'waiting' } };
        yield { value: max, labels: { pool, state: 'max' } };
      }
    },
  };
}
