/**
 * Stories of whole services under one seeded clock: `npm run simulate -- --seed N [--trace]` tells one,
 * `npm run simulate -- --minutes M` tries new seeds on all processors. A story that fails is made shorter, and told.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { CHECKING } from '../test/kit/checking.ts';
import { formatStory } from '../test/simulation/print-story.ts';
import { openStage, type Stage } from '../test/simulation/run-story.ts';
import { shorten } from '../test/simulation/shorten.ts';
import { makeStory } from '../test/simulation/story.ts';

const SEED_MAX = 2 ** 31;
const MINUTE_MS = 60_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    /** The first seed and how many, of one processor. */
    seeds: { type: 'string' },
  },
});

if (values.seed !== undefined) process.exitCode = await tellOne(Number(values.seed), values.trace);
else if (values.seeds !== undefined) process.exitCode = await tryAll(values.seeds);
else process.exitCode = await tryOnAllProcessors(Number(values.minutes ?? '1'));

async function tellOne(seed: number, isTraced: boolean): Promise<number> {
  const stage = await openStage();
  const story = makeStory(seed);
  const ending = await stage.run(story);
  if (isTraced) console.log(formatStory(story, ending));
  if (ending.wrong !== undefined) await tellShort(stage, seed);
  else if (!isTraced) console.log(`seed ${seed}: everything held`);
  await stage.close();
  return ending.wrong === undefined ? 0 : 1;
}

async function tellShort(stage: Stage, seed: number): Promise<void> {
  const story = makeStory(seed);
  const { story: short, ending } = await shorten(stage, { story, ending: await stage.run(story) });
  console.log(`${formatStory(short, ending)}\n  npm run simulate -- --seed ${seed} --trace tells all of it`);
}

/** `FIRST,COUNT` or `FIRST,,MINUTES`. */
async function tryAll(range: string): Promise<number> {
  const [first = 0, count = 0, minutes = 0] = range.split(',').map(Number);
  const stage = await openStage();
  const sums = { stories: 0, steps: 0, events: 0, failures: 0, restarts: 0, checks: 0 };
  const endsAtMs = performance.now() + minutes * MINUTE_MS;
  let failedCount = 0;
  for (let seed = first; count > 0 ? seed < first + count : performance.now() < endsAtMs; seed += 1) {
    const { wrong, counts } = await stage.run(makeStory(seed));
    sums.stories += 1;
    for (const [name, value] of Object.entries(counts)) sums[name as keyof typeof counts] += value;
    if (wrong === undefined) continue;
    failedCount += 1;
    await tellShort(stage, seed);
  }
  await stage.close();
  console.log(
    `from seed ${first}: ${Object.entries(sums)
      .map(([name, sum]) => `${sum} ${name}`)
      .join(', ')}`,
  );
  return failedCount === 0 ? 0 : 1;
}

async function tryOnAllProcessors(minutes: number): Promise<number> {
  const codes = Array.from({ length: availableParallelism() }, () => {
    const first = Math.floor(Math.random() * SEED_MAX);
    const child = spawn(process.execPath, [import.meta.filename, '--seeds', `${first},,${minutes}`], {
      stdio: 'inherit',
      env: { ...process.env, ...CHECKING },
    });
    return new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  });
  return Math.max(...(await Promise.all(codes)));
}
