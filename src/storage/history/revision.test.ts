import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasReached, NOTHING_READ } from './revision.ts';

describe('hasReached', () => {
  it('is true of the same mark and of a later one, whatever its stamp', () => {
    assert.equal(hasReached({ revision: 7, stamp: 'a' }, { revision: 7, stamp: 'a' }), true);
    assert.equal(hasReached({ revision: 8, stamp: 'b' }, { revision: 7, stamp: 'a' }), true);
    assert.equal(hasReached({ revision: 0, stamp: '' }, NOTHING_READ), true);
  });

  it('is false of an earlier mark, and of the same number in another history', () => {
    assert.equal(hasReached({ revision: 6, stamp: 'a' }, { revision: 7, stamp: 'a' }), false);
    assert.equal(hasReached({ revision: 7, stamp: 'b' }, { revision: 7, stamp: 'a' }), false);
    assert.equal(hasReached({ revision: 7, stamp: '' }, { revision: 7, stamp: 'a' }), false);
    assert.equal(hasReached(NOTHING_READ, { revision: 0, stamp: '' }), false);
  });
});
