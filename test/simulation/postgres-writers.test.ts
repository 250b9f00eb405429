/**
 * Several writers of the catalogue and of supply on one real PostgreSQL, one statement after the other in an order that
 * a seed decides. The database must end as if the writers had come one after the other, by their revisions; in between,
 * readers see whole revisions, and connections break.
 *
 * A seed decides everything but this: of several that wait for a lock PostgreSQL chooses the next; and a statement that
 * waits too long for its turn, on a machine that stands still, fails and is repeated.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Client as Connection } from 'pg';
import { type Storage, StorageUnavailable } from '../../src/storage/storage.ts';
import { seededRandom } from '../kit/catalogue-samples.ts';
import { seedOfRun } from '../kit/seeds.ts';
import { describePostgres, openPostgres } from '../suites/storage/postgres-fixture.ts';
import { START_MS } from './base.ts';
import { CommitJudge } from './commit-judge.ts';
import { connectTo } from './turns.ts';
import {
  CREDENTIALS,
  emptyCopy,
  follow,
  type Operation,
  Operations,
  PROPERTIES,
  QUOTE_DAY,
  type Reader,
  readFeed,
  readSnapshot,
} from './writer-operations.ts';
import { holdStatements, settle, Writer } from './writers.ts';

const SCHEDULES = 10;
const TURNS = 500;
const WRITERS = 4;
const BREAKS_SHARE = 0.015;
const LOSES_COMMIT_SHARE = 0.1;
/** Of operations: others do much between two of their statements. */
const SLOW_SHARE = 0.5;
const SLOW_TURN_SHARE = 0.1;
const TRIES_MAX = 10;
const TABLES = [
  'properties',
  'inventory_types',
  'property_details',
  'property_changes',
  'calendar_layers',
  'supply_confirmations',
  'supply_messages',
  'supply_message_properties',
  'supply_keys',
  'quotes',
  'quote_counts',
  'revision_stamps',
];
const FIRST_SEED = seedOfRun(1);

/** One writer in one schedule. */
interface Client extends Reader {
  readonly writer: Writer;
  /** As long as it does what it does. */
  isSlow: boolean;
}

/** As senders do while the database is away: the same again. */
async function untilDone(
  operation: Operation,
  client: Client,
  seen: Record<string, number>,
): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await operation(client);
    } catch (error) {
      const isConflict = (error as Error).message.startsWith('conflict');
      if (!(error instanceof StorageUnavailable) || isConflict || tries === TRIES_MAX) throw error;
      seen['repeated']! += 1;
    }
  }
}

describePostgres('Writers of one PostgreSQL', (server) => {
  const storages: Storage[] = [];
  let observer: Connection;
  let release: () => void;
  before(async () => {
    const url = await server().createDatabase();
    for (let count = 0; count < WRITERS; count += 1) storages.push(await openPostgres(url, () => START_MS));
    await storages[0]!.migrate();
    observer = await connectTo(url);
    release = holdStatements();
  });
  after(async () => {
    release?.();
    for (const storage of storages) await storage.close();
    await observer?.end();
  });

  async function runSchedule(seed: number, seen: Record<string, number>): Promise<void> {
    await observer.query(`TRUNCATE ${TABLES.join(', ')}; UPDATE revision SET revision = 0`);
    const judge = new CommitJudge(seen, () => storages[0]!.readRevision());
    const random = seededRandom(seed);
    const operations = new Operations(judge, random);
    const clients = storages.map((storage): Client => {
      const writer = new Writer(storage, observer);
      return { writer, isSlow: false, storage: judge.follow(writer), judge, copy: emptyCopy() };
    });
    try {
      await takeTurns(operations, clients, { random, seen });
    } finally {
      for (const { writer } of clients) writer.letGo();
    }
    await judgeEnd(operations);
  }

  async function takeTurns(
    operations: Operations,
    clients: readonly Client[],
    { random, seen }: { readonly random: () => number; readonly seen: Record<string, number> },
  ): Promise<void> {
    const happens = (share: number): boolean => random() < share;
    const writers = clients.map(({ writer }) => writer);
    for (let turn = 0; turn < TURNS || writers.some(({ isIdle }) => !isIdle); turn += 1) {
      const busy = writers.filter(({ isIdle }) => !isIdle);
      const ready = clients.filter(({ writer }) => !writer.isWaiting && (!writer.isIdle || turn < TURNS));
      assert.ok(ready.length > 0, 'writers wait for each other');
      const quick = ready.filter(
        ({ isSlow, writer }) => !isSlow || writer.isIdle || happens(SLOW_TURN_SHARE),
      );
      const client = operations.pick(quick.length > 0 ? quick : ready);
      const { writer } = client;
      if (busy.length > 0 && happens(BREAKS_SHARE)) {
        seen['broken']! += 1;
        await operations.pick(busy).breakConnection();
      } else if (!writer.isIdle) writer.go();
      else {
        const operation = turn === 0 ? operations.importAll() : operations.draw();
        writer.losesCommit = happens(LOSES_COMMIT_SHARE);
        client.isSlow = happens(SLOW_SHARE);
        seen['operations']! += 1;
        writer.perform(() => untilDone(operation, client, seen));
      }
      await settle(writers, observer);
      for (const { failure } of writers) if (failure !== undefined) throw failure;
      if (writer.isWaiting) seen['waits']! += 1;
    }
  }

  /** What is stored is what was acknowledged, and no more. */
  async function judgeEnd({ judge, quoteIds, quoteCount }: Operations): Promise<void> {
    const [storage] = storages as [Storage];
    const { revision } = judge.known;
    assert.equal(await storage.readRevision(), revision);
    for (const propertyId of PROPERTIES) await judge.assertLayers(storage, propertyId, revision);
    const copy = emptyCopy();
    for (const read of [follow, readSnapshot, readFeed]) await read({ storage, judge, copy });
    for (const key of judge.keys.keys()) {
      const [source, name] = key.split(' ') as [string, string];
      assert.ok(await storage.findSupplyKey(source, name), key);
    }
    for (const quoteId of quoteIds) assert.ok(await storage.findQuote(quoteId), quoteId);
    const counts = await storage.addQuoteCounts(
      QUOTE_DAY,
      CREDENTIALS.map((credentialId) => ({ credentialId, quotes: 0 })),
    );
    assert.equal(
      counts.reduce((sum, one) => sum + one.quotes, 0),
      quoteCount,
    );
  }

  it(`write as if one came after the other, in ${SCHEDULES} schedules of ${WRITERS}`, async (test) => {
    const names = ['operations', 'waits', 'broken', 'repeated', 'lostCommits'];
    const seen = Object.fromEntries(
      [...names, 'replayed', 'reused', 'refused', 'unchanged'].map((name) => [name, 0]),
    );
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed += 1)
      await runSchedule(seed, seen).catch((cause: unknown) => {
        throw new Error(`seed ${seed}: ${(cause as Error).message}`, { cause });
      });
    test.diagnostic(JSON.stringify(seen));
    for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, `${count} ${what}`);
  });
});
