/** Cost of reasons by round trip: one stay at a hundred properties that can't host it, against a hundred that have a price. */
import type { StayPrices } from '../../src/contract/partner/price-schemas.ts';
import { formatLocalDate } from '../../src/domain/local-date.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import { formatRequest, recordAnswers, type RequestParts } from '../load/recorded-answer.ts';
import { median } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';
import { withBar } from './beside.ts';
import { startOnCity } from './city-service.ts';

const NIGHTS = 7;
const GUESTS = 2;
const FIRST_DAY = 30;
const IDS = 100;
/** Different lists of ids, asked in turn. */
const LISTS = 5;
const TIMES_MAX = 4;
const ROUNDS = 5;
const LOAD = { connections: 1, requestsPerSecond: 'asFastAsPossible', warmUpSeconds: 1 } as const;
const SECONDS = { full: 4, quick: 1 };

/** What is asked for, and of which properties. */
interface Asked {
  readonly name: string;
  readonly why: boolean;
  readonly of: 'priced' | 'unavailable';
}

const PRICED: Asked = { name: '100 priced stays', why: false, of: 'priced' };
const ASKED: readonly Asked[] = [
  PRICED,
  { name: '100 unavailable stays, with why', why: true, of: 'unavailable' },
  { name: '100 unavailable stays, without', why: false, of: 'unavailable' },
  { name: '100 priced stays, with why', why: true, of: 'priced' },
];

export const why: Section = {
  name: 'why',
  title: `Reasons of a stay of ${NIGHTS} nights at ${IDS} properties, by round trip`,
  seconds: { full: 120, quick: 30 },
  async run(context) {
    const city = await context.cityDatabase();
    const service = await startOnCity(context, city);
    const { port } = service;
    const ids = await classify(city, port);
    const seconds = context.options.isQuick ? SECONDS.quick : SECONDS.full;
    const rounds: Record<string, Round[]> = {};
    for (let round = 0; round < ROUNDS; round += 1)
      for (const asked of ASKED) {
        const requests = listsOf(ids[asked.of]).map((list) => formatRequest(partsOf(city, list, asked.why)));
        const before = await service.usage();
        const report = await context.load.run({ ...LOAD, port, seconds, requests });
        const after = await service.usage();
        if (report.refusals > 0) throw new Error(`${asked.name}: ${report.refusals} were refused`);
        const cpuMs = ((after.cpuSeconds - before.cpuSeconds) * 1000) / report.answersInAll;
        (rounds[asked.name] ??= []).push({ p50Ms: report.latencies.p50Ms, cpuMs });
      }
    await service.stop();
    const figuresOf = ({ name, why: isWhy, of: stays }: Asked): Figure[] => {
      const own = rounds[name]!;
      const against = (time: keyof Round): number =>
        median(own.map((round, index) => round[time] / rounds[PRICED.name]![index]![time]));
      const p50 = withBar(`${name}, p50`, 'ms', median(own.map(({ p50Ms }) => p50Ms)));
      if (name === PRICED.name) return [p50];
      const timesMax = isWhy && stays === 'unavailable' ? TIMES_MAX : undefined;
      return [
        p50,
        withBar('the same, against priced', 'ratio', against('p50Ms'), timesMax),
        withBar('the same, by processor time', 'ratio', against('cpuMs')),
      ];
    };
    return {
      figures: ASKED.flatMap(figuresOf),
      notes: [
        `One client on one connection, ${LISTS} lists of ${IDS} ids in turn; the same stay in ${FIRST_DAY} days for ${GUESTS}.`,
      ],
      details: { rounds, priced: ids.priced.length, unavailable: ids.unavailable.length },
    };
  },
};

interface Round {
  readonly p50Ms: number;
  /** Of the service, for each answer. */
  readonly cpuMs: number;
}

/** `LISTS` of a hundred ids each; of few properties some stand in several. */
function listsOf(ids: readonly string[]): string[][] {
  if (ids.length < IDS) throw new Error(`only ${ids.length} properties`);
  return Array.from({ length: LISTS }, (_, list) => {
    const start = Math.floor(((ids.length - IDS) * list) / (LISTS - 1));
    return ids.slice(start, start + IDS);
  });
}

function partsOf(
  { tokens, today }: CityDatabase,
  propertyIds: readonly string[],
  isWhy: boolean,
): RequestParts {
  const [checkIn, checkOut] = [FIRST_DAY, FIRST_DAY + NIGHTS].map((days) => formatLocalDate(today + days));
  const asked = { propertyIds, stay: { checkIn, checkOut, guests: GUESTS }, ...(isWhy && { why: true }) };
  return { method: 'POST', path: '/prices/v1/stays', token: tokens[0]!, body: JSON.stringify(asked) };
}

/** All properties of the city by what the service answers for the stay. */
async function classify(city: CityDatabase, port: number): Promise<Record<Asked['of'], string[]>> {
  const ids = city.properties.map(({ property }) => property.propertyId);
  const lists = Array.from({ length: Math.ceil(ids.length / IDS) }, (_, list) =>
    ids.slice(list * IDS, (list + 1) * IDS),
  );
  const answers = await recordAnswers(
    port,
    lists.map((list) => partsOf(city, list, false)),
  );
  const found: Record<Asked['of'], string[]> = { priced: [], unavailable: [] };
  for (const { body } of answers)
    for (const { propertyId, code } of (JSON.parse(Buffer.from(body).toString('utf8')) as StayPrices).items) {
      if (code === null) found.priced.push(propertyId);
      else if (code === 'STAY_UNAVAILABLE') found.unavailable.push(propertyId);
    }
  return found;
}
