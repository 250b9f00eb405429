import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { until } from '../../test/kit/command-line.ts';
import { redisMissing, type RedisServer, startRedis } from '../../test/kit/redis-server.ts';
import { reservePort } from '../../test/kit/reserved-port.ts';
import { makeTestCertificates } from '../../test/kit/test-certificates.ts';
import { describeLimits } from '../../test/suites/limits/limits-suite.ts';
import { openTestLimits } from '../../test/suites/limits/redis-limits-fixture.ts';
import { ANSWER_MS_MAX, type SharedLimits } from './shared-limits.ts';
import type { WindowHit } from './request-limits.ts';

const WINDOW_MS = 60_000;
const HOUR_MS = 3_600_000;
/** For a busy machine. */
const SOON_MS = 5_000;

const skip = redisMissing();
let redis: RedisServer;
if (skip === false) {
  before(async () => {
    redis = await startRedis();
  });
  after(async () => redis.close());
}

describeLimits('in Redis', {
  skip,
  open: (context, windowSeconds) =>
    Promise.all([
      openTestLimits(context, redis.url, { windowSeconds }),
      openTestLimits(context, redis.url, { windowSeconds }),
    ]),
});

describe('limits in Redis', { skip }, () => {
  for (const [direction, shiftMs] of [
    ['back', HOUR_MS],
    ['ahead', -HOUR_MS],
  ] as const) {
    it(`open a new window when the clock of Redis is set ${direction} by an hour`, async (context) => {
      const limits = await openTestLimits(context, redis.url);
      await limits.quota.hit(direction);
      // As if the window had been opened by the clock as it was before.
      const key = `stayport:{0}:quota:${direction}`;
      const endsAtMs = Number(redis.cli('hget', key, 'e')) + shiftMs;
      redis.cli('hset', key, 'e', String(endsAtMs));
      const { resetInMs } = await hit(limits, direction, 1);
      assert.ok(resetInMs <= WINDOW_MS);
      await hit(limits, direction, 2);
    });
  }

  it('leave nothing behind in Redis', async (context) => {
    const limits = await openTestLimits(context, redis.url, { windowSeconds: 1 });
    await limits.hitBoth!('gone', 10, 'gone');
    assert.equal(redis.cli('exists', 'stayport:{0}:ingress:gone', 'stayport:{0}:quota:gone').trim(), '2');
    await until(
      async () => redis.cli('exists', 'stayport:{0}:ingress:gone', 'stayport:{0}:quota:gone').trim() === '0',
    );
  });

  it('go on when Redis has forgotten the script', async (context) => {
    const limits = await openTestLimits(context, redis.url);
    await hit(limits, 'script', 1);
    redis.cli('script', 'flush');
    await hit(limits, 'script', 2);
    assert.equal(limits.state().lossCount, 0);
  });
});

