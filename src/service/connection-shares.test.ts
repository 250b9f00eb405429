import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shareConnections } from './connection-shares.ts';

const one = { wanted: 10_000, descriptorsMax: 1_000_000, workerCount: 1, hasWeb: false };

describe('The connections of a machine', () => {
  it('are as many as the setting says, where descriptors allow', () => {
    assert.deepEqual(shareConnections(one), { partner: 10_000, web: 10_000, operator: 128 });
    assert.equal(shareConnections({ ...one, descriptorsMax: undefined }).partner, 10_000);
  });

  it('leave descriptors to everything else', () => {
    assert.deepEqual(shareConnections({ ...one, descriptorsMax: 1024 }), {
      partner: 768,
      web: 768,
      operator: 128,
    });
    assert.equal(shareConnections({ ...one, descriptorsMax: 1024, hasWeb: true }).partner, 384);
    assert.deepEqual(shareConnections({ ...one, descriptorsMax: 64 }), { partner: 16, web: 16, operator: 8 });
  });

  it('are spread over the workers, at least one each', () => {
    assert.deepEqual(shareConnections({ ...one, workerCount: 4 }), {
      partner: 2_500,
      web: 2_500,
      operator: 32,
    });
    assert.equal(shareConnections({ ...one, wanted: 1, workerCount: 4 }).partner, 1);
  });
});
