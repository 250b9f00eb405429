/** `doctor` compares the size that a document says of its pictures with the real files (test/fixtures/pictures). */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { PrintedResult } from '../src/app/doctor/check.ts';
import { hotel, type Line } from './kit/catalogue-lines.ts';
import {
  exifWithPosition,
  packedExifChunk,
  PICTURE_KINDS,
  pictureWithPosition,
  plainPicture,
  POSITION_XMP,
  withChunks,
  withSegments,
} from './kit/made-pictures.ts';
import { WorkplaceHere } from './kit/commands-here.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures', 'pictures');
/** Width and height of each file as browsers show it. */
const SIZES: Readonly<Record<string, readonly [number, number]>> = {
  'front.png': [3, 2],
  'front.jpg': [3, 2],
  'turned.jpg': [2, 3],
  'front.webp': [3, 2],
  'front.gif': [3, 2],
  'front.avif': [2, 2],
};
const FILES = Object.keys(SIZES);

const image = (src: string, [width, height]: readonly [number, number]): Line => ({
  src,
  alt: 'The front',
  width,
  height,
});

describe('doctor, of pictures', () => {
  const workplace = new WorkplaceHere();
  const folder = join(workplace.directory, 'pictures');
  before(async () => {
    await workplace.json(['migrate']);
    mkdirSync(folder);
    cpSync(FIXTURES, join(folder, 'ponte'), { recursive: true });
  });
  after(() => workplace.remove());

  async function look(
    lines: readonly Line[],
    env: Readonly<Record<string, string>> = { WEB_IMAGES: folder },
    name = 'pictures',
  ): Promise<Omit<PrintedResult, 'check'>> {
    const file = join(workplace.directory, 'lines.ndjson');
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const imported = await workplace.run(['import', 'catalogue', file, '--replace']);
    assert.equal(imported.code, 0, imported.stdout + imported.stderr);
    const { stdout } = await workplace.run(['doctor', '--json'], { env });
    const results = JSON.parse(stdout) as readonly PrintedResult[];
    const { check: _check, ...found } = results.find(({ check }) => check === name)!;
    return found;
  }

  it('reads the size of each kind, also of one that lies on its side', async () => {
    const images = FILES.map((file) => image(`ponte/${file}`, SIZES[file]!));
    assert.deepEqual(await look([hotel('ponte', { images })]), {
      status: 'ok',
      detail: '6 of 6 say their size, each as its document does',
      fix: null,
    });
  });

  it('counts uploaded files that no property names for a day, and says how to remove them', async () => {
    const uploaded = join(folder, 'uploaded');
    mkdirSync(uploaded);
    const names = ['a', 'b', 'c', 'd'].map((letter) => `${letter.repeat(40)}.png`);
    const [used, withdrawn, unused, fresh] = names as [string, string, string, string];
    // On both sides of a day, by more than the test takes.
    const [aDayAgo, later] = [Date.now() / 1_000 - 86_400 - 600, Date.now() / 1_000 - 86_400 + 600];
    for (const name of [...names, 'by-hand.png']) {
      cpSync(join(FIXTURES, 'front.png'), join(uploaded, name));
      const storedAt = name === fresh ? later : aDayAgo;
      utimesSync(join(uploaded, name), storedAt, storedAt);
    }
    const naming = (name: string) => hotel(name[0]!, { images: [image(`uploaded/${name}`, [3, 2])] });
    const env = { WEB_IMAGES: folder };
    await look([naming(used), naming(withdrawn)], env);
    const { status, detail, fix } = await look([naming(used)], env, 'uploaded pictures');
    assert.equal(status, 'warn');
    assert.match(detail, /^2 of 4 files \(0\.0 MB\) in .*uploaded are named by no property$/);
    assert.equal(
      fix,
      `where no backup or file to import needs them: cd '${uploaded}' && rm ${withdrawn} ${unused}`,
    );
    for (const name of [withdrawn, unused]) rmSync(join(uploaded, name));
    // Smaller sizes go with their picture; a part is what a killed process left.
    const sizes = [used, unused].map((name) => name.replace('.png', '-640.png'));
    const part = '.01234567-89ab-cdef-0123-456789abcdef.part';
    for (const name of [...sizes, part]) {
      cpSync(join(FIXTURES, 'front.png'), join(uploaded, name));
      utimesSync(join(uploaded, name), aDayAgo, aDayAgo);
    }
    const left = await look([naming(used)], env, 'uploaded pictures');
    assert.match(left.detail, /^2 of 5 files/);
    assert.match(left.fix ?? '', new RegExp(`&& rm \\${part} ${sizes[1]}$`));
    for (const name of [...sizes, part]) rmSync(join(uploaded, name));
    const after = await look([naming(used)], env, 'uploaded pictures');
    assert.deepEqual(after, { status: 'ok', detail: '2 are stored, and properties name them', fix: null });
  });

  it('names property, picture, said and actual size, and what to do', async () => {
    const wrong = FILES.map((file) => image(`ponte/${file}`, [800, 600]));
    const lines = [
      hotel('canal', { images: [image('ponte/front.png', [2, 3])] }),
      hotel('ponte', { images: wrong }),
    ];
    const { status, detail, fix } = await look(lines);
    assert.equal(status, 'warn');
    assert.equal(
      detail,
      '7 have another size than their documents say: canal, ponte/front.png: said 2 x 3, is 3 x 2; ' +
        'ponte, ponte/front.png: said 800 x 600, is 3 x 2; ponte, ponte/front.jpg: said 800 x 600, is 3 x 2; ' +
        'ponte, ponte/turned.jpg: said 800 x 600, is 2 x 3; ponte, ponte/front.webp: said 800 x 600, is 3 x 2 ' +
        'and 2 more',
    );
    assert.match(fix ?? '', /width and height .* "images" .* import it again/);
  });

  it('takes no notice of pictures elsewhere, missing or damaged files, drawings, and without a folder', async () => {
    cpSync(join(FIXTURES, 'front.jpg'), join(folder, 'cut.jpg'));
    truncateSync(join(folder, 'cut.jpg'), 100);
    writeFileSync(join(folder, 'plan.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const images = ['https://pictures.example/a.jpg', 'missing.png', 'cut.jpg', 'plan.svg'].map((src) =>
      image(src, [800, 600]),
    );
    const lines = [hotel('ponte', { images })];
    const found = await look(lines);
    assert.deepEqual(found.detail, '0 of 3 say their size, each as its document does');
    assert.equal(
      (await look(lines, {}, 'positions in pictures')).detail,
      '0 looked at, and none says where it was taken',
    );
  });

  it('names the files that say where they were taken, whichever way, and whether properties name them or not', async () => {
    const places = join(workplace.directory, 'places');
    mkdirSync(join(places, 'near', 'canal'), { recursive: true });
    mkdirSync(join(places, '.hidden'));
    const env = { WEB_IMAGES: places };
    const positions = async () => look([hotel('ponte', {})], env, 'positions in pictures');
    const write = (name: string, bytes: Uint8Array) => writeFileSync(join(places, name), bytes);
    for (const kind of PICTURE_KINDS) write(`plain.${kind}`, await plainPicture(kind));
    write('empty.jpg', Buffer.alloc(0));
    write('notes.txt', Buffer.from('GPSLatitude'));
    write('.hidden/a.jpg', await pictureWithPosition('jpg'));
    assert.deepEqual(await positions(), {
      status: 'ok',
      detail: '4 looked at, and none says where it was taken',
      fix: null,
    });
    const exif = await exifWithPosition();
    const [jpg, png] = [await plainPicture('jpg'), await plainPicture('png')];
    write('near/canal/a', withSegments(jpg, [[0xe1, exif]]));
    write('near/b.jpg', Buffer.concat([jpg, withSegments(jpg, [[0xe1, exif]])]));
    const said: Omit<PrintedResult, 'check'>[] = [await positions()];
    for (const kind of PICTURE_KINDS.slice(1)) write(`near/c.${kind}`, await pictureWithPosition(kind));
    write('near/d.png', withChunks(png, [['eXIf', exif.subarray(6)]]));
    write('near/e.png', withChunks(png, [packedExifChunk(exif)]));
    write(
      'near/f.png',
      withChunks(png, [['iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${POSITION_XMP}`)]]),
    );
    said.push(await positions());
    assert.deepEqual(
      said.map(({ status, detail }) => [status, detail]),
      [
        ['warn', '2 of 6 say where they were taken, and everybody may read it: near/b.jpg, near/canal/a'],
        [
          'warn',
          '8 of 12 say where they were taken, and everybody may read it: near/b.jpg, near/c.avif, near/c.png, ' +
            'near/c.webp, near/canal/a and 3 more',
        ],
      ],
    );
    assert.match(said[1]!.fix ?? '', /take the position off these files .* or upload them/);
  });

  it('says when it did not look at all', async () => {
    const images = Array.from({ length: 30 }, () => image('ponte/front.png', [3, 2]));
    const lines = Array.from({ length: 201 }, (_, index) => hotel(`house-${index}`, { images }));
    const found = await look(lines);
    assert.equal(found.status, 'ok');
    assert.match(found.detail, /^500 of 500 say .*; only the first 500 were looked at$/);
  });
});
