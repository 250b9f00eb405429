import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatYaml } from './yaml-text.ts';

describe('formatYaml', () => {
  it('quotes each text that YAML reads as something else, as a value and as a key', () => {
    for (const text of ['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n', 'False', 'NO'])
      assert.equal(formatYaml({ [text]: text }), `"${text}": "${text}"\n`);
    for (const text of ['1', '-', '', ' a', 'a: b', '# a', 'a\tb', 'è'])
      assert.equal(formatYaml({ a: text }), `a: ${JSON.stringify(text)}\n`);
  });

  it('leaves plain texts, numbers and booleans as they are', () => {
    assert.equal(
      formatYaml({ a: 'Two words.', b: 2, c: false, d: null }),
      'a: Two words.\nb: 2\nc: false\nd: null\n',
    );
    assert.equal(formatYaml({ truest: 'nothing' }), 'truest: nothing\n');
  });

  it('writes lists and objects as blocks, empty ones in one line, and leaves out what is undefined', () => {
    const value = { list: [1, { a: 1, b: [] }], empty: {}, none: undefined };
    assert.equal(formatYaml(value), 'list:\n  - 1\n  - a: 1\n    b: []\nempty: {}\n');
  });

  it('writes long texts line by line, and keeps the line break at their end', () => {
    assert.equal(formatYaml({ a: 'one\ntwo' }), 'a: |-\n  one\n  two\n');
    assert.equal(formatYaml({ a: 'one\ntwo\n' }), 'a: |\n  one\n  two\n');
    assert.equal(formatYaml({ a: ' one\ntwo' }), 'a: " one\\ntwo"\n', 'a blank at the beginning');
  });
});
