/** Pictures uploaded in the form of a property: what is stored, what is refused, and what travellers are then sent. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PICTURE_BYTES_MAX } from '../../src/http/pages/pictures.ts';
import { makeStorePicture, PICTURE_AREA_MAX, UPLOADS_MAX } from '../../src/app/service/uploaded-pictures.ts';
import { hotelWith } from '../kit/catalogue-lines.ts';
import { type ConsoleClient, signInTo } from '../kit/console-client.ts';
import { fieldsOfForm } from '../kit/form-fields.ts';
import { startSupply, type SupplyRunning } from '../kit/supply-client.ts';

const EDIT = '/console/properties/ponte/edit';

/** A PNG of this size, as far as its head tells. */
function png(width: number, height: number, more: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.from(
    '89504e470d0a1a0a0000000d49484452000000000000000008020000000000000000000000',
    'hex',
  );
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, more]);
}

const nameOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 40);

describe('pictures in the form of a property', () => {
  let running: SupplyRunning;
  let client: ConsoleClient;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stayport-uploads-'));
    running = await startSupply([hotelWith('ponte', [])], {
      WEB_PORT: '0',
      WEB_LIMIT: '0',
      WEB_IMAGES: folder,
    });
    client = await signInTo(running.installation, running.service.operatorUrl, { role: 'operator' });
  });
  after(async () => {
    await running.installation.close();
    rmSync(folder, { recursive: true });
  });

  const drawn = async () => fieldsOfForm((await client.get(EDIT)).text, 'property-save');
  const files = () => (readdirSync(folder).includes('uploaded') ? readdirSync(join(folder, 'uploaded')) : []);
  const send = async (fields: ReadonlyMap<string, string>, file?: Uint8Array, name = 'a.png') => {
    const body = new FormData();
    for (const [field, text] of fields) body.set(field, text);
    if (file !== undefined) body.set('file', new Blob([new Uint8Array(file)]), name);
    const response = await fetch(`${running.service.operatorUrl}${EDIT}/property-save`, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { cookie: client.cookie!, 'sec-fetch-site': 'same-origin' },
    });
    return { status: response.status, text: await response.text() };
  };
  const upload = async (file: Uint8Array, name?: string) =>
    send((await drawn()).set('upload', '1'), file, name);

  it('are stored by their content, saved with the form, and sent as what they are', async () => {
    // Page script behind a picture: what is sent is a picture, whatever somebody would like to see in it.
    const bytes = png(640, 480, Buffer.from('<script>alert(1)</script>'));
    const answer = await upload(bytes, '../../etc/passwd\u0000.html');
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(files(), [`${nameOf(bytes)}.png`]);
    const fields = fieldsOfForm(answer.text, 'property-save');
    assert.equal(fields.get('images[0].src'), `uploaded/${nameOf(bytes)}.png`);
    assert.deepEqual([fields.get('images[0].width'), fields.get('images[0].height')], ['640', '480']);
    assert.equal((await send(fields)).status, 422, 'without a text that says what it shows');
    fields.set('images[0].alt.it-IT', 'Il ponte').set('images[0].alt.en-GB', 'The bridge');
    assert.equal((await send(fields)).status, 303);
    const details = await running.installation.storage.findDetails('ponte');
    assert.deepEqual(details?.images, [
      {
        src: `uploaded/${nameOf(bytes)}.png`,
        alt: { 'it-IT': 'Il ponte', 'en-GB': 'The bridge' },
        width: 640,
        height: 480,
      },
    ]);
    const own = await client.get(`/console/picture?src=uploaded%2F${nameOf(bytes)}.png`);
    const sent = await fetch(`${running.service.webUrl}/images/uploaded/${nameOf(bytes)}.png`);
    assert.equal(own.status, 200);
    assert.equal(sent.headers.get('content-type'), 'image/png');
    assert.equal(sent.headers.get('x-content-type-options'), 'nosniff');
    assert.match(sent.headers.get('content-security-policy') ?? '', /sandbox/);
    assert.deepEqual(Buffer.from(await sent.arrayBuffer()), bytes);
  });

  it('are taken out and moved by buttons of the form', async () => {
    const fields = await drawn();
    fields
      .set('images[1].src', 'b.png')
      .set('images[1].alt.it-IT', 'b')
      .set('images[1].width', '1')
      .set('images[1].height', '1');
    const raised = fieldsOfForm(
      (await send(new Map([...fields, ['raise', 'images[1]']]))).text,
      'property-save',
    );
    assert.equal(raised.get('images[0].src'), 'b.png');
    const left = fieldsOfForm(
      (await send(new Map([...raised, ['remove', 'images[1]']]))).text,
      'property-save',
    );
    assert.deepEqual([left.get('images[0].src'), left.has('images[1].src')], ['b.png', false]);
  });

  it('are of the kind that their bytes say, whatever they are called', async () => {
    const before = files().length;
    const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080010002001011100ffd9', 'hex');
    assert.equal((await upload(jpeg, 'really.png')).status, 200);
    assert.ok(files().includes(`${nameOf(jpeg)}.jpg`));
    for (const [what, bytes, reason] of [
      [
        'svg',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
        /must be a JPEG/,
      ],
      ['page', Buffer.from('<!doctype html><img src=x onerror=alert(1)>'), /must be a JPEG/],
      ['gif', Buffer.from('GIF89a\u0001\u0000\u0001\u0000'), /must be a JPEG/],
      ['script before a picture', Buffer.concat([Buffer.from('/*'), png(1, 1)]), /must be a JPEG/],
      ['head alone', Buffer.from('89504e470d0a1a0a', 'hex'), /does not say/],
      ['no width', png(0, 5), /pixels wide|does not say/],
      ['wide', png(20_001, 1), /pixels wide/],
      ['bomb', png(20_000, 20_000), /million in all/],
      ['8 MiB and one byte', png(4, 4, Buffer.alloc(PICTURE_BYTES_MAX - 36)), /at most 8 MiB/],
    ] as const) {
      const answer = await upload(bytes, 'picture.png');
      assert.equal(answer.status, 422, what);
      assert.match(answer.text, reason, what);
    }
    assert.equal(files().length, before + 1);
    assert.deepEqual(
      files().filter((name) => name.startsWith('.')),
      [],
    );
    assert.equal((await upload(png(5, 5, Buffer.alloc(PICTURE_BYTES_MAX - 37)))).status, 200, '8 MiB');
  });

  it('are at most thirty of one property', async () => {
    const fields = (await drawn()).set('upload', '1');
    for (let index = 0; index < 30; index += 1) fields.set(`images[${index}].src`, `p${index}.png`);
    const answer = await send(fields, png(31, 31));
    assert.equal(answer.status, 422);
    assert.match(answer.text, /at most 30 pictures/);
  });

  it('come in forms that are whole, with fields that can be counted', async () => {
    const broken = await client.post(
      `${EDIT}/property-save`,
      {},
      {
        'sec-fetch-site': 'same-origin',
        'content-type': 'multipart/form-data; boundary=x',
      },
    );
    assert.equal(broken.status, 403);
    const many = new Map(Array.from({ length: 6_001 }, (_none, index) => [`f${index}`, '']));
    assert.equal((await send(many)).status, 403);
  });
});

