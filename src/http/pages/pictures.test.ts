import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { StorageUnavailable } from '../../storage/storage.ts';
import { PICTURE_BYTES_MAX } from './picture-kind.ts';
import { PictureFolder } from './pictures.ts';
import { pictureTypeOf } from './picture-kind.ts';

const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const WEBP = Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1');
const AVIF = Buffer.from('\0\0\0\x1cftypavif\0\0\0\0avifmif1', 'latin1');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const SECRET = `${SVG}<!-- secret -->`;

describe('A folder of pictures', () => {
  const base = mkdtempSync(join(tmpdir(), 'pictures-'));
  const root = join(base, 'root');
  const folder = new PictureFolder(root, Date.now);
  const put = (path: string, content: string | Uint8Array): void => writeFileSync(join(base, path), content);

  before(() => {
    for (const name of ['root/hotel', 'root/.git', 'root/folder.png', 'beside', 'root-beside'])
      mkdirSync(join(base, name), { recursive: true });
    put('secret.svg', SECRET);
    put('beside/secret.svg', SECRET);
    put('root-beside/secret.svg', SECRET);
    put('root/.hidden.svg', SECRET);
    put('root/.git/secret.svg', SECRET);
    put('root/a.jpg', JPEG);
    put('root/hotel/b.png', PNG);
    put('root/città.webp', WEBP);
    put('root/c d.avif', AVIF);
    put('root/e.svg', `\uFEFF<?xml version="1.0"?>\n<!-- drawn -->\n${SVG}`);
    put('root/page.svg', '<html><svg/></html>');
    put('root/text.jpg', 'not a picture');
    put('root/empty.png', '');
  });
  after(() => rmSync(base, { recursive: true }));

  const typeOf = async (path: string): Promise<string | undefined> => {
    const picture = await folder.read(path);
    const isThere = await folder.has(path);
    assert.equal(isThere, picture !== undefined, path);
    return picture?.mediaType;
  };

  it('gives its pictures, with types by their content', async () => {
    assert.equal(await typeOf('a.jpg'), 'image/jpeg');
    assert.equal(await typeOf('hotel/b.png'), 'image/png');
    assert.equal(await typeOf('città.webp'), 'image/webp');
    assert.equal(await typeOf('c d.avif'), 'image/avif');
    assert.equal(await typeOf('e.svg'), 'image/svg+xml');
  });

  it('gives nothing else, and nothing outside of it', async () => {
    symlinkSync(join(base, 'secret.svg'), join(root, 'link.svg'));
    symlinkSync(join(base, 'beside'), join(root, 'linked'));
    symlinkSync('../root-beside', join(root, 'sibling'));
    symlinkSync('.hidden.svg', join(root, 'to-hidden.svg'));
    symlinkSync('loop.svg', join(root, 'loop.svg'));
    symlinkSync('/dev/zero', join(root, 'zero.png'));
    for (const path of [
      '',
      '.',
      '..',
      '../secret.svg',
      'hotel/../../secret.svg',
      'hotel/..',
      '/etc/passwd',
      `${root}/a.jpg`,
      '//a.jpg',
      'hotel//b.png',
      './a.jpg',
      'hotel\\b.png',
      '..\\secret.svg',
      'a.jpg\0',
      'a.jpg\0.png',
      'a.jpg%00',
      '%2e%2e/secret.svg',
      'a.jpg.',
      'a.jpg ',
      'a.jpg::$DATA',
      'C:/secret.svg',
      '.hidden.svg',
      '.git/secret.svg',
      'link.svg',
      'linked/secret.svg',
      'sibling/secret.svg',
      'to-hidden.svg',
      'loop.svg',
      'zero.png',
      'a.jpg/b',
      'hotel',
      'folder.png',
      'page.svg',
      'text.jpg',
      'empty.png',
      'none.jpg',
      'x'.repeat(5_000),
      'a/'.repeat(2_000),
      '\uD800.jpg',
    ])
      assert.equal(await typeOf(path), undefined, JSON.stringify(path));
  });

  it('never waits for a pipe', { skip: process.platform === 'win32' }, async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe.png')]);
    assert.equal(await typeOf('pipe.png'), undefined);
  });

  it('follows a link that stays within it, and the folder itself where it is one', async () => {
    symlinkSync('hotel/b.png', join(root, 'inner.png'));
    assert.equal(await typeOf('inner.png'), 'image/png');
    symlinkSync(root, join(base, 'current'));
    const linked = new PictureFolder(join(base, 'current'), Date.now);
    assert.equal(typeof (await linked.read('a.jpg')), 'object');
  });

  it('gives the same bytes as long as the file is the same, and others at once when it changes', async () => {
    put('root/changing.svg', SVG);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(join(root, 'changing.svg'), longAgo, longAgo);
    const later = new PictureFolder(root, () => Date.now() + 60_000);
    const first = await later.read('changing.svg');
    assert.equal(await later.read('changing.svg'), first, 'from memory');
    assert.ok(typeof first === 'object');

    put('root/changing.svg', SVG.replace('svg"', 'SVG"'));
    const second = await later.read('changing.svg');
    assert.ok(typeof second === 'object');
    assert.notEqual(second.etag, first.etag);
    put('root/other.svg', SVG);
    renameSync(join(root, 'other.svg'), join(root, 'changing.svg'));
    const third = await later.read('changing.svg');
    assert.ok(typeof third === 'object');
    assert.equal(third.etag, first.etag, 'the tag is of the content');
    rmSync(join(root, 'changing.svg'));
    assert.equal(await later.read('changing.svg'), undefined);
  });

  it('keeps nothing that was changed just now: the clock of the file system may not tell', async () => {
    put('root/fresh.svg', SVG);
    const first = await folder.read('fresh.svg');
    assert.notEqual(await folder.read('fresh.svg'), first);
  });

  it('sees for a page again after two seconds', async () => {
    let nowMs = Date.now();
    const timed = new PictureFolder(root, () => nowMs);
    assert.equal(await timed.has('late.jpg'), false);
    put('root/late.jpg', JPEG);
    nowMs += 1_999;
    assert.equal(await timed.has('late.jpg'), false);
    nowMs += 1;
    assert.equal(await timed.has('late.jpg'), true);
  });

  it('says after two seconds, and not before, that the version of a picture is another one', async () => {
    let nowMs = Date.now() + 60_000;
    const timed = new PictureFolder(root, () => nowMs);
    put('root/versioned.svg', SVG);
    const first = await timed.versionOf('versioned.svg');
    put('root/versioned.svg', SVG.replace('svg"', 'SVG"'));
    nowMs += 1_999;
    assert.equal(await timed.versionOf('versioned.svg'), first);
    nowMs += 1;
    const second = await timed.versionOf('versioned.svg');
    assert.ok(first !== undefined && second !== undefined && second !== first);
    nowMs += 2_000;
    assert.equal(await timed.versionOf('versioned.svg'), second, 'of the same file');
    rmSync(join(root, 'versioned.svg'));
    nowMs += 2_000;
    assert.equal(await timed.versionOf('versioned.svg'), undefined);
  });

  it(`takes a file of ${PICTURE_BYTES_MAX} bytes, and not of one more`, async () => {
    put('root/large.jpg', JPEG);
    truncateSync(join(root, 'large.jpg'), PICTURE_BYTES_MAX);
    assert.equal(await typeOf('large.jpg'), 'image/jpeg');
    truncateSync(join(root, 'large.jpg'), PICTURE_BYTES_MAX + 1);
    const other = new PictureFolder(root, Date.now);
    assert.equal(await other.read('large.jpg'), undefined);
    assert.equal(await other.has('large.jpg'), false);
  });

  it('reads a file once for all that ask at the same time, and refuses more than 520 others', async () => {
    const [first, ...others] = await Promise.all(
      Array.from({ length: 2_000 }, async () => folder.read('a.jpg')),
    );
    assert.ok(others.every((picture) => picture === first));
    const answers = await Promise.allSettled(
      Array.from({ length: 600 }, async (_, index) => folder.read(`none-${index}.jpg`)),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected');
    assert.equal(refused.length, 80);
    assert.ok(refused.every((answer) => answer.reason instanceof StorageUnavailable));
    assert.equal(typeof (await folder.read('a.jpg')), 'object', 'and goes on');
  });

  it('says of what nobody could look at that it may be there, and that it is not known to be', async () => {
    const paths = Array.from({ length: 600 }, (_, index) => `unseen-${index}.jpg`);
    const may = await Promise.all(paths.map(async (path) => folder.has(path)));
    assert.equal(may.filter(Boolean).length, 80);
    const further = paths.map((path) => `further-${path}`);
    const known = await Promise.all(further.map(async (path) => folder.surelyHas(path)));
    assert.ok(!known.includes(true));
    assert.ok(await folder.surelyHas('a.jpg'));
  });
});

describe('The kind of a picture', () => {
  it('is not told by what only looks like one', () => {
    for (const text of [
      '<html><body><svg></svg>',
      '<!DOCTYPE html><svg>',
      '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg/>',
      '<svgx>',
      'GIF89a',
      'RIFF....WAVE',
      'BM',
      '%PDF-1.7',
      '<!--'.repeat(1_000),
      '<!---->'.repeat(580),
    ])
      assert.equal(pictureTypeOf(Buffer.from(text)), undefined, text.slice(0, 40));
    assert.equal(
      pictureTypeOf(Buffer.from('<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "b"><svg>')),
      'image/svg+xml',
    );
  });
});
