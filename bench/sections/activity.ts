/** What it costs to know what happened: memory, processor time of a search, bytes of a day, times of reports. */
import { join } from 'node:path';
import { startPostgres } from '../contestants/conventional/postgres-server.ts';
import type { Context } from '../context.ts';
import { startChild } from '../machine/child.ts';
import type { Role } from '../machine/pinning.ts';
import type { Figure, Section } from '../section.ts';
import type { Flooded } from '../../test/kit/activity-flood.ts';
import type { CountNs, EveryRow, TimedCommand, TimedReport } from './activity-process.ts';
import { type CountingReport, measureCounting } from './counting.ts';

const FULL = { flood: 10_000_000, searches: 10_000_000, writes: 12, rowsPerDay: 2_500 };
const QUICK = { flood: 1_000_000, searches: 1_000_000, writes: 6, rowsPerDay: 250 };

const MEMORY_MIB_MAX = 8;
const COUNT_PERCENT_MAX = 1;
const DAY_MB_MAX = 20;
const REPORT_MS_MAX = 1_000;
const NS_PER_US = 1_000;
const MB_PER_MIB = 1024 ** 2 / 1e6;

export const activity: Section = {
  name: 'activity',
  title: 'What happened: counting it, storing it, reporting it',
  seconds: { full: 240, quick: 90 },
  async run(context) {
    const size = context.options.isQuick ? QUICK : FULL;
    const { flooded, filled } = await prepare(context, size);
    const cost = await costOfCounting(context);
    const figures: Figure[] = [...memoryFigures(flooded), ...cost.figures];
    const details: unknown[] = [flooded, cost.details];
    for (const engine of filled) {
      const reported = await runReports(context, engine);
      figures.push(dayFigure(engine, size.searches), ...reported.figures);
      details.push({ ...engine, ...reported.details });
    }
    return {
      figures,
      notes: [
        `The flood: ${size.flood.toLocaleString('en-GB')} requests, each with another city, week and partner, names of 120 characters, the database away.`,
        'Counting a dated search: five million calls in five turns of one process.',
        'Counted against not counted: one service whose counting is switched off and on, because two processes of the same program differ by up to 5 %.',
        `The day is written ${size.writes} times, not every ten seconds; with what is free in its files.`,
        `Reports: 400 days, ${rowsOf(size).toLocaleString('en-GB')} rows in each table; reading and the slowest of table, CSV and JSON, without the start of the command.`,
      ],
      details,
    };
  },
};

interface Filled {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** Of 400 days. */
  readonly url: string;
  /** Of one day of searches. */
  readonly megabytes: number;
}

/** What is not timed, on both cores: the flood on one, databases on the other. */
async function prepare(
  context: Context,
  { flood, searches, writes, rowsPerDay }: typeof FULL,
): Promise<{ readonly flooded: Flooded; readonly filled: readonly Filled[] }> {
  const fill = async (name: Filled['name'], urlOf: (name: string) => Promise<string>): Promise<Filled> => {
    const url = await urlOf('reports');
    const day = { url: await urlOf('day'), searches, writes };
    const megabytes = await askOne<number>(context, 'server', 'storeDay', day);
    await askOne(context, 'server', 'fill', { url, rowsPerDay });
    return { name, url, megabytes };
  };
  const fillBoth = async (): Promise<readonly Filled[]> => {
    const postgres = await startPostgres(context.folder);
    context.onEnd(() => postgres.stop());
    return [
      await fill('SQLite', async (name) => `sqlite:${join(context.folder, `${name}.db`)}`),
      await fill('PostgreSQL', (name) => postgres.createDatabase(name)),
    ];
  };
  // The first order of its process: what is compiled and collected counts as well.
  const flooding = askOne<Flooded>(context, 'load', 'flood', flood);
  const [flooded, filled] = await Promise.all([flooding, fillBoth(), context.cityDatabase()]);
  return { flooded, filled };
}

/** One order of a new process. */
async function askOne<T>(context: Context, role: Role, order: string, input?: unknown): Promise<T> {
  const child = startChild({
    role,
    name: `activity, ${order}`,
    args: [join(import.meta.dirname, 'activity-process.ts')],
  });
  context.onEnd(() => child.stop());
  const answer = await child.ask<T>(order, input);
  await child.stop();
  return answer;
}

