import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { type Channel, openChannel } from './channel.ts';

function open(context: TestContext): readonly [Channel, Channel] {
  const { port1, port2 } = new MessageChannel();
  context.after(() => port1.close());
  return [openChannel(port1), openChannel(port2)];
}

describe('A channel', () => {
  it('brings each answer to its question, in whatever order they come', async (context) => {
    const [one, other] = open(context);
    const late = Promise.withResolvers<string>();
    other.answer('late', () => late.promise);
    other.answer('early', () => {
      late.resolve('late answer');
      return 'early answer';
    });
    assert.deepEqual(await Promise.all([one.ask('late'), one.ask('early')]), ['late answer', 'early answer']);
  });

  it('brings what a question is about', async (context) => {
    const [one, other] = open(context);
    other.answer('twice', (about) => Number(about) * 2);
    assert.equal(await one.ask('twice', 21), 42);
  });

  it('tells the asker why there is no answer', async (context) => {
    const [one, other] = open(context);
    await assert.rejects(one.ask('unknown'), /there is no handler for "unknown" yet/);
    other.answer('failing', () => assert.fail('not today'));
    await assert.rejects(one.ask('failing'), /not today/);
    other.answer('function', () => () => 1);
    await assert.rejects(one.ask('function'), /could not be cloned/);
  });

  it('lets nobody wait for a thread that is gone', async (context) => {
    const [one, other] = open(context);
    other.answer('never', () => new Promise(() => {}));
    const asked = one.ask('never');
    one.close();
    await assert.rejects(asked, /the other thread has ended/);
    await assert.rejects(one.ask('anything'), /the other thread has ended/);
  });

  it('delivers events to their listener, and drops those without one', async (context) => {
    const [one, other] = open(context);
    one.emit('unknown', 1);
    one.emit('known', { two: 2 });
    assert.deepEqual(await new Promise((resolve) => other.on('known', resolve)), { two: 2 });
  });
});
