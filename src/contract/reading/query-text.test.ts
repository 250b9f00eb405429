import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readQueryText } from './validation.ts';
import { Refusal } from './field-rules.ts';

const KNOWN = new Map([
  ['city', 0],
  ['page', 1],
]);

describe('the text of a query', () => {
  it('names unknown parameters in their order, as many as it is told to keep', () => {
    const namesOf = (query: string, unknownMax: number): string[] => [
      ...readQueryText(query, KNOWN, unknownMax).unknownNames.keys(),
    ];
    const query = 'a=1&city=x&b&c=3&page=2';
    assert.deepEqual(namesOf(query, 4), ['a', 'b', 'c']);
    assert.deepEqual(namesOf(query, 3), ['a', 'b', 'c']);
    assert.deepEqual(namesOf(query, 2), ['a', 'b']);
    assert.deepEqual(namesOf(query, 1), ['a']);
    assert.deepEqual(namesOf('a&a&b', 2), ['a', 'b'], 'a name that comes twice takes one place');
  });

  it('reads what is known however much is unknown before it', () => {
    const { values } = readQueryText('a&b&c&city=x&page=2', KNOWN, 1);
    assert.deepEqual(values, ['x', '2']);
  });

  it('tells an empty value, a missing one, a doubled one and a broken one', () => {
    const codesOf = (query: string) =>
      readQueryText(query, KNOWN, 9).values.map((value) => (value instanceof Refusal ? value.code : value));
    assert.deepEqual(codesOf('city='), ['', undefined]);
    assert.deepEqual(codesOf('&&city&'), ['', undefined]);
    assert.deepEqual(codesOf('city=a&city=a'), ['DUPLICATE_PARAMETER', undefined]);
    assert.deepEqual(codesOf('city=%zz&page=a%20b+c'), ['FORMAT_INVALID', 'a b c']);
    assert.deepEqual(codesOf('city=a=b'), ['a=b', undefined]);
  });
});
