import assert from 'node:assert/strict';
import { it } from 'node:test';
import { storedRow } from './stored-row.ts';

it('a stored row has a column for each field, and comes back as it was', () => {
  interface Row {
    readonly rowId: string;
    readonly endedAtMs: number | null;
    readonly isTest: boolean;
    readonly scopes: readonly string[];
  }
  const table = storedRow<Row>({ rowId: 'plain', endedAtMs: 'plain', isTest: 'flag', scopes: 'json' });
  assert.equal(table.columns, 'row_id, ended_at_ms, is_test, scopes');
  assert.equal(table.places, '?, ?, ?, ?');
  const row: Row = { rowId: 'a', endedAtMs: null, isTest: true, scopes: ['b', 'c'] };
  assert.deepEqual(table.values(row), ['a', null, 1, '["b","c"]']);
  const stored = { row_id: 'a', ended_at_ms: null, is_test: 1, scopes: '["b","c"]', other: 1 };
  assert.deepEqual(table.read(stored), row);
});
