import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideWorkerCount } from './worker-count.ts';

describe('The number of workers', () => {
  const linux = { cores: 8, canSharePorts: true };
  const macOs = { cores: 8, canSharePorts: false };

  it('is what is wanted, and one per core with "auto"', () => {
    assert.deepEqual([decideWorkerCount(3, linux), decideWorkerCount('auto', linux)], [3, 8]);
  });

  it('is one where no port can be shared, and "auto" knows it', () => {
    assert.deepEqual([decideWorkerCount(1, macOs), decideWorkerCount('auto', macOs)], [1, 1]);
    assert.throws(() => decideWorkerCount(2, macOs), {
      name: 'StartRefused',
      message: /^WORKERS: 2 workers .* set WORKERS=1/,
    });
  });
});
