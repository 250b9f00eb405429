/** Three processes that share their limits in a Redis Cluster, one node of which dies. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../kit/command-line.ts';
import { askAtOnce, countOf, keepAsking } from '../kit/many-requests.ts';
import { type RedisCluster, redisMissing, startRedisCluster } from '../kit/redis-server.ts';
import { SharingProcesses } from './sharing-processes.ts';

/** No answer takes longer, whatever happens to the cluster: a command is given up after a second, and the machine may be busy. */
const ANSWER_MS_MAX = 8_000;
const FAILOVER_MS_MAX = 30_000;

describe('Three processes on one Redis Cluster', { skip: redisMissing() }, () => {
  let cluster: RedisCluster;
  let processes: SharingProcesses;
  before(async () => {
    cluster = await startRedisCluster({ replicas: true });
    processes = await SharingProcesses.start({ redisUrl: cluster.url, count: 3 });
  });
  after(async () => {
    await processes.remove();
    await cluster.close();
  });

  const isSharedEverywhere = async (): Promise<boolean> => {
    const states = await Promise.all(
      [...processes.urls().keys()].map((index) => processes.metric(index, 'stayport_limits_shared')),
    );
    return states.every((state) => state === 1);
  };

  it('let exactly the quota of many requests at once pass', async () => {
    assert.ok(await isSharedEverywhere());
    for (let credential = 0; credential < 3; credential += 1) {
      const answers = await askAtOnce(processes.urls(), processes.token(), 121);
      assert.deepEqual([countOf(answers, 200), countOf(answers, 429)], [120, 1]);
    }
  });

  it('spread the windows over all nodes', () => {
    const sizes = cluster.masters().map((node) => Number(node.cli('dbsize')));
    assert.ok(sizes.length === 3 && sizes.every((size) => size > 0), sizes.join());
  });

  it('go on when a node is killed, and are exact again when another has taken over', async (context) => {
    const askings = processes.urls().map((url) => keepAsking(context, url, processes.roomyToken(), 4));
    await until(async () => askings.every(({ statuses }) => statuses.length > 50));
    const [victim] = cluster.masters();
    await victim!.kill();
    await until(async () => !(await isSharedEverywhere()));
    const servedCounts = askings.map(({ statuses }) => statuses.length);
    await until(async () =>
      askings.every(({ statuses }, index) => statuses.length > servedCounts[index]! + 50),
    );
    await cluster.untilWhole();
    assert.equal(cluster.masters().length, 3);
    await until(isSharedEverywhere, FAILOVER_MS_MAX);
    for (let credential = 0; credential < 3; credential += 1) {
      const answers = await askAtOnce(processes.urls(), processes.token(), 121);
      assert.deepEqual([countOf(answers, 200), countOf(answers, 429)], [120, 1]);
    }
    for (const asking of askings) {
      const { statuses, broken } = await asking.stop();
      assert.deepEqual([[...new Set(statuses)], broken], [[200], []]);
      assert.ok(asking.slowestMs() < ANSWER_MS_MAX, `an answer took ${asking.slowestMs()} ms`);
    }
  });
});
