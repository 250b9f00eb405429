/**
 * The one truth of a story: a real SQLite database, and how processes reach it. What a process asks arrives later, is done
 * at one moment, and is answered later still; any of these steps may fail. A question that is under way when its process
 * dies is done all the same.
 */
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { openSqliteStorage } from '../../src/storage/open-sqlite.ts';
import type { Snapshot } from '../../src/storage/catalogue/store.ts';
import { runProgram } from '../../src/storage/portable-sql/sqlite.ts';
import { readRegistered } from '../../src/storage/processes/sql.ts';
import { type Storage, StorageUnavailable } from '../../src/storage/storage.ts';
import { PostgresModel } from './postgres.ts';
import { MEMORY_FOLDER } from '../kit/test-folders.ts';
import type { Process, Scheduler } from './scheduler.ts';
import type { Sizes } from './sizes.ts';

/** In memory where the system has a place for files there. */
const FOLDER = [process.env[MEMORY_FOLDER], '/dev/shm'].find(isWritable) ?? tmpdir();
const SCHEMA_TABLES = /^(?:schema_|sqlite_)/;
/** Of a question about the catalogue while that is slow. */
const CATALOGUE_SLOW_MS = 1_800;
/** Names of calls that change nothing. */
const READ = /^(?:read|find|list|summarize|open|schemaState)/;
const OF_CATALOGUE = new Set(['readPropertyChanges', 'openSnapshot']);

/** Rows of all tables that are not empty, by table. */
export type Backup = ReadonlyMap<string, readonly Record<string, SQLOutputValue>[]>;

export interface StoredDelivery {
  readonly deliveryId: string;
  readonly partnerId: string;
  readonly status: string;
  readonly createdAtMs: number;
  readonly nextAttemptAtMs: number | null;
  readonly event: string;
  /** JSON. */
  readonly body: string;
}

/** One real database for all stories of a thread: `reset` before each. */
export interface Truth {
  readonly storage: Storage;
  /** The same database, as PostgreSQL would answer. */
  readonly postgres: PostgresModel;
  /** What the database takes the time to be in the next call. */
  setClock(nowMs: number): void;
  reset(): void;
  backUp(): Backup;
  restore(backup: Backup): void;
  revision(): number;
  deliveries(): readonly StoredDelivery[];
  close(): Promise<void>;
}

