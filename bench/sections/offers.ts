/** What one stay whole costs by round trip, beside its price by id: the same stays of the same properties, in turn. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PropertyDetails } from '../../src/domain/property-details.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import type { Context } from '../context.ts';
import { drawOffer, drawOneId, drawRequests } from '../load/city-requests.ts';
import { formatRequest, recordAnswers } from '../load/recorded-answer.ts';
import { alternate, type Pace, ratio } from '../measure/alternate.ts';
import { seedRandom } from '../measure/random.ts';
import type { Section } from '../section.ts';
import { SEED } from '../seed.ts';
import { withBar } from './beside.ts';
import { startOnCity } from './city-service.ts';

/** One client: what counts is how long it waits. */
const PACE: Pace = { rounds: 9, warmUpSeconds: 0.5, seconds: 1.5, connections: 1 };
const PACE_QUICK: Pace = { ...PACE, rounds: 3, seconds: 0.7 };
const COMPILE_SECONDS = 3;
const PROPERTIES = 500;
const DRAWN = 4_000;
const TIMES_MAX = 2;

/** All that an offer can say. */
const TERMS: PropertyDetails = {
  images: [],
  checkIn: { from: '15:00', until: '22:00' },
  checkOut: { until: '10:30' },
  cancellation: [
    { daysBefore: 14, refundPercent: '100' },
    { daysBefore: 3, refundPercent: '50' },
  ],
  payment: [
    { due: 'booking', daysBefore: null, percent: '30' },
    { due: 'daysBefore', daysBefore: 30, percent: '70' },
  ],
  houseRules: { 'en-GB': 'No parties.' },
  registrationNumber: 'BE-0001',
  seller: 'Bench',
};

export const offers: Section = {
  name: 'offers',
  title: 'One stay whole, beside its price by id: round trips of one client',
  seconds: { full: 45, quick: 15 },
  async run(context) {
    const { isQuick } = context.options;
    const city = await prepare(context, await context.cityDatabase());
    const service = await startOnCity(context, city);
    const { port, usage } = service;
    const drawn = [drawOneId, drawOffer].map((draw) => drawRequests(seedRandom(SEED), city, draw, DRAWN));
    const [byId = [], whole = []] = drawn;
    const answers = await recordAnswers(port, whole);
    const isPriced = (_: unknown, index: number): boolean => answers[index]!.status === 200;
    const contestants = [
      { name: 'one id', port, requests: byId.filter(isPriced).map(formatRequest), usage },
      { name: 'offer', port, requests: whole.filter(isPriced).map(formatRequest), usage },
    ];
    const pace = isQuick ? PACE_QUICK : PACE;
    await alternate(context.load, contestants, { ...pace, rounds: 1, seconds: COMPILE_SECONDS });
    const [id, offer] = await alternate(context.load, contestants, pace);
    await service.stop();
    const times = ratio(offer!, id!, ({ latencies }) => latencies.p50Ms);
    return {
      figures: [
        withBar('offer against one id, p50', 'ratio', times, TIMES_MAX),
        withBar('one id, p50', 'ms', id!.latencies.p50Ms),
        withBar('offer, p50', 'ms', offer!.latencies.p50Ms),
        withBar('offer, p99', 'ms', offer!.latencies.p99Ms),
        withBar(
          'offer against one id, processor time',
          'ratio',
          ratio(offer!, id!, (round) => round.cpuMicrosPerAnswer),
        ),
      ],
      notes: [`${contestants[1]!.requests.length} priced stays at ${PROPERTIES} properties with all terms.`],
      details: [id, offer],
    };
  },
};

/** A copy of the city whose first properties have all terms. */
async function prepare({ folder }: Context, city: CityDatabase): Promise<CityDatabase> {
  const path = join(folder, 'offers.db');
  await copyFile(city.databaseUrl.replace('sqlite:', ''), path);
  const databaseUrl = `sqlite:${path}`;
  const properties = city.properties.slice(0, PROPERTIES);
  const storage = await openStorage(databaseUrl, { clock: systemClock });
  try {
    await storage.writeProperties(
      properties.map(({ property, lowestRates, nights, rates }) => ({
        property,
        details: TERMS,
        source: 'generated',
        lowestRates,
        calendars: property.inventoryTypes.map(({ inventoryTypeId }, index) => ({
          inventoryTypeId,
          nights: nights[index]!,
          rates: rates[index]!,
        })),
      })),
    );
  } finally {
    await storage.close();
  }
  return { ...city, databaseUrl, properties };
}
