/** Three processes that share their limits in one Redis, while Redis or one of them dies. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../kit/command-line.ts';
import { askAtOnce, askOnce, countOf, keepAsking } from '../kit/many-requests.ts';
import { redisMissing, type RedisServer, startRedis } from '../kit/redis-server.ts';
import { SharingProcesses } from './sharing-processes.ts';

/** No answer takes longer, whatever happens to Redis: a command is given up after a second, and the machine may be busy. */
const ANSWER_MS_MAX = 8_000;
const BACK_MS_MAX = 10_000;

describe('Three processes on one Redis', { skip: redisMissing() }, () => {
  let redis: RedisServer;
  let processes: SharingProcesses;
  /** When the window that the first test fills is over, by `performance.now()`. */
  let windowEndsAtMs: number;
  let fullToken: string;
  before(async () => {
    redis = await startRedis();
    processes = await SharingProcesses.start({ redisUrl: redis.url, count: 3 });
  });
  after(async () => {
    await processes.remove();
    await redis.close();
  });

  it('let exactly the quota of many requests at once pass', async () => {
    fullToken = processes.token();
    const answers = await askAtOnce(processes.urls(), fullToken, 121);
    assert.deepEqual([countOf(answers, 200), countOf(answers, 429)], [120, 1]);
    const { retryAfter } = answers.find(({ status }) => status === 429)!;
    assert.ok(retryAfter >= 50 && retryAfter <= 60, `${retryAfter} s`);
    windowEndsAtMs = performance.now() + retryAfter * 1_000;
  });

  it('go on when one of them is killed, and the quota goes on too', async (context) => {
    const token = processes.roomyToken();
    const [victim, ...others] = processes.servers;
    const [url] = processes.urls().slice(1);
    const asking = keepAsking(context, url!, token, 4);
    const dying = keepAsking(context, victim!.partnerUrl, token, 4);
    await until(async () => asking.statuses.length > 100 && dying.statuses.length > 100);
    const before = await askOnce(url!, token);
    await processes.kill(victim!);
    const servedCount = asking.statuses.length;
    await until(async () => asking.statuses.length > servedCount + 200);
    const afterwards = await askOnce(others[1]!.partnerUrl, token);
    const { statuses, broken } = await asking.stop();
    await dying.stop();
    assert.deepEqual([[...new Set(statuses)], broken], [[200], []]);
    assert.equal(afterwards.reset, before.reset);
    assert.ok(before.remaining - afterwards.remaining > 200, 'no count was lost');
    assert.equal((await askOnce(url!, fullToken)).status, 429);
  });

  it('count for themselves while Redis is gone: nothing hangs, nothing fails', async (context) => {
    await whileAway(context, async () => {
      await redis.kill();
      return async () => redis.start();
    });
    assert.equal(
      linesOf('Redis does not answer: this process counts alone').length,
      2,
      'each process tells it once',
    );
    assert.equal(linesOf('Redis answers again: counts are shared').length, 2);
  });

  it('count for themselves while Redis accepts connections and says nothing', async (context) => {
    await whileAway(context, async () => {
      redis.pause();
      return async () => redis.resume();
    });
  });

  it('let pass a client that waited as told', async () => {
    await sleep(Math.max(0, windowEndsAtMs - performance.now()));
    assert.equal((await askOnce(processes.urls()[0]!, fullToken)).status, 200);
  });

  /** Load goes on while `takeAway` has taken Redis away; then limits are exact again. */
  async function whileAway(
    context: TestContext,
    takeAway: () => Promise<() => Promise<void>>,
  ): Promise<void> {
    const [url] = processes.urls();
    const asking = keepAsking(context, url!, processes.roomyToken(), 8);
    await until(async () => asking.statuses.length > 100);
    const bringBack = await takeAway();
    await until(async () => (await processes.metric(0, 'stayport_limits_shared')) === 0);
    const servedCount = asking.statuses.length;
    await until(async () => asking.statuses.length > servedCount + 200);
    const own = await askAtOnce([url!], processes.token(), 121);
    assert.deepEqual([countOf(own, 200), countOf(own, 429)], [120, 1], 'the count of one process is exact');
    assert.ok((await processes.metric(0, 'stayport_limits_own_counts_total')) >= 321);
    await bringBack();
    for (const index of processes.urls().keys()) {
      await until(async () => (await processes.metric(index, 'stayport_limits_shared')) === 1, BACK_MS_MAX);
    }
    const shared = await askAtOnce(processes.urls(), processes.token(), 121);
    assert.deepEqual(
      [countOf(shared, 200), countOf(shared, 429)],
      [120, 1],
      'exact again over all processes',
    );
    const { statuses, broken } = await asking.stop();
    assert.deepEqual([[...new Set(statuses)], broken], [[200], []]);
    assert.ok(asking.slowestMs() < ANSWER_MS_MAX, `an answer took ${asking.slowestMs()} ms`);
  }

  function linesOf(message: string): string[] {
    return processes.servers.flatMap(({ printed }) =>
      printed.stderr.split('\n').filter((line) => line.includes(message)),
    );
  }
});

describe('Two workers of one machine', { skip: redisMissing() }, () => {
  it('count together while Redis is gone', async (context) => {
    const redis = await startRedis();
    context.after(() => redis.close());
    const processes = await SharingProcesses.start({ redisUrl: redis.url, count: 1, workers: 2 });
    context.after(() => processes.remove());
    const exactly = async (): Promise<void> => {
      const answers = await askAtOnce(processes.urls(), processes.token(), 121);
      assert.deepEqual([countOf(answers, 200), countOf(answers, 429)], [120, 1]);
    };
    await exactly();
    await redis.kill();
    await until(async () => (await processes.metric(0, 'stayport_limits_shared')) === 0);
    await exactly();
  });
});
