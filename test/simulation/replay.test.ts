/** `npm run simulate`: one seed is one story, in whatever process. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { CHECKING } from '../kit/checking.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'scripts', 'simulate.ts');
const run = promisify(execFile);

async function simulate(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [PROGRAM, ...args], {
    env: { ...process.env, ...CHECKING },
  });
  return stdout;
}

describe('npm run simulate', () => {
  it('tells the same story of a seed twice, in words', async () => {
    const [one, other] = await Promise.all([
      simulate('--seed', '11', '--trace'),
      simulate('--seed', '11', '--trace'),
    ]);
    assert.equal(one, other);
    assert.match(one, /^seed 11: \d services? \(/);
    assert.match(one, /^ +\d+\.\d{3} s {2}r\d+ {2}service 1: commits applySupply$/m);
    assert.match(one, /^ +\d+\.\d{3} s {2}r\d+ {2}(acme|beta): is told by service \d, reader \d: /m);
    assert.match(one, /everything held\n$/);
  });

  it('counts what happened in many', async () => {
    assert.match(
      await simulate('--seeds', '20,3'),
      /^from seed 20: 3 stories, \d+ steps, \d+ events, \d+ failures, \d+ restarts, \d+ checks\n$/,
    );
  });

  it('refuses what it does not understand', async () => {
    await assert.rejects(simulate('--seed', 'one'), { code: 2, stderr: /one is not a whole number/ });
  });
});
