import assert from 'node:assert/strict';
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
