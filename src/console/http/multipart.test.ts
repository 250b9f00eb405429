import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  boundaryOf,
  FIELDS_BYTES_MAX,
  FormBroken,
  FormTooLarge,
  readFilesForm,
  readSentForm,
} from './multipart.ts';

const part = (head: string, body: string): string =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const FILE = 'line 1\r\n--a stays\r\n--';
const WHOLE = `${part('name="form"', 'abc')}${part('name="source"', 'pms')}${part('name="file"; filename="C:\\\\fake\\\\x\u0007.csv"', FILE)}--b--\r\n`;

async function read(text: string, pieceBytes: number) {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const { fields, file } = await readSentForm(pieces(), 'b');
  const content: Buffer[] = [];
  if (file !== undefined) for await (const chunk of file.content) content.push(chunk);
  return { fields: Object.fromEntries(fields), name: file?.name, content: Buffer.concat(content).toString() };
}

describe('A form with a file', () => {
  it('is read however it is cut', async () => {
    for (const pieceBytes of [1, 2, 3, 7, 50, 10_000])
      assert.deepEqual(await read(WHOLE, pieceBytes), {
        fields: { form: 'abc', source: 'pms' },
        name: 'x_.csv',
        content: FILE,
      });
  });

  it('may have no file', async () => {
    const { name } = await read(`${part('name="file"; filename=""', '')}--b--`, 5);
    assert.equal(name, undefined);
    assert.equal((await read(`${part('name="form"', 'abc')}--b--`, 5)).name, undefined);
  });

  it('that breaks off, is something else or has too long fields is refused', async () => {
    for (const text of [
      '',
      'hello',
      WHOLE.slice(0, 20),
      WHOLE.slice(0, -12),
      '--b\r\nX: y\r\n\r\nz\r\n--b--',
      `--bX${WHOLE}`,
      `${part('name="file"; filename="x"', 'line 1\r\n--b2')}--b--\r\n`,
      part('name="form"', 'x'.repeat(FIELDS_BYTES_MAX)),
      `--b\r\n${'x'.repeat(FIELDS_BYTES_MAX)}`,
    ])
      await assert.rejects(read(text, 1_000), FormBroken, text.slice(0, 40));
  });

  it('has a boundary in its media type', () => {
    assert.equal(boundaryOf('multipart/form-data; boundary=abc'), 'abc');
    assert.equal(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b"'), 'a b');
    for (const type of [
      undefined,
      'text/plain',
      'multipart/form-data',
      `multipart/form-data; boundary=${'x'.repeat(71)}`,
    ])
      assert.equal(boundaryOf(type), undefined);
  });
});

const LIMITS = { fieldsBytesMax: 1_000, partsMax: 5 };

async function readAll(text: string, pieceBytes: number) {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const files: unknown[] = [];
  const fields = await readFilesForm(pieces(), 'b', LIMITS, async ({ name, content }, before) => {
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(Buffer.from(chunk));
    files.push([name, Buffer.concat(chunks).toString(), [...before.keys()]]);
  });
  return { fields: [...fields], files };
}

describe('A form with several files', () => {
  const content = 'x\r\n\r\n-- \r\n--a stays\r\n--';
  const [one, two] = [part('name="a"', '1'), part('name="a"', '2')];
  const [first, second] = [part('name="f"; filename="1"', content), part('name="f"; filename="2"', '')];
  const none = part('name="file"; filename=""', '');
  // A field is not taken for a file, whatever it says.
  const field = part('name="b"', 'filename="x"\r\n\r\nz');

  it('is read with its files in any place, byte for byte, however it is cut', async () => {
    for (const pieceBytes of [1, 2, 3, 7, 50, 10_000]) {
      const { fields, files } = await readAll([one, first, none, two, second].join('') + '--b--', pieceBytes);
      assert.deepEqual(fields, [
        ['a', '1'],
        ['a', '2'],
      ]);
      assert.deepEqual(files, [
        ['1', content, ['a']],
        ['2', '', ['a', 'a']],
      ]);
      const last = await readAll(`${field}${first}--b--\r\n`, pieceBytes);
      assert.deepEqual(last.fields, [['b', 'filename="x"\r\n\r\nz']]);
      assert.equal(last.files.length, 1);
    }
  });

  it('has so many parts and so long fields, and is refused where it breaks off', async () => {
    await assert.rejects(readAll(`${one.repeat(6)}--b--`, 50), FormTooLarge);
    await assert.rejects(readAll(part('name="a"', 'x'.repeat(1_000)), 50), FormTooLarge);
    const whole = `${one}${first}--b--`;
    for (let length = 0; length < whole.length; length += 1)
      await assert.rejects(readAll(whole.slice(0, length), 50), FormBroken, String(length));
  });
});
