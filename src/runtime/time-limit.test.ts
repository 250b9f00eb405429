import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inTime } from './time-limit.ts';

const never = new Promise<string>(() => undefined);
const HOUR_MS = 3_600_000;

describe('work with a time limit', () => {
  it('ends with its own result or error while there is time, and leaves no timer', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    assert.equal(await inTime(Promise.resolve('done'), HOUR_MS, () => 'late'), 'done');
    await assert.rejects(
      inTime(Promise.reject(new Error('broken')), HOUR_MS, () => 'late'),
      /broken/,
    );
    assert.equal(timers(), before);
  });

  it('ends with what is said when it is late', async () => {
    assert.equal(await inTime(never, 1, () => 'late'), 'late');
    const refuse = (): never => {
      throw new Error('too late');
    };
    await assert.rejects(inTime(never, 1, refuse), /too late/);
  });
});
