/** More stories than `stories.test.ts` tells, on all processors: `MANY_STORIES=100000`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { CHECKING } from '../kit/checking.ts';
import { seedOfRun } from '../kit/seeds.ts';

const STORIES = Number(process.env['MANY_STORIES'] ?? 2_400);
const DAYS = Math.ceil(STORIES / 1_200);
const FIRST_SEED = seedOfRun(1_000_000);
const PROGRAM = join(import.meta.dirname, '..', '..', 'scripts', 'simulate.ts');

async function tell(first: number, count: number, ...more: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, '--seeds', `${first},${count}`, ...more], {
    env: { ...process.env, ...CHECKING },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, wrong, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  assert.equal(code, 0, said + wrong);
  return said.trim();
}

describe('Services of one database', () => {
  for (const [what, storyCount, ...more] of [
    ['stories', STORIES],
    ['days', DAYS, '--days'],
  ] as const)
    it(`lose, show and repeat nothing that they must not, in ${storyCount} ${what}`, async (test) => {
      const processes = availableParallelism();
      const count = Math.ceil(storyCount / processes);
      const told = Array.from({ length: processes }, (_, index) =>
        tell(FIRST_SEED + index * count, count, ...more),
      );
      for (const said of await Promise.all(told)) test.diagnostic(said);
    });
});
