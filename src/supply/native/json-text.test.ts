import { inEnglish } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { openCatalogueFile } from './catalogue-file.ts';
import { findRepeatedKey, JSON_DEPTH_MAX, readJsonText } from './json-text.ts';

describe('A catalogue line', () => {
  it('with a key that stands there twice is rejected, and the key named', async () => {
    const text = '{"propertyId":"a","rating":{"score":4,"count":1,"score":5}}';
    const supply = await openCatalogueFile({
      file: '-',
      standardInput: Readable.from([Buffer.from(text)]),
      readsTwice: false,
    });
    const [item] = await Array.fromAsync(supply.open());
    assert.ok(item?.kind === 'rejected');
    assert.deepEqual(
      [item.line, item.field, inEnglish(item.reason), item.propertyIds],
      [1, 'rating.score', 'appears twice; keep one of them', ['a']],
    );
  });
});

describe('findRepeatedKey', () => {
  it('finds nothing in what JSON.stringify writes, nor with blanks in it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        assert.equal(findRepeatedKey(JSON.stringify(value)), undefined);
        assert.equal(findRepeatedKey(JSON.stringify(value, null, 2)), undefined);
        assert.deepEqual(readJsonText(JSON.stringify(value)), {
          ok: true,
          value: JSON.parse(JSON.stringify(value)),
        });
      }),
      { seed: 20261121, numRuns: 500 },
    );
  });

  for (const [text, path] of [
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"a":{"b":1},"c":[{"d":1},{"e":[1,{"f":"x,:{","g":2,"f":"}"}]}]}', 'c[1].e[1].f'],
    ['{"a":"\\"b\\":1","b":1,"c":"\\\\","b":2}', 'b'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"":1,"":2}', ''],
    ['[{"a":1},{"b":1,"b":1}]', '[1].b'],
    ['[{"a":1},{"a":1}]', undefined],
    ['{"a":{"a":{"a":[]}}}', undefined],
    ['"text"', undefined],
  ] as const) {
    it(`of ${text} is ${path}`, () => {
      JSON.parse(text);
      assert.equal(findRepeatedKey(text), path);
      const read = readJsonText(text);
      assert.equal(read.ok ? undefined : read.field, path);
    });
  }
});

describe('readJsonText', () => {
  const nested = (depth: number): string => `${'[{"a":'.repeat(depth / 2)}"[[{{"${'}]'.repeat(depth / 2)}`;

  it(`takes ${JSON_DEPTH_MAX} levels, and not one more`, () => {
    assert.equal(readJsonText(nested(JSON_DEPTH_MAX)).ok, true);
    const deeper = readJsonText(`[${nested(JSON_DEPTH_MAX)}]`);
    assert.ok(!deeper.ok);
    assert.deepEqual(
      [deeper.code, deeper.field, inEnglish(deeper.reason)],
      ['JSON_TOO_DEEP', '', 'is nested more than 32 levels deep'],
    );
  });

  it('counts levels, not brackets', () => {
    assert.equal(readJsonText(`[${'[],'.repeat(1000)}{}]`).ok, true);
    assert.equal(readJsonText(JSON.stringify('\\"[{'.repeat(1000))).ok, true);
  });

  it('says what is not JSON, however it is nested', () => {
    for (const text of ['', '"', ']'.repeat(100), '"\\']) {
      const read = readJsonText(text);
      assert.equal(!read.ok && read.code, 'JSON_INVALID', text);
    }
    const brackets = readJsonText('['.repeat(1_000_000));
    assert.equal(!brackets.ok && brackets.code, 'JSON_TOO_DEEP');
  });
});
