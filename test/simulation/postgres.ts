/**
 * PostgreSQL as this service uses it, over a file of SQLite: each statement sees what is committed when it begins, and
 * writers wait for each other from their first write to the end of their transaction. Which of them is next is not said:
 * PostgreSQL keeps no order among those that wait for a row. It lets writers of different rows go on side by side; here
 * they take turns.
 */
import { DatabaseSync } from 'node:sqlite';
import { StorageUnavailable } from '../../src/storage/engine/errors.ts';
import type { Program, Step } from '../../src/storage/portable-sql/program.ts';
import { runProgram } from '../../src/storage/portable-sql/sqlite.ts';

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE)\b/i;

export class PostgresModel {
  /** Sees what is committed. */
  readonly #reader: DatabaseSync;
  /** In a transaction while somebody holds the lock. */
  readonly #writer: DatabaseSync;
  #holder: Transaction | undefined;
  readonly #waiting: { readonly transaction: Transaction; readonly take: () => void }[] = [];
  readonly #open = new Set<Transaction>();
  /** Which of so many waiting transactions has the lock next. */
  chooseNext: (count: number) => number = () => 0;

  /** The file has the schema already. */
  constructor(path: string) {
    this.#reader = new DatabaseSync(path);
    this.#writer = new DatabaseSync(path);
    this.#writer.exec('PRAGMA synchronous = OFF');
  }

  /** Of a client, whose connection may break. */
  begin(client: object): Transaction {
    const transaction = new Transaction(this, client);
    this.#open.add(transaction);
    return transaction;
  }

  /** A statement outside of transactions. */
  read(step: Step): unknown {
    return runProgram(this.#reader, once(step));
  }

  /** Runs work that holds the lock from its begin to its end; rejects when the client's connection breaks before. */
  async exclusively<T>(client: object, work: () => Promise<T>): Promise<T> {
    const transaction = this.begin(client);
    try {
      await this.lock(transaction);
      transaction.assertWhole();
      return await work();
    } finally {
      this.end(transaction, false);
    }
  }

  /** Rolls back what these clients have begun; undefined: what everybody has. */
  breakConnections(client?: object): void {
    for (const transaction of this.#open)
      if (client === undefined || transaction.client === client) transaction.break();
  }

  close(): void {
    this.breakConnections();
    this.#reader.close();
    this.#writer.close();
  }

  // For transactions.

  /** Resolves when the transaction has the lock; at once where nobody holds it. */
  async lock(transaction: Transaction): Promise<void> {
    if (this.#holder === transaction) return;
    if (this.#holder !== undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push({ transaction, take: resolve });
      return promise;
    }
    this.#holder = transaction;
  }

  write(step: Step): unknown {
    if (!this.#writer.isTransaction) this.#writer.exec('BEGIN IMMEDIATE');
    return runProgram(this.#writer, once(step));
  }

  end(transaction: Transaction, isCommitted: boolean): void {
    this.#open.delete(transaction);
    const place = this.#waiting.findIndex((one) => one.transaction === transaction);
    if (place >= 0) this.#waiting.splice(place, 1)[0]!.take();
    if (this.#holder !== transaction) return;
    if (this.#writer.isTransaction) this.#writer.exec(isCommitted ? 'COMMIT' : 'ROLLBACK');
    this.#holder = undefined;
    if (this.#waiting.length === 0) return;
    const [next] = this.#waiting.splice(this.chooseNext(this.#waiting.length), 1);
    this.#holder = next!.transaction;
    next!.take();
  }
}

/** One transaction at READ COMMITTED; one statement at a time. */
export class Transaction {
  readonly client: object;
  readonly #model: PostgresModel;
  #hasWritten = false;
  #isBroken = false;

  constructor(model: PostgresModel, client: object) {
    this.#model = model;
    this.client = client;
  }

  /** Rejects with `StorageUnavailable` when the connection has broken, which may be while it waits. */
  async execute(step: Step): Promise<unknown> {
    this.assertWhole();
    if (isWrite(step)) {
      await this.#model.lock(this);
      this.assertWhole();
      this.#hasWritten = true;
    }
    try {
      return this.#hasWritten ? this.#model.write(step) : this.#model.read(step);
    } catch (error) {
      // Nothing is left to do but to say so; others need not wait for that.
      this.#model.end(this, false);
      throw error;
    }
  }

  end(isCommitted: boolean): void {
    this.assertWhole();
    this.#model.end(this, isCommitted);
  }

  /** Rolls back. */
  break(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#model.end(this, false);
  }

  assertWhole(): void {
    if (this.#isBroken) throw new StorageUnavailable('simulated: the connection is broken');
  }
}

export function isWrite(step: Step): boolean {
  return (
    step.kind === 'revision' || step.kind === 'change' || (step.kind === 'rows' && WRITES.test(step.text))
  );
}

export function* once(step: Step): Program<unknown> {
  return yield step;
}
