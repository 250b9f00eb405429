/** Stories find what a service must not do: each mistake is made in a process of its own, in the story kept for it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { CHECKING } from '../kit/checking.ts';
import { MISTAKES } from './mistakes.ts';

const PROGRAM = join(import.meta.dirname, '..', 'kit', 'processes', 'mistaken-service.ts');
const run = promisify(execFile);

describe('A story', { concurrency: 2 }, () => {
  for (const name of Object.keys(MISTAKES))
    it(`finds that ${name}`, async (test) => {
      const { stdout } = await run(process.execPath, [PROGRAM, name], {
        env: { ...process.env, ...CHECKING },
      });
      const { wrong } = JSON.parse(stdout) as { readonly wrong?: string };
      assert.ok(wrong !== undefined, 'the story held');
      test.diagnostic(wrong.slice(0, 150));
    });
});
