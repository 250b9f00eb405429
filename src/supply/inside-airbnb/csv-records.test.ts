import { inEnglish, Wrong } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ByteSource } from '../text/byte-source.ts';
import { LINE_BYTES_MAX } from '../text/ndjson-lines.ts';
import { readCsvRecords, RECORD_LENGTH_MAX } from './csv-records.ts';

/** Records as `line: fields`, broken ones as `line! reason`. */
async function recordsOf(...parts: readonly (string | Buffer)[]): Promise<string[]> {
  async function* stream(): AsyncGenerator<Buffer> {
    yield Buffer.concat(parts.map((part) => Buffer.from(part)));
  }
  const records: string[] = [];
  for await (const batch of readCsvRecords(new ByteSource('test.csv', stream()))) {
    for (const record of batch) {
      records.push(
        'fields' in record
          ? `${record.line}: ${record.fields.map((field) => JSON.stringify(field)).join(' ')}`
          : `${record.line}! ${inEnglish(record.reason)}`,
      );
    }
  }
  return records;
}

describe('CSV records', () => {
  it('may go over several lines, blank ones and CR LF included', async () => {
    assert.deepEqual(await recordsOf('id,text\r\n1,"a\r\n\r\nb, ""c"""\r\n2,d\r\n'), [
      '1: "id" "text"',
      '2: "1" "a\\n\\nb, \\"c\\""',
      '5: "2" "d"',
    ]);
  });

  it('need no end of line behind the last one', async () => {
    assert.deepEqual(await recordsOf('id,text\n1,"a\nb"'), ['1: "id" "text"', '2: "1" "a\\nb"']);
  });

  it('are broken when they have more or fewer fields than the header', async () => {
    assert.deepEqual(await recordsOf('id,text\n1\n2,b\n3,c,d\n'), [
      '1: "id" "text"',
      '2! has 1 fields, where the header has 2 columns',
      '3: "2" "b"',
      '4! has 3 fields, where the header has 2 columns',
    ]);
  });

  it('after a stray quote are found again', async () => {
    assert.deepEqual(await recordsOf('id,text\n1,"open\n2,b\n3,"c\nc"\n4,d\n5,"never\n6,f\n'), [
      '1: "id" "text"',
      '2! has a quote where none is allowed',
      '3: "2" "b"',
      '4: "3" "c\\nc"',
      '6: "4" "d"',
      '7! has a quote that is never closed',
      '8: "6" "f"',
    ]);
  });

  it('are broken where they are no UTF-8, and only there', async () => {
    const bad = Buffer.from([0xe9]);
    assert.deepEqual(await recordsOf('id,text\n1,caf', bad, '\n2,"two\nlin', bad, 's"\n3,c\n'), [
      '1: "id" "text"',
      '2! line 2 is not valid UTF-8',
      '3! line 4 is not valid UTF-8',
      '5: "3" "c"',
    ]);
  });

  it('are given up when a quote stays open for too long', async () => {
    const lines = Array.from(
      { length: 30 },
      (_, index) => `${index + 2},${'x'.repeat(RECORD_LENGTH_MAX / 20)}`,
    );
    const records = await recordsOf(`id,text\n1,"open\n${lines.join('\n')}\n`);
    assert.equal(records[1], '2! has a quote that is not closed');
    assert.equal(records.length, 32);
  });

  it('are broken when a line is over-long', async () => {
    const records = await recordsOf(`id,text\n1,"${'"",'.repeat(LINE_BYTES_MAX / 3)}x"\n2,b\n`);
    assert.deepEqual(records.slice(1), [`2! line 2 is longer than ${LINE_BYTES_MAX} bytes`, '3: "2" "b"']);
  });
});

describe('CSV records that are broken', () => {
  it('are found again at the first line that begins like a listing, its id quoted or not', async () => {
    for (const restart of ['3,ok', '"3",ok']) {
      const [, broken, ...rest] = await recordsOf(`id,text\n1,"open\nno listing\n${restart}\n5,"a"\n`);
      assert.match(broken ?? '', /^2! has a quote/);
      assert.deepEqual(rest, ['4: "3" "ok"', '5: "5" "a"']);
    }
  });

  it('take with them the lines that do not begin like a listing', async () => {
    assert.deepEqual(await recordsOf('id,text\n1,"open\nabc,d\n-3,e\nx"y,f\n4,g\n'), [
      '1: "id" "text"',
      '2! has a quote where none is allowed',
      '6: "4" "g"',
    ]);
  });

  it('a broken record with paired quotes is one record', async () => {
    assert.deepEqual(await recordsOf('id,text\n1,a"b"\n2,"c"d\n3,"e"",\n4,f"\n5,g\n'), [
      '1: "id" "text"',
      '2! has a quote where none is allowed',
      '3! has a quote where none is allowed',
      '4: "3" "e\\",\\n4,f"',
      '6: "5" "g"',
    ]);
  });

  it('tell their first line, for the id in it', async () => {
    async function* stream(): AsyncGenerator<Buffer> {
      yield Buffer.from('id,text\n17,"never\nclosed');
    }
    const batches = await Array.fromAsync(readCsvRecords(new ByteSource('test.csv', stream())));
    const broken = batches.flat().find((record) => 'reason' in record);
    assert.deepEqual(broken, { line: 2, text: '17,"never', reason: new Wrong('quoteNever') });
  });

  it('may be the header too, and then the next whole record says how many fields there are', async () => {
    assert.deepEqual(await recordsOf('id,te"x"t\n1,a,b\n2,c\n'), [
      '1! has a quote where none is allowed',
      '2: "1" "a" "b"',
      '3! has 2 fields, where the header has 3 columns',
    ]);
  });

  it('keep nothing of themselves for the record that follows', async () => {
    const long = 'x'.repeat(RECORD_LENGTH_MAX - 20);
    const records = await recordsOf(`id,text\n1,"${long}\nb"\n2,"${long}\nc"\n`);
    assert.deepEqual(
      records.map((record) => record.slice(0, 6)),
      ['1: "id', '2: "1"', '4: "2"'],
    );
  });

  it('are given up at the limit of their length, not before', async () => {
    const opening = '1,"';
    const atLimit = 'x'.repeat(RECORD_LENGTH_MAX - opening.length);
    assert.deepEqual((await recordsOf(`id,text\n${opening}${atLimit}\n"\n`)).length, 2);
    const [, broken] = await recordsOf(`id,text\n${opening}${atLimit}x\n"\n`);
    assert.equal(broken, '2! has a quote that is not closed');
  });

  it('are broken by an over-long line also in their middle', async () => {
    const long = 'x'.repeat(LINE_BYTES_MAX + 1);
    const records = await recordsOf(`id,text\n1,a\n2,${long}\n3,b\n`);
    assert.deepEqual(records.slice(1), [
      '2: "1" "a"',
      `3! line 3 is longer than ${LINE_BYTES_MAX} bytes`,
      '4: "3" "b"',
    ]);
  });
});
