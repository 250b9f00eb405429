/** Stories find what a service must not do: each mistake is made once, in a process of its own. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { CHECKING } from '../kit/checking.ts';
import { MISTAKES } from './mistakes.ts';

const PROGRAM = join(import.meta.dirname, '..', 'kit', 'processes', 'mistaken-service.ts');
/** The slowest to find takes some 800. */
const STORIES_MAX = 2_000;
/** Of a story that was made shorter. */
const STEPS_MAX = 20;
const run = promisify(execFile);

interface Found {
  readonly tried: number;
  readonly steps: number;
  readonly wrong?: string;
}

describe('A story', { concurrency: 2 }, () => {
  for (const name of Object.keys(MISTAKES))
    it(`finds that ${name}`, async (test) => {
      const { stdout } = await run(process.execPath, [PROGRAM, name, '1', String(STORIES_MAX)], {
        env: { ...process.env, ...CHECKING },
      });
      const { tried, steps, wrong } = JSON.parse(stdout) as Found;
      assert.ok(wrong !== undefined, `${tried} stories held`);
      assert.ok(steps <= STEPS_MAX, `${steps} steps are left`);
      test.diagnostic(`after ${tried} stories, shortened to ${steps} steps: ${wrong.slice(0, 150)}`);
    });
});
