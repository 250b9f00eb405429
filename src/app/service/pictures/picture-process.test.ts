/** Pictures of strangers, encoded again: what is kept of them, and what those do that are made to do harm. */
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { PICTURE_BYTES_MAX } from '../../../http/pages/picture-kind.ts';
import {
  animation,
  drawing,
  encode,
  exifWithPosition,
  metadataOf,
  packedExifChunk,
  PICTURE_KINDS,
  pictureWithPosition,
  plainPicture,
  pngHead,
  POSITION_XMP,
  readPicture,
  SECRET,
  withChunks,
  withEmptySegments,
  withSegments,
  withSizeBoxes,
} from '../../../../test/kit/made-pictures.ts';
import type * as pictureProcess from './picture-process.ts';
import { createMakePicture, PICTURES_WAITING_MAX } from './picture-process.ts';

/** Six times as long as a service gives them: other tests have the processors as well. */
const make = createMakePicture(60_000);

async function made(bytes: Uint8Array) {
  const found = await make(bytes);
  assert.ok(!('refused' in found), JSON.stringify(found));
  const { width, height, bytes: content } = found.sizes[0]!;
  return { extension: found.extension, width, height, bytes: Buffer.from(content) };
}

async function refusalOf(bytes: Uint8Array): Promise<string> {
  const found = await make(bytes);
  return 'refused' in found ? found.refused : 'made';
}

async function assertNothingSaid(bytes: Buffer, about: string): Promise<void> {
  assert.deepEqual(metadataOf((await readPicture(bytes)).facts), [], about);
  for (const text of [SECRET, 'GPS', 'Exif', 'xmp', 'Photoshop', 'Raw profile'])
    assert.ok(!bytes.includes(text), `${about}: ${text}`);
}

/** For seven pictures on a busy machine; one may take as long as a process is given. */
const BUSY_MS_MAX = 90_000;

