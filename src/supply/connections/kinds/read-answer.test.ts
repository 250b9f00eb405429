import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isObject,
  parseAnswer,
  phpObject,
  readDecimal,
  readId,
  readInteger,
  readMoney,
} from './read-answer.ts';

function member(text: string): ReturnType<typeof parseAnswer> {
  const answer = parseAnswer(`{"a":${text}}`);
  return isObject(answer) ? answer['a'] : undefined;
}

describe('An amount in an answer', () => {
  const rows: readonly (readonly [written: string, minor: number | undefined])[] = [
    ['100', 10_000],
    ['100.5', 10_050],
    // As doubles, 1.005 times a hundred is 100.49999999999999, and 8.345 is 834.4999999999999.
    ['1.005', 101],
    ['8.345', 835],
    ['0.005', 1],
    ['1.00499999999999999999', 100],
    ['0.00499', undefined],
    ['1e2', 10_000],
    ['1.25E+1', 1_250],
    ['12500e-3', 1_250],
    ['9999999999.99', 999_999_999_999],
    ['9999999999.995', undefined],
    ['1e30', undefined],
    ['0', undefined],
    ['-0', undefined],
    ['-1', undefined],
    ['null', undefined],
    ['true', undefined],
    ['"100"', undefined],
    ['[100]', undefined],
    [`1${'0'.repeat(1_000_000)}`, undefined],
  ];
  for (const [written, minor] of rows)
    it(`${written.slice(0, 24)} is ${minor === undefined ? 'no price' : `${minor} hundredths`}`, () => {
      assert.equal(readMoney(member(written)), minor);
    });

  it('keeps all its digits', () => {
    assert.deepEqual(readDecimal(member('0.1234567890123456789')), {
      numerator: 1_234_567_890_123_456_789n,
      denominator: 10n ** 19n,
    });
  });
});

describe('The JSON of an answer', () => {
  it('is refused with a key twice, with text behind it, cut off, or nested too deeply', () => {
    for (const text of ['{"a":1,"a":2}', '{} x', '{"a":', '', '['.repeat(100)])
      assert.equal(parseAnswer(text), undefined, text);
  });

  it('has ids as texts, whether they are numbers or texts', () => {
    assert.deepEqual(
      ['12', '"12"', '0', '"012"', '1.5', '-1', '"x"', 'null', '123456789012345678'].map((text) =>
        readId(member(text)),
      ),
      ['12', '12', '0', undefined, undefined, undefined, undefined, undefined, undefined],
    );
  });

  it('has integers without a fraction alone', () => {
    assert.deepEqual(
      ['3', '3.0', '-3', '3.5', '"3"', '1e400', 'null'].map((text) => readInteger(member(text))),
      [3, 3, -3, undefined, undefined, undefined, undefined],
    );
  });

  it('has an empty list for an object without members', () => {
    assert.deepEqual(phpObject(member('[]')), {});
    assert.deepEqual(Object.keys(phpObject(member('{"b":1}'))!), ['b']);
    assert.deepEqual(
      ['[1]', 'null', '1', '"a"'].map((text) => phpObject(member(text))),
      [undefined, undefined, undefined, undefined],
    );
  });
});
