/**
 * Copying between the two engines, both ways.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { it } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { activityPathOf } from '../activity/activity-path.ts';
import { type ActivitySlice, DURATION_BUCKETS } from '../activity/store.ts';
import { cursorAfter } from '../catalogue/change-cursor.ts';
import { NOTHING_READ } from '../history/revision.ts';
import { type CopyProgress, copyDatabase } from './copy-database.ts';
import { accessTables, openStorage } from '../open.ts';
import { makeDatabasePath } from '../../../test/suites/storage/sqlite-fixture.ts';
import { SchemaMismatch, type Storage, StorageUnavailable } from '../storage.ts';
import { NOW_MS } from '../../../test/suites/storage/fixture.ts';
import {
  sampleCredential,
  sampleHandoffKey,
  sampleOperatorToken,
  samplePartner,
  sampleQuote,
  sampleType,
  sampleWrite,
} from '../../../test/suites/storage/sample-rows.ts';
import { makeDiscount } from '../../../test/kit/property-fixtures.ts';
import {
  calendarWork,
  nightEntry,
  send,
  suppliedWrite,
} from '../../../test/suites/storage/supply-samples.ts';
import { sampleDelivery, sampleKey, sampleWebhook } from '../../../test/suites/storage/webhook-suite.ts';
import type { TakenDelivery } from '../webhooks/store.ts';
import { REVISION_TABLE, type TableAccess, TABLES, type TableWriter } from './tables.ts';
import { describePostgres } from '../../../test/suites/storage/postgres-fixture.ts';

const clock = () => NOW_MS;
const PROPERTY_COUNT = 1_300;
const EVER = { from: 0, to: 100_000, rowsMax: 9 };

async function withStorage(url: string, body: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await openStorage(url, { clock });
  try {
    await storage.migrate();
    await body(storage);
  } finally {
    await storage.close();
  }
}

/** A bit of everything: several types, long and odd texts, tombstones, a revocation, many quotes. */
async function fill(storage: Storage): Promise<void> {
  const ids = Array.from({ length: PROPERTY_COUNT }, (_, index) => `p${index}`);
  await storage.writeProperties(
    ['~', 'A', 'a', '.', ...ids].map((id, index) =>
      sampleWrite(id, {
        version: index % 250,
        description: index % 300 === 0 ? '🏨 \0 \ud800'.repeat(100_000) : 'Zwei Nächte',
        inventoryTypes: ['x', 'y', 'z'].slice(index % 3).map(sampleType),
        ...(index % 2 === 0
          ? { discounts: [makeDiscount({ code: `Frühbucher ${index}`, minNights: 7 })] }
          : {}),
      }),
    ),
  );
  await storage.withdrawProperties(['p3', 'p7']);
  await storage.putPartner(samplePartner('p', { name: 'Tom & "Jerry" 🏨', disabled: true }));
  await storage.putCredentials([
    sampleCredential('c1', { revokedAtMs: NOW_MS }),
    sampleCredential('c2', { expiresAtMs: 2 ** 53 - 1 }),
  ]);
  await storage.putHandoffKey(sampleHandoffKey('k'), { unlessAnyExists: true });
  await storage.putOperatorToken(sampleOperatorToken('t'));
  const quotes = Array.from({ length: 500 }, (_, index) =>
    sampleQuote(`q${index}`, {
      answer: `"€ ${index}"`,
      breakdown: `{"discount":{"code":"Frühbucher ${index}"}}`,
    }),
  );
  await Promise.all(quotes.map((quote) => storage.insertQuote(quote)));
  await storage.writeProperties([suppliedWrite('layered', [[nightEntry(0, 9, { availability: 2 })]])]);
  const entries = [nightEntry(3, 3, { stopSell: 1 })];
  await send(storage, 'manual', calendarWork([{ propertyId: 'layered', entries }]), {
    idempotency: { key: 'once', bodyHash: 'x' },
  });
  await storage.putSupplyMappings([
    { source: 'pms', externalKey: 'room 1 🏨', propertyId: 'layered', inventoryTypeId: 'double' },
  ]);
  await storage.recordActivity(SLICE);
  await storage.insertWebhook(sampleWebhook('a', { partnerId: 'p' }), sampleKey('a'));
  await storage.rotateWebhookKey('a', sampleKey('b', NOW_MS + 1), NOW_MS + 9);
  await storage.insertWebhook(sampleWebhook('b', { partnerId: 'p', events: [] }), sampleKey('c'));
  await storage.disableWebhook('b', NOW_MS, 'gone');
  await storage.insertDeliveries([
    sampleDelivery('waits', { body: '{"name":"Łódź 🏨"}' }),
    sampleDelivery('tried'),
    sampleDelivery('other', { webhookId: 'b' }),
  ]);
  const term = { nowMs: NOW_MS, leaseUntilMs: NOW_MS + 1 };
  await storage.takeDeliveries(['tried'], term);
  const failed = { kind: 'failed', status: 503, nextAttemptAtMs: NOW_MS + 5 } as const;
  await storage.settleDelivery({ deliveryId: 'tried', attempts: 1 }, failed, NOW_MS);
}

