/** Counts searches inside one process, without HTTP and without a database: processor time of each. */
import { type Activity, startActivity } from '../../src/operator/activity/activity.ts';
import type { AnsweredRequest } from '../../src/http/answers/answered-request.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { obeyOrders } from '../machine/channel.ts';
import { median } from '../measure/statistics.ts';

const LAST_DAY = 20_780;
const CITIES = 100;
const WEEKS = 20;
const PARTNERS = 5;
/** Cities, weeks and partners, that is 10,000 kinds of searches. */
const KEYS = CITIES * WEEKS * PARTNERS;
/** Has no divisor in common with KEYS. */
const STRIDE = 7919;
/** Five million in all that count. */
const COUNTS_A_TURN = 1_000_000;
const COUNT_TURNS = 7;
/** For the compiler. */
const COUNT_TURNS_LEFT_OUT = 2;

/** Nanoseconds of processor time of a search that is counted, of several turns. */
export interface CountNs {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

obeyOrders({
  async count(): Promise<CountNs> {
    const activity = startActivity({
      storage: { recordActivity: async () => true },
      clock: systemClock,
      random: systemRandom,
      logger: { warn: () => undefined, error: () => undefined },
      marketOf: () => undefined,
      keepsRequests: true,
      keepsDemand: true,
    });
    const turns = Array.from({ length: COUNT_TURNS }, () => {
      const before = process.threadCpuUsage();
      for (let index = 0; index < COUNTS_A_TURN; index += 1) search(activity, index);
      const { user, system } = process.threadCpuUsage(before);
      return ((user + system) * 1000) / COUNTS_A_TURN;
    });
    await activity.close();
    const kept = turns.slice(COUNT_TURNS_LEFT_OUT);
    return { median: median(kept), lowest: Math.min(...kept), highest: Math.max(...kept) };
  },
});

const askers = Array.from({ length: PARTNERS }, (_, index) => ({
  credentialId: `credential-${index}`,
  partnerId: `partner-${index}`,
}));
const cities = Array.from({ length: CITIES }, (_, index) => {
  const city = `City ${index}`;
  const cityName = city.toUpperCase();
  return { city, cityName, market: { key: `IT ${cityName}`, country: 'IT', city } };
});
const stay = { checkIn: 0, checkOut: 0 };
const found = {
  total: 9,
  askedName: '',
  cityName: '',
  isKnownElsewhere: false,
  markets: [{ market: cities[0]!.market, count: 9 }],
};
const subject = { city: '', stay, guests: 2, page: 1, found };
/**
 * The listener has just made the request that it counts, so there is one for all: thousands that were made before would
 * show how long their way back into the processor's cache takes.
 */
const request: AnsweredRequest = {
  correlationId: 'correlation-0000',
  operationName: 'listPartnerProperties',
  subject,
};

/** All kinds in turn, neighbours far from each other. */
function search(activity: Activity, index: number): void {
  const key = ((index % KEYS) * STRIDE) % KEYS;
  const { city, cityName, market } = cities[key % CITIES]!;
  const week = Math.floor(key / CITIES) % WEEKS;
  subject.city = city;
  found.askedName = city;
  found.cityName = cityName;
  found.markets[0]!.market = market;
  stay.checkIn = LAST_DAY + week * 7;
  stay.checkOut = stay.checkIn + 3;
  activity.answered(request, askers[Math.floor(key / (CITIES * WEEKS))]!, 200, '', 0.4);
}
