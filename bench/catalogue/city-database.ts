/**
 * One city of apartments in a database: Antwerp as published, when its files are given, else a city generated like it.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../src/runtime/clock.ts';
import { type EpochDay, formatLocalDate, localToday } from '../../src/domain/local-date.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { FollowedProperty } from '../../src/storage/catalogue/store.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { STAYPORT } from '../contestants/stayport.ts';
import { seedRandom } from '../measure/random.ts';
import type { BenchOptions } from '../options.ts';
import { SEED } from '../seed.ts';
import { issueManyTokens, issueTokens } from './credentials.ts';
import type { Place } from './places.ts';
import { apartmentProfile } from './profiles.ts';
import { asWrite, generateProperty } from './property-generator.ts';
import { makeTexts } from './texts.ts';

export interface CityDatabase {
  readonly databaseUrl: string;
  readonly place: Place;
  readonly today: EpochDay;
  /** Nights from today for which there is data. */
  readonly nightCount: number;
  readonly tokens: readonly string[];
  /** Each with the default quota. */
  readonly manyTokens: readonly string[];
  readonly properties: readonly FollowedProperty[];
  readonly origin: 'published' | 'generated';
  readonly loadSeconds: number;
}

const PLACE: Place = { city: 'Antwerp', country: 'BE', timezone: 'Europe/Brussels', currency: 'EUR' };
const NIGHT_COUNT = 365;
const LISTINGS = 2870;
/** An answer of a thousand changes needs as many. */
const LISTINGS_QUICK = 1_200;
const WRITES_AT_ONCE = 500;
/** With 120 requests a minute each, more than the load can ask for. */
const MANY_TOKENS = 30_000;
const PARTNER_IDS = ['partner-1', 'partner-2', 'partner-3', 'partner-4'];

/** What a database of the benchmark is made with. */
export interface DatabaseInputs {
  readonly options: BenchOptions;
  /** Where its files go. */
  readonly folder: string;
  /** A line for the person who waits. */
  readonly say: (line: string) => void;
}

export async function prepareCityDatabase({ options, folder, say }: DatabaseInputs): Promise<CityDatabase> {
  const { antwerpFolder, isQuick } = options;
  const databaseUrl = `sqlite:${join(folder, 'city.db')}`;
  const today = localToday(PLACE.timezone, systemClock());
  const startedAtMs = performance.now();
  if (antwerpFolder !== undefined) await importPublished(databaseUrl, antwerpFolder, today);
  const storage = await openStorage(databaseUrl, { clock: systemClock });
  try {
    await storage.migrate();
    if (antwerpFolder === undefined) await generateCity(storage, today, isQuick ? LISTINGS_QUICK : LISTINGS);
    const loadSeconds = (performance.now() - startedAtMs) / 1000;
    const tokens = await issueTokens(storage, PARTNER_IDS);
    const manyTokens = await issueManyTokens(storage, PARTNER_IDS[0]!, MANY_TOKENS);
    const properties = await readAll(storage);
    const origin = antwerpFolder === undefined ? 'generated' : 'published';
    say(`  ${properties.length} properties, ${origin}, loaded in ${loadSeconds.toFixed(1)} s`);
    return {
      databaseUrl,
      place: PLACE,
      today,
      nightCount: NIGHT_COUNT,
      tokens,
      manyTokens,
      properties,
      origin,
      loadSeconds,
    };
  } finally {
    await storage.close();
  }
}

/** As an operator does it. */
async function importPublished(databaseUrl: string, folder: string, today: EpochDay): Promise<void> {
  const { city, country, timezone, currency } = PLACE;
  const files = [
    '--listings',
    join(folder, 'listings.csv.gz'),
    '--calendar',
    join(folder, 'calendar.csv.gz'),
  ];
  const about = ['--city', city, '--country', country, '--timezone', timezone, '--currency', currency];
  const args = [
    STAYPORT,
    'import',
    'inside-airbnb',
    ...files,
    ...about,
    '--start-on',
    formatLocalDate(today),
  ];
  await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
  });
}

async function generateCity(storage: Storage, today: EpochDay, count: number): Promise<void> {
  const random = seedRandom(SEED);
  const texts = makeTexts(random);
  const profile = apartmentProfile(random, today, count);
  const writes = Array.from({ length: count }, (_, index) => {
    const generated = generateProperty(random, texts, profile, {
      propertyId: `apartment-${index}`,
      place: PLACE,
    });
    return asWrite(generated, profile, 'generated');
  });
  for (let start = 0; start < writes.length; start += WRITES_AT_ONCE) {
    await storage.writeProperties(writes.slice(start, start + WRITES_AT_ONCE));
  }
}

async function readAll(storage: Storage): Promise<FollowedProperty[]> {
  const snapshot = await storage.openSnapshot();
  try {
    const properties: FollowedProperty[] = [];
    for await (const batch of snapshot.readProperties()) properties.push(...batch);
    return properties;
  } finally {
    await snapshot.close();
  }
}