describe('a picture that is encoded again', () => {
  it('has nothing of the metadata of a JPEG, nor of pictures within and behind it', async () => {
    const exif = await exifWithPosition();
    const plain = await plainPicture('jpg');
    const second = withSegments(plain, [[0xe1, exif]]);
    const segments = {
      EXIF: [0xe1, exif],
      XMP: [0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${POSITION_XMP}`)],
      'extended XMP': [
        0xe1,
        Buffer.from(`http://ns.adobe.com/xmp/extension/\0${'0'.repeat(40)}${POSITION_XMP}`),
      ],
      IPTC: [0xed, Buffer.from(`Photoshop 3.0\x008BIM\x04\x04\0\0\0\x00${SECRET}`)],
      comment: [0xfe, Buffer.from(SECRET)],
      unknown: [0xe9, Buffer.from(SECRET)],
      'second picture': [0xe2, Buffer.concat([Buffer.from('MPF\0'), second])],
    } as const;
    for (const [about, [marker, body]] of Object.entries(segments))
      await assertNothingSaid((await made(withSegments(plain, [[marker, body]]))).bytes, about);
    const behind = Buffer.concat([plain, second, Buffer.from(SECRET)]);
    await assertNothingSaid((await made(behind)).bytes, 'behind the end');
  });

  it('has nothing of the texts of a PNG, packed or not, of unknown chunks, nor of what is behind its end', async () => {
    const exif = await exifWithPosition();
    const plain = await plainPicture('png');
    const chunks = {
      EXIF: ['eXIf', exif.subarray(6)],
      'packed EXIF': packedExifChunk(exif),
      text: ['tEXt', Buffer.from(`Comment\0${SECRET}`)],
      'packed text': ['zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(SECRET)])],
      XMP: ['iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${POSITION_XMP}`)],
      unknown: ['plAc', Buffer.from(SECRET)],
    } as const;
    for (const [about, [type, body]] of Object.entries(chunks))
      await assertNothingSaid((await made(withChunks(plain, [[type, body]]))).bytes, about);
    await assertNothingSaid(
      (await made(Buffer.concat([plain, Buffer.from(SECRET)]))).bytes,
      'behind the end',
    );
  });

  it('keeps of each kind the colours and their profile alone', async () => {
    for (const kind of PICTURE_KINDS) {
      const given = await pictureWithPosition(kind);
      const { bytes, extension } = await made(given);
      const { pixels, facts } = await readPicture(bytes);
      const before = await readPicture(given);
      assert.equal(extension, kind);
      assert.deepEqual(metadataOf(facts), ['icc'], kind);
      assert.deepEqual(facts.icc, before.facts.icc, kind);
      const isNear = pixels.every((value, at) => Math.abs(value - before.pixels[at]!) <= 24);
      assert.ok(isNear && pixels.length === before.pixels.length, kind);
      assert.ok(!bytes.includes(SECRET), kind);
    }
  });

  it('shows colours of printers, and grey, without a profile', async () => {
    const printed = await drawing(64, 48).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer();
    const grey = await drawing(64, 48).toColourspace('b-w').jpeg().toBuffer();
    for (const given of [printed, grey]) {
      const { facts, pixels } = await readPicture((await made(given)).bytes);
      assert.equal(facts.space, 'srgb');
      assert.equal(facts.icc, undefined);
      const before = await sharp(given).toColourspace('srgb').raw().toBuffer();
      assert.ok(Math.abs(pixels[0]! - before[0]!) <= 24, `${pixels[0]} ${before[0]}`);
    }
  });

  it('stands upright, however it lay', async () => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const given = await pictureWithPosition('jpg', orientation);
      const { width, height, bytes } = await made(given);
      assert.deepEqual([width, height], orientation < 5 ? [64, 48] : [48, 64]);
      const upright = await sharp(given).autoOrient().raw().toBuffer();
      const { pixels } = await readPicture(bytes);
      assert.ok(
        pixels.every((value, at) => Math.abs(value - upright[at]!) <= 24),
        String(orientation),
      );
    }
  });

  it('is at most 2,560 pixels wide, and of 100 million at most', async () => {
    const largest = await made(await encode(drawing(10_000, 10_000), 'png'));
    assert.deepEqual([largest.width, largest.height, largest.extension], [2_560, 2_560, 'png']);
    assert.deepEqual(await make(pngHead(10_000, 10_001)), { refused: 'area', width: 10_000, height: 10_001 });
    const small = await made(await plainPicture('webp', 2_559, 3));
    assert.deepEqual([small.width, small.height], [2_559, 3]);
  });

  it('has smaller sizes for pages, with its colours, none as large as itself', async () => {
    for (const [kind, width, widths] of [
      ['jpg', 3_000, [2_560, 1_280, 640]],
      ['png', 1_280, [1_280, 640]],
      ['webp', 641, [641, 640]],
      ['avif', 640, [640]],
    ] as const) {
      const found = await make(await encode(drawing(width, 320).withIccProfile('p3'), kind));
      assert.ok(!('refused' in found), kind);
      assert.deepEqual(
        found.sizes.map((size) => size.width),
        widths,
        kind,
      );
      for (const size of found.sizes) {
        const { facts } = await readPicture(Buffer.from(size.bytes));
        assert.deepEqual([facts.width, facts.height], [size.width, size.height], kind);
        assert.deepEqual(metadataOf(facts), ['icc'], kind);
      }
    }
  });

  it('becomes a WebP where it would be too large for the page without loss', async () => {
    const [width, height] = [2_000, 1_500];
    const noise = randomFillSync(Buffer.alloc(width * height * 3));
    const given = await sharp(noise, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    assert.ok(given.length > PICTURE_BYTES_MAX);
    const { extension, bytes } = await made(given);
    assert.equal(extension, 'webp');
    assert.ok(bytes.length <= PICTURE_BYTES_MAX);
  });
});

describe('a picture that was made to do harm, or is not one', () => {
  it('is refused when it is cut, wherever', async () => {
    for (const kind of PICTURE_KINDS) {
      const whole = await plainPicture(kind, 200, 150);
      // A PNG is whole before its last chunk, which says nothing, and a JPEG before its end mark.
      const last = { png: 17, jpg: 3, webp: 1, avif: 1 }[kind];
      for (const length of [1, 16, 40, whole.length >> 1, whole.length - 40, whole.length - last])
        assert.equal(await refusalOf(whole.subarray(0, length)), 'damaged', `${kind} of ${length} bytes`);
    }
  });

  it('is made where a JPEG lacks nothing but its end mark', async () => {
    const whole = await plainPicture('jpg', 200, 150);
    for (const lacking of [0, 1, 2])
      assert.equal(await refusalOf(whole.subarray(0, whole.length - lacking)), 'made');
  });

  it('is made or refused within the limit: two million segments, 40,000 sizes, a head alone, an animation', async () => {
    const begun = performance.now();
    assert.equal(await refusalOf(withEmptySegments(await plainPicture('jpg'), 2_000_000)), 'made');
    assert.equal(await refusalOf(withSizeBoxes(await plainPicture('avif'), 40_000)), 'damaged');
    assert.equal(await refusalOf(pngHead(5, 5)), 'damaged');
    assert.equal(await refusalOf(pngHead(20_000, 20_000)), 'area');
    assert.equal(await refusalOf(await animation()), 'animation');
    assert.equal(await refusalOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 'damaged');
    assert.equal(await refusalOf(Buffer.alloc(0)), 'damaged');
    assert.ok(performance.now() - begun < BUSY_MS_MAX);
  });

  it('ends with its process where it takes too much memory or time, and the next is made', async () => {
    assert.equal(await refusalOf(await encode(drawing(6_000, 6_000), 'avif')), 'memory');
    const hurried = createMakePicture(20);
    assert.deepEqual(await hurried(await plainPicture('jpg')), { refused: 'late' });
    assert.equal(await refusalOf(await plainPicture('jpg')), 'made');
  });

  it('waits for others, a few at a time, and is told when there are more', async () => {
    const picture = await plainPicture('jpg');
    const taken = PICTURES_WAITING_MAX + 1;
    const answers = await Promise.all(Array.from({ length: taken + 2 }, () => refusalOf(picture)));
    assert.deepEqual(answers, [...Array.from({ length: taken }, () => 'made'), 'busy', 'busy']);
  });

  it('is refused in words where the library that reads pictures is missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stayport-no-library-'));
    cpSync(join(import.meta.dirname, '..', '..', '..'), join(folder, 'src'), { recursive: true });
    const url = join(folder, 'src', 'app', 'service', 'pictures', 'picture-process.ts');
    const copy = (await import(url)) as typeof pictureProcess;
    const found = await copy.createMakePicture()(await plainPicture('jpg'));
    assert.ok('refused' in found && found.refused === 'unavailable', JSON.stringify(found));
    assert.match(found.why, /sharp/);
    const looked = await copy.findPicturePositions(folder);
    assert.ok('problem' in looked && /sharp/.test(looked.problem));
    rmSync(folder, { recursive: true });
  });
});
