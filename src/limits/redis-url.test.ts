import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseRedisUrl, type RedisAddress } from './redis-url.ts';

const PLAIN: RedisAddress = {
  isCluster: false,
  isTls: false,
  nodes: [{ host: 'h', port: 6379 }],
  username: undefined,
  password: undefined,
  database: 0,
};

describe('REDIS_URL', () => {
  const right: readonly (readonly [string, Partial<RedisAddress>])[] = [
    ['redis://h', {}],
    ['redis://h:1234/', { nodes: [{ host: 'h', port: 1234 }] }],
    ['redis://[::1]:1234/7', { nodes: [{ host: '::1', port: 1234 }], database: 7 }],
    ['redis://:p%40ss:word@h', { password: 'p@ss:word' }],
    ['rediss://app:secret@h/2', { isTls: true, username: 'app', password: 'secret', database: 2 }],
    [
      'redis-cluster://h1:1,h2:2',
      {
        isCluster: true,
        nodes: [
          { host: 'h1', port: 1 },
          { host: 'h2', port: 2 },
        ],
      },
    ],
    [
      'rediss-cluster://app:secret@h:1',
      { isCluster: true, isTls: true, username: 'app', password: 'secret', nodes: [{ host: 'h', port: 1 }] },
    ],
  ];
  for (const [text, parts] of right) {
    it(`${text} is understood`, () => {
      assert.deepEqual(parseRedisUrl(text), { ok: true, address: { ...PLAIN, ...parts } });
    });
  }

  const wrong: readonly (readonly [string, RegExp])[] = [
    ['http://h', /neither redis:/],
    ['redis:h', /neither redis:/],
    ['redis://h?db=1', /neither redis:/],
    ['redis://h/one', /neither redis:/],
    ['redis://h:0', /no HOST:PORT/],
    ['redis://h:65536', /no HOST:PORT/],
    ['redis://h1,h2', /several hosts/],
    ['redis://h/70000', /database above/],
    ['redis://:%zz@h', /escape/],
    ['redis-cluster://h', /node that is not HOST:PORT/],
    ['redis-cluster://h:1,', /node that is not HOST:PORT/],
    ['redis-cluster://h:1/2', /a cluster does not have/],
  ];
  for (const [text, problem] of wrong) {
    it(`${text} is refused`, () => {
      const parsed = parseRedisUrl(text);
      assert.ok(!parsed.ok);
      assert.match(parsed.problem, problem);
    });
  }

  it('is a value or one line that repeats nothing of a secret, for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `redis://${text}`),
        ),
        (text) => {
          const parsed = parseRedisUrl(text);
          if (parsed.ok) return;
          assert.equal(parsed.problem.includes('\n'), false);
          assert.match(parsed.problem, /^[\x20-\x7e]+$/);
        },
      ),
      { seed: 20261120, numRuns: 2_000 },
    );
  });
});
