import { after, before } from 'node:test';
import { type RedisCluster, redisMissing, startRedisCluster } from '../../test/kit/redis-server.ts';
import { describeLimits } from '../../test/suites/limits/limits-suite.ts';
import { openTestLimits } from '../../test/suites/limits/redis-limits-fixture.ts';

const skip = redisMissing();
let cluster: RedisCluster;
if (skip === false) {
  before(async () => {
    cluster = await startRedisCluster({ replicas: false });
  });
  after(async () => cluster.close());
}

describeLimits('in a Redis Cluster', {
  skip,
  open: (context, windowSeconds) =>
    Promise.all([
      openTestLimits(context, cluster.url, { windowSeconds }),
      openTestLimits(context, cluster.url, { windowSeconds }),
    ]),
});