function isWritable(folder: string | undefined): folder is string {
  try {
    accessSync(folder ?? '', constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export async function openTruth(): Promise<Truth> {
  const folder = mkdtempSync(join(FOLDER, 'stayport-simulation-'));
  const path = join(folder, 'truth.db');
  let nowMs = 0;
  const opened = await openSqliteStorage({ path, clock: () => nowMs, writesHere: true });
  await opened.migrate();
  const raw = new DatabaseSync(path);
  const storage: Storage = {
    ...opened,
    // Processes of this machine that have the file open are not those of the story.
    readProcesses: async (atMs) => runProgram(raw, readRegistered(atMs)),
  };
  const postgres = new PostgresModel(path);
  const tables = raw
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !SCHEMA_TABLES.test(name));
  const selects = tables.map((table) => [table, raw.prepare(`SELECT * FROM ${table}`)] as const);
  const selectRevision = raw.prepare('SELECT revision FROM revision');
  const selectDeliveries = raw.prepare(
    `SELECT delivery_id AS deliveryId, partner_id AS partnerId, status, next_attempt_at_ms AS nextAttemptAtMs,
       event, body, webhook_deliveries.created_at_ms AS createdAtMs
     FROM webhook_deliveries JOIN webhooks USING (webhook_id)`,
  );
  const clears = tables.map((table) => raw.prepare(`DELETE FROM ${table}`));
  const inserts = new Map(
    tables.map((table) => {
      const columns = raw.prepare(`SELECT * FROM ${table}`).columns();
      return [table, raw.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`)];
    }),
  );

  const backUp = (): Backup =>
    new Map(
      selects.map(([table, select]) => [table, select.all()] as const).filter(([, rows]) => rows.length > 0),
    );
  const restore = (backup: Backup): void => {
    postgres.breakConnections();
    raw.exec('BEGIN IMMEDIATE');
    for (const clear of clears) clear.run();
    for (const [table, rows] of backup) {
      const insert = inserts.get(table)!;
      for (const row of rows) insert.run(...(Object.values(row) as SQLInputValue[]));
    }
    raw.exec('COMMIT');
  };
  const empty = backUp();
  return {
    storage,
    postgres,
    setClock: (ms) => (nowMs = ms),
    reset: () => restore(empty),
    backUp,
    restore,
    revision: () => Number(selectRevision.get()!['revision']),
    deliveries: () => selectDeliveries.all() as unknown as StoredDelivery[],
    async close() {
      postgres.close();
      raw.close();
      await opened.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export const ENGINES = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof ENGINES)[number];

/** How the database is reached at present, by everybody or by one process. */
export interface Way {
  /** Of a question, and of an answer. */
  delayMsMax: number;
  /** Chance that a question is lost before it is done, and that its answer is lost afterwards. */
  lossShare: number;
  /** Until this true time nothing arrives. */
  awayUntilMs: number;
  /** Until this true time nothing can be written. */
  fullUntilMs: number;
  /** Until this true time, reading the catalogue takes long. */
  catalogueSlowUntilMs: number;
}

export interface DoneCall {
  readonly process: Process;
  readonly name: string;
  readonly args: readonly unknown[];
  readonly result: unknown;
}

export interface Network {
  readonly scheduler: Scheduler;
  readonly truth: Truth;
  readonly engine: Engine;
  /** The database as a process of its own: it never dies. */
  readonly database: Process;
  /** Called at the moment at which something was committed, before its answer is under way. */
  readonly onDone: (call: DoneCall) => void;
  /** Called when a question or an answer is lost or late, so that the process may know less than it should. */
  readonly onDisturbed: (process: Process) => void;
  readonly way: (process: Process) => Way;
  /** Differs after each restore: connections of before it are broken. */
  readonly history: () => number;
  readonly sizes: Sizes;
  /** Open ones. */
  readonly snapshots: Set<Snapshot>;
}

/** Of processes that died. */
export function closeSnapshots({ snapshots }: Network): void {
  for (const snapshot of snapshots) void snapshot.close();
  snapshots.clear();
}

/** The database as one process reaches it: each call is done at one moment. */
export function reachWhole(network: Network, process: Process): Storage {
  return reachAs(network, process, network.truth.storage) as Storage;
}

/** As one process reaches what `inner` does there. */
export function reachAs(network: Network, process: Process, inner: object): object {
  const known = new Map<string | symbol, unknown>();
  return new Proxy(inner, {
    get(target, name) {
      if (known.has(name)) return known.get(name);
      const found = Reflect.get(target, name) as unknown;
      const given =
        typeof found === 'function' ? callOf(network, process, String(name), found.bind(target)) : found;
      known.set(name, given);
      return given;
    },
  });
}

type Call = (...args: readonly unknown[]) => unknown;

function callOf(network: Network, process: Process, name: string, call: Call): Call {
  if (name === 'asAuthor') return (author) => reachAs(network, process, call(author) as object);
  if (name === 'close') return () => Promise.resolve();
  const { postgres } = network.truth;
  const mustWait = network.engine === 'PostgreSQL' && !READ.test(name);
  const alone: Call = (...args) => postgres.exclusively(process, async () => call(...args));
  return (...args) => ask(network, process, { name, args, call: mustWait ? alone : call });
}

export interface Question {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly call: Call;
}

/** Travels to the database and back; rejects with `StorageUnavailable` where one of these fails. */
export function ask(network: Network, process: Process, { name, args, call }: Question): Promise<unknown> {
  const { scheduler, database, truth, onDone, onDisturbed } = network;
  const way = network.way(process);
  const { random } = scheduler;
  const travelMs = (): number => {
    const isSlow = OF_CATALOGUE.has(name) && scheduler.nowMs < way.catalogueSlowUntilMs;
    return (isSlow ? CATALOGUE_SLOW_MS : 0) + random() * way.delayMsMax;
  };
  const [toMs, backMs] = [travelMs(), random() * way.delayMsMax];
  const [isLost, isUnanswered] = [random() < way.lossShare, random() < way.lossShare];
  return new Promise((resolve, reject) => {
    const answer = (settle: () => void): void => void scheduler.at(scheduler.nowMs + backMs, process, settle);
    const fail = (reason: string): void => {
      onDisturbed(process);
      answer(() => reject(new StorageUnavailable(reason)));
    };
    const perform = async (): Promise<void> => {
      if (scheduler.nowMs < way.awayUntilMs) return fail('simulated: away');
      if (isLost) return fail('simulated: the question is lost');
      if (!READ.test(name) && scheduler.nowMs < way.fullUntilMs)
        return answer(() => reject(new StorageUnavailable('simulated: full')));
      truth.setClock(process.wallMs());
      let result: unknown;
      try {
        result = await call(...args);
      } catch (error) {
        return answer(() => reject(error as Error));
      }
      if (!READ.test(name)) onDone({ process, name, args, result });
      const value = name === 'openSnapshot' ? remoteSnapshot(network, process, result as Snapshot) : result;
      if (isUnanswered) fail('simulated: the answer is lost');
      else answer(() => resolve(value));
    };
    scheduler.at(scheduler.nowMs + toMs, database, () => void perform());
  });
}

/** Each batch is a question of its own; a restore breaks it. */
function remoteSnapshot(network: Network, process: Process, snapshot: Snapshot): Snapshot {
  const history = network.history();
  network.snapshots.add(snapshot);
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      const { delayMsMax } = network.way(process);
      network.scheduler.at(
        network.scheduler.nowMs + network.scheduler.random() * delayMsMax,
        process,
        resolve,
      );
    });
  return {
    history: snapshot.history,
    async *readProperties() {
      for await (const batch of snapshot.readProperties()) {
        const size = network.sizes.snapshot ?? batch.length;
        for (let at = 0; at < batch.length; at += size) {
          await turn();
          if (network.history() !== history)
            throw new StorageUnavailable('simulated: the connection is broken');
          yield batch.slice(at, at + size);
        }
      }
    },
    close() {
      network.snapshots.delete(snapshot);
      return snapshot.close();
    },
  };
}
