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
import { formatKept, readKept } from '../test/simulation/kept.ts';
import { formatStory } from '../test/simulation/print-story.ts';
import { openStage, type Stage } from '../test/simulation/run-story.ts';
import { shorten } from '../test/simulation/shorten.ts';
import { makeDay, makeStory, type Story } from '../test/simulation/story.ts';
import { messageOf } from '../src/runtime/message-of.ts';

const USAGE = `npm run simulate -- [options]
  --seed N         one story; with --trace, all of it in words
  --story FILE     one that is kept, step by step
  --minutes N      new seeds on all processors, until the time is over (1)
  --seeds N,COUNT  so many seeds from N on, on one processor
  --days           each story is a day, not seconds
Exit code 0: everything held. 1: a story failed; it is printed, made shorter. 2: wrong usage.
`;
const SEED_MAX = 2 ** 31 - 1;
const MINUTES_MAX = 24 * 60;
const MINUTE_MS = 60_000;
const PROGRESS_MS = 30_000;

const options = readOptions();
process.exitCode =
  options === undefined
    ? 2
    : 'story' in options
      ? await tellOne(options)
      : 'first' in options
        ? await tellMany(options)
        : await tellOnAllProcessors(options);

/** Seeds of one processor: so many, or until the time is over. */
interface Range {
  readonly first: number;
  readonly count: number;
  readonly minutes: number;
}

interface Kind {
  readonly make: (seed: number) => Story;
}

interface One {
  readonly story: Story;
  readonly isTraced: boolean;
}

type Options = One | (Kind & (Range | { readonly minutes: number }));

/** Prints what is wrong, and returns undefined. */
function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string' },
        story: { type: 'string' },
        trace: { type: 'boolean', default: false },
        seeds: { type: 'string' },
        days: { type: 'boolean', default: false },
        minutes: { type: 'string' },
      },
    });
    const make = values.days ? makeDay : makeStory;
    const minutes = values.minutes === undefined ? 1 : wholeNumber(values.minutes, MINUTES_MAX);
    const isTraced = values.trace;
    if (values.story !== undefined) return { story: readKept(values.story), isTraced };
    if (values.seed !== undefined) return { story: make(wholeNumber(values.seed, SEED_MAX)), isTraced };
    if (values.seeds === undefined) return { make, minutes };
    const [first = '', count = ''] = values.seeds.split(',');
    return {
      make,
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

async function tellOne({ story, isTraced }: One): Promise<number> {
  const stage = await openStage();
  const ending = await stage.run(story);
  if (isTraced) console.log(formatStory(story, ending));
  if (ending.wrong !== undefined) await tellShort(stage, story);
  else if (!isTraced) console.log(`seed ${story.seed}: everything held`);
  await stage.close();
  return ending.wrong === undefined ? 0 : 1;
}

async function tellShort(stage: Stage, story: Story): Promise<void> {
  const { story: short, ending } = await shorten(stage, { story, ending: await stage.run(story) });
  console.log(`${formatStory(short, ending)}\n${formatKept(short)}`);
}

async function tellMany({ make, first, count, minutes }: Kind & Range): Promise<number> {
  const stage = await openStage();
  const sums = { stories: 0, steps: 0, events: 0, failures: 0, restarts: 0, checks: 0 };
  const endsAtMs = performance.now() + minutes * MINUTE_MS;
  const sayProgress = (): void => void process.stderr.write(`from seed ${first}: ${sums.stories} stories\n`);
  const progress = setInterval(sayProgress, PROGRESS_MS);
  let failedCount = 0;
  for (let seed = first; seed < first + count && performance.now() < endsAtMs; seed += 1) {
    const story = make(seed);
    const { wrong, counts } = await stage.run(story);
    sums.stories += 1;
    for (const [name, value] of Object.entries(counts)) sums[name as keyof typeof counts] += value;
    if (wrong === undefined) continue;
    failedCount += 1;
    await tellShort(stage, story);
  }
  clearInterval(progress);
  await stage.close();
  console.log(
    `from seed ${first}: ${Object.entries(sums)
      .map(([name, sum]) => `${sum} ${name}`)
      .join(', ')}`,
  );
  return failedCount === 0 ? 0 : 1;
}

async function tellOnAllProcessors({ make, minutes }: Kind & { readonly minutes: number }): Promise<number> {
  const codes = Array.from({ length: availableParallelism() }, async () => {
    const args = ['--seeds', String(randomInt(SEED_MAX)), '--minutes', String(minutes)];
    if (make === makeDay) args.push('--days');
    const child = spawn(process.execPath, [import.meta.filename, ...args], {
      stdio: 'inherit',
      env: { ...process.env, ...CHECKING },
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? 1;
  });
  return Math.max(...(await Promise.all(codes)));
}
