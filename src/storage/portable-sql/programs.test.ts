/** Programs on SQLite: cases beyond the contract suite, which runs every concern's programs on both engines. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { rows } from './program.ts';
import { runProgram, STATEMENTS_KEPT_MAX } from './sqlite.ts';

describe('A program on SQLite', () => {
  for (const count of [STATEMENTS_KEPT_MAX, STATEMENTS_KEPT_MAX + 1]) {
    it(`goes on with its first statement after ${count} different ones`, () => {
      const database = new DatabaseSync(':memory:');
      function* ask() {
        const found: unknown[] = [];
        for (let index = 0; index < count; index++) found.push(...(yield* rows(`SELECT ${index} AS n`)));
        return [...found, ...(yield* rows('SELECT 0 AS n'))].map((row) => (row as { readonly n: number }).n);
      }
      assert.deepEqual(runProgram(database, ask()), [...Array.from({ length: count }, (_, n) => n), 0]);
      database.close();
    });
  }

  it('ends with the error of its statement', () => {
    const database = new DatabaseSync(':memory:');
    assert.throws(() => runProgram(database, rows('SELECT * FROM missing')), /no such table: missing/);
    database.close();
  });
});