/** A row of each kind. */
const SLICE: ActivitySlice = {
  writer: 'one',
  number: 7,
  writtenAtMs: NOW_MS,
  traffic: [
    {
      fromMs: NOW_MS,
      partnerId: 'p',
      credentialId: 'c1',
      operation: 'listPartnerProperties',
      code: '',
      durations: Array.from({ length: DURATION_BUCKETS }, (_, bucket) => bucket),
    },
  ],
  requests: [
    {
      atMs: NOW_MS,
      correlationId: 'x',
      partnerId: 'p',
      credentialId: 'c1',
      operation: 'o',
      status: 404,
      code: 'PROPERTY_NOT_FOUND',
      durationUs: 9,
      city: 'Łódź 🏨',
      propertyId: null,
      checkIn: null,
      checkOut: null,
      guests: 2,
      page: null,
      total: null,
      quoteId: null,
      reasons: 'MIN_STAY',
      childAges: '4,9',
    },
  ],
  demand: [
    {
      day: 9,
      city: 'Łódź',
      country: 'PL',
      arrivalWeek: '2026-W50',
      nights: '1',
      guests: '1-2',
      partnerId: 'p',
      searches: 3,
      empty: 2,
      looks: 1,
    },
  ],
  unknownPlaces: [{ day: 9, place: 'ATLANTIS', searches: 4 }],
  unmet: [
    { day: 9, city: 'Łódź', country: 'PL', checkIn: 20, nights: 2, guests: 3, childAges: '4,9', searches: 4 },
  ],
};

/** Everything that the port can read. */
async function readAll(storage: Storage) {
  const changes = await storage.readPropertyChanges(cursorAfter(NOTHING_READ), 10_000);
  return {
    revision: await storage.readRevision(),
    access: await storage.readAccess(),
    changes,
    properties: await Promise.all(['~', 'A', 'p0', 'p3', 'p299'].map((id) => storage.findProperty(id))),
    layers: await storage.findLayers('layered'),
    messages: await storage.listSupplyMessages({ limit: 10 }),
    said: await storage.listSourceHistory('layered', 10),
    key: await storage.findSupplyKey('manual', 'once'),
    mappings: await storage.listSupplyMappings(),
    activity: [
      await storage.readTraffic(EVER),
      await storage.readRequests({ limit: 9 }),
      await storage.readDemand(EVER),
      await storage.readUnmet({ checkInFrom: 0, rowsMax: 9 }),
      await storage.readUnknownPlaces({ ...EVER, searchesMin: 1 }),
      await storage.recordActivity(SLICE),
    ],
    webhooks: [
      await storage.listWebhooks(),
      await storage.listDeliveries('a', 9),
      await storage.listDeliveries('b', 9),
      await storage.summarizeWebhooks(),
      await storage.listDueDeliveries(NOW_MS + 9),
    ],
    quotes: await Promise.all(['q0', 'q499', 'q500'].map((id) => storage.findQuote(id))),
  };
}

