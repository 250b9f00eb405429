import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCredentialMeter, CREDENTIALS_COUNTED_MAX } from './request-meter.ts';

describe('the meter of credentials', () => {
  it('counts by credential and by what became of the request', () => {
    const meter = createCredentialMeter();
    const acme = { credentialId: 'cr_1', partnerId: 'acme' };
    for (const status of [200, 201, 404, 409, 401, 429, 429, 500, 503]) meter.count(acme, status);
    meter.count({ credentialId: 'cr_2', partnerId: 'beta' }, 200);
    assert.deepEqual(
      [...meter.counts()],
      [
        {
          partnerId: 'acme',
          credentialId: 'cr_1',
          answers: { answered: 4, refused: 1, limited: 2, failed: 2 },
        },
        {
          partnerId: 'beta',
          credentialId: 'cr_2',
          answers: { answered: 1, refused: 0, limited: 0, failed: 0 },
        },
      ],
    );
  });

  it('counts nobody who is not known, and no operator', () => {
    const meter = createCredentialMeter();
    meter.count(undefined, 401);
    meter.count({ operatorTokenId: 'ot_1' }, 200);
    assert.deepEqual([...meter.counts()], []);
  });

  it('is bounded: the rest is counted together', () => {
    const meter = createCredentialMeter();
    for (let index = 0; index < CREDENTIALS_COUNTED_MAX + 30; index++) {
      meter.count({ credentialId: `cr_${index}`, partnerId: 'acme' }, 200);
    }
    const counts = [...meter.counts()];
    assert.equal(counts.length, CREDENTIALS_COUNTED_MAX + 1);
    assert.deepEqual(counts.at(-1), {
      partnerId: 'other',
      credentialId: 'other',
      answers: { answered: 30, refused: 0, limited: 0, failed: 0 },
    });
    meter.count({ credentialId: 'cr_0', partnerId: 'acme' }, 200);
    assert.equal(counts[0]?.answers.answered, 2, 'those known before keep their own series');
  });
});
