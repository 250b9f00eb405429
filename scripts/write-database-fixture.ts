/**
 * Writes `test/fixtures/database/schema-N`, where N is the newest schema: `.db.gz` and `-activity.db.gz`, the files of
 * SQLite, `.sql.gz`, the same rows as statements for PostgreSQL, and `.json`, what partners and operators were given. The
 * program itself fills the database, every table of it. Run it once for each schema of a release.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { issueOperatorToken } from '../src/access/operator-tokens.ts';
import { ALL_SCOPE_NAMES } from '../src/contract/partner/scopes.ts';
import { makeLink } from '../src/access/console-sessions.ts';
import { rotateHandoffKey } from '../src/handoff/key-changes.ts';
import { mintKey } from '../src/partner/webhooks/signatures.ts';
import { activityPathOf } from '../src/storage/activity/activity-path.ts';
import { copyDatabase } from '../src/storage/copy/copy-database.ts';
import { createSchemaTables, latestOf } from '../src/storage/engine/migrations.ts';
import { POSTGRES_SCHEMA } from '../src/storage/engine/postgres/migrate.ts';
import { type ActivitySlice, DURATION_BUCKETS } from '../src/storage/activity/store.ts';
import { accessTables } from '../src/storage/open.ts';
import { formatPropertyDocument } from '../src/supply/native/format-property-document.ts';
import { HOTEL_PONTE, type Line } from '../test/kit/catalogue-lines.ts';
import { SAMPLE } from '../test/kit/command-line.ts';
import { signInTo } from '../test/kit/console-client.ts';
import { type Installation, NOW_MS, openInstallation, valueOf } from '../test/kit/installation.ts';
import { PartnerClient, quoteBody } from '../test/kit/partner-client.ts';
import { type SharedPostgres, startPostgres } from '../test/kit/postgres-server.ts';
import { FIXED_SEED, worldArbitrary } from '../test/kit/property-arbitraries.ts';
import { sampleFeed } from '../test/suites/storage/feed-suite.ts';
import { sampleDelivery, sampleWebhook } from '../test/suites/storage/webhook-suite.ts';
import { calendarWork, nightEntry, send } from '../test/suites/storage/supply-samples.ts';

const FOLDER = join(import.meta.dirname, '..', 'test', 'fixtures', 'database');
const WORLD_COUNT = 12;
const DAY_MS = 86_400_000;
const PROPERTY_ID = 'hotel-ponte-venezia';
const TYPE = { propertyId: PROPERTY_ID, inventoryTypeId: 'double' };
const QUOTED = [
  { propertyId: 'hotel-ponte', checkIn: '2026-12-10', checkOut: '2026-12-12' },
  { propertyId: PROPERTY_ID, checkIn: '2026-12-10', checkOut: '2026-12-18' },
];
/** Without rows: who serves, answers of the last minutes, and sums that a copy makes again. */
const MAY_BE_EMPTY = new Set(['running_processes', 'passkey_challenges', 'passkey_seal', 'traffic_sums']);

/** Another day than that of the service's own counts; its answers become the sums of the day. */
const DAYS_AGO: ActivitySlice = {
  writer: 'one',
  number: 1,
  writtenAtMs: NOW_MS,
  traffic: [
    {
      fromMs: NOW_MS - 3 * DAY_MS,
      partnerId: 'acme',
      credentialId: 'cr',
      operation: 'listPartnerProperties',
      code: '',
      durations: Array.from({ length: DURATION_BUCKETS }, (_, bucket) => bucket),
    },
  ],
  requests: [],
  demand: [],
  unknownPlaces: [{ day: 20_777, place: 'ATLANTIS', searches: 4 }],
  unmet: [
    {
      day: 20_777,
      city: 'Łódź',
      country: 'PL',
      checkIn: 30_000,
      nights: 2,
      guests: 3,
      childAges: '',
      searches: 4,
    },
  ],
};

const COLUMNS = `
  SELECT relname AS name, attname AS column FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
  ORDER BY relname, attnum`;

interface Given {
  readonly token: string;
  readonly operatorToken: string;
  readonly quoteId: string;
  readonly total: string;
  readonly handoff: string | null;
}

const version = latestOf(POSTGRES_SCHEMA);
const path = join(FOLDER, `schema-${version}`);
const postgres = await startPostgres();
const installation = await openInstallation();
try {
  const given = await fill(installation);
  // The last connection moves the log into the file.
  await installation.storage.close();
  const { databasePath } = installation;
  for (const [file, name] of [
    [databasePath, ''],
    [activityPathOf(databasePath), '-activity'],
  ] as const)
    writeFileSync(`${path}${name}.db.gz`, gzipSync(readFileSync(file), { level: 9 }));
  const url = await postgres.createDatabase();
  const [from, to] = await Promise.all(
    [`sqlite:${databasePath}`, url].map((one) => accessTables(one, { clock: () => NOW_MS })),
  );
  assert.ok((await copyDatabase({ from: from!, to: to! })).ok);
  writeFileSync(`${path}.sql.gz`, gzipSync(await dump(postgres, url), { level: 9 }));
  writeFileSync(`${path}.json`, `${JSON.stringify(given, null, 2)}\n`);
  process.stdout.write(`${path}\n`);
} finally {
  await installation.close();
  await postgres.close();
}