async function takeFrom(url: string, deliveryId: string): Promise<TakenDelivery | undefined> {
  let taken: TakenDelivery | undefined;
  await withStorage(url, async (storage) => {
    [taken] = await storage.takeDeliveries([deliveryId], { nowMs: NOW_MS, leaseUntilMs: NOW_MS + 1 });
  });
  return taken;
}

async function copy(fromUrl: string, toUrl: string) {
  const progress: CopyProgress[] = [];
  const result = await copyDatabase({
    from: await accessTables(fromUrl, { clock }),
    to: await accessTables(toUrl, { clock }),
    onProgress: (step) => progress.push(step),
  });
  return { result, progress };
}

async function withSqlite(body: (url: string, path: string) => Promise<void>): Promise<void> {
  const { path, remove } = makeDatabasePath();
  try {
    await body(`sqlite:${path}`, path);
  } finally {
    remove();
  }
}

/** Not data: tables about the schema, running processes, and sums that can be computed again. */
const OF_THIS_DATABASE = `'schema_version', 'schema_releases', 'running_processes', 'traffic_sums'`;

describePostgres('Copying a database', (server) => {
  it('brings everything from SQLite to PostgreSQL and back, and refuses a target that holds anything', () =>
    withSqlite((firstUrl) =>
      withSqlite(async (lastUrl) => {
        const postgresUrl = await server().createDatabase();
        await withStorage(firstUrl, async (storage) => {
          await fill(storage);
          const { result, progress } = await copy(firstUrl, postgresUrl);
          assert.ok(result.ok);
          assert.equal(result.hasSourceMoved, false);
          const rowCounts = Object.fromEntries(result.tables.map(({ name, rowCount }) => [name, rowCount]));
          assert.equal(rowCounts['properties'], PROPERTY_COUNT + 5);
          assert.equal(rowCounts['quotes'], 500);
          assert.deepEqual(progress.at(-1), {
            step: 'comparing',
            table: 'unmet_parties',
            rowsDone: 1,
            rowsTotal: 1,
          });
          const back = await copy(postgresUrl, lastUrl);
          assert.ok(back.result.ok);
          assert.deepEqual(back.result.tables, result.tables, 'the same hashes in both engines');
          const original = await readAll(storage);
          for (const url of [postgresUrl, lastUrl]) {
            await withStorage(url, async (copied) => assert.deepEqual(await readAll(copied), original));
          }
          // The copy sends pending deliveries, signed with the same keys.
          const taken = await Promise.all(
            [firstUrl, postgresUrl, lastUrl].map((url) => takeFrom(url, 'waits')),
          );
          assert.deepEqual(
            taken[0]?.keys.map(({ secret }) => secret),
            ['secret-b', 'secret-a'],
          );
          assert.deepEqual(taken.slice(1), [taken[0], taken[0]]);
          // Revisions continue, so followers miss no change.
          await withStorage(postgresUrl, async (copied) => {
            await copied.writeProperties([sampleWrite('next')]);
            assert.equal(await copied.readRevision(), original.revision + 1);
          });
          for (const [from, to] of [
            [firstUrl, postgresUrl],
            [postgresUrl, firstUrl],
          ] as const) {
            const refused = (await copy(from, to)).result;
            assert.deepEqual(refused, {
              ok: false,
              problem: 'the target is not empty: it has rows in properties',
            });
          }
        });
      }),
    ));

  it('finds a target filled that only had a property which is gone, or a revision', async () => {
    const postgresUrl = await server().createDatabase();
    await withStorage(postgresUrl, async (storage) => {
      await server().query('UPDATE revision SET revision = 5', postgresUrl);
      await withSqlite(async (url) => {
        await withStorage(url, async () => {});
        assert.deepEqual((await copy(url, postgresUrl)).result, {
          ok: false,
          problem: 'the target is not empty: it has rows in revision',
        });
      });
      assert.equal(await storage.readRevision(), 5);
    });
  });

  it('leaves nothing behind when the rows read back differ', () =>
    withSqlite(async (url) => {
      await withStorage(url, fill);
      const postgresUrl = await server().createDatabase();
      const access = await accessTables(postgresUrl, { clock });
      const corrupting: TableAccess = {
        ...access,
        async openWriter(): Promise<TableWriter> {
          const writer = await access.openWriter();
          return {
            ...writer,
            insertRows: (table, rows) =>
              writer.insertRows(
                table,
                rows.map((row) => (row[0] === 'q77' ? row.with(8, '"€ 78"') : row)),
              ),
          };
        },
      };
      const from = await accessTables(url, { clock });
      assert.deepEqual(await copyDatabase({ from, to: corrupting }), {
        ok: false,
        problem: 'quotes: the row ["q77"] is not the same in the target',
      });
      await withStorage(postgresUrl, async (storage) => {
        assert.equal(await storage.readRevision(), 0);
        assert.equal(await storage.findQuote('q1'), undefined);
      });
      assert.ok((await copy(url, postgresUrl)).result.ok, 'and can be tried again');
    }));

  it('says when the source went on meanwhile', () =>
    withSqlite((url) =>
      withStorage(url, async (storage) => {
        await fill(storage);
        const to = await accessTables(await server().createDatabase(), { clock });
        const late = storage.insertQuote.bind(storage, sampleQuote('late'));
        const result = await copyDatabase({
          from: await accessTables(url, { clock }),
          to: {
            ...to,
            async openWriter() {
              await late();
              return to.openWriter();
            },
          },
        });
        assert.ok(result.ok && result.hasSourceMoved);
        assert.equal(result.tables.find(({ name }) => name === 'quotes')?.rowCount, 500);
      }),
    ));

  it('refuses a source that is not there or has no schema, and creates nothing', () =>
    withSqlite(async (url, path) => {
      const postgresUrl = await server().createDatabase();
      await assert.rejects(copy(url, postgresUrl), StorageUnavailable);
      assert.throws(() => new DatabaseSync(path, { readOnly: true }));
      await assert.rejects(copy(postgresUrl, url), SchemaMismatch);
    }));

  it('copies a database that has no file of what happened, as an earlier release left it', () =>
    withSqlite((fromUrl, fromPath) =>
      withSqlite(async (toUrl) => {
        await withStorage(fromUrl, async (storage) => {
          await storage.putPartner(samplePartner('p'));
        });
        for (const end of ['', '-wal', '-shm']) rmSync(`${activityPathOf(fromPath)}${end}`, { force: true });
        const { result } = await copy(fromUrl, toUrl);
        assert.ok(result.ok);
        assert.equal(result.tables.find(({ name }) => name === 'partners')?.rowCount, 1);
        await withStorage(toUrl, async (storage) => {
          assert.deepEqual(await storage.readDemand(EVER), []);
        });
      }),
    ));

  it('knows every table and column of both schemas, and what the columns hold', async () => {
    const listed = [REVISION_TABLE, ...TABLES]
      .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} ${column.kind}`))
      .toSorted();
    const postgresUrl = await server().createDatabase();
    await withStorage(postgresUrl, async () => {});
    const { rows } = await server().query(
      `SELECT table_name || '.' || column_name || ' ' || CASE data_type
         WHEN 'text' THEN 'text' WHEN 'bytea' THEN 'bytes' ELSE 'integer' END AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name NOT IN (${OF_THIS_DATABASE})`,
      postgresUrl,
    );
    assert.deepEqual(rows.map((row) => String(row.name)).toSorted(), listed);
    await withSqlite(async (url, path) => {
      await withStorage(url, async () => {});
      const columns = [path, activityPathOf(path)].flatMap((file) => {
        const database = new DatabaseSync(file);
        const found = database
          .prepare(
            `SELECT t.name || '.' || c.name || ' ' || CASE c.type
               WHEN 'TEXT' THEN 'text' WHEN 'BLOB' THEN 'bytes' ELSE 'integer' END AS name FROM sqlite_master t JOIN pragma_table_info(t.name) c
             WHERE t.type = 'table' AND t.name NOT IN (${OF_THIS_DATABASE})`,
          )
          .all();
        database.close();
        return found;
      });
      assert.deepEqual(columns.map((row) => String(row['name'])).toSorted(), listed);
    });
  });
});
