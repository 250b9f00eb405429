import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeLimits } from '../../test/suites/limits/limits-suite.ts';
import { createOwnLimits } from '../limits/own-limits.ts';
import { joinMachine } from './joined-machine.ts';
import { openLine, SILENT } from '../../test/kit/line-fixture.ts';
import { PrimaryCounts } from './primary-counts.ts';

describeLimits('by the primary process', {
  async open(context, windowSeconds) {
    const counts = new PrimaryCounts(createOwnLimits({ windowSeconds }));
    const join = () => {
      const { primary, worker } = openLine();
      counts.serve(primary);
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
