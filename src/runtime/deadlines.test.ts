import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Deadlines } from './deadlines.ts';

describe('Deadlines', () => {
  it('are due in their order, never early, and each once', async () => {
    const deadlines = new Deadlines(20);
    const due: string[] = [];
    const all = Promise.withResolvers<void>();
    const startedAtMs = performance.now();
    deadlines.start(() => {
      assert.ok(performance.now() - startedAtMs >= 20);
      due.push('first');
    });
    await sleep(5);
    const laterAtMs = performance.now();
    deadlines.start(() => {
      assert.ok(performance.now() - laterAtMs >= 20);
      due.push('second');
      all.resolve();
    });
    await all.promise;
    await sleep(50);
    assert.deepEqual(due, ['first', 'second']);
  });

  it('are not due once they were ended, and those behind them still are', async () => {
    const deadlines = new Deadlines(10);
    const due: string[] = [];
    const last = Promise.withResolvers<void>();
    const first = deadlines.start(() => due.push('first'));
    const second = deadlines.start(() => due.push('second'));
    deadlines.start(() => {
      due.push('third');
      last.resolve();
    });
    deadlines.end(first);
    deadlines.end(second);
    deadlines.end(second);
    await last.promise;
    assert.deepEqual(due, ['third']);
  });

  it('are due again when one starts while others are due, or after all were ended', async () => {
    const deadlines = new Deadlines(5);
    await new Promise<void>((resolve) => {
      deadlines.start(() => deadlines.start(resolve));
    });
    deadlines.end(deadlines.start(() => assert.fail('it was ended')));
    await new Promise<void>((resolve) => deadlines.start(resolve));
  });

  it('keep a thread alive until they are due, and no longer when they were ended', async () => {
    const exitCodeOf = async (rest: string): Promise<unknown> => {
      const program = `
        const { Deadlines } = await import(${JSON.stringify(new URL('deadlines.ts', import.meta.url).href)});
        process.exitCode = 1;
        ${rest}`;
      const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
      const [code] = await once(worker, 'exit');
      return code;
    };
    assert.equal(await exitCodeOf('new Deadlines(10).start(() => (process.exitCode = 7));'), 7);
    const ended = 'const long = new Deadlines(2 ** 30); long.end(long.start(() => undefined));';
    assert.equal(await exitCodeOf(ended), 1);
    const again = 'const again = new Deadlines(10); again.end(again.start(() => undefined));';
    assert.equal(await exitCodeOf(`${again} again.start(() => (process.exitCode = 7));`), 7);
  });
});
