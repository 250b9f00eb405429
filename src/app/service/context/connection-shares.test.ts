import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CONNECTION_BYTES_MAX, shareConnections, shareOfAddress } from './connection-shares.ts';

const one = {
  wanted: 10_000,
  descriptorsMax: 1_000_000,
  heapBytes: 4 * 2 ** 30,
  workerCount: 1,
  hasWeb: false,
};

describe('The connections of a machine', () => {
  it('a machine takes as many connections as MAX_CONNECTIONS says, where descriptors allow', () => {
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

  it('hold at most a quarter of the heap of each worker, with all header lines that they may send', () => {
    const heapBytes = 4 * CONNECTION_BYTES_MAX * 1_000;
    assert.equal(shareConnections({ ...one, heapBytes }).partner, 1_000);
    assert.equal(shareConnections({ ...one, heapBytes, hasWeb: true }).partner, 500);
    assert.equal(shareConnections({ ...one, heapBytes, workerCount: 4 }).partner, 1_000);
    assert.equal(shareConnections({ ...one, wanted: 999, heapBytes }).partner, 999);
  });

  it('of one address are divided among the workers, each of which has at least one', () => {
    assert.deepEqual(
      [shareOfAddress(256, 1), shareOfAddress(256, 2), shareOfAddress(257, 2)],
      [256, 128, 128],
    );
    assert.deepEqual([shareOfAddress(1, 4), shareOfAddress(0, 4)], [1, 0]);
  });
});
