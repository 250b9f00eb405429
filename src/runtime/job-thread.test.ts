import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '../../test/kit/processes/obedient-thread.ts';
import { openJobThread } from './job-thread.ts';

const NEVER_MS = 60_000;

function makeThread(more: Partial<Parameters<typeof openJobThread>[0]> = {}) {
  return openJobThread<Order>({
    program: new URL('../../test/kit/processes/obedient-thread.ts', import.meta.url),
    name: 'obedient',
    whenLost: (cause) => new Error('lost', { cause }),
    restoreError: (packed) => new Error(`restored, ${String(packed)}`),
    ...more,
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

  it('asks back, and gets the answer or the error', async (context) => {
    const asking = makeThread({
      answerBack: (question) => (question === 'bad' ? assert.fail('no answer') : `${String(question)} it is`),
    });
    context.after(() => asking.end(new Error('the test is over')));
    assert.deepEqual(await asking.ask({ askBack: 'so' }), ['so it is']);
    await assert.rejects(asking.ask({ askBack: 'bad' }), { message: 'restored, packed: no answer' });
  });

  it('is lost when it has work and says nothing', async (context) => {
    const silent = makeThread({ silenceMsMax: 1 });
    context.after(() => silent.end(new Error('the test is over')));
    await assert.rejects(silent.ask('never end'), ({ message, cause }: Error) => {
      assert.equal(message, 'lost');
      assert.match(String(cause), /it said nothing for 1 ms/);
      return true;
    });
    assert.equal(silent.isStarted(), false);
  });

  it('goes when nobody asks it any more, and the next job starts another', async (context) => {
    const idle = makeThread({ idleMs: 1, closeMsMax: NEVER_MS });
    context.after(() => idle.end(new Error('the test is over')));
    const closed = new Int32Array(new SharedArrayBuffer(4));
    const [first] = await Promise.all([idle.ask('thread id'), idle.ask({ closed })]);
    while (Atomics.load(closed, 0) === 0) await sleep(1);
    assert.equal(idle.isStarted(), false);
    assert.notEqual(await idle.ask('thread id'), first);
  });

  it('closes what it has open before it is ended, unless that takes too long', async () => {
    const closed = new Int32Array(new SharedArrayBuffer(4));
    const closing = makeThread({ closeMsMax: NEVER_MS });
    await closing.ask({ closed });
    await closing.end(new Error('enough'));
    assert.equal(Atomics.load(closed, 0), 1);
    const hanging = makeThread({ closeMsMax: 1 });
    const rejected = assert.rejects(hanging.ask('never end'), { message: 'enough' });
    await hanging.end(new Error('enough'));
    await rejected;
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
