import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readComparison } from './last-comparison.ts';

const BEGUN_MS = Date.parse('2026-05-01T10:00:00Z');
const MINUTE_MS = 60_000;
const connection = { comparison: JSON.stringify({ atMs: 5, stays: [], begunAtMs: BEGUN_MS, failure: null }) };

describe('readComparison', () => {
  it('says that none was made before the first', () => {
    assert.deepEqual(readComparison({ comparison: null }, BEGUN_MS), {
      atMs: null,
      stays: [],
      begunAtMs: null,
      failure: null,
    });
  });

  // A clock that was set back makes a comparison as old as one that was set forward.
  for (const [laterMs, is] of [
    [0, 'being made'],
    [20 * MINUTE_MS - 1, 'being made'],
    [20 * MINUTE_MS, 'lost'],
    [1 - 20 * MINUTE_MS, 'being made'],
    [-20 * MINUTE_MS, 'lost'],
  ] as const)
    it(`takes one for ${is} ${laterMs} ms after its begin`, () => {
      const { begunAtMs } = readComparison(connection, BEGUN_MS + laterMs);
      assert.equal(begunAtMs, is === 'being made' ? BEGUN_MS : null);
    });

  it('says nothing of a failure whose code this release does not have', () => {
    const unknown = { comparison: JSON.stringify({ failure: { code: 'ofAnotherRelease', values: {} } }) };
    assert.equal(readComparison(unknown, BEGUN_MS).failure, null);
  });
});
