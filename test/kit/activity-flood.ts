/** Partners that ask for something else each time: what a thread keeps of it is bounded all the same. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Activity, startActivity } from '../../src/operator/activity/activity.ts';
import { type ActivitySlice, OTHER } from '../../src/storage/activity/store.ts';
import { StorageUnavailable } from '../../src/storage/storage.ts';
import { NOW_MS } from './now.ts';

const BYTES_PER_MIB = 1024 ** 2;
const FIRST_DAY = 20_000;
const TURN = 10_000;
/** More than the tables have room for. */
const CREDENTIALS = 9_000;
const PARTNERS = 3_000;
const CITIES = 9_000;
/** 120 characters that take two bytes each. */
const LONG_NAME = '\u6771'.repeat(108);

export interface Flooded {
  /** Memory of counting, with the database away for all of the flood. */
  readonly awayMib: number;
  /** The same after the database is back and everything is written. */
  readonly mib: number;
  readonly searches: number;
  readonly looks: number;
  readonly others: number;
  readonly rowsDropped: number;
}

/** `count` requests, each for another city, week and partner; every one of them waits for a database that is away. */
export async function floodActivity(count: number): Promise<Flooded> {
  const gc = exposeGc();
  let isAway = true;
  const sums = { searches: 0, looks: 0, others: 0 };
  const before = usedMib(gc);
  const activity = startActivity({
    storage: {
      async recordActivity(slice) {
        if (isAway) throw new StorageUnavailable('away');
        add(sums, slice);
        return true;
      },
    },
    clock: () => NOW_MS,
    random: (length) => new Uint8Array(length).fill(7),
    logger: { warn: () => undefined, error: () => undefined },
    marketOf: (propertyId) => ({ key: `IT ${propertyId}`, country: 'IT', city: propertyId }),
    keepsRequests: true,
    keepsDemand: true,
    writeEveryMs: 1,
  });
  for (let index = 0; index < count; index += 1) {
    ask(activity, index);
    // The timer that drains the tables has its turn.
    if (index % TURN === 0) await nextTurn();
  }
  const awayMib = usedMib(gc) - before;
  isAway = false;
  await activity.close();
  return { awayMib, mib: usedMib(gc) - before, ...sums, rowsDropped: activity.meter.rowsDropped };
}

/** A search that finds nothing, a refusal, and a look, in turn. */
function ask(activity: Activity, index: number): void {
  const asker = {
    credentialId: `credential-${index % CREDENTIALS}`,
    partnerId: `partner-${index % PARTNERS}`,
  };
  const city = `${index}`.padStart(12, '0') + LONG_NAME;
  const checkIn = FIRST_DAY + ((index * 7) % 300_000);
  const subject = { stay: { checkIn, checkOut: checkIn + 1 }, guests: 2, page: 1 };
  const request = { correlationId: `${index}`.padStart(16, '-'), operationName: 'listPartnerProperties' };
  if (index % 3 === 0) {
    // Half of them where there are properties, and nothing is free: those names are the operator's own.
    const name = `City ${index % CITIES}`;
    const market = { key: `IT ${name}`, country: 'IT', city: name };
    const markets = index % 2 === 0 ? [] : [{ market, count: 0 }];
    const found = { total: 0, askedName: city, markets, cityName: city, isKnownElsewhere: false };
    activity.answered({ ...request, subject: { ...subject, city, found } }, asker, 200, '', 1);
  } else if (index % 3 === 1)
    activity.answered({ ...request, subject: { ...subject, city } }, asker, 404, 'PROPERTY_NOT_FOUND', 1);
  else {
    const propertyId = `City ${index % CITIES}`;
    activity.answered({ ...request, subject: { ...subject, propertyId } }, asker, 200, '', 1);
  }
}

function add(sums: { searches: number; looks: number; others: number }, slice: ActivitySlice): void {
  for (const { searches, looks, city } of slice.demand) {
    sums.looks += looks;
    sums.searches += searches;
    if (city === OTHER) sums.others += looks;
  }
  for (const { searches } of slice.unknownPlaces) sums.searches += searches;
}

function exposeGc(): () => void {
  setFlagsFromString('--expose_gc');
  return runInNewContext('gc') as () => void;
}

function usedMib(gc: () => void): number {
  gc();
  gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / BYTES_PER_MIB;
}
