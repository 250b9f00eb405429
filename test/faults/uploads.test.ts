/** A disk that is full while people send pictures and files: they are told so, and nothing half written stays. */
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import sharp from 'sharp';
import { ImportFolder, isDiskFull } from '../../src/app/service/imports/import-folder.ts';
import { makeStorePicture } from '../../src/app/service/pictures/uploaded-pictures.ts';
import { Wrong } from '../../src/domain/wrong.ts';
import { readPicture } from '../kit/made-pictures.ts';
import { mountSmallDisk, NO_SMALL_DISK } from './small-disk.ts';

const PICTURE = readFileSync(join(import.meta.dirname, '..', 'fixtures', 'pictures', 'front.png'));
const FILE = { importId: '01234567-89ab-cdef-0123-456789abcdef', fileName: 'flats.ndjson' };
const STATE = {
  ...FILE,
  kind: 'catalogue' as const,
  person: 'Ada',
  source: 'catalogue',
  phase: 'checking' as const,
};
const disk = mountSmallDisk(8);

describe('A full disk', { skip: disk === undefined && NO_SMALL_DISK }, () => {
  after(() => disk?.close());
  afterEach(() => disk?.free());

  it('takes no picture, says so, keeps nothing of it, and takes it when there is room', async () => {
    const root = join(disk!.folder, 'pictures');
    mkdirSync(root);
    const store = makeStorePicture(root, Date.now);
    disk!.fill();
    const refused = await store(new Uint8Array(PICTURE));
    assert.deepEqual(refused, { ok: false, reason: new Wrong('diskFull') });
    assert.deepEqual(
      readdirSync(root, { recursive: true }).filter((name) => name !== 'uploaded'),
      [],
    );
    disk!.free();
    const stored = await store(new Uint8Array(PICTURE));
    assert.ok(stored.ok);
    const { pixels } = await readPicture(readFileSync(join(root, stored.src)));
    assert.deepEqual(pixels, (await readPicture(PICTURE)).pixels);
  });

  it('that fills up between two sizes of a picture keeps none of them', async () => {
    const root = join(disk!.folder, 'sizes');
    mkdirSync(root);
    const [width, height] = [1_400, 900];
    const noise = randomFillSync(Buffer.alloc(width * height * 3));
    const photo = await sharp(noise, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer();
    const store = makeStorePicture(root, Date.now);
    const roomy = join(disk!.folder, 'roomy');
    const whole = await makeStorePicture(roomy, Date.now)(new Uint8Array(photo));
    assert.ok(whole.ok);
    const bytes = readdirSync(join(roomy, 'uploaded')).map(
      (name) => statSync(join(roomy, 'uploaded', name)).size,
    );
    assert.equal(bytes.length, 3);
    rmSync(roomy, { recursive: true });
    // Room for the smallest size, not for all.
    const { bavail, bsize } = statfsSync(disk!.folder);
    const padding = join(disk!.folder, 'padding');
    writeFileSync(padding, Buffer.alloc(bavail * bsize - Math.min(...bytes) - 65_536));
    assert.deepEqual(await store(new Uint8Array(photo)), {
      ok: false,
      reason: new Wrong('diskFull'),
    });
    assert.deepEqual(readdirSync(join(root, 'uploaded')), []);
    rmSync(padding);
    assert.ok((await store(new Uint8Array(photo))).ok);
    assert.equal(readdirSync(join(root, 'uploaded')).length, 3);
  });

  it('keeps nothing of a file that is sent, of its state or of its lock', async () => {
    const path = join(disk!.folder, 'imports');
    mkdirSync(path);
    const folder = new ImportFolder({ path, clock: Date.now, machineClock: Date.now });
    const content = async function* () {
      for (let count = 0; count < 16; count += 1) yield Buffer.alloc(2 ** 20);
    };
    await assert.rejects(folder.keep(FILE, content()), isDiskFull);
    assert.deepEqual(readdirSync(path), []);
    disk!.fill();
    await assert.rejects(folder.begin(STATE as never), isDiskFull);
    assert.deepEqual(readdirSync(path), []);
    disk!.free();
    assert.equal(await folder.begin(STATE as never), true);
    assert.deepEqual(readdirSync(path).toSorted(), [`${FILE.importId}.json`, 'working']);
  });
});
