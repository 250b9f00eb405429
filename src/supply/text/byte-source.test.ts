import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ByteSource, UnreadableFile } from './byte-source.ts';

const TEXT = Array.from({ length: 50_000 }, (_, index) => `line ${index} ${Math.sin(index)}\n`).join('');

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stayport-test-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function fileOf(name: string, bytes: Buffer | string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, bytes);
  return file;
}

/** The text that could be read, and how reading ended. */
async function readAll(source: ByteSource): Promise<{ text: string; error: unknown }> {
  const chunks: Buffer[] = [];
  let error: unknown;
  try {
    for await (const chunk of source.read()) chunks.push(chunk);
  } catch (thrown) {
    error = thrown;
  }
  return { text: Buffer.concat(chunks).toString(), error };
}

describe('The bytes of a file', () => {
  it('come as they are, or unzipped, by what the file holds and not by its name', async () => {
    for (const [name, bytes] of [
      ['plain', TEXT],
      ['zipped.gz', gzipSync(TEXT)],
      ['zipped', gzipSync(TEXT)],
      ['plain.gz', TEXT],
      ['joined.gz', Buffer.concat([gzipSync(TEXT.slice(0, 99)), gzipSync(TEXT.slice(99))])],
    ] as const) {
      const { text, error } = await readAll(new ByteSource(await fileOf(name, bytes)));
      assert.equal(error, undefined, name);
      assert.ok(text === TEXT, name);
    }
  });

  it('are counted as they are on disk', async () => {
    const bytes = gzipSync(TEXT);
    const source = new ByteSource(await fileOf('counted.gz', bytes));
    assert.equal(source.progress().bytesTotal, undefined);
    await source.measure();
    await readAll(source);
    assert.deepEqual(source.progress(), { bytesRead: bytes.length, bytesTotal: bytes.length });
  });

  it('can be read twice', async () => {
    const source = new ByteSource(await fileOf('twice', 'abc'));
    assert.equal((await readAll(source)).text, 'abc');
    assert.equal((await readAll(source)).text, 'abc');
  });

  it('come from a stream too', async () => {
    async function* stream(): AsyncGenerator<Buffer> {
      const bytes = gzipSync(TEXT);
      // The first chunk may be too small to distinguish gzip from text.
      yield bytes.subarray(0, 1);
      yield bytes.subarray(1);
    }
    const { text, error } = await readAll(new ByteSource('stdin', stream()));
    assert.equal(error, undefined);
    assert.ok(text === TEXT);
  });
});

describe('A file that ends badly', () => {
  it('gives out all that its truncated gzip data holds', async () => {
    const zipped = gzipSync(TEXT);
    for (const length of [1, 5, 12, 100, zipped.length >> 1, zipped.length - 9, zipped.length - 1]) {
      const { text, error } = await readAll(
        new ByteSource(await fileOf('cut.gz', zipped.subarray(0, length))),
      );
      assert.ok(error instanceof UnreadableFile, String(error));
      assert.match(error.message, /cut off/);
      assert.ok(TEXT.startsWith(text));
      // Deflate buffers less than one block.
      assert.ok(text.length / TEXT.length >= length / zipped.length - 0.2, `${length}: ${text.length}`);
      if (length >= zipped.length - 9) assert.ok(text === TEXT);
    }
  });

  it('is named when its gzip data is damaged', async () => {
    const zipped = gzipSync(TEXT);
    zipped.fill(0xff, zipped.length >> 1, (zipped.length >> 1) + 50);
    const { text, error } = await readAll(new ByteSource(await fileOf('damaged.gz', zipped)));
    assert.ok(error instanceof UnreadableFile);
    assert.match(error.message, /damaged/);
    assert.ok(text.length > TEXT.length / 4);
  });

  it('is named when it is empty where gzip data should be', async () => {
    const { error } = await readAll(new ByteSource(await fileOf('empty.gz', '')));
    assert.ok(error instanceof UnreadableFile);
  });

  it('is named when it does not exist, or is a folder', async () => {
    for (const [file, reason] of [
      [join(folder, 'none'), /does not exist/],
      [folder, /directory/],
    ] as const) {
      const { error } = await readAll(new ByteSource(file));
      assert.ok(error instanceof UnreadableFile && error.file === file);
      assert.match(error.message, reason);
    }
  });

  it('is named when a stream breaks', async () => {
    async function* stream(): AsyncGenerator<Buffer> {
      yield Buffer.from('abc');
      throw Object.assign(new Error('read EIO'), { code: 'EIO' });
    }
    const { text, error } = await readAll(new ByteSource('stdin', stream()));
    assert.equal(text, 'abc');
    assert.ok(error instanceof UnreadableFile);
    assert.match(error.message, /EIO/);
  });
});
