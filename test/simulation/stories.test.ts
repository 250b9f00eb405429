/** Whole services under one seeded clock: everything that must hold does, in story after story. */
import { after, before, describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { seedOfRun } from '../kit/seeds.ts';
import { KEPT, readKept } from './kept.ts';
import { formatStory } from './print-story.ts';
import { openStage, type Stage } from './run-story.ts';
import { shorten } from './shorten.ts';
import { makeStory } from './story.ts';

const STORIES = Number(process.env['STORIES'] ?? 300);
const FIRST_SEED = seedOfRun(1);
const TOLD_TWICE = 20;
/** Stories that failed once; the services were corrected. */
const FAILED_ONCE = join(KEPT, 'failed');

describe('Services of one database', () => {
  let stage: Stage;
  before(async () => void (stage = await openStage()));
  after(() => stage.close());

  it(`lose, show and repeat nothing that they must not, in ${STORIES} stories`, async (test) => {
    const sums = { steps: 0, events: 0, failures: 0, restarts: 0, checks: 0 };
    for (let seed = FIRST_SEED; seed < FIRST_SEED + STORIES; seed += 1) {
      const story = makeStory(seed);
      const ending = await stage.run(story);
      for (const [name, count] of Object.entries(ending.counts)) sums[name as keyof typeof sums] += count;
      if (ending.wrong === undefined) continue;
      const short = await shorten(stage, { story, ending });
      assert.fail(formatStory(short.story, short.ending));
    }
    assert.ok(sums.failures > STORIES && sums.checks > STORIES, 'stories are eventful');
    test.diagnostic(JSON.stringify(sums));
  });

  for (const file of readdirSync(FAILED_ONCE))
    it(`hold where once ${file.replace('.json', '').replaceAll('-', ' ')}`, async () => {
      const story = readKept(join(FAILED_ONCE, file));
      const ending = await stage.run(story);
      assert.equal(ending.wrong, undefined, formatStory(story, ending));
    });

  it('have the same story twice, whatever happened before', async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + TOLD_TWICE; seed += 1) {
      const story = makeStory(seed);
      const first = await stage.run(story);
      await stage.run(makeStory(seed + 1));
      assert.equal(formatStory(story, await stage.run(story)), formatStory(story, first));
    }
  });
});
