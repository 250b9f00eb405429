/** What a search costs inside the process, by the size of its city and by the size of everything else. */
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { type Child, startChild } from '../machine/child.ts';
import { type Latencies, medianLatencies } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';

interface CitySize {
  readonly city: string;
  readonly typeCount: number;
  /** Open and closed nights only: no restrictions, no visibility lists, one type a property. */
  readonly isPlain: boolean;
  /** Median of a search, microseconds. */
  readonly barMicros?: number;
}

const CITIES: readonly CitySize[] = [
  { city: 'Thousand', typeCount: 1000, isPlain: false },
  { city: 'Twenty thousand', typeCount: 20_000, isPlain: false, barMicros: 15 },
  { city: 'Hundred thousand', typeCount: 100_000, isPlain: false, barMicros: 75 },
  { city: 'Million', typeCount: 1_000_000, isPlain: false, barMicros: 1000 },
  { city: 'Plain twenty thousand', typeCount: 20_000, isPlain: true },
  { city: 'Plain hundred thousand', typeCount: 100_000, isPlain: true },
];
const TYPE_COUNT_MAX_QUICK = 100_000;

const WATCHED: CitySize = { city: 'Twenty thousand', typeCount: 20_000, isPlain: false };
const OTHERS = { few: 10_000, many: 1_000_000, manyQuick: 60_000 };
const OTHER_CITIES = { few: 50, many: 5000 };
const SLOWER_MAX = 1.1;

const ROUNDS = 3;
const US_PER_MS = 1000;

export const growth: Section = {
  name: 'growth',
  title: 'Search inside the process: 7 nights, page of 20 and total',
  seconds: { full: 150, quick: 45 },
  async run(context) {
    const bySize = await searchBySize(context);
    const byOthers = await searchByOthers(context);
    return {
      figures: [...bySize.flatMap(sizeFigures), ...otherFigures(byOthers)],
      notes: [
        'Restrictions on a third of the inventory types, visibility lists on a tenth of the properties, 1.2 types a property.',
        'Plain types have open and closed nights only, are one to a property and for all partners.',
      ],
      details: { bySize, byOthers },
    };
  },
};

interface Timed extends CitySize {
  readonly latencies: Latencies;
}

async function searchBySize(context: Context): Promise<Timed[]> {
  const child = startGrowth(context);
  const cities = CITIES.filter(
    ({ typeCount }) => !context.options.isQuick || typeCount <= TYPE_COUNT_MAX_QUICK,
  );
  for (const city of cities) await child.ask('addCity', city);
  const rounds: Latencies[][] = cities.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { city }] of cities.entries()) rounds[index]!.push(await time(child, city));
  }
  await child.stop();
  return cities.map((city, index) => ({ ...city, latencies: medianLatencies(rounds[index]!) }));
}

interface ByOthers {
  readonly few: Latencies;
  readonly many: Latencies;
  readonly properties: number;
}

async function searchByOthers(context: Context): Promise<ByOthers> {
  const child = startGrowth(context);
  await child.ask('addCity', WATCHED);
  await child.ask('addOthers', { properties: OTHERS.few, cities: OTHER_CITIES.few });
  const few = await timeRounds(child);
  const properties = context.options.isQuick ? OTHERS.manyQuick : OTHERS.many;
  await child.ask('addOthers', { properties: properties - OTHERS.few, cities: OTHER_CITIES.many });
  const many = await timeRounds(child);
  await child.stop();
  return { few, many, properties };
}

function startGrowth(context: Context): Child {
  const child = startChild({
    role: 'server',
    name: 'growth',
    args: [join(import.meta.dirname, 'growth-process.ts')],
  });
  context.onEnd(() => child.stop());
  return child;
}

async function timeRounds(child: Child): Promise<Latencies> {
  const rounds: Latencies[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await time(child, WATCHED.city));
  return medianLatencies(rounds);
}

function time(child: Child, city: string): Promise<Latencies> {
  return child.ask<Latencies>('time', { city, seconds: 1 });
}

function sizeFigures({ typeCount, isPlain, barMicros, latencies }: Timed): Figure[] {
  const size = typeCount.toLocaleString('en-GB');
  const what = isPlain ? `city of ${size} plain types` : `city of ${size} types`;
  const bar = barMicros === undefined ? {} : { bar: { is: 'at most', value: barMicros } as const };
  return [
    { what: `${what}, median`, value: latencies.p50Ms * US_PER_MS, unit: 'us', ...bar },
    { what: `${what}, p99`, value: latencies.p99Ms * US_PER_MS, unit: 'us' },
  ];
}

function otherFigures({ few, many, properties }: ByOthers): Figure[] {
  const from = OTHERS.few.toLocaleString('en-GB');
  const to = properties.toLocaleString('en-GB');
  return [
    {
      what: `city of 20,000 types beside ${from} other properties, median`,
      value: few.p50Ms * US_PER_MS,
      unit: 'us',
    },
    { what: `the same beside ${to}, median`, value: many.p50Ms * US_PER_MS, unit: 'us' },
    {
      what: `slower when the rest grows from ${from} to ${to}`,
      value: many.p50Ms / few.p50Ms,
      unit: 'ratio',
      bar: { is: 'at most', value: SLOWER_MAX },
    },
  ];
}
