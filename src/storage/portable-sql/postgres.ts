/** Programs on a connection of PostgreSQL, one answer after the other. */
import type { ClientBase, QueryResult } from 'pg';
import { latestOf } from '../engine/migrations.ts';
import { POSTGRES_SCHEMA } from '../engine/postgres/migrate.ts';
import type { Session } from '../engine/postgres/session.ts';
import { inWriteTransaction } from '../engine/postgres/transactions.ts';
import { takeRevision } from '../history/postgres.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Author, type Program, type SignableRunner, SKIP_LOCKED, type Step } from './program.ts';
import { sign, signed } from './signed.ts';

export function makePostgresRunner(session: Session, clock: Clock, author?: Author): SignableRunner {
  return {
    read: (program) => session.run((client) => runPostgresProgram(client, program)),
    follow: (program) => session.follow((client) => runPostgresProgram(client, program)),
    write(write, ...args) {
      const signature = author === undefined ? undefined : sign(author, clock);
      const work = () => signed(write.program(...args), signature);
      return session.run((client) => inWriteTransaction(client, () => runPostgresProgram(client, work())));
    },
    daysAtOnce: Infinity,
    knows: latestOf(POSTGRES_SCHEMA),
    asAuthor: (newAuthor) => makePostgresRunner(session, clock, newAuthor),
  };
}

export async function runPostgresProgram<T>(client: ClientBase, program: Program<T>): Promise<T> {
  let step = program.next();
  while (step.done !== true) step = program.next(await answer(client, step.value));
  return step.value;
}

async function answer(client: ClientBase, step: Step): Promise<unknown> {
  switch (step.kind) {
    case 'rows':
    case 'change': {
      const { text, values, name } = step;
      const named = name === undefined ? {} : { name };
      const result = await client.query({ ...named, text: withPlaces(text), values: [...values] });
      return step.kind === 'rows' ? result.rows : (result.rowCount ?? 0);
    }
    case 'view':
      return readView(client, step.texts);
    case 'revision':
      return takeRevision(client);
    case 'note':
      return undefined;
  }
}

/** Without parameters the statements travel together: one round trip. */
async function readView(client: ClientBase, texts: readonly string[]): Promise<unknown[][]> {
  const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
  const results = await client.query([begin, ...texts, 'COMMIT'].join(';'));
  return (results as unknown as QueryResult<Record<string, unknown>>[])
    .slice(1, -1)
    .map((result) => result.rows);
}

/** `$1`, `$2` ... in place of each `?`: no text of a program has one elsewhere. */
function withPlaces(text: string): string {
  let count = 0;
  return text.replace(SKIP_LOCKED, SKIP_LOCKED.slice(2, -2)).replaceAll('?', () => `$${++count}`);
}
