import { Wrong } from './wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { done, refuse } from './outcome.ts';

const WRONG = new Wrong('empty');

describe('An outcome', () => {
  it('has its value, or the problem and its kind', () => {
    assert.deepEqual(done(3), { ok: true, value: 3 });
    assert.deepEqual(refuse(WRONG, 'unknown'), {
      ok: false,
      problem: WRONG,
      kind: 'unknown',
    });
    assert.deepEqual(refuse(WRONG), { ok: false, problem: WRONG });
  });
});
