/**
 * The model of PostgreSQL against PostgreSQL: the same clients, the same statements in the same order. What they are
 * answered must be equal, and a client that waits for the lock in the model waits for it there.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as Connection } from 'pg';
import { concernStores } from '../../src/storage/concerns/concerns.ts';
import { NOTHING_READ } from '../../src/storage/history/revision.ts';
import { runPostgresProgram } from '../../src/storage/portable-sql/postgres.ts';
import {
  type Program,
  rows,
  type SignableRunner,
  type Step,
} from '../../src/storage/portable-sql/program.ts';
import { signed } from '../../src/storage/portable-sql/signed.ts';
import { seededRandom } from '../kit/catalogue-samples.ts';
import { seedOfRun } from '../kit/seeds.ts';
import { describePostgres, openPostgres } from '../suites/storage/postgres-fixture.ts';
import { sampleCredential, samplePartner } from '../suites/storage/sample-rows.ts';
import { isWrite, once, type PostgresModel } from './postgres.ts';
import { runSteps } from './reach.ts';
import { openTruth, type Truth } from './truth.ts';
import { connectTo, findWaiting, pidOf, Turns } from './turns.ts';

const SCHEDULES = 60;
const TURNS = 120;
const CLIENTS = 4;
const TABLES = ['partners', 'credentials', 'handoff_keys', 'operator_tokens', 'site_settings', 'task_claims'];
const FIRST_SEED = seedOfRun(1);

type End = 'commit' | 'rollback';
type Stores = ReturnType<typeof concernStores> & { readonly runner: SignableRunner };

/** A connection to one of the two. */
interface Side {
  read(step: Step): Promise<unknown>;
  begin(): Promise<{ execute(step: Step): Promise<unknown>; end(how: End): Promise<void> }>;
}

function modelSide(model: PostgresModel): Side {
  const client = {};
  return {
    read: async (step) => model.read(step),
    async begin() {
      const transaction = model.begin(client);
      return {
        execute: (step) => transaction.execute(step),
        end: async (how) => transaction.end(how === 'commit'),
      };
    },
  };
}

function realSide(connection: Connection): Side {
  const execute = (step: Step): Promise<unknown> => runPostgresProgram(connection, once(step));
  return {
    read: execute,
    async begin() {
      await connection.query('BEGIN');
      return { execute, end: async (how) => void (await connection.query(how.toUpperCase())) };
    },
  };
}

/** One client, which does its next step when it is told to. */
class Client extends Turns<Step | End> {
  readonly stores: Stores;
  /** A statement of its transaction. */
  hasFailed = false;

  constructor(side: Side) {
    super();
    const runner = this.#makeRunner(side);
    this.stores = { ...concernStores(runner), runner };
  }

  perform(operation: Operation): void {
    this.hasFailed = false;
    this.start(() => operation(this.stores).catch(() => 'fails'));
  }

  #makeRunner(side: Side): SignableRunner {
    const read = <T>(program: Program<T>): Promise<T> =>
      runSteps(program, async (step) => {
        await this.turn(step);
        return side.read(step);
      });
    return {
      read,
      follow: read,
      write: async (write, ...args) => {
        const transaction = await side.begin();
        try {
          const { result, isCommitted } = await runSteps(
            signed(write.program(...args), undefined),
            async (step) => {
              await this.turn(step);
              return transaction.execute(step);
            },
          );
          const end = isCommitted ? 'commit' : 'rollback';
          await this.turn(end);
          await transaction.end(end);
          return result;
        } catch (error) {
          this.hasFailed = true;
          await this.turn('rollback');
          await transaction.end('rollback');
          throw error;
        }
      },
      daysAtOnce: Infinity,
      knows: 0,
      asAuthor: () => this.#makeRunner(side),
    };
  }
}

type Operation = (stores: Stores) => Promise<unknown>;

/** A client of both. */
interface Pair {
  readonly connection: Connection;
  readonly model: Client;
  readonly real: Client;
  /** Both wait for the lock. */
  isBlocked: boolean;
  isIdle: boolean;
}

