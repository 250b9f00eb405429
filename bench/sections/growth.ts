/** What a search costs inside the process, by the size of its city and by the size of everything else. */
import type { Child } from '../machine/child.ts';
import { type Latencies, median, medianLatencies } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';
import { type CityOrder, startCities } from './cities.ts';

/** With the bar for the median of a search in microseconds. */
type CitySize = CityOrder & { readonly barMicros?: number };

/** The city that is timed beside few and beside many others. */
const WATCHED: CitySize = { city: 'Twenty thousand', typeCount: 20_000, barMicros: 15 };
const CITIES: readonly CitySize[] = [
  { city: 'Thousand', typeCount: 1000 },
  WATCHED,
  { city: 'Hundred thousand', typeCount: 100_000, barMicros: 75 },
  { city: 'Million', typeCount: 1_000_000, barMicros: 1000 },
];
const TYPE_COUNT_MAX_QUICK = 100_000;

/** Other cities beside the watched one: few in one process, more in the other one, together with the cities above. */
const OTHERS = {
  few: { properties: 10_000, cities: 50 },
  many: { properties: 20_000, cities: 5000 },
};
const SLOWER_MAX = 1.1;

const ROUNDS = 5;
const ROUND_SECONDS = 0.5;
const US_PER_MS = 1000;

export const growth: Section = {
  name: 'growth',
  title: 'Search inside the process: 7 nights, page of 20 and total',
  seconds: { full: 85, quick: 25 },
  async run(context) {
    const cities = CITIES.filter(
      ({ typeCount }) => !context.options.isQuick || typeCount <= TYPE_COUNT_MAX_QUICK,
    );
    const small = startCities(context);
    const large = startCities(context);
    const [few, many] = await Promise.all([
      build(small, [WATCHED], OTHERS.few),
      build(large, cities, OTHERS.many),
    ]);
    const { bySize, beside } = await timeInTurn(small, large, cities);
    await small.stop();
    await large.stop();
    const byOthers = { few, many, beside };
    return {
      figures: [...bySize.flatMap(sizeFigures), ...otherFigures(byOthers)],
      notes: [
        'Restrictions on a third of the inventory types, advance windows on three quarters, visibility lists on a tenth of the properties, 1.2 types a property.',
        'The rest of the catalogue is all those other cities and small ones; two processes, one with little of it and one with all, are timed in turn.',
      ],
      details: { bySize, byOthers },
    };
  },
};

interface Timed extends CitySize {
  readonly latencies: Latencies;
}

/** Answers how many properties there are beside the watched city. */
async function build(
  child: Child,
  cities: readonly CitySize[],
  others: { readonly properties: number; readonly cities: number },
): Promise<number> {
  let properties = 0;
  for (const city of cities) {
    const added = await child.ask<number>('addCity', city);
    if (city.city !== WATCHED.city) properties += added;
  }
  await child.ask('addOthers', others);
  return properties + others.properties;
}

interface ByOthers {
  /** Properties beside the watched city. */
  readonly few: number;
  readonly many: number;
  readonly beside: Beside;
}

interface Beside {
  readonly few: Latencies;
  readonly many: Latencies;
  /** How many times as long it takes beside many: the median over the rounds. */
  readonly times: number;
}

async function timeInTurn(
  small: Child,
  large: Child,
  cities: readonly CitySize[],
): Promise<{ bySize: Timed[]; beside: Beside }> {
  const few: Latencies[] = [];
  const rounds: Latencies[][] = cities.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { city }] of cities.entries()) {
      if (city === WATCHED.city) few.push(await time(small, city));
      rounds[index]!.push(await time(large, city));
    }
  }
  const many = rounds[cities.findIndex(({ city }) => city === WATCHED.city)]!;
  return {
    bySize: cities.map((city, index) => ({ ...city, latencies: medianLatencies(rounds[index]!) })),
    beside: {
      few: medianLatencies(few),
      many: medianLatencies(many),
      times: median(many.map(({ p50Ms }, round) => p50Ms / few[round]!.p50Ms)),
    },
  };
}

function time(child: Child, city: string): Promise<Latencies> {
  return child.ask<Latencies>('time', { city, seconds: ROUND_SECONDS });
}

function sizeFigures({ typeCount, barMicros, latencies }: Timed): Figure[] {
  const size = typeCount.toLocaleString('en-GB');
  const what = `city of ${size} types`;
  const bar = barMicros === undefined ? {} : { bar: { is: 'at most', value: barMicros } as const };
  return [
    { what: `${what}, median`, value: latencies.p50Ms * US_PER_MS, unit: 'us', ...bar },
    { what: `${what}, p99`, value: latencies.p99Ms * US_PER_MS, unit: 'us' },
  ];
}

function otherFigures({ few, many, beside }: ByOthers): Figure[] {
  const from = few.toLocaleString('en-GB');
  const to = many.toLocaleString('en-GB');
  return [
    {
      what: `city of 20,000 types beside ${from} other properties, median`,
      value: beside.few.p50Ms * US_PER_MS,
      unit: 'us',
    },
    { what: `the same beside ${to}, median`, value: beside.many.p50Ms * US_PER_MS, unit: 'us' },
    {
      what: `slower when the rest grows from ${from} to ${to}`,
      value: beside.times,
      unit: 'ratio',
      bar: { is: 'at most', value: SLOWER_MAX },
    },
  ];
}
