/** A stream of changes under a stream of searches: when does a change show, and does following it stop the server? */
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { drawWorldSearches } from '../load/world-requests.ts';
import type { LoadReport } from '../load/load-orders.ts';
import { type Child, startChild } from '../machine/child.ts';
import type { Pauses } from '../machine/pause-watch.ts';
import { percentile } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';
import type { FreshnessOrder, FreshnessReport, ImportReport } from './freshness-process.ts';
import { type WorldService, worldService } from './world-service.ts';

const CHANGES_PER_SECOND = 1000;
const SEARCHES_PER_SECOND = 1000;
const REQUEST_COUNT = 20_000;
const CONNECTIONS = 50;
const SETTLE_SECONDS = 2;
/** Properties of the import. */
const IMPORTED = 100_000;

export const freshness: Section = {
  name: 'freshness',
  title: 'A thousand changed calendars a second while searches run',
  seconds: { full: 75, quick: 40 },
  async run(context) {
    const served = await worldService(context);
    const { database, service } = served;
    const seconds = context.options.isQuick ? 10 : 30;
    const { databaseUrl, today, cities, properties, tokens } = database;
    const changes = startChild({
      role: 'load',
      name: 'changes',
      args: [join(import.meta.dirname, 'freshness-process.ts')],
    });
    context.onEnd(() => changes.stop());
    const searching = search(context, served, seconds + SETTLE_SECONDS);
    await service.child.ask('watchPauses');
    const before = await service.usage();
    const order: FreshnessOrder = {
      databaseUrl,
      today,
      cities,
      properties,
      seconds,
      port: service.port,
      token: tokens[0]!,
      changesPerSecond: CHANGES_PER_SECOND,
    };
    const changed = await changes.ask<FreshnessReport>('run', order);
    const pauses = await service.child.ask<Pauses>('readPauses');
    const after = await service.usage();
    const searched = await searching;
    const imported = await watchImport(context, served, changes, order);
    await changes.stop();
    const usedShare = (after.cpuSeconds - before.cpuSeconds) / (after.uptimeSeconds - before.uptimeSeconds);
    return {
      figures: [...figuresOf({ changed, pauses, searched }, usedShare), ...importFigures(imported)],
      notes: [
        `${changed.visibleAfterMs.length} changed nights and ${changed.rateVisibleAfterMs.length} changed rates were watched until they showed.`,
        'Pauses are those of the thread that answers.',
      ],
      details: { changed, pauses, searched, imported },
    };
  },
};

function search(context: Context, { database, world, service }: WorldService, seconds: number) {
  return context.load.run({
    port: service.port,
    requests: drawWorldSearches(world, database, REQUEST_COUNT),
    connections: CONNECTIONS,
    warmUpSeconds: SETTLE_SECONDS,
    seconds,
    requestsPerSecond: SEARCHES_PER_SECOND,
  });
}

interface Imported {
  readonly count: number;
  readonly report: ImportReport;
  readonly pauses: Pauses;
  readonly searched: LoadReport;
}

/** Searches go on for as long as the import usually takes to show. */
async function watchImport(
  context: Context,
  served: WorldService,
  changes: Child,
  order: FreshnessOrder,
): Promise<Imported> {
  const { child } = served.service;
  const count = context.options.isQuick ? IMPORTED / 10 : IMPORTED;
  const searching = search(context, served, context.options.isQuick ? 4 : 20);
  await child.ask('watchPauses');
  const report = await changes.ask<ImportReport>('import', { ...order, count });
  const pauses = await child.ask<Pauses>('readPauses');
  return { count, report, pauses, searched: await searching };
}

function importFigures({ count, report, pauses, searched }: Imported): Figure[] {
  const beside = `beside an import of ${count.toLocaleString('en')} properties`;
  return [
    { what: `${beside}: written after`, value: report.writtenAfterSeconds, unit: 's' },
    { what: `${beside}: the last one visible after`, value: report.visibleAfterSeconds, unit: 's' },
    { what: `${beside}: pause of the event loop, p99`, value: pauses.p99Ms, unit: 'ms' },
    { what: `${beside}: pause of the event loop, p99.9`, value: pauses.p999Ms, unit: 'ms' },
    { what: `${beside}: pause of the event loop, longest`, value: pauses.maxMs, unit: 'ms' },
    { what: `${beside}: search p99`, value: searched.latencies.p99Ms, unit: 'ms' },
  ];
}

interface Measured {
  readonly changed: FreshnessReport;
  readonly pauses: Pauses;
  readonly searched: LoadReport;
}

function figuresOf({ changed, pauses, searched }: Measured, usedShare: number): Figure[] {
  const visible = (percent: number): number => percentile(changed.visibleAfterMs, percent);
  const rateVisibleMs = percentile(changed.rateVisibleAfterMs, 99);
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
    {
      what: 'a changed rate, from commit to visible in a search by total, p99',
      value: rateVisibleMs,
      unit: 'ms',
      bar: { is: 'at most', value: 1000 },
    },
    {
      what: 'the same, against a changed night in a search',
      value: rateVisibleMs / visible(99),
      unit: 'ratio',
      bar: { is: 'at most', value: 1.1 },
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
