import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { FORMULA_START, formatCsv } from './csv.ts';

const CLEAN = /^[^\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u;

describe('formatCsv', () => {
  it('ends every line with CR LF, the last one too', () => {
    assert.equal(formatCsv(['a', 'b'], []), 'a,b\r\n');
    assert.equal(formatCsv(['a', 'b'], [{ a: 1, b: 'x' }]), 'a,b\r\n1,x\r\n');
  });

  it('quotes commas, quotes and line breaks, and nothing else', () => {
    const rows = ['a,b', 'a "b"', 'a\nb', 'a b', ''].map((name) => ({ name }));
    assert.equal(formatCsv(['name'], rows), 'name\r\n"a,b"\r\n"a ""b"""\r\n"a\nb"\r\na b\r\n\r\n');
  });

  it('lets no text be a formula, and keeps negative numbers', () => {
    const rows = ['=1+1', '+1', '-1', '@SUM(A1)', "'=1", '=A1,B1'].map((name) => ({ name, count: -1 }));
    assert.equal(
      formatCsv(['name', 'count'], rows),
      `name,count\r\n'=1+1,-1\r\n'+1,-1\r\n'-1,-1\r\n'@SUM(A1),-1\r\n'=1,-1\r\n"'=A1,B1",-1\r\n`,
    );
  });

  it('quotes what other separators would cut, and lets no blank or full-width sign hide a formula', () => {
    const names = ['Roma;=1+1', '\uff1d1+1', ' =1', '\t=1', '\uff201'];
    const rows = names.map((name) => ({ name }));
    assert.equal(
      formatCsv(['name'], rows),
      `name\r\n"Roma;=1+1"\r\n'\uff1d1+1\r\n' =1\r\n'\\u0009=1\r\n'\uff201\r\n`,
    );
  });

  it('holds nothing that a terminal would obey', () => {
    assert.equal(formatCsv(['name'], [{ name: '\u001b[2J\r' }]), 'name\r\n\\u001b[2J\\u000d\r\n');
  });

  it('is read back by a CSV parser as it was', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => CLEAN.test(text) && !FORMULA_START.test(text));
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const text = formatCsv(
          ['day', 'name'],
          names.map((each, day) => ({ day, name: each })),
        );
        assert.deepEqual(
          parse(text, { columns: true }),
          names.map((each, day) => ({ day: String(day), name: each })),
        );
      }),
      { seed: 20261122 },
    );
  });
});
