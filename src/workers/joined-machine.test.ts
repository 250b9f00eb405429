import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { describeLimits } from '../limits/limits-suite.ts';
import { createOwnLimits } from '../limits/own-limits.ts';
import { type Channel, openChannel, type Wire } from './channel.ts';
import { joinMachine } from './joined-machine.ts';
import { answerCounts } from './primary-counts.ts';

describeLimits('by the primary process', {
  async open(context, windowSeconds) {
    const windows = createOwnLimits({ windowSeconds });
    const join = () => {
      const { primary, worker } = openLine();
      answerCounts(primary, windows);
      const { limits } = joinMachine(worker, { number: 1, joinsWhenReady: false }, SILENT);
      context.after(() => limits.close());
      return limits;
    };
    return [join(), join()];
  },
});

describe('A channel', () => {
  it('tells the asker that nobody answers, or that the other end is gone', async () => {
    const { primary, worker, cut } = openLine();
    await assert.rejects(worker.ask('unknown'), /nobody answers "unknown" yet/);
    primary.answer('never', () => new Promise(() => {}));
    const asked = worker.ask('never');
    cut();
    await assert.rejects(asked, /the other process is gone/);
    await assert.rejects(worker.ask('anything'), /the other process is gone/);
  });

  it('takes no notice of what others send over the same line', async () => {
    const { primary, send } = openLine();
    primary.hear('news', () => assert.fail('heard'));
    for (const message of [null, 'news', 1, { news: 'news' }, { cmd: 'NODE_HANDLE' }]) send(message);
  });
});

const SILENT = { info() {}, warn() {} };

/** A line on which every message becomes JSON, as between processes. */
function openLine(): {
  readonly primary: Channel;
  readonly worker: Channel;
  readonly cut: () => void;
  readonly send: (message: unknown) => void;
} {
  const ends = { primary: new EventEmitter(), worker: new EventEmitter() };
  const wire = (from: EventEmitter, to: EventEmitter): Wire => ({
    send(message, sent) {
      setImmediate(() => to.emit('message', JSON.parse(JSON.stringify(message))));
      sent?.();
    },
    onMessage: (take) => void from.on('message', take),
    onClose: (take) => void from.on('close', take),
  });
  return {
    primary: openChannel(wire(ends.primary, ends.worker)),
    worker: openChannel(wire(ends.worker, ends.primary)),
    cut: () => void ends.worker.emit('close'),
    send: (message) => void ends.primary.emit('message', message),
  };
}
