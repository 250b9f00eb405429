import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { parseJsonBody } from './request-body.ts';

const encode = (text: string) => new TextEncoder().encode(text);

describe('parseJsonBody', () => {
  it('reads any JSON value back as it was written', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.deepEqual(parseJsonBody(encode(text)), { ok: true, value: JSON.parse(text), text });
      }),
      { seed: 20261120 },
    );
  });

  it('keeps a member called __proto__ as a member', () => {
    const body = parseJsonBody(encode('{"__proto__":{"a":1}}'));
    assert.ok(body.ok);
    assert.deepEqual(Object.keys(body.value as object), ['__proto__']);
  });

  for (const text of [
    '',
    ' ',
    '{',
    '{"a":1',
    '[1,]',
    '{"a":NaN}',
    "{'a':1}",
    '{"a":1}x',
    'undefined',
    '\u{feff}{}',
    '{"a":01}',
    '"\u0000"',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.deepEqual(parseJsonBody(encode(text)), { ok: false }));
  }

  it('refuses what is not UTF-8', () => {
    assert.deepEqual(parseJsonBody(Uint8Array.of(0x22, 0xff, 0x22)), { ok: false });
    // A surrogate encoded by itself, and an overlong slash.
    assert.deepEqual(parseJsonBody(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)), { ok: false });
    assert.deepEqual(parseJsonBody(Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)), { ok: false });
  });

  it('answers any bytes with a value or a refusal, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => typeof parseJsonBody(bytes).ok === 'boolean'),
      { seed: 20261120, numRuns: 1000 },
    );
  });

  it('survives nesting as deep as a body can be', () => {
    assert.equal(parseJsonBody(encode('['.repeat(8192) + ']'.repeat(8192))).ok, true);
  });
});