async function fill(installed: Installation): Promise<Given> {
  const { storage, access } = installed;
  const sample = readFileSync(join(SAMPLE, 'italy.ndjson'), 'utf8').trim().split('\n');
  const worlds = fc.sample(worldArbitrary, { ...FIXED_SEED, numRuns: WORLD_COUNT });
  const imported = await installed.importLines([
    ...sample.map((line) => JSON.parse(line) as Line),
    HOTEL_PONTE,
    ...worlds.map(({ property, entries }, index): Line =>
      formatPropertyDocument({ ...property, propertyId: `p${index}` }, entries),
    ),
  ]);
  assert.deepEqual(imported.rejections, []);
  await storage.withdrawProperties(['p0']);

  const { token, credentialId } = await installed.issue({ partnerId: 'acme', scopes: ALL_SCOPE_NAMES });
  await installed.issue({ partnerId: 'acme', isTest: true });
  const { token: operatorToken } = valueOf(await issueOperatorToken(access, { name: 'web application' }));
  await rotateHandoffKey({ ...access, storage });
  const service = await installed.serve({ WEB_PORT: '0' });
  const partner = new PartnerClient(service.partnerUrl, token);
  const quotes = [];
  for (const [index, { propertyId, checkIn, checkOut }] of QUOTED.entries()) {
    const answer = await partner.quote(quoteBody(propertyId, checkIn, checkOut));
    assert.equal(answer.status, 201, `quote ${index}`);
    quotes.push(answer.success);
  }
  await partner.search({ city: 'Venezia', checkIn: '2027-12-01', checkOut: '2027-12-09', guests: 2 });
  await partner.search({ city: 'Atlantis' });

  const entries = [nightEntry(30, 33, { stopSell: 1, closedToArrival: 1, closedToDeparture: 1 })];
  const work = calendarWork([{ ...TYPE, entries }]);
  await send(storage, 'pms', work, { idempotency: { key: 'once', bodyHash: 'x' } });
  await storage.putSupplyMappings([{ source: 'pms', externalKey: 'room 1 🏨', ...TYPE }]);
  await storage.insertFeed(sampleFeed('feed', TYPE));
  await storage.publishCalendar({ ...TYPE, secretHash: 'a'.repeat(64), publishedAtMs: NOW_MS });

  const [first, gone] = quotes;
  await storage.recordVisits(
    quotes.map(({ quoteId }) => ({
      quoteId,
      openedCount: 2,
      firstOpenedAtMs: NOW_MS,
      outcome: 'price_changed',
      priceChangePerMille: 12,
      continuedAtMs: NOW_MS + 1,
    })),
  );
  const conversion = { status: 'booked', total: 24_000, currency: 'EUR', atMs: NOW_MS } as const;
  await storage.recordConversion({ quoteId: first!.quoteId, reference: 'B-1', ...conversion });
  await storage.addQuoteCounts(Math.floor(NOW_MS / DAY_MS), [{ credentialId, quotes: 2 }]);
  // The totals of its day stay.
  await installed.storage.deleteExpiredQuotes(NOW_MS + DAY_MS, 1);

  const console = await signInTo(installed, service.operatorUrl, { role: 'admin' });
  await addPasskey(installed);
  await console.act('/console/partners/partner-create', { name: 'Beta', partnerId: 'beta' });
  await storage.putSiteSettings([{ name: 'WEB_NAME', value: 'Stays by the sea' }], 0);
  await makeLink({ ...access, storage }, { name: 'Ada', role: 'viewer' });
  await service.close();
  await storage.insertWebhook(sampleWebhook('a', { partnerId: 'acme' }), mintKey(access.random, NOW_MS));
  await storage.insertDeliveries([sampleDelivery('waits')]);
  await storage.recordActivity(DAYS_AGO);
  await storage.rollUpTraffic(NOW_MS - 2 * DAY_MS, 100);
  await storage.keepTrafficSums(NOW_MS - DAY_MS);

  const kept = (await storage.findQuote(gone!.quoteId)) === undefined ? first! : gone!;
  return {
    token,
    operatorToken,
    quoteId: kept.quoteId,
    total: kept.pricing.total,
    handoff: new URL(kept.handoffUrl).searchParams.get('handoff'),
  };
}

async function addPasskey({ storage }: Installation): Promise<void> {
  const [session] = await storage.listConsoleSessions();
  const { sessionId, name, role } = session!;
  const passkey = {
    passkeyId: 'pk_1',
    credentialId: 'cred',
    publicKey: 'key',
    signCount: 1,
    createdAtMs: NOW_MS,
    lastUsedAtMs: null,
  };
  const challenge = { challengeHash: 'c'.repeat(64), expiresAtMs: NOW_MS + 1 };
  await storage.readPasskeySeal('seal');
  assert.ok(await storage.putPasskey({ ...passkey, name, role }, { sessionId, challenge, passkeysMax: 9 }));
}

/** The schema as the migrations make it, then the rows of each table. */
async function dump(server: SharedPostgres, url: string): Promise<string> {
  const { rows: columns } = await server.query(COLUMNS, url);
  const texts: string[] = [];
  for (const [table, of] of Map.groupBy(columns, ({ name }) => String(name))) {
    const values = of.map(({ column }) => `quote_nullable("${column}"::text)`).join(`, ', ', `);
    const { rows } = await server.query(`SELECT concat(${values}) AS row FROM ${table} ORDER BY 1`, url);
    assert.ok(rows.length > 0 || MAY_BE_EMPTY.has(table), `${table} has no rows`);
    texts.push(`DELETE FROM ${table};`, ...rows.map(({ row }) => `INSERT INTO ${table} VALUES (${row});`));
  }
  const schema = POSTGRES_SCHEMA.migrations.map(({ sql }) => sql);
  return `${[...schema, createSchemaTables('postgres'), ...texts].join('\n')}\n`;
}
