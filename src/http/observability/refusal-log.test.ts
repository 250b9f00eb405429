import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRefusalLog } from './refusal-log.ts';

const CODE = 'PARTNER_ACCESS_REVOKED';
const caller = (index: number) => ({ credentialId: `cr_${index}`, partnerId: 'acme', secret: 'never' });

function refusals() {
  const lines: object[] = [];
  const time = { nowMs: 1_000 };
  const warn = (fields: object, message: string) => lines.push({ message, ...fields });
  return { lines, time, log: createRefusalLog({ warn } as never, () => time.nowMs) };
}

describe('the log of refused credentials', () => {
  it('refusals are logged at once, then once a minute with the number since', () => {
    const { lines, time, log } = refusals();
    for (let second = 0; second < 150; second++) {
      log.note(CODE, caller(1));
      time.nowMs += 1_000;
    }
    const line = { message: 'credential refused', credentialId: 'cr_1', partnerId: 'acme', code: CODE };
    assert.deepEqual(lines, [
      { ...line, count: 1 },
      { ...line, count: 60 },
      { ...line, count: 60 },
    ]);
  });

  it('tells credentials apart, and names no token that nobody has', () => {
    const { lines, log } = refusals();
    for (let index = 0; index < 3; index++) {
      log.note(CODE, caller(1));
      log.note(CODE, caller(2));
      log.note('INVALID_PARTNER_CREDENTIAL', undefined);
    }
    assert.deepEqual(
      lines.map((line) => JSON.stringify(line)),
      [
        `{"message":"credential refused","credentialId":"cr_1","partnerId":"acme","code":"${CODE}","count":1}`,
        `{"message":"credential refused","credentialId":"cr_2","partnerId":"acme","code":"${CODE}","count":1}`,
        '{"message":"unknown token refused","code":"INVALID_PARTNER_CREDENTIAL","count":1}',
      ],
    );
  });

  it('is bounded: beyond a thousand credentials the rest has one line', () => {
    const { lines, log } = refusals();
    for (let index = 0; index < 2_000; index++) log.note(CODE, caller(index));
    assert.equal(lines.length, 1_001);
    assert.deepEqual(lines.at(-1), { message: 'credential refused', code: CODE, count: 1 });
    log.note('INVALID_PARTNER_CREDENTIAL', undefined);
    assert.equal(lines.length, 1_002, 'unknown tokens have their own');
  });
});
