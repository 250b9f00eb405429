/** Programs on a connection of SQLite, from their first statement to their last without a pause. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { inReadTransaction } from '../engine/sqlite/transactions.ts';
import { takeRevision } from '../history/sqlite.ts';
import type { Program, Step } from './program.ts';

/**
 * Prepared statements per connection. Programs have few texts, except lists of rows, whose text depends on their
 * number.
 */
export const STATEMENTS_KEPT_MAX = 200;

const prepared = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** Call it within a write transaction if the program writes. */
export function runProgram<T>(database: DatabaseSync, program: Program<T>): T {
  let step = program.next();
  while (step.done !== true) step = program.next(answer(database, step.value));
  return step.value;
}

function answer(database: DatabaseSync, step: Step): unknown {
  switch (step.kind) {
    case 'rows':
      return prepare(database, step.text).all(...step.values);
    case 'change':
      return Number(prepare(database, step.text).run(...step.values).changes);
    case 'view':
      return inReadTransaction(database, () => step.texts.map((text) => prepare(database, text).all()));
    case 'revision':
      return takeRevision(database);
    case 'note':
      return undefined;
  }
}

function prepare(database: DatabaseSync, text: string): StatementSync {
  const statements = prepared.get(database) ?? new Map<string, StatementSync>();
  prepared.set(database, statements);
  const known = statements.get(text);
  if (known !== undefined) return known;
  if (statements.size >= STATEMENTS_KEPT_MAX) statements.clear();
  const statement = database.prepare(text);
  statements.set(text, statement);
  return statement;
}
