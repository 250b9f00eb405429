import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { inEnglish, Wrong } from '../domain/wrong.ts';
import { buildHandoffKeyring, opensUntilMs, parseHandoffKeys } from './handoff-keys.ts';

const SECRET = Buffer.alloc(32, 0xa7).toString('base64');
const OTHER = Buffer.alloc(32, 0x11).toString('base64');

const TTL_SECONDS = 1800;

const row = (keyId: string, revision: number) => ({
  keyId,
  secret: randomBytes(32).toString('base64'),
  createdAtMs: 0,
  retiredAtMs: null,
  revision,
});

describe('HANDOFF_KEYS', () => {
  it('names its keys, the first of which signs', () => {
    const parsed = parseHandoffKeys(`k2:${SECRET}, k1:${OTHER.slice(0, -1)}`);
    assert.ok(!(parsed instanceof Wrong));
    assert.equal(parsed.signing.keyId, 'k2');
    assert.deepEqual(
      [...parsed.byHeader.values()].map((key) => key.keyId),
      ['k2', 'k1'],
    );
  });

  const wrong = {
    'nothing at all': ['', /key 1 has no colon/],
    'a trailing comma': [`k1:${SECRET},`, /key 2 has no colon/],
    'an empty key id': [`:${SECRET}`, /key 1 has a key id/],
    'a key id with a dot': [`k.1:${SECRET}`, /key 1 has a key id/],
    'a key id of 33 characters': [`${'k'.repeat(33)}:${SECRET}`, /key 1 has a key id/],
    'a repeated key id': [`k1:${SECRET},k1:${OTHER}`, /key 2 repeats/],
    'no secret': ['k1:', /key 1 is not the base64/],
    'a secret of 31 bytes': [`k1:${Buffer.alloc(31, 5).toString('base64')}`, /exactly 32 bytes/],
    'a secret of 33 bytes': [`k1:${Buffer.alloc(33, 5).toString('base64')}`, /exactly 32 bytes/],
    'base64 with stray bits': [`k1:${SECRET.slice(0, 42)}d=`, /exactly 32 bytes/],
    'a secret of zeros': [`k1:${Buffer.alloc(32).toString('base64')}`, /key 1 is all zeros; make one with/],
    'no base64': [`k1:${'é'.repeat(43)}`, /exactly 32 bytes/],
    'too many keys': [
      Array.from({ length: 101 }, (_, index) => `k${index}:${SECRET}`).join(','),
      /more than 100/,
    ],
  } as const;
  for (const [what, [setting, problem]] of Object.entries(wrong)) {
    it(`is refused with ${what}, naming the entry`, () => {
      const parsed = parseHandoffKeys(setting);
      assert.ok(parsed instanceof Wrong);
      assert.match(inEnglish(parsed), problem);
    });
  }

  it('never has a secret in its problem, and never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('', ':', ',', `,k1:${OTHER}`), (before, after) => {
        const parsed = parseHandoffKeys(`${before}:${SECRET}x${after}`);
        assert.ok(parsed instanceof Wrong && !inEnglish(parsed).includes(SECRET.slice(0, 8)));
      }),
      { seed: 20261120, numRuns: 300 },
    );
  });
});

describe('the keyring of stored keys', () => {
  it('signs with the newest, in whatever order they come, and verifies with all', () => {
    const keyring = buildHandoffKeyring([row('hk_b', 5), row('hk_c', 9), row('hk_a', 2)], TTL_SECONDS);
    assert.equal(keyring?.signing.keyId, 'hk_c');
    assert.equal(keyring.byHeader.size, 3);
  });

  it('does not exist without keys', () => assert.equal(buildHandoffKeyring([], TTL_SECONDS), undefined));

  it('refuses a damaged row, without telling the secret', () => {
    for (const secret of ['c2hvcnQ=', Buffer.alloc(32).toString('base64')]) {
      assert.throws(() => buildHandoffKeyring([{ ...row('hk_a', 1), secret }], TTL_SECONDS), {
        message: 'a stored handoff key is damaged',
      });
    }
  });

  it('opens with an older key until a day after the last quote that it sealed has expired', () => {
    const [old, middle, newest] = [
      { ...row('old', 1), createdAtMs: 1_000 },
      { ...row('middle', 2), createdAtMs: 5_000 },
      { ...row('newest', 3), createdAtMs: 9_000 },
    ];
    const keys = [...(buildHandoffKeyring([middle, newest, old], TTL_SECONDS)?.byHeader.values() ?? [])];
    const afterRotationMs = (TTL_SECONDS + 86_400) * 1000;
    assert.deepEqual(
      keys.map((key) => [key.keyId, key.opensUntilMs]),
      [
        ['newest', Number.POSITIVE_INFINITY],
        ['middle', 9_000 + afterRotationMs],
        ['old', 5_000 + afterRotationMs],
      ],
    );
  });

  it('never opens with a retired key, nor is one left without a key to seal with', () => {
    const retired = { ...row('retired', 4), retiredAtMs: 7_000 };
    const keyring = buildHandoffKeyring([retired, row('newest', 3), row('old', 1)], TTL_SECONDS);
    assert.equal(keyring?.signing.keyId, 'newest');
    assert.deepEqual(
      [...keyring.byHeader.values()].map((key) => key.keyId),
      ['newest', 'old'],
    );
    assert.equal(opensUntilMs(retired, [retired], TTL_SECONDS), 7_000);
  });
});
