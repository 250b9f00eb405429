/** Writers of one PostgreSQL database, each with a storage of its own, as processes have: their statements take turns. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import type { Storage } from '../../src/storage/storage.ts';
import { findWaiting, pidOf, Turns } from './turns.ts';

/** When a connection and its schema are looked at depends on the time: these statements take no turn. */
const OF_CONNECTION = /pg_is_in_recovery|pg_table_is_visible|schema_version/;
/** A statement that waits for nobody is answered sooner, mostly. */
const QUICK_MS = 2;

type Query = (
  this: Connection,
  statement: string | { readonly text: string },
  ...rest: readonly unknown[]
) => Promise<unknown>;

const driver = Connection.prototype as unknown as { query: Query };
const { query } = driver;
const current = new AsyncLocalStorage<Writer>();

/** From now on no statement of a writer is sent before its turn; returns how to end that. */
export function holdStatements(): () => void {
  driver.query = function (statement, ...rest) {
    const writer = current.getStore();
    const text = typeof statement === 'string' ? statement : statement.text;
    const send = (): Promise<unknown> => query.call(this, statement, ...rest);
    return writer === undefined || OF_CONNECTION.test(text) ? send() : writer.ask(this, text, send);
  };
  return () => (driver.query = query);
}

/** What is asked within work of a writer, and is not its own. */
export function aside<T>(ask: () => Promise<T>): Promise<T> {
  return current.exit(ask);
}

/** It wants to send a statement. */
export class Writer extends Turns<string> {
  readonly storage: Storage;
  readonly #observer: Connection;
  /** Of its last statement. */
  #connection: Connection | undefined;
  /** The next COMMIT is done, and its connection breaks before that is answered. */
  losesCommit = false;
  hasLostCommit = false;
  /** For a lock of another one, when `settle` looked last. */
  isWaiting = false;
  /** It has ended a transaction since then: another writer may have its locks. */
  hasReleased = false;
  #isFree = false;

  constructor(storage: Storage, observer: Connection) {
    super();
    this.storage = storage;
    this.#observer = observer;
  }

  perform(work: () => Promise<unknown>): void {
    this.start(() => current.run(this, work));
  }

  async ask(connection: Connection, text: string, send: () => Promise<unknown>): Promise<unknown> {
    this.#connection = connection;
    if (!this.#isFree) await this.turn(text);
    if (text === 'COMMIT' || text === 'ROLLBACK') this.hasReleased = true;
    const answer = await send();
    if (text !== 'COMMIT' || !this.losesCommit) return answer;
    this.losesCommit = false;
    this.hasLostCommit = true;
    await this.breakConnection();
    return query.call(connection, 'SELECT 1');
  }

  /** Its statements take turns no more. */
  letGo(): void {
    this.#isFree = true;
    if (this.isChanged && !this.isIdle) this.go();
  }

  /** Resolves when the server has rolled back. */
  async breakConnection(): Promise<void> {
    this.hasReleased = true;
    const pid = pidOf(this.#connection!);
    const ask = (text: string) => aside(() => this.#observer.query(text, [pid]));
    await ask('SELECT pg_terminate_backend($1)');
    while ((await ask('SELECT 1 FROM pg_stat_activity WHERE pid = $1')).rowCount !== 0) await sleep(1);
  }

  /** Among the processes of the server that wait for a lock. */
  isAmong(waiting: ReadonlySet<number>): boolean {
    return this.#connection !== undefined && waiting.has(pidOf(this.#connection));
  }
}

/** Resolves when each writer wants something else or is idle, or waits for another one's lock. */
export async function settle(writers: readonly Writer[], observer: Connection): Promise<void> {
  const findBusy = (): readonly Writer[] => writers.filter(({ isChanged }) => !isChanged);
  const told = findBusy().filter(({ isWaiting }) => !isWaiting);
  await Promise.race([Promise.all(told.map((writer) => writer.changed())), sleep(QUICK_MS)]);
  // While all transactions go on, those that wait go on waiting.
  const mayWake = !told.every(({ isChanged }) => isChanged) || writers.some((one) => one.hasReleased);
  for (let before = findBusy(); mayWake && before.length > 0; before = findBusy()) {
    const waiting = await findWaiting(observer);
    const busy = findBusy();
    // Who has changed meanwhile may have released a lock.
    if (busy.length === before.length && busy.every((writer) => writer.isAmong(waiting))) break;
    await sleep(1);
  }
  for (const writer of writers) Object.assign(writer, { isWaiting: !writer.isChanged, hasReleased: false });
}