/** What a client does next; numbers choose the rows. */
function drawOperation(below: (max: number) => number, count: number): Operation {
  const id = `p${below(3)}`;
  const number = below(4);
  const choice = below(2);
  const partner = samplePartner(id, { name: `${id} ${count}`, origins: [], createdAtMs: count });
  const credential = sampleCredential(`c${number}`, {
    partnerId: id,
    tokenHash: `hash ${number}`,
    scopes: ['inventory:read'],
    quota: 1 + count,
    createdAtMs: count,
    revokedAtMs: below(3) === 0 ? count : null,
  });
  const key = { keyId: `k${count}`, secret: 'c2VjcmV0', createdAtMs: count, retiredAtMs: null, revision: 0 };
  const all: readonly Operation[] = [
    (stores) => stores.putPartner(partner),
    (stores) => stores.updatePartner(id, { name: `${id} changed ${count}` }),
    (stores) =>
      stores.putCredentials([
        credential,
        { ...credential, credentialId: `d${number}`, tokenHash: `other ${number}` },
      ]),
    (stores) =>
      stores.putCredentialOnce({
        ...credential,
        credentialId: `once ${number}`,
        tokenHash: `once ${number}`,
      }),
    (stores) => stores.updateCredential(`c${number}`, { quota: count + 7 }),
    (stores) => stores.putHandoffKey(key, { unlessAnyExists: choice === 0 }),
    // A key of the same id breaks the primary key.
    (stores) => stores.putHandoffKey({ ...key, keyId: `k${number}` }, { unlessAnyExists: false }),
    (stores) => stores.retireHandoffKey(`k${number}`, count),
    (stores) => stores.putSiteSettings([{ name: 'siteName', value: `${count}` }], choice),
    (stores) => stores.claimTask('work', `holder ${number}`, { nowMs: count, untilMs: count + 3 }),
    (stores) => stores.readClaimEnd('work'),
    (stores) => stores.readAccessState(),
    (stores) => stores.readAccessMark(NOTHING_READ),
    (stores) => stores.readSiteSettings(),
    (stores) => stores.runner.read(readTwice()),
    (stores) => stores.runner.read(readTwice()),
  ];
  return all[below(all.length)]!;
}

/** Two statements of no transaction: the second may see more. */
function* readTwice(): Program<unknown> {
  const partners = yield* rows<object>('SELECT partner_id, name FROM partners ORDER BY partner_id');
  const revision = yield* rows<object>('SELECT revision FROM revision');
  const again = yield* rows<object>('SELECT partner_id, name FROM partners ORDER BY partner_id');
  return { partners, revision, again };
}

/** Stamps of a history are random. */
function comparable(value: unknown): string {
  return JSON.stringify(value, (name, one: unknown) => (name === 'stamp' ? undefined : one)) ?? 'nothing';
}

