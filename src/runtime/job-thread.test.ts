import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Order } from '../../test/kit/processes/obedient-thread.ts';
import { openJobThread } from './job-thread.ts';

const NEVER_MS = 60_000;

function makeThread() {
  return openJobThread<Order>({
    program: new URL('../../test/kit/processes/obedient-thread.ts', import.meta.url),
    name: 'obedient',
    whenLost: (cause) => new Error('lost', { cause }),
    restoreError: (packed) => new Error(`restored, ${String(packed)}`),
  });
}

describe('A thread for jobs', () => {
  const thread = makeThread();
  after(() => thread.end(new Error('the test is over')));

  it('answers each who asked, in whatever order it is done', async () => {
    const done: string[] = [];
    const ask = async (say: string, afterMs: number): Promise<void> => {
      const said = await thread.ask<string>({ say, afterMs });
      assert.equal(said, say);
      done.push(say);
    };
    await Promise.all([ask('late', 50), ask('early', 0)]);
    assert.deepEqual(done, ['early', 'late']);
  });

  it('hands memory over in both directions', async () => {
    const measure = new Uint8Array(1000).fill(7);
    const asked = thread.ask<{ byteLength: number; back: Uint8Array }>({ measure }, [measure.buffer]);
    assert.equal(measure.byteLength, 0, 'it is gone here');
    const { byteLength, back } = await asked;
    assert.deepEqual([byteLength, back.byteLength, back[999]], [1000, 1000, 7]);
  });

  it('passes errors on, packed by the one side and restored by the other', async () => {
    await assert.rejects(thread.ask({ fail: 'no' }), { message: 'restored, packed: no' });
  });

  it('rejects a request that can not be sent, and goes on', async () => {
    await assert.rejects(thread.ask({ say: (() => 1) as never, afterMs: 0 }), { name: 'DataCloneError' });
    await thread.settled();
    assert.equal(await thread.ask({ say: 'still here', afterMs: 0 }), 'still here');
  });

  it('tells all who wait when it ends by itself, and is started again by the next job', async () => {
    const waiting = thread.ask({ say: 'never', afterMs: NEVER_MS });
    const rejected = assert.rejects(waiting, { message: 'lost' });
    await assert.rejects(thread.ask('exit'), { message: 'lost' });
    await rejected;
    assert.equal(await thread.ask({ say: 'again', afterMs: 0 }), 'again');
  });

  it('rejects what is under way when it is ended, and what comes later', async () => {
    const ended = makeThread();
    const rejected = assert.rejects(ended.ask({ say: 'never', afterMs: NEVER_MS }), { message: 'enough' });
    await ended.end(new Error('enough'));
    await rejected;
    ended.start();
    await assert.rejects(ended.ask({ say: 'too late', afterMs: 0 }), { message: 'enough' });
    await ended.settled();
  });
});
