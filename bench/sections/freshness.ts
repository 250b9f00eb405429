/** A stream of changes under a stream of searches: when does a change show, and does following it stop the server? */
import { join } from 'node:path';
import { drawWorldSearches } from '../load/world-requests.ts';
import type { LoadReport } from '../load/load-orders.ts';
import { startChild } from '../machine/child.ts';
import type { Pauses } from '../machine/diagnostics.ts';
import { percentile } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';
import type { FreshnessOrder, FreshnessReport } from './freshness-process.ts';
import { worldService } from './world-service.ts';

const CHANGES_PER_SECOND = 1000;
const SEARCHES_PER_SECOND = 1000;
const REQUEST_COUNT = 20_000;
const CONNECTIONS = 50;
const SETTLE_SECONDS = 2;

export const freshness: Section = {
  name: 'freshness',
  title: 'A thousand changed calendars a second while searches run',
  seconds: { full: 68, quick: 25 },
  async run(context) {
    const { database, world, service } = await worldService(context);
    const seconds = context.options.isQuick ? 10 : 60;
    const { databaseUrl, today, cities, properties, tokens } = database;
    const changes = startChild({
      role: 'load',
      name: 'changes',
      args: [join(import.meta.dirname, 'freshness-process.ts')],
    });
    context.onEnd(() => changes.stop());
    const searching = context.load.run({
      port: service.port,
      requests: drawWorldSearches(world, database, REQUEST_COUNT),
      connections: CONNECTIONS,
      warmUpSeconds: SETTLE_SECONDS,
      seconds: seconds + SETTLE_SECONDS,
      requestsPerSecond: SEARCHES_PER_SECOND,
    });
    await service.child.ask('watchPauses');
    const before = await service.usage();
    const order: FreshnessOrder = {
      ...{ databaseUrl, today, cities, properties, seconds },
      ...{ port: service.port, token: tokens[0]!, changesPerSecond: CHANGES_PER_SECOND },
    };
    const changed = await changes.ask<FreshnessReport>('run', order);
    const pauses = await service.child.ask<Pauses>('readPauses');
    const after = await service.usage();
    const searched = await searching;
    await changes.stop();
    const usedShare = (after.cpuSeconds - before.cpuSeconds) / (after.uptimeSeconds - before.uptimeSeconds);
    return {
      figures: figuresOf({ changed, pauses, searched }, usedShare),
      notes: [`${changed.visibleAfterMs.length} changes were watched until they showed.`],
      details: { changed, pauses, searched },
    };
  },
};

interface Measured {
  readonly changed: FreshnessReport;
  readonly pauses: Pauses;
  readonly searched: LoadReport;
}

function figuresOf({ changed, pauses, searched }: Measured, usedShare: number): Figure[] {
  const visible = (percent: number): number => percentile(changed.visibleAfterMs, percent);
  return [
    { what: 'changed calendars', value: changed.changes / changed.seconds, unit: 'requests/s' },
    { what: 'searches beside them', value: searched.answersPerSecond, unit: 'requests/s' },
    { what: 'from commit to visible in a search, p50', value: visible(50), unit: 'ms' },
    {
      what: 'from commit to visible in a search, p99',
      value: visible(99),
      unit: 'ms',
      bar: { is: 'at most', value: 1000 },
    },
    { what: 'from commit to visible in a search, longest', value: visible(100), unit: 'ms' },
    { what: 'pause of the event loop, p99', value: pauses.p99Ms, unit: 'ms' },
    {
      what: 'pause of the event loop, p99.9',
      value: pauses.p999Ms,
      unit: 'ms',
      bar: { is: 'at most', value: 10 },
    },
    { what: 'pause of the event loop, longest', value: pauses.maxMs, unit: 'ms' },
    {
      what: 'share of its core that the service used',
      value: usedShare,
      unit: 'ratio',
    },
    { what: 'search p50 meanwhile', value: searched.latencies.p50Ms, unit: 'ms' },
    { what: 'search p99 meanwhile', value: searched.latencies.p99Ms, unit: 'ms' },
    { what: 'search p99.9 meanwhile', value: searched.latencies.p999Ms, unit: 'ms' },
  ];
}
