import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RUN_SEED } from '../../../test/kit/seeds.ts';
import { LINE_BYTES_MAX, readLines, SEARCH_OVERLAP_BYTES, type Line } from './ndjson-lines.ts';

const MARK = '\u{feff}';

async function linesOf(bytes: Buffer | string, chunkBytes: number = 64 * 1024): Promise<Line[]> {
  const lines: Line[] = [];
  const searchBroken = (piece: Buffer): string[] => piece.toString('latin1').match(/id\d+/g) ?? [];
  for await (const batch of readLines(inChunks(Buffer.from(bytes), chunkBytes), { searchBroken }))
    lines.push(...batch);
  return lines;
}

async function* inChunks(bytes: Buffer, chunkBytes: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes)
    yield bytes.subarray(start, start + chunkBytes);
}

function text(number: number, value: string): Line {
  return { kind: 'text', number, text: value };
}

describe('Lines of a file', () => {
  it('end with LF, CR LF or the end of the file', async () => {
    assert.deepEqual(await linesOf('a\nb\r\nc'), [text(1, 'a'), text(2, 'b'), text(3, 'c')]);
  });

  it('are counted with the blank ones, which do not come out', async () => {
    assert.deepEqual(await linesOf('\n  \na\n\t\r\n\nb\n'), [text(3, 'a'), text(6, 'b')]);
  });

  it('come without a byte-order mark, at the start and where files were joined', async () => {
    assert.deepEqual(await linesOf(`${MARK}a\n${MARK}b\n${MARK}`), [text(1, 'a'), text(2, 'b')]);
  });

  it('are none in an empty file', async () => {
    assert.deepEqual(await linesOf(''), []);
  });

  it('that are not UTF-8 are broken, and the ones around them are not', async () => {
    const bytes = Buffer.concat([Buffer.from('a\nid7'), Buffer.from([0xe9]), Buffer.from('\nè\n')]);
    assert.deepEqual(await linesOf(bytes), [
      text(1, 'a'),
      { kind: 'broken', number: 2, reason: 'not-utf8', found: ['id7'] },
      text(3, 'è'),
    ]);
  });

  it('lines are the same however the bytes of the file are cut', async () => {
    const line = fc.constantFrom('', 'a', ' ', '{"è":"🌊"}', `${MARK}x`, 'y\r', 'z'.repeat(40));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 12 }),
        fc.integer({ min: 1, max: 50 }),
        async (parts, cut) => {
          const file = parts.join('\n');
          assert.deepEqual(await linesOf(file, cut), await linesOf(file));
          const expected = file
            .split('\n')
            .map((part, index) => text(index + 1, part.replace(/\r$/, '').replace(MARK, '')))
            .filter((item) => item.kind === 'text' && item.text.trim() !== '');
          assert.deepEqual(await linesOf(file, cut), expected);
        },
      ),
      RUN_SEED,
    );
  });
});

describe(`A line of ${LINE_BYTES_MAX} bytes`, () => {
  it('is taken, whatever ends it', async () => {
    const line = 'x'.repeat(LINE_BYTES_MAX);
    for (const file of [line, `${line}\n`, `${line}\r\nb`, `${MARK}${line}\r\n`]) {
      const [first] = await linesOf(file);
      assert.ok(first?.kind === 'text' && first.text.length === LINE_BYTES_MAX);
    }
  });

  it('is rejected with one byte more, and the next line is read', async () => {
    const lines = await linesOf(`a\n${'x'.repeat(LINE_BYTES_MAX + 1)}\nb\n`);
    assert.deepEqual(lines, [
      text(1, 'a'),
      { kind: 'broken', number: 2, reason: 'too-long', found: [] },
      text(3, 'b'),
    ]);
  });

  it('counts bytes, not characters', async () => {
    const [line] = await linesOf('è'.repeat(LINE_BYTES_MAX / 2 + 1));
    assert.equal(line?.kind, 'broken');
  });
});

describe('An over-long line', () => {
  it('is searched to its end, across the places where it is cut', async () => {
    const filler = 'x'.repeat(LINE_BYTES_MAX - SEARCH_OVERLAP_BYTES / 2);
    const [line] = await linesOf(`id1${filler}id22${filler}id333`);
    assert.ok(line?.kind === 'broken');
    assert.deepEqual([...line.found].sort(), ['id1', 'id22', 'id333']);
  });

  it('is thrown away while it is read, however long it is', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (let sent = 0; sent < 1_024; sent += 1) {
        yield chunk;
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
    }
    for await (const lines of readLines(endless())) assert.equal(lines[0]?.kind, 'broken');
    // A GiB went through; how much of what was let go is still there depends on the garbage collector.
    assert.ok(most < 512 * 1024 * 1024, `${most} bytes held`);
  });
});