/** Whole commands on SQLite alone: there their processor time is all there is, and their start is the same. */
async function runReports(
  context: Context,
  { name, url }: Filled,
): Promise<{ readonly figures: readonly Figure[]; readonly details: object }> {
  const ask = <T>(order: string) => askOne<T>(context, 'server', order, { url });
  const reports = await ask<readonly TimedReport[]>('reports');
  const everyRow = await ask<EveryRow>('everyRow');
  const commands = name === 'SQLite' ? await ask<readonly TimedCommand[]>('commands') : [];
  return {
    figures: [
      ...reports.flatMap((timed) => reportFigures(name, timed)),
      ...everyRowFigures(name, everyRow),
      ...commands.flatMap((command) => commandFigures(name, command)),
    ],
    details: { reports, everyRow, commands },
  };
}

function rowsOf({ rowsPerDay }: { readonly rowsPerDay: number }): number {
  return rowsPerDay * 400;
}

/** Counting alone, in a loop, and its share of what a dated search takes of the service; then with it and without. */
async function costOfCounting(context: Context): Promise<CountingReport> {
  const report = await measureCounting(context);
  const { searchMicros } = report;
  const countNs = await askOne<CountNs>(context, 'server', 'count');
  const alone: readonly Figure[] = [
    { what: 'counting a dated search, processor time', value: countNs.median / NS_PER_US, unit: 'us' },
    { what: 'the same, lowest turn', value: countNs.lowest / NS_PER_US, unit: 'us' },
    { what: 'the same, highest turn', value: countNs.highest / NS_PER_US, unit: 'us' },
    { what: 'a dated search of the service, processor time', value: searchMicros, unit: 'us' },
    {
      what: 'share of counting in a dated search',
      value: (100 * countNs.median) / NS_PER_US / searchMicros,
      unit: '%',
      bar: { is: 'at most', value: COUNT_PERCENT_MAX },
    },
  ];
  return { ...report, figures: [...alone, ...report.figures] };
}

function memoryFigures({ awayMib, mib, looks, others }: Flooded): readonly Figure[] {
  const bar = { is: 'at most', value: MEMORY_MIB_MAX * MB_PER_MIB } as const;
  return [
    { what: 'memory of a thread in a flood, database away', value: awayMib * MB_PER_MIB, unit: 'MB', bar },
    { what: 'the same when all is written', value: mib * MB_PER_MIB, unit: 'MB' },
    {
      what: `of ${looks.toLocaleString('en-GB')} looks that were written, those counted as (other)`,
      value: others,
      unit: 'count',
      bar: { is: 'at least', value: 1 },
    },
  ];
}

function dayFigure({ name, megabytes }: Filled, searches: number): Figure {
  return {
    what: `a day of ${searches.toLocaleString('en-GB')} searches of 10,000 kinds, ${name}`,
    value: megabytes,
    unit: 'MB',
    bar: { is: 'at most', value: DAY_MB_MAX },
  };
}

function reportFigures(
  engine: string,
  { report, rows, slowestFormMs, readCpuMs }: TimedReport,
): readonly Figure[] {
  const what = `${report} over 400 days, ${rows.toLocaleString('en-GB')} rows of it, ${engine}`;
  return [
    { what, value: slowestFormMs, unit: 'ms', bar: { is: 'at most', value: REPORT_MS_MAX } },
    // Of the database's own processes nothing is known here.
    {
      what: 'the same, processor time of this process until the rows are there',
      value: readCpuMs,
      unit: 'ms',
    },
  ];
}

function commandFigures(engine: string, { command, wallMs, cpuMs }: TimedCommand): readonly Figure[] {
  return [
    { what: `the whole command ${command}, ${engine}`, value: wallMs, unit: 'ms' },
    {
      what: 'the same, processor time',
      value: cpuMs,
      unit: 'ms',
      bar: { is: 'at most', value: REPORT_MS_MAX },
    },
  ];
}

function everyRowFigures(engine: string, { rows, bytes, firstMs, allMs }: EveryRow): readonly Figure[] {
  const size = `${rows.toLocaleString('en-GB')} rows, ${Math.round(bytes / 1e6)} MB`;
  return [
    { what: `demand --csv, until its first rows are written, ${engine}`, value: firstMs, unit: 'ms' },
    { what: `demand --csv, until all are (${size}), ${engine}`, value: allMs, unit: 'ms' },
  ];
}
