/** The Redis of stories counts as the real one does. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../kit/catalogue-samples.ts';
import { redisMissing, startRedis } from '../kit/redis-server.ts';
import { seedOfRun } from '../kit/seeds.ts';
import { openTestLimits } from '../suites/limits/redis-limits-fixture.ts';
import { RedisModel } from './limits.ts';

const WINDOW_MS = 40;
const QUESTIONS = 600;
/** Windows end in between. */
const PAUSE_MS_MAX = 8;
const KEYS = ['a', 'b', 'c'];

describe('The Redis of stories', { skip: redisMissing() }, () => {
  it(`counts as Redis does, in ${QUESTIONS} random questions`, async (context) => {
    const random = seededRandom(seedOfRun(1));
    const below = (max: number): number => Math.floor(random() * max);
    const redis = await startRedis();
    context.after(() => redis.close());
    const limits = await openTestLimits(context, redis.url, { windowSeconds: WINDOW_MS / 1_000 });
    const model = new RedisModel(WINDOW_MS);
    let openedCount = 0;
    for (let count = 0; count < QUESTIONS; count += 1) {
      const [source, credentialId, limit] = [KEYS[below(3)]!, KEYS[below(3)]!, below(6)];
      const real = await limits.hitBoth!(source, limit, credentialId);
      // Its own clock at that moment.
      const nowMs = real.ingress.resetAtMs - real.ingress.resetInMs;
      const request = { kind: 'ingress', key: source, next: { credentialId, limit } } as const;
      const [modelled] = model.count([request], nowMs);
      assert.deepEqual({ hit: real.ingress, next: real.quota }, modelled);
      if (real.ingress.count === 1) openedCount += 1;
      if (below(4) === 0) await sleep(below(PAUSE_MS_MAX));
    }
    assert.ok(openedCount > KEYS.length, 'windows have ended');
    assert.equal(limits.state().fallbackCount, 0);
  });
});
