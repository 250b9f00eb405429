import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changed, flag, json, plain, type RowOf, storedRow } from './stored-row.ts';

it('a stored row has a column for each field, and comes back as it was', () => {
  const table = storedRow({
    rowId: plain<string>(),
    endedAtMs: plain<number | null>(),
    isTest: flag,
    scopes: json<readonly string[]>(),
  });
  assert.equal(table.columns, 'row_id, ended_at_ms, is_test, scopes');
  assert.equal(table.places, '?, ?, ?, ?');
  assert.match(table.assignments, /^row_id = \?, ended_at_ms = \?, /);
  assert.match(table.replacements, /^row_id = excluded.row_id, ended_at_ms = /);
  const row: RowOf<typeof table> = { rowId: 'a', endedAtMs: null, isTest: true, scopes: ['b', 'c'] };
  assert.deepEqual(table.values(row), ['a', null, 1, '["b","c"]']);
  const stored = { row_id: 'a', ended_at_ms: null, is_test: 1, scopes: '["b","c"]', other: 1 };
  assert.deepEqual(table.read(stored), row);
});

it('a change replaces what it gives, null included', () => {
  const row = { a: 1, b: 'b' as string | null, c: 'c' };
  assert.deepEqual(changed(row, { a: undefined, b: null }), { a: 1, b: null, c: 'c' });
});
