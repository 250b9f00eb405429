/**
 * `npm run simulate`: stories of whole services under one seeded clock. A story that fails is made shorter, and told in
 * words.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { CHECKING } from '../test/kit/checking.ts';
import { formatStory } from '../test/simulation/print-story.ts';
import { openStage, type Stage } from '../test/simulation/run-story.ts';
import { shorten } from '../test/simulation/shorten.ts';
import { makeStory } from '../test/simulation/story.ts';
import { messageOf } from '../src/runtime/message-of.ts';

const USAGE = `npm run simulate -- [options]
  --seed N         one story; with --trace, all of it in words
  --minutes N      new seeds on all processors, until the time is over (1)
  --seeds N,COUNT  so many seeds from N on, on one processor
Exit code 0: everything held. 1: a story failed; it is printed, made shorter. 2: wrong usage.
`;
const SEED_MAX = 2 ** 31 - 1;
const MINUTES_MAX = 24 * 60;
const MINUTE_MS = 60_000;

const options = readOptions();
process.exitCode =
  options === undefined
    ? 2
    : 'seed' in options
      ? await tellOne(options.seed, options.isTraced)
      : 'first' in options
        ? await tellMany(options)
        : await tellOnAllProcessors(options.minutes);

/** Seeds of one processor: so many, or until the time is over. */
interface Range {
  readonly first: number;
  readonly count: number;
  readonly minutes: number;
}

type Options = { readonly seed: number; readonly isTraced: boolean } | Range | { readonly minutes: number };

/** Prints what is wrong, and returns undefined. */
function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string' },
        trace: { type: 'boolean', default: false },
        seeds: { type: 'string' },
        minutes: { type: 'string' },
      },
    });
    const minutes = values.minutes === undefined ? 1 : wholeNumber(values.minutes, MINUTES_MAX);
    if (values.seed !== undefined)
      return { seed: wholeNumber(values.seed, SEED_MAX), isTraced: values.trace };
    if (values.seeds === undefined) return { minutes };
    const [first = '', count = ''] = values.seeds.split(',');
    return {
      first: wholeNumber(first, SEED_MAX),
      count: values.minutes === undefined ? wholeNumber(count, SEED_MAX) : Number.POSITIVE_INFINITY,
      minutes: values.minutes === undefined ? Number.POSITIVE_INFINITY : minutes,
    };
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}`);
    return undefined;
  }
}

function wholeNumber(text: string, max: number): number {
  const number = Number(text);
  if (!/^[0-9]+$/.test(text) || number > max) throw new Error(`${text} is not a whole number up to ${max}`);
  return number;
}

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

async function tellMany({ first, count, minutes }: Range): Promise<number> {
  const stage = await openStage();
  const sums = { stories: 0, steps: 0, events: 0, failures: 0, restarts: 0, checks: 0 };
  const endsAtMs = performance.now() + minutes * MINUTE_MS;
  let failedCount = 0;
  for (let seed = first; seed < first + count && performance.now() < endsAtMs; seed += 1) {
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

async function tellOnAllProcessors(minutes: number): Promise<number> {
  const codes = Array.from({ length: availableParallelism() }, async () => {
    const args = ['--seeds', String(randomInt(SEED_MAX)), '--minutes', String(minutes)];
    const child = spawn(process.execPath, [import.meta.filename, ...args], {
      stdio: 'inherit',
      env: { ...process.env, ...CHECKING },
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? 1;
  });
  return Math.max(...(await Promise.all(codes)));
}
