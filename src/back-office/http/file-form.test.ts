import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConsoleExchange } from './console-exchange.ts';
import { fileFormHook } from './file-form.ts';

const part = (head: string, body: string): string =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;

async function read(body: string, type = 'multipart/form-data; boundary=b') {
  const request = { headers: { 'content-type': type } };
  const exchange = { request, body: Buffer.from(body) } as unknown as ConsoleExchange;
  await fileFormHook(1_000)(exchange);
  const { file, form } = exchange;
  return { file: file && Buffer.from(file).toString(), fields: [...(form ?? [])] };
}

const FIELDS = [
  ['a', '1'],
  ['a', '2'],
];

describe('A form with a picture', () => {
  it('is read with its file in any place, byte for byte', async () => {
    const content = 'x\r\n\r\n-- \r\ny';
    const file = part('name="file"; filename="a.png"', content);
    const [one, two] = [part('name="a"', '1'), part('name="a"', '2')];
    for (const parts of [
      [file, one, two],
      [one, file, two],
      [one, two, file],
    ])
      assert.deepEqual(await read(`${parts.join('')}--b--\r\n`), { file: content, fields: FIELDS });
    assert.deepEqual(await read(`${file}--b--\r\n`, 'multipart/form-data; boundary="b"'), {
      file: content,
      fields: [],
    });
  });

  it('has the first file that is not empty, or none; a field is not taken for one, whatever it says', async () => {
    const none = part('name="file"; filename=""', '');
    const [first, second] = [part('name="f"; filename="1"', 'one'), part('name="g"; filename="2"', 'two')];
    const field = part('name="a"', 'filename="x"\r\n\r\nz');
    const answer = await read(`${none}${field}${first}${second}--b--\r\n`);
    assert.deepEqual(answer, { file: 'one', fields: [['a', 'filename="x"\r\n\r\nz']] });
    assert.equal((await read(`${none}${field}--b--\r\n`)).file, undefined);
  });
});
