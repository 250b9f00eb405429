/**
 * `npm run mistakes -- [NAME...]`: stories are told of services that make a mistake, until one fails; that one is made
 * shorter and kept. Without a name: of each mistake that no story is kept for.
 */
import { execFile } from 'node:child_process';
import { existsSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHECKING } from '../test/kit/checking.ts';
import { storyOfMistake } from '../test/simulation/kept.ts';
import { MISTAKES } from '../test/simulation/mistakes.ts';

const PROGRAM = join(import.meta.dirname, '..', 'test', 'kit', 'processes', 'mistaken-service.ts');
/** A mistake that takes more is one that stories are too tame for. */
const STORIES_MAX = '2000';
const run = promisify(execFile);

const named = process.argv.slice(2);
const without = Object.entries(MISTAKES)
  .filter(([name, { heldBy }]) => heldBy === undefined && !existsSync(storyOfMistake(name)))
  .map(([name]) => name);
for (const name of named.length > 0 ? named : without) {
  const { tried, wrong, kept } = await live<{ tried: number; wrong?: string; kept?: string }>(
    name,
    '1',
    STORIES_MAX,
  );
  console.log(`${name}: ${wrong === undefined ? 'all held' : wrong.slice(0, 150)}, after ${tried} stories`);
  if (kept !== undefined) {
    writeFileSync(storyOfMistake(name), kept);
    // By itself, without those that were told before it.
    if ((await live<{ wrong?: string }>(name)).wrong !== undefined) continue;
    unlinkSync(storyOfMistake(name));
    console.log('  told alone it holds: it is not kept');
  }
  process.exitCode = 1;
}

async function live<T>(...args: readonly string[]): Promise<T> {
  const env = { ...process.env, ...CHECKING };
  const { stdout } = await run(process.execPath, [PROGRAM, ...args], { env });
  return JSON.parse(stdout) as T;
}
