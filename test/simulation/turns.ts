/** Clients of a database whose steps a schedule chooses: each does its next step when it is told to. */
import { Client as Connection } from 'pg';
import { getTypeParser } from '../../src/storage/engine/postgres/connections.ts';

/** One client: it wants to do a step, does it, or is idle. */
export class Turns<Step> {
  /** Undefined: it is idle, or does a step. */
  wants: Step | undefined;
  /** Of its last work. */
  outcome: unknown;
  failure: unknown;
  /** It wants something else than before it was told to go, or is idle. */
  isChanged = true;
  #go: (() => void) | undefined;
  #changed = Promise.withResolvers<void>();

  get isIdle(): boolean {
    return this.isChanged && this.wants === undefined;
  }

  start(work: () => Promise<unknown>): void {
    this.#expectChange();
    work().then(
      (value) => this.#note({ outcome: value }),
      (error: unknown) => this.#note({ failure: error }),
    );
  }

  go(): void {
    this.#expectChange();
    this.#go!();
  }

  changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** Resolves when the step may be done. */
  turn(wants: Step): Promise<void> {
    return new Promise((resolve) => {
      this.#go = resolve;
      this.#note({ wants });
    });
  }

  #expectChange(): void {
    this.#changed = Promise.withResolvers<void>();
    this.isChanged = false;
    this.wants = undefined;
  }

  #note({ wants, outcome, failure }: Partial<Pick<Turns<Step>, 'wants' | 'outcome' | 'failure'>>): void {
    Object.assign(this, { wants, outcome, failure, isChanged: true });
    this.#changed.resolve();
  }
}

/** A connection that reads as the storage does. */
export async function connectTo(url: string): Promise<Connection> {
  const connection = new Connection({ connectionString: url, types: { getTypeParser } });
  // The server may end before it.
  connection.on('error', () => undefined);
  await connection.connect();
  return connection;
}

/** Of its process of the server. */
export function pidOf(connection: object): number {
  return (connection as { readonly processID: number }).processID;
}

/**
 * Processes of the server that wait for a lock. The one that releases a lock gives it to the next, so none is listed
 * whose lock was released before.
 */
export async function findWaiting(observer: Connection): Promise<ReadonlySet<number>> {
  const { rows } = await observer.query<{ readonly pid: number }>(
    'SELECT pid FROM pg_locks WHERE NOT granted',
  );
  return new Set(rows.map(({ pid }) => pid));
}
