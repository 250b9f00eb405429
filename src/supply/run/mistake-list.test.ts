import { type Told, Wrong } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MISTAKES_SHOWN_MAX, MistakeList } from './mistake-list.ts';

const WRONG = new Wrong('notList');
const MISSING = new Wrong('required');
const mistake = (line: number, reason: Told = WRONG, propertyId = 'p') => ({
  file: 'rates.csv',
  line,
  propertyId,
  field: 'rate',
  reason,
});

describe('A list of mistakes', () => {
  it('joins equal ones, and names their rows and the property that they share', () => {
    const list = new MistakeList();
    for (const line of [2, 3, 4, 4, 9]) list.add(mistake(line));
    list.add(mistake(5, MISSING));
    list.add(mistake(6, MISSING, 'q'));
    assert.deepEqual(list.joined(), [
      { rowCount: 4, rows: '2-4, 9', propertyId: 'p', column: 'rate', reason: WRONG },
      { rowCount: 2, rows: '5-6', propertyId: '', column: 'rate', reason: MISSING },
    ]);
    assert.deepEqual(list.rows[0], { row: 2, propertyId: 'p', column: 'rate', reason: WRONG });
  });

  it('counts all rows of a large file, and stays small', () => {
    const list = new MistakeList();
    for (let line = 2; line < 200_002; line += 2) list.add(mistake(line));
    for (let kind = 0; kind < 200_000; kind += 1)
      list.add(mistake(kind, new Wrong('tooLong', { max: kind })));
    assert.equal(list.rows.length, MISTAKES_SHOWN_MAX);
    const [first, ...others] = list.joined();
    assert.equal(first!.rowCount, 100_000);
    assert.equal(first!.rows, '2, 4, 6, 8, 10, 12, 14, 16, 18, 20, …');
    assert.equal(others.length + 1, MISTAKES_SHOWN_MAX);
    assert.equal(list.leftOut, 200_000 - others.length);
  });
});
