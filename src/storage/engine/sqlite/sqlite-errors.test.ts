import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StorageUnavailable } from '../errors.ts';
import { isBusy, isConnectionBroken, toStorageError } from './sqlite-errors.ts';

/** Numbers as https://sqlite.org/rescode.html has them; those above 255 are extended codes. */
const CODES: readonly [errcode: number, name: string, is: 'busy' | 'broken' | 'unavailable' | 'bug'][] = [
  [1, 'SQLITE_ERROR', 'bug'],
  [2, 'SQLITE_INTERNAL', 'bug'],
  [3, 'SQLITE_PERM', 'unavailable'],
  [5, 'SQLITE_BUSY', 'busy'],
  [261, 'SQLITE_BUSY_RECOVERY', 'busy'],
  [6, 'SQLITE_LOCKED', 'busy'],
  [262, 'SQLITE_LOCKED_SHAREDCACHE', 'busy'],
  [7, 'SQLITE_NOMEM', 'unavailable'],
  [8, 'SQLITE_READONLY', 'broken'],
  [1032, 'SQLITE_READONLY_DBMOVED', 'broken'],
  [10, 'SQLITE_IOERR', 'broken'],
  [266, 'SQLITE_IOERR_READ', 'broken'],
  [11, 'SQLITE_CORRUPT', 'broken'],
  [13, 'SQLITE_FULL', 'unavailable'],
  [14, 'SQLITE_CANTOPEN', 'broken'],
  [15, 'SQLITE_PROTOCOL', 'unavailable'],
  [19, 'SQLITE_CONSTRAINT', 'bug'],
  [2067, 'SQLITE_CONSTRAINT_UNIQUE', 'bug'],
  [20, 'SQLITE_MISMATCH', 'bug'],
  [25, 'SQLITE_RANGE', 'bug'],
  [26, 'SQLITE_NOTADB', 'broken'],
];

describe('An error of SQLite', () => {
  for (const [errcode, name, is] of CODES)
    it(`${name} is ${is}`, () => {
      const error = Object.assign(new Error(name), { errcode });
      assert.equal(isBusy(error), is === 'busy');
      assert.equal(isConnectionBroken(error), is === 'broken');
      assert.equal(toStorageError(error) instanceof StorageUnavailable, is !== 'bug');
    });

  it('that has no code stays as it is', () => {
    for (const error of [
      new Error('other'),
      Object.assign(new Error('other'), { errcode: '5' }),
      undefined,
    ]) {
      assert.equal(toStorageError(error), error);
      assert.deepEqual([isBusy(error), isConnectionBroken(error)], [false, false]);
    }
  });
});
