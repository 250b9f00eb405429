/** Stories whose limits a real Redis counts, with the service's own script: they are those that the model tells. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { seededRandom } from '../kit/catalogue-samples.ts';
import { redisMissing, type RedisServer, startRedis } from '../kit/redis-server.ts';
import { seedOfRun } from '../kit/seeds.ts';
import { START_MS } from './base.ts';
import { type RedisCounts, RedisModel } from './limits.ts';
import { formatStory } from './print-story.ts';
import { RealCounts } from './redis-counts.ts';
import { openStage } from './run-story.ts';
import { makeStory, type Story } from './story.ts';

const STORIES = 100;
const FIRST_SEED = seedOfRun(1);
const QUESTIONS = 500;
/** Windows end in between. */
const PAUSE_MS_MAX = 20_000;
/** As a clock that is set back. */
const BACK_SHARE = 0.1;
const NAMES = ['a', 'b', 'c'];

describe('Stories with Redis', { skip: redisMissing() }, () => {
  let redis: RedisServer;
  let counts: RealCounts;
  before(async () => {
    redis = await startRedis();
    counts = new RealCounts(redis.url);
  });
  after(async () => {
    counts?.close();
    await redis?.close();
  });

  it(`are the same where the real one counts, in ${STORIES} of them`, async (test) => {
    const stage = await openStage();
    test.after(() => stage.close());
    let requestCount = 0;
    for (const story of storiesWithRedis().take(STORIES)) {
      const [real, modelled] = [noting(counts), noting(new RedisModel())];
      const told = formatStory(story, await stage.run(story, real));
      assert.equal(told, formatStory(story, await stage.run(story, modelled)));
      assert.deepEqual(real.noted, modelled.noted, told);
      requestCount += real.noted.flatMap(({ counted }) => counted).length;
    }
    test.diagnostic(`${requestCount} requests`);
    assert.ok(requestCount > 3 * STORIES, 'Redis has counted');
  });

  it(`count as the model does at any time, in ${QUESTIONS} random questions`, async () => {
    const random = seededRandom(FIRST_SEED);
    const below = (max: number): number => Math.floor(random() * max);
    const model = new RedisModel();
    counts.forget();
    let endedCount = 0;
    for (let count = 0, nowMs = START_MS; count < QUESTIONS; count += 1) {
      const requests = Array.from({ length: 1 + below(3) }, () => ({
        kind: 'ingress' as const,
        key: NAMES[below(3)]!,
        ...(below(2) === 0 && { next: { credentialId: NAMES[below(3)]!, limit: below(6) } }),
      }));
      const counted = await counts.count(requests, nowMs);
      assert.deepEqual(counted, model.count(requests, nowMs));
      endedCount += counted.filter(({ hit }) => hit.count === 1).length;
      nowMs += below(PAUSE_MS_MAX) * (random() < BACK_SHARE ? -1 : 1);
    }
    assert.ok(endedCount > 10 * NAMES.length, 'windows have ended');
  });
});

function* storiesWithRedis(): Generator<Story, void> {
  for (let seed = FIRST_SEED; ; seed += 1) {
    const story = makeStory(seed);
    if (story.hasRedis) yield story;
  }
}

/** Notes what was answered, and when in the story. */
function noting(counts: RedisCounts) {
  const noted: { readonly nowMs: number; readonly counted: Awaited<ReturnType<RedisCounts['count']>> }[] = [];
  return {
    noted,
    forget: () => counts.forget(),
    async count(...[requests, nowMs]: Parameters<RedisCounts['count']>) {
      const counted = await counts.count(requests, nowMs);
      noted.push({ nowMs, counted });
      return counted;
    },
  };
}
