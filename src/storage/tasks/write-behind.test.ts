import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../test/kit/command-line.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import { BACKGROUND_FAILURES } from './repeat.ts';
import { writeBehind } from './write-behind.ts';

function start(name: string, everyMs: number, fail: () => Error | undefined) {
  const logged: string[] = [];
  const waiting: number[] = [];
  const written: number[] = [];
  const log = (_fields: object, message: string): void => void logged.push(message);
  const behind = writeBehind({
    name,
    everyMs,
    logger: { warn: log, error: log },
    awayMessage: 'it waits',
    async write() {
      const error = fail();
      if (error !== undefined) throw error;
      written.push(...waiting.splice(0));
    },
  });
  return { behind, logged, waiting, written };
}

describe('What is written behind answers', () => {
  it('is written by and by, and the rest at the end', async () => {
    const { behind, waiting, written } = start('a test of writing', 1, () => undefined);
    waiting.push(1);
    await until(async () => written.length === 1);
    await behind.close();
    waiting.push(2);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(written, [1]);
    const last = start('a test of writing', 3_600_000, () => undefined);
    last.waiting.push(3);
    await last.behind.close();
    assert.deepEqual(last.written, [3]);
  });

  it('waits for a database that is away, which is said once', async () => {
    let tries = 0;
    const { behind, logged, waiting, written } = start('a test of waiting', 1, () => {
      tries += 1;
      return tries < 4 ? new StorageUnavailable('away') : undefined;
    });
    waiting.push(1);
    await until(async () => written.length === 1);
    await behind.close();
    assert.deepEqual(logged, ['it waits']);
    assert.equal(BACKGROUND_FAILURES.get('a test of waiting'), 0);
  });

  it('goes on after a bug, which is logged and counted, and does not reject at the end', async () => {
    const { behind, logged } = start('a test of a bug in writing', 1, () => new TypeError('a bug'));
    await until(async () => logged.length > 0);
    await behind.close();
    assert.equal(logged[0], 'background work failed; it will be tried again');
    assert.equal(BACKGROUND_FAILURES.get('a test of a bug in writing'), 1);
  });
});
