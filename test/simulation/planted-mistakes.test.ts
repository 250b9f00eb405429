/** Each mistake is found: by the story that is kept for it, or by a named test; in a process of its own. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { CHECKING } from '../kit/checking.ts';
import { MISTAKES } from './mistakes.ts';
import type { Mistake } from './mistakes/mistake.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PROCESSES = join(import.meta.dirname, '..', 'kit', 'processes');
const SERVICE = join(PROCESSES, 'mistaken-service.ts');
const PLANT = join(PROCESSES, 'plant-mistake.ts');
/** Of a test that fails; another code means that it did not run. */
const FAILED = 1;
const run = promisify(execFile);

describe('A mistake is found', { concurrency: 2 }, () => {
  for (const [name, { heldBy }] of Object.entries(MISTAKES))
    it(name, async (test) => {
      if (heldBy !== undefined) return assertFails(name, heldBy);
      const env = { ...process.env, ...CHECKING };
      const { stdout } = await run(process.execPath, [SERVICE, name], { env });
      const { wrong } = JSON.parse(stdout) as { readonly wrong?: string };
      assert.ok(wrong !== undefined, 'the story held');
      test.diagnostic(wrong.slice(0, 150));
    });
});

async function assertFails(name: string, { file, test }: NonNullable<Mistake['heldBy']>): Promise<void> {
  const env: NodeJS.ProcessEnv = { ...process.env, ...CHECKING, MISTAKE: name };
  // Otherwise it takes itself for a part of this run.
  delete env['NODE_TEST_CONTEXT'];
  const args = ['--import', PLANT, '--test-name-pattern', test, join(ROOT, file)];
  await assert.rejects(run(process.execPath, args, { cwd: ROOT, env }), { code: FAILED });
}
