/**
 * `npm run fuzz`: the property tests and the mutated inputs of parsers with new seeds, file after file, until the time is
 * over. What it finds becomes a fixed case of its test.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { CHECKING } from '../test/kit/checking.ts';
import { distancesTo, readSourceFile } from '../test/kit/import-graph.ts';
import { messageOf } from '../src/runtime/message-of.ts';

const ROOT = join(import.meta.dirname, '..');
const USAGE = `npm run fuzz -- [options]
  --minutes N      when to stop (10)
  --seed N         this seed for every file, once (a new one for each run)
Exit code 0: every run passed. 1: one failed; its seed, and how to run it again, are printed. 2: wrong usage.
`;
const SEEDS = 'test/kit/seeds.ts';
const SEED_MAX = 2 ** 31 - 1;
const MINUTES_MAX = 24 * 60;

interface Run {
  readonly file: string;
  readonly seed: number;
}

const { minutes, seed } = readOptions();
const files = fuzzedFiles();
const stopped = AbortSignal.timeout(minutes * 60_000);
let runs = 0;
let failures = 0;
do {
  for (const file of files) {
    if (stopped.aborted) break;
    const isPassed = await passes({ file, seed: seed ?? randomInt(SEED_MAX) });
    if (isPassed !== undefined) runs += 1;
    if (isPassed === false) failures += 1;
  }
} while (!stopped.aborted && seed === undefined);
process.stdout.write(`${runs} runs of ${files.length} files, ${failures} failed\n`);
process.exitCode = failures === 0 ? 0 : 1;

/** The unit tests that draw from a seed that can be chosen, themselves or in a suite. */
function fuzzedFiles(): readonly string[] {
  const drawing = globSync(['src/**/*.test.ts', 'test/suites/**/*.ts', 'test/kit/mutations.ts', SEEDS], {
    cwd: ROOT,
  });
  const graph = drawing.map((path) => readSourceFile(ROOT, path));
  return [...distancesTo(SEEDS, graph).keys()].filter((path) => path.endsWith('.test.ts')).sort();
}

/** Undefined when the time was over first. */
async function passes({ file, seed: chosen }: Run): Promise<boolean | undefined> {
  const child = spawn(process.execPath, ['--test', file], {
    cwd: ROOT,
    env: { ...process.env, ...CHECKING, FUZZ_SEED: String(chosen) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = (): void => void child.kill();
  stopped.addEventListener('abort', stop, { once: true });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  stopped.removeEventListener('abort', stop);
  if (code === 0) return true;
  if (stopped.aborted) return undefined;
  process.stdout.write(`${output}\n${file} failed with the seed ${chosen}. Again:\n`);
  process.stdout.write(`    FUZZ_SEED=${chosen} node bin/node.cjs --test ${file}\n\n`);
  return false;
}

function readOptions(): { readonly minutes: number; readonly seed: number | undefined } {
  try {
    const { values } = parseArgs({
      options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
    });
    const options = {
      minutes: Number(values.minutes),
      seed: values.seed === undefined ? undefined : Number(values.seed),
    };
    if (!(options.minutes > 0 && options.minutes <= MINUTES_MAX))
      throw new Error(`--minutes: up to ${MINUTES_MAX}`);
    if (options.seed !== undefined && !(Number.isInteger(options.seed) && Math.abs(options.seed) <= SEED_MAX))
      throw new Error('--seed: a whole number of 32 bits');
    return options;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}`);
    process.exit(2);
  }
}