describe('the folder of uploaded pictures', () => {
  it('takes every kind that browsers make, with the size that they show', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stayport-kinds-'));
    const store = makeStorePicture(folder, () => 0);
    const pictures = join(import.meta.dirname, '..', 'fixtures', 'pictures');
    for (const name of ['front.avif', 'front.jpg', 'front.png', 'front.webp', 'turned.jpg']) {
      const stored = await store(readFileSync(join(pictures, name)));
      assert.ok(stored.ok && stored.src.endsWith(name.slice(-4)), name);
      assert.ok(stored.width > 0 && stored.height > 0, name);
    }
    assert.ok(!(await store(readFileSync(join(pictures, 'front.gif')))).ok);
    rmSync(folder, { recursive: true });
  });

  it('says why it can not take one, and keeps nothing half written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stayport-full-'));
    writeFileSync(join(folder, 'uploaded'), 'in the way');
    const stored = await makeStorePicture(folder, () => 0)(png(1, 1));
    assert.ok(!stored.ok);
    assert.match(stored.reason, /can't be written \(E\w+\): nothing was stored/);
    assert.equal(readFileSync(join(folder, 'uploaded'), 'utf8'), 'in the way');
    rmSync(folder, { recursive: true });
  });

  it('takes so many in a minute, and the largest area but not one pixel more', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stayport-rate-'));
    let nowMs = 0;
    const store = makeStorePicture(folder, () => nowMs);
    const side = Math.sqrt(PICTURE_AREA_MAX);
    assert.ok((await store(png(side, side))).ok);
    assert.ok(!(await store(png(side, side + 1))).ok);
    for (let index = 2; index < UPLOADS_MAX; index += 1)
      assert.ok((await store(png(1, 1))).ok, String(index));
    assert.ok(!(await store(png(1, 1))).ok);
    nowMs = 60_000;
    assert.ok((await store(png(1, 1))).ok);
    assert.equal(readdirSync(join(folder, 'uploaded')).length, 2);
    rmSync(folder, { recursive: true });
  });
});
