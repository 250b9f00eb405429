/** Eight senders beside the searches of partners, and one large message: how fast are they answered and seen? */
import { inEnglish } from '../../src/domain/wrong.ts';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueOperatorToken } from '../../src/access/operator-tokens.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { copyDatabase } from '../../src/storage/copy/copy-database.ts';
import { accessTables, openStorage } from '../../src/storage/open.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import { startPostgres } from '../contestants/conventional/postgres-server.ts';
import type { Context } from '../context.ts';
import { drawRequests, drawSearch } from '../load/city-requests.ts';
import { formatRequest } from '../load/recorded-answer.ts';
import type { LoadReport } from '../load/load-orders.ts';
import { startChild } from '../machine/child.ts';
import type { Pauses } from '../machine/pause-watch.ts';
import { seedRandom } from '../measure/random.ts';
import { percentile } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';
import { SEED } from '../seed.ts';
import type { SupplyTarget } from './supply-client.ts';
import type { ChangesOrder, ChangesReport, LargeOrder, LargeReport } from './supply-process.ts';
import { startOnCity } from './city-service.ts';

const REQUEST_COUNT = 20_000;
const CONNECTIONS = 50;
const SETTLE_SECONDS = 2;
const LARGE_ENTRIES = 100_000;
const LARGE_PROPERTIES = 2_000;
/** With these ids and fields so many entries are somewhat more than the limit that is set unless told otherwise. */
const BODY_LIMIT_BYTES = 16 * 1024 * 1024;
/** A sender measures nothing while it is being compiled. */
const WARM_UP_SECONDS = 3;

interface Engine {
  readonly name: string;
  readonly databaseUrl: string;
  /** Changes and searches a second. */
  readonly rate: number;
  readonly largeSecondsMax: number;
}

export const supply: Section = {
  name: 'supply',
  title: 'Calendar changes of eight senders beside searches, and one message of 100,000 entries',
  seconds: { full: 85, quick: 40 },
  async run(context) {
    const city = await context.cityDatabase();
    const path = join(context.folder, 'supply.db');
    await copyFile(city.databaseUrl.replace('sqlite:', ''), path);
    const sqlite = { name: 'SQLite', databaseUrl: `sqlite:${path}`, rate: 1_000, largeSecondsMax: 5 };
    const measured = [await measure(context, city, sqlite)];
    const postgres = await startPostgres(context.folder);
    context.onEnd(() => postgres.stop());
    const databaseUrl = await postgres.createDatabase('supply');
    const [from, to] = await Promise.all(
      [sqlite.databaseUrl, databaseUrl].map((url) => accessTables(url, { clock: systemClock })),
    );
    const copied = await copyDatabase({ from: from!, to: to! });
    if (!copied.ok) throw new Error(copied.problem);
    await postgres.pin();
    measured.push(
      await measure(context, city, { name: 'PostgreSQL', databaseUrl, rate: 500, largeSecondsMax: 10 }),
    );
    return {
      figures: measured.flatMap(({ figures }) => figures),
      notes: [
        'Each message holds one change, and is timed from the moment it was due.',
        'Visible: the revision that it was answered with is shown to partners by the process that took it.',
        'PostgreSQL shares the core of the service, and is asked for half the rate.',
        ...measured.map(({ note }) => note),
      ],
      details: measured.map(({ details }) => details),
    };
  },
};

async function measure(
  context: Context,
  city: CityDatabase,
  { name, databaseUrl, rate, largeSecondsMax }: Engine,
): Promise<{ readonly figures: readonly Figure[]; readonly note: string; readonly details: unknown }> {
  const { options } = context;
  const environment = { SUPPLY_BODY_LIMIT_BYTES: String(BODY_LIMIT_BYTES) };
  const service = await startOnCity(context, { databaseUrl }, { environment });
  const senders = startChild({
    role: 'load',
    name: 'senders',
    args: [join(import.meta.dirname, 'supply-process.ts')],
  });
  context.onEnd(() => senders.stop());
  const target = await targetOf(city, databaseUrl, service);
  const seconds = options.isQuick ? 5 : 20;
  const order = { ...target, changesPerSecond: rate } satisfies Partial<ChangesOrder>;
  await senders.ask('changes', { ...order, seconds: WARM_UP_SECONDS });
  const searching = context.load.run({
    port: service.port,
    requests: drawRequests(seedRandom(SEED), city, drawSearch, REQUEST_COUNT).map(formatRequest),
    connections: CONNECTIONS,
    warmUpSeconds: SETTLE_SECONDS,
    seconds: seconds + SETTLE_SECONDS,
    requestsPerSecond: rate,
  });
  const changed = await senders.ask<ChangesReport>('changes', { ...order, seconds });
  const searched = await searching;
  await service.child.ask('watchPauses');
  const large: LargeOrder = {
    ...target,
    propertyIds: target.propertyIds.slice(0, LARGE_PROPERTIES),
    entryCount: options.isQuick ? LARGE_ENTRIES / 4 : LARGE_ENTRIES,
  };
  const sent = await senders.ask<LargeReport>('large', large);
  const pauses = await service.child.ask<Pauses>('readPauses');
  await senders.stop();
  await service.stop();
  if (changed.refused > 0) throw new Error(`${changed.refused} changes were refused`);
  return {
    figures: figuresOf(
      { name, rate, largeSecondsMax },
      { changed, searched, sent, pauses },
      large.entryCount,
    ),
    note: describePause(name, pauses),
    details: { name, changed, searched, sent, pauses },
  };
}

