import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { formatLogLine } from './logger.ts';

const TIME = '2026-11-20T14:02:11.123Z';

describe('A log line for people', () => {
  it('shows time, level, message and fields', () => {
    const line = JSON.stringify({
      level: 'info',
      time: TIME,
      url: 'http://127.0.0.1:1',
      count: 2,
      note: 'two words',
      msg: 'up',
    });
    assert.equal(formatLogLine(line), '14:02:11 info  up url=http://127.0.0.1:1 count=2 note="two words"\n');
  });

  it('shows the stack of an error below', () => {
    const line = JSON.stringify({
      level: 'error',
      time: TIME,
      err: { message: 'bad', stack: 'Error: bad\n  at x' },
      msg: 'down',
    });
    assert.equal(formatLogLine(line), '14:02:11 error down\nError: bad\n  at x\n');
  });
});

describe('An error in the log', () => {
  it('a logged error shows its message and stack, and no other property', () => {
    const program = `import { openLog } from ${JSON.stringify(import.meta.resolve('./logger.ts'))};
      const { logger, flush } = openLog('info', false);
      logger.error({ err: Object.assign(new Error('not unique'), { detail: 'Key (token)=(secret)' }) }, 'x');
      flush();`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });
    const { level, err } = JSON.parse(stderr) as { level: string; err: Record<string, unknown> };
    assert.equal(level, 'error');
    assert.deepEqual(Object.keys(err), ['type', 'message', 'stack']);
    assert.doesNotMatch(stderr, /secret/);
  });
});
