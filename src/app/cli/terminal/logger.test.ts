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

describe('A warning of Node', () => {
  const root = JSON.stringify(import.meta.resolve('./logger.ts'));
  const jobs = JSON.stringify(import.meta.resolve('../../../runtime/job-thread.ts'));
  /** The lines on standard error of a program with a log. */
  function linesOf(program: string): Record<string, unknown>[] {
    const text = `import { openLog } from ${root};
      const { logger, flush } = openLog('info', false);
      logger.info('before');
      ${program}
      logger.info('after');
      setTimeout(flush, 50);`;
    const given = ['--input-type=module', '--eval', text];
    const { stderr } = spawnSync(process.execPath, given, { encoding: 'utf8' });
    return stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  it('is a line of the log like any other', () => {
    const lines = linesOf(`
      process.emitWarning('first', { code: 'STAYPORT_TEST' });
      const target = new EventTarget();
      for (let count = 0; count < 12; count += 1) target.addEventListener('x', () => count);
      await new Promise(setImmediate);`);
    assert.deepEqual(
      lines.map(({ level, msg, warning, code }) => [level, String(msg).slice(0, 24), warning, code]),
      [
        ['info', 'before', undefined, undefined],
        ['warn', 'first', 'Warning', 'STAYPORT_TEST'],
        ['warn', 'Possible EventTarget mem', 'MaxListenersExceededWarning', undefined],
        ['info', 'after', undefined, undefined],
      ],
    );
  });

  it('is one, too, where a thread without a log meets it', () => {
    const thread = `import { serveJobs } from ${jobs};
      serveJobs({ answer: () => (process.emitWarning('of a thread', 'ThreadWarning', 'T1'), { result: 1 }) });`;
    const [, warned, after] = linesOf(`
      const { openJobThread } = await import(${jobs});
      const program = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(thread)}));
      const opened = openJobThread({ program, name: 'test', whenLost: (cause) => cause });
      await opened.ask('x');
      await new Promise((resolve) => setTimeout(resolve, 50));
      await opened.end(new Error('over'));`);
    assert.deepEqual(
      [warned!['level'], warned!['msg'], warned!['warning'], warned!['code']],
      ['warn', 'of a thread', 'ThreadWarning', 'T1'],
    );
    assert.equal(after!['msg'], 'after');
  });
});