describePostgres('The model of PostgreSQL', (server) => {
  let truth: Truth;
  let url: string;
  const connections: Connection[] = [];
  let observer: Connection;
  before(async () => {
    truth = await openTruth();
    url = await server().createDatabase();
    const storage = await openPostgres(url, () => 0);
    await storage.migrate();
    await storage.close();
    for (let count = 0; count < CLIENTS; count += 1) connections.push(await connectTo(url));
    observer = await connectTo(url);
  });
  after(async () => {
    for (const connection of [...connections, observer]) await connection?.end();
    await truth?.close();
  });

  /** The server says that this connection waits for a lock. */
  async function untilItWaits(connection: Connection): Promise<void> {
    while (!(await findWaiting(observer)).has(pidOf(connection))) await sleep(2);
  }

  async function firstOf(blocked: readonly Pair[]): Promise<Pair | undefined> {
    if (blocked.length === 0) return undefined;
    return Promise.race(blocked.map(async (pair) => pair.real.changed().then(() => pair)));
  }

  async function empty(): Promise<void> {
    truth.reset();
    await observer.query(
      `TRUNCATE ${TABLES.join(', ')}, revision_stamps;
       UPDATE revision SET revision = 0`,
    );
  }

  async function runSchedule(seed: number, seen: Record<string, number>): Promise<void> {
    await empty();
    const random = seededRandom(seed);
    const below = (max: number): number => Math.floor(random() * max);
    const pairs = connections.map((connection): Pair => ({
      connection,
      model: new Client(modelSide(truth.postgres)),
      real: new Client(realSide(connection)),
      isBlocked: false,
      isIdle: true,
    }));
    const blocked: Pair[] = [];
    let holder: { readonly pair: Pair; readonly hasRevision: boolean } | undefined;
    const finished = async (pair: Pair): Promise<void> => {
      await Promise.all([pair.model.changed(), pair.real.changed()]);
      const { model, real } = pair;
      assert.equal(comparable(real.wants), comparable(model.wants), `seed ${seed}`);
      pair.isIdle = model.wants === undefined;
      if (!pair.isIdle) return;
      assert.equal(comparable(real.outcome), comparable(model.outcome), `seed ${seed}`);
      seen['operations']! += 1;
      if (model.outcome === 'fails') seen['failures']! += 1;
      const { partners, again } = (model.outcome ?? {}) as {
        readonly partners?: unknown;
        readonly again?: unknown;
      };
      if (comparable(partners) !== comparable(again)) seen['changedBetween']! += 1;
    };
    for (let turn = 0; turn < TURNS || pairs.some(({ isIdle }) => !isIdle); turn += 1) {
      const pair = pairs[below(CLIENTS)]!;
      if (pair.isBlocked) continue;
      if (pair.isIdle) {
        if (turn >= TURNS) continue;
        const operation = drawOperation(below, turn);
        for (const client of [pair.model, pair.real]) client.perform(operation);
        await finished(pair);
        continue;
      }
      const { wants } = pair.model;
      const isEnd = wants === 'commit' || wants === 'rollback';
      const writes = !isEnd && isWrite(wants!);
      const mustWait = writes && holder !== undefined && holder.pair !== pair;
      // Writers of different rows need not wait for each other there: see the model.
      if (mustWait && !(holder!.hasRevision && (wants as Step).kind === 'revision')) continue;
      pair.real.go();
      if (!mustWait) await pair.real.changed();
      if (writes && !mustWait) holder ??= { pair, hasRevision: (wants as Step).kind === 'revision' };
      // A transaction ends with its first failure. PostgreSQL wakes waiters in an order of its own.
      const ends = holder?.pair === pair && (isEnd || pair.real.hasFailed);
      const next = ends ? await firstOf(blocked) : undefined;
      truth.postgres.chooseNext = () => blocked.indexOf(next!);
      pair.model.go();
      if (mustWait) {
        pair.isBlocked = true;
        blocked.push(pair);
        seen['waits']! += 1;
        await untilItWaits(pair.connection);
        assert.ok(!pair.real.isChanged && !pair.model.isChanged, `seed ${seed}`);
        continue;
      }
      await finished(pair);
      if (!ends) continue;
      holder = undefined;
      if (next === undefined) continue;
      holder = { pair: next, hasRevision: true };
      blocked.splice(blocked.indexOf(next), 1);
      next.isBlocked = false;
      await finished(next);
    }
    await assertEqualRows(seed);
  }

  /** Everything that is stored at the end. */
  async function assertEqualRows(seed: number): Promise<void> {
    for (const table of TABLES) {
      const step = {
        kind: 'rows',
        text: `SELECT * FROM ${table} ORDER BY 1`,
        values: [],
        name: undefined,
      } as const;
      const real = await runPostgresProgram(observer, once(step));
      assert.equal(comparable(real), comparable(truth.postgres.read(step)), `${table}, seed ${seed}`);
    }
  }

  it(`answers as PostgreSQL does in ${SCHEDULES} schedules of ${CLIENTS} clients`, async (test) => {
    const seen = { operations: 0, failures: 0, waits: 0, changedBetween: 0 };
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed += 1) await runSchedule(seed, seen);
    test.diagnostic(JSON.stringify(seen));
    for (const [what, count] of Object.entries(seen)) assert.ok(count >= 5, `${count} ${what}`);
  });
});