interface Measured {
  readonly changed: ChangesReport;
  readonly searched: LoadReport;
  readonly sent: LargeReport;
  readonly pauses: Pauses;
}

function figuresOf(
  { name, rate, largeSecondsMax }: Omit<Engine, 'databaseUrl'>,
  { changed, searched, sent, pauses }: Measured,
  entryCount: number,
): Figure[] {
  return [
    {
      what: `${name}: changes`,
      value: changed.changes / changed.seconds,
      unit: 'requests/s',
      bar: { is: 'at least', value: 0.99 * rate },
    },
    { what: `${name}: searches beside them`, value: searched.answersPerSecond, unit: 'requests/s' },
    {
      what: `${name}: change to answer, p99`,
      value: percentile(changed.answeredAfterMs, 99),
      unit: 'ms',
      bar: { is: 'at most', value: 50 },
    },
    {
      what: `${name}: change to visible, p99`,
      value: percentile(changed.visibleAfterMs, 99),
      unit: 'ms',
      bar: { is: 'at most', value: 250 },
    },
    {
      what: `${name}: search p99 meanwhile`,
      value: searched.latencies.p99Ms,
      unit: 'ms',
      bar: { is: 'at most', value: 10 },
    },
    {
      what: `${name}: ${entryCount} entries in one message (${sent.megabytes.toFixed(1)} MB), to the answer`,
      value: sent.answeredAfterMs / 1000,
      unit: 's',
      bar: { is: 'at most', value: largeSecondsMax },
    },
    { what: `${name}: the same, to visible`, value: sent.visibleAfterMs / 1000, unit: 's' },
    {
      what: `${name}: longest pause of the event loop meanwhile`,
      value: pauses.maxMs,
      unit: 'ms',
      bar: { is: 'at most', value: 20 },
    },
  ];
}

/** What the longest pause was made of: a thread that computed little in it has waited for others. */
function describePause(name: string, { longestTurn, longestCollection }: Pauses): string {
  const turn = `${name}: the thread computed for ${longestTurn.cpuMs.toFixed(1)} of the ${longestTurn.ms.toFixed(1)} ms of its longest turn`;
  if (longestCollection === undefined) return `${turn}; nothing was collected meanwhile.`;
  const { kind, ms, isForBuffers } = longestCollection;
  const why = isForBuffers ? ', for the memory of buffers' : '';
  return `${turn}; the longest collection was a ${kind} of ${ms.toFixed(1)} ms${why}.`;
}

/** What senders change: all properties of the city, in the database of the service that listens on `operatorPort`. */
export async function targetOf(
  city: CityDatabase,
  databaseUrl: string,
  { operatorPort }: { readonly operatorPort: number },
): Promise<SupplyTarget> {
  const { inventoryTypes } = city.properties[0]!.property;
  const propertyIds = city.properties.map(({ property }) => property.propertyId);
  const token = await issueToken(databaseUrl, propertyIds[0]!);
  const { inventoryTypeId } = inventoryTypes[0]!;
  return { operatorPort, token, today: city.today, propertyIds, inventoryTypeId };
}

/** For the source that the properties come from: the price of a type is that of one source. */
async function issueToken(databaseUrl: string, propertyId: string): Promise<string> {
  const storage = await openStorage(databaseUrl, { clock: systemClock });
  try {
    const deps = { storage, clock: systemClock, random: systemRandom };
    const source = (await storage.findProperty(propertyId))?.source;
    const issued = await issueOperatorToken(deps, {
      name: 'bench',
      ...(source === undefined ? {} : { source }),
    });
    if (!issued.ok) throw new Error(inEnglish(issued.problem));
    return issued.value.token;
  } finally {
    await storage.close();
  }
}
