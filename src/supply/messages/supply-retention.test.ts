/** Old messages and keys go, on both databases, while others arrive. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Client } from 'pg';
import { until } from '../../../test/kit/command-line.ts';
import { closeShared, NOW_MS, type OpenFixture, withStorage } from '../../../test/suites/storage/fixture.ts';
import {
  describePostgres,
  openPostgres,
  openPostgresFixture,
} from '../../../test/suites/storage/postgres-fixture.ts';
import { openSqliteFixture } from '../../../test/suites/storage/sqlite-fixture.ts';
import {
  calendarWork,
  effectiveCalendar,
  FIRST_NIGHT,
  nightEntry,
  send,
  suppliedWrite,
} from '../../../test/suites/storage/supply-samples.ts';
import { valueAt } from '../../domain/night-runs.ts';
import { formatMessageId } from '../../storage/supply/message-id.ts';
import type { SupplyWork } from '../../domain/ledger/message.ts';
import type { Storage } from '../../storage/storage.ts';
import { startSupplyRetention, type SupplyRetentionDeps } from './supply-retention.ts';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 10;
/** Two slices and a half. */
const OLD_COUNT = 1_250;
const YOUNG_COUNT = 20;
const SENDERS = 4;
const MESSAGES_MAX = 10_000;

const propertyOf = (index: number): string => `property-${index % SENDERS}`;

function workOf(index: number, availability: number): SupplyWork {
  return calendarWork([{ propertyId: propertyOf(index), entries: [nightEntry(0, 0, { availability })] }]);
}

/** Messages with a key each, a millisecond apart. */
async function sendMany(storage: Storage, source: string, count: number, sinceMs: number): Promise<string[]> {
  const indexes = Array.from({ length: count }, (_, index) => index);
  await Promise.all(
    indexes.map((index) =>
      send(storage, source, workOf(index, index), {
        receivedAtMs: sinceMs + index,
        messageId: formatMessageId(sinceMs + index, source),
        idempotency: { key: `${source}-${index}`, bodyHash: '' },
      }),
    ),
  );
  return indexes.map((index) => `${source}-${index}`);
}

async function messagesOf(storage: Storage, source: string): Promise<Set<string>> {
  const rows = await storage.listSupplyMessages({ source, limit: MESSAGES_MAX });
  return new Set(rows.map(({ messageId }) => messageId));
}

async function countKeys(storage: Storage, source: string, keys: readonly string[]): Promise<number> {
  const found = await Promise.all(keys.map((key) => storage.findSupplyKey(source, key)));
  return found.filter((key) => key !== undefined).length;
}

interface Logged {
  readonly deletedCount?: number;
}

function start(storage: Storage, logged: Logged[], changes: Partial<SupplyRetentionDeps> = {}) {
  const log = (line: object): void => void logged.push(line);
  return startSupplyRetention({
    storage,
    clock: () => NOW_MS,
    retentionDays: KEPT_DAYS,
    messagesMax: 0,
    holder: 'a',
    logger: { error: () => undefined, info: log, warn: log },
    pauses: { roundMs: 5, sliceMs: 25 },
    ...changes,
  });
}

async function prepare(storage: Storage): Promise<void> {
  const properties = Array.from({ length: SENDERS }, (_, index) => suppliedWrite(propertyOf(index), [[]]));
  await storage.writeProperties(properties);
}

