import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { RUN_SEED } from '../../../test/kit/seeds.ts';
import {
  EnvironmentFileWrong,
  FILE_BYTES_MAX,
  openEnvironmentFile,
  parseEnvironmentFile,
} from './environment-file.ts';

const parse = (text: string) => parseEnvironmentFile(Buffer.from(text));

describe('A file of settings', () => {
  for (const [value, meant] of [
    [
      'https://book.example/?p={propertyId}&in={checkIn}',
      'https://book.example/?p={propertyId}&in={checkIn}',
    ],
    ['Casa Verde', 'Casa Verde'],
    ['"Casa Verde"', 'Casa Verde'],
    ["'Casa # Verde'", 'Casa # Verde'],
    ['a#b #c', 'a#b #c'],
    ['$HOME;rm `x` \\n', '$HOME;rm `x` \\n'],
    ["it's", "it's"],
    ['"', '"'],
    ['""', ''],
    ['', ''],
    ['a=b=c', 'a=b=c'],
    ['Pensión Ñ 東京', 'Pensión Ñ 東京'],
  ] as const)
    it(`takes ${JSON.stringify(value)} whole`, () => {
      for (const text of [`WEB_NAME=${value}\n`, `\uFEFF# settings\r\n\r\nWEB_NAME=${value}\r\nPORT=1`])
        assert.equal(parse(text)['WEB_NAME'], meant);
    });

  it('gives every value of one line back, whatever its characters', () => {
    const line = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !/[\r\n]/.test(text) && !/^['"]/.test(text));
    const property = fc.property(line, (value) => assert.equal(parse(`A=${value}`)['A'], value));
    fc.assert(property, RUN_SEED);
  });

  for (const [text, number, why] of [
    ['A=1\nexport B=2\n', 2, /begins with "export"/],
    ['A=1\n\n  B=2\n', 3, /begins with a blank/],
    ['A =1\n', 1, /a blank before "="/],
    ['secret\n', 1, /is not NAME=value/],
    ['A-B=1\n', 1, /is not NAME=value/],
    ['1A=1\n', 1, /is not NAME=value/],
    ['A=1\n  # a comment\n', 2, /begins with a blank/],
    ['A="1\n2"\n', 2, /is not NAME=value/],
    ['A=1\r\nB=2\r\nA=3\r\n', 3, /sets A again, after line 1/],
  ] as const)
    it(`refuses line ${number} of ${JSON.stringify(text)}, and repeats no value`, () => {
      assert.throws(
        () => parse(text),
        (error: Error) => {
          assert.ok(error instanceof EnvironmentFileWrong);
          assert.ok(error.message.startsWith(`line ${number} `), error.message);
          assert.match(error.message, why);
          return !error.message.includes('secret');
        },
      );
    });

  it('is refused when it is not UTF-8', () => {
    assert.throws(() => parseEnvironmentFile(Buffer.from('WEB_NAME=Citt\xe0', 'latin1')), /not UTF-8/);
  });

  describe('on disk', () => {
    const folder = mkdtempSync(join(tmpdir(), 'stayport-settings-'));
    after(() => rmSync(folder, { recursive: true }));

    it('has at most so many bytes', () => {
      const path = join(folder, 'large.env');
      writeFileSync(path, '#'.repeat(FILE_BYTES_MAX));
      assert.equal(openEnvironmentFile(path).bytes.length, FILE_BYTES_MAX);
      writeFileSync(path, '#'.repeat(FILE_BYTES_MAX + 1));
      assert.throws(() => openEnvironmentFile(path), /at most 1048576/);
    });
  });
});