describe('limits without Redis', { skip }, () => {
  it('are counted by the process itself: at once when Redis is gone, and by Redis again when it is back', async (context) => {
    const redis = await startRedis();
    context.after(() => redis.close());
    const limits = await openTestLimits(context, redis.url);
    await hit(limits, 'a', 1);
    await hit(limits, 'a', 2);
    await redis.kill();
    const startedAtMs = performance.now();
    await hit(limits, 'a', 1);
    assert.ok(performance.now() - startedAtMs < 400);
    assert.deepEqual(limits.state(), { isShared: false, lossCount: 1, fallbackCount: 1 });
    await redis.start();
    await until(async () => limits.state().isShared);
    await hit(limits, 'a', 1);
    assert.equal(redis.cli('hget', 'stayport:{0}:quota:a', 'n').trim(), '1');
  });

  it('are counted by the process itself while Redis accepts connections and says nothing', async (context) => {
    const redis = await startRedis();
    context.after(() => redis.close());
    const limits = await openTestLimits(context, redis.url);
    await hit(limits, 'a', 1);
    redis.pause();
    const startedAtMs = performance.now();
    await hit(limits, 'a', 1);
    assert.ok(performance.now() - startedAtMs < SOON_MS);
    const toldAtMs = performance.now();
    for (let count = 2; count < 22; count += 1) await hit(limits, 'a', count);
    assert.ok(
      performance.now() - toldAtMs < 10 * ANSWER_MS_MAX,
      'only the first one waits, and not all of these',
    );
    redis.resume();
    await until(async () => limits.state().isShared);
    assert.ok((await limits.quota.hit('a')).count >= 2, 'Redis has kept its window');
  });

  it('are counted by the process itself when Redis refuses to count', async (context) => {
    const redis = await startRedis();
    context.after(() => redis.close());
    const limits = await openTestLimits(context, redis.url);
    redis.cli('config', 'set', 'maxmemory', '1');
    await hit(limits, 'a', 1);
    await hit(limits, 'a', 2);
    assert.equal(limits.state().isShared, false);
    redis.cli('config', 'set', 'maxmemory', '0');
    await until(async () => limits.state().isShared);
    await hit(limits, 'a', 1);
  });

  it('do not keep a process from starting', async (context) => {
    const startedAtMs = performance.now();
    const limits = await openTestLimits(context, 'redis://127.0.0.1:1');
    assert.ok(performance.now() - startedAtMs < 3_000);
    await hit(limits, 'a', 1);
    await hit(limits, 'a', 2);
  });
});

describe('REDIS_URL', { skip }, () => {
  it('takes a password, a user and a database', async (context) => {
    const redis = await startRedis(['--requirepass', 'p@ss']);
    context.after(() => redis.close());
    const login = ['-a', 'p@ss', '--no-auth-warning'];
    redis.cli(...login, 'acl', 'setuser', 'app', 'on', '>s:cret', '~stayport:*', '+@all');
    for (const [user, database] of [
      [':p%40ss', 2],
      ['app:s%3Acret', 3],
    ] as const) {
      const limits = await openTestLimits(context, `redis://${user}@127.0.0.1:${redis.port}/${database}`);
      await hit(limits, 'a', 1);
      assert.equal(limits.state().isShared, true);
      assert.equal(
        redis.cli(...login, '-n', String(database), 'hget', 'stayport:{0}:quota:a', 'n').trim(),
        '1',
      );
    }
  });

  it('with a wrong password leaves the process to itself, and the log does not repeat it', async (context) => {
    const redis = await startRedis(['--requirepass', 'right']);
    context.after(() => redis.close());
    const log: string[] = [];
    const limits = await openTestLimits(context, `redis://:wr0ng@127.0.0.1:${redis.port}`, { log });
    await hit(limits, 'a', 1);
    assert.equal(limits.state().isShared, false);
    assert.equal(log.length, 1, 'told once');
    assert.match(log[0]!, /WRONGPASS|NOAUTH/);
    assert.doesNotMatch(log[0]!, /wr0ng/);
  });
});

describe('rediss://', { skip }, () => {
  it('counts over TLS with a server whose certificate is trusted, and with no other', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'stayport-redis-tls-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const { authority, certificate, key } = makeTestCertificates();
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const tls = await reservePort();
    context.after(() => tls.release());
    const redis = await startRedis([
      '--tls-port',
      String(tls.port),
      '--tls-auth-clients',
      'no',
      '--tls-cert-file',
      file('certificate.pem', certificate),
      '--tls-key-file',
      file('key.pem', key),
    ]);
    context.after(() => redis.close());
    const url = `rediss://localhost:${tls.port}`;
    const stranger = await openTestLimits(context, url);
    await hit(stranger, 'a', 1);
    assert.equal(stranger.state().isShared, false);
    const trusted = getCACertificates();
    setDefaultCACertificates([...trusted, authority]);
    context.after(() => setDefaultCACertificates(trusted));
    const limits = await openTestLimits(context, url);
    await hit(limits, 'a', 1);
    assert.equal(limits.state().isShared, true);
  });
});

async function hit(limits: SharedLimits, key: string, expected: number): Promise<WindowHit> {
  const counted = await limits.quota.hit(key);
  assert.equal(counted.count, expected);
  return counted;
}