function retainSupply(open: OpenFixture): void {
  after(() => closeShared(open));

  it('deletes what is older than that while messages arrive, and loses none of them', () =>
    withStorage(open, async (storage, fixture) => {
      await prepare(storage);
      const oldKeys = await sendMany(storage, 'old', OLD_COUNT, NOW_MS - KEPT_DAYS * DAY_MS - OLD_COUNT);
      const youngKeys = await sendMany(storage, 'young', YOUNG_COUNT, NOW_MS - KEPT_DAYS * DAY_MS);
      const nearKeys = await sendMany(storage, 'near', YOUNG_COUNT, NOW_MS - DAY_MS);

      const logged: Logged[] = [];
      const another = await fixture.openAnother();
      const retentions = [start(storage, logged), start(another, logged, { holder: 'b' })];
      let isOver = false;
      const sent = Array.from({ length: SENDERS }, async (_, sender) => {
        const ids: string[] = [];
        const keys = new Set<string>();
        for (let count = 0; !isOver; count += 1) {
          const index = count * SENDERS + sender;
          const messageId = formatMessageId(NOW_MS, `${index}`.padStart(9, '0'));
          // Each second one comes with a key that was used long ago, and may just be deleted.
          const key = count % 2 === 0 ? `fresh-${index}` : `old-${index % OLD_COUNT}`;
          keys.add(key);
          const idempotency = { key, bodyHash: 'other' };
          await send(storage, 'old', workOf(sender, count), { messageId, idempotency });
          ids.push(messageId);
        }
        for (const key of keys) {
          const { bodyHash } = (await storage.findSupplyKey('old', key)) ?? {};
          assert.equal(bodyHash, 'other', `the key ${key} of a message that was answered`);
        }
        const calendar = await effectiveCalendar(storage, propertyOf(sender));
        // The strictest of what all sources said last.
        const expected = Math.min(ids.length - 1, YOUNG_COUNT - SENDERS + sender);
        assert.equal(valueAt(calendar.availability, FIRST_NIGHT), expected);
        return ids;
      });
      const oldest = formatMessageId(NOW_MS - KEPT_DAYS * DAY_MS, '');
      const isOld = (id: string): boolean => id < oldest;
      await until(async () => [...(await messagesOf(storage, 'old'))].every((id) => !isOld(id)));
      isOver = true;
      const ids = (await Promise.all(sent)).flat();
      await Promise.all(retentions.map((retention) => retention.stop()));

      assert.ok(ids.length >= SENDERS, `${ids.length} arrived meanwhile`);
      assert.deepEqual([...(await messagesOf(storage, 'old'))].toSorted(), ids.toSorted());
      assert.equal((await messagesOf(storage, 'young')).size, YOUNG_COUNT);
      assert.equal(await countKeys(storage, 'young', youngKeys), 0, 'keys last for a day');
      assert.equal(await countKeys(storage, 'near', nearKeys), YOUNG_COUNT);
      const keptKeys = await countKeys(storage, 'old', oldKeys);
      assert.ok(keptKeys <= ids.length / 2, 'only those that were used again');
      const saidNow = await Promise.all(
        Array.from({ length: SENDERS }, (_, index) =>
          storage.listSourceHistory(propertyOf(index), MESSAGES_MAX),
        ),
      );
      assert.equal(saidNow.flat().length, ids.length + 2 * YOUNG_COUNT);
      const deleted = logged.reduce((sum, { deletedCount = 0 }) => sum + deletedCount, 0);
      // A key that was used again had been deleted, or had not.
      const most = 2 * OLD_COUNT + YOUNG_COUNT;
      assert.ok(deleted >= most - keptKeys && deleted <= most, `${deleted} of ${most}`);
    }));

  it('keeps all messages with 0 days, and deletes their keys', () =>
    withStorage(open, async (storage) => {
      await prepare(storage);
      const keys = await sendMany(storage, 'old', 8, 1);
      const retention = start(storage, [], { retentionDays: 0 });
      await until(async () => (await countKeys(storage, 'old', keys)) === 0);
      await retention.stop();
      assert.equal((await messagesOf(storage, 'old')).size, keys.length);
    }));

  it('is the work of one process of all', () =>
    withStorage(open, async (storage, fixture) => {
      await prepare(storage);
      let nowMs = NOW_MS;
      const task = 'delete old supply messages and keys';
      assert.ok(await storage.claimTask(task, 'dead', { nowMs, untilMs: nowMs + 60_000 }));
      const keys = await sendMany(storage, 'old', 8, 1);
      const logged: Logged[] = [];
      const retentions = [storage, await fixture.openAnother()].map((one, index) =>
        start(one, logged, { holder: `${index}`, clock: () => nowMs }),
      );
      await new Promise((resolve) => setTimeout(resolve, 60));
      assert.equal(await countKeys(storage, 'old', keys), keys.length);
      nowMs += 60_000;
      await until(async () => (await countKeys(storage, 'old', keys)) === 0);
      await Promise.all(retentions.map((retention) => retention.stop()));
      assert.deepEqual(logged, [{ deletedCount: 2 * keys.length, retentionDays: KEPT_DAYS }]);
    }));
}

/** Whether somebody waits for a lock. */
async function isWaiting(client: Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_locks WHERE NOT granted');
  return rowCount !== 0;
}

describe('The retention of supply messages', () => {
  describe('SQLite', () => retainSupply(openSqliteFixture));
  describePostgres('PostgreSQL', (server) => {
    describe('of any kind', () => retainSupply(openPostgresFixture(server)));

    it('leaves a key alone that is just being used again', async () => {
      const url = await server().createDatabase();
      const storage = await openPostgres(url, () => NOW_MS);
      const client = new Client(url);
      await client.connect();
      try {
        await storage.migrate();
        await prepare(storage);
        const keys = await sendMany(storage, 'old', 8, 1);
        await client.query('BEGIN');
        const reuse = `UPDATE supply_keys SET used_at_ms = ${NOW_MS} WHERE idempotency_key = $1`;
        await client.query(reuse, [keys[3]]);
        const retention = start(storage, []);
        await until(async () => (await countKeys(storage, 'old', keys)) === 1 || (await isWaiting(client)));
        await client.query('COMMIT');
        await until(async () => (await countKeys(storage, 'old', keys)) <= 1);
        await retention.stop();
        assert.ok(await storage.findSupplyKey('old', keys[3]!));
      } finally {
        await client.end();
        await storage.close();
      }
    });
  });
});
