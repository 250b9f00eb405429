import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { done, refuse } from './outcome.ts';

describe('An outcome', () => {
  it('has its value, or the problem and its kind', () => {
    assert.deepEqual(done(3), { ok: true, value: 3 });
    assert.deepEqual(refuse('it is not there', 'unknown'), {
      ok: false,
      problem: 'it is not there',
      kind: 'unknown',
    });
    assert.deepEqual(refuse('it is too long'), { ok: false, problem: 'it is too long' });
  });
});
