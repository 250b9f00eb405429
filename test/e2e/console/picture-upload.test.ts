/** Pictures uploaded in the form of a property: what is stored, what is refused, and what travellers are then sent. */
import { inEnglish } from '../../../src/domain/wrong.ts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { UPLOADS_AT_ONCE_OF_PERSON_MAX } from '../../../src/console/http/file-form.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_PATH } from '../../../src/console/pages/property-form/pictures.ts';
import { makeStorePicture, UPLOADS_MAX } from '../../../src/app/service/pictures/uploaded-pictures.ts';
import { IMAGES_MAX } from '../../../src/domain/property-details.ts';
import type { WebMeter } from '../../../src/http/observability/metrics/web-families.ts';
import { PictureFolder } from '../../../src/http/pages/pictures.ts';
import { buildFindShown } from '../../../src/traveller/http/shown-pictures.ts';
import { hotelWith } from '../../kit/catalogue-lines.ts';
import { BOUNDARY, type ConsoleClient, multipartOf, signInTo } from '../../kit/console-client.ts';
import { fieldsOfForm } from '../../kit/form-fields.ts';
import {
  animation,
  metadataOf,
  PICTURE_KINDS,
  pictureWithPosition,
  plainPicture,
  pngHead,
  readPicture,
  SECRET,
} from '../../kit/made-pictures.ts';
import { startSupply, type SupplyRunning } from '../../kit/supply-client.ts';

const EDIT = '/console/properties/ponte/edit';

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
      // On a busy machine the pieces of an upload come with long pauses.
      REQUEST_TIMEOUT_SECONDS: '120',
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

  it('are stored by their content, saved with the form, and sent as what was stored', async () => {
    // Page script behind a picture: what is sent is a picture, whatever somebody would like to see in it.
    const script = Buffer.from('<script>alert(1)</script>');
    const picture = await plainPicture('png', 640, 480);
    const answer = await upload(Buffer.concat([picture, script]), '../../etc/passwd\u0000.html');
    assert.equal(answer.status, 200, answer.text);
    const [name = '', ...others] = files();
    assert.deepEqual(others, []);
    const bytes = readFileSync(join(folder, 'uploaded', name));
    assert.equal(name, `${nameOf(bytes)}.png`);
    assert.ok(!bytes.includes(script));
    assert.deepEqual((await readPicture(bytes)).pixels, (await readPicture(picture)).pixels);
    const fields = fieldsOfForm(answer.text, 'property-save');
    assert.equal(fields.get('images[0].src'), `uploaded/${name}`);
    assert.deepEqual([fields.get('images[0].width'), fields.get('images[0].height')], ['640', '480']);
    assert.deepEqual(
      [fields.get('images[0].alt.it-IT'), fields.get('images[0].alt.en-GB')],
      ['Hotel ponte, foto 1', 'Hotel ponte, picture 1'],
      'suggested',
    );
    assert.match(answer.text, /data-suggested\s*>/);
    const unsaid = new Map([...fields, ['images[0].alt.it-IT', ''], ['images[0].alt.en-GB', '']]);
    assert.equal((await send(unsaid)).status, 422, 'without a text that says what it shows');
    fields.set('images[0].alt.it-IT', 'Il ponte').set('images[0].alt.en-GB', 'The bridge');
    assert.equal((await send(fields)).status, 303);
    const details = await running.installation.storage.findDetails('ponte');
    assert.deepEqual(details?.images, [
      {
        src: `uploaded/${name}`,
        alt: { 'it-IT': 'Il ponte', 'en-GB': 'The bridge' },
        width: 640,
        height: 480,
      },
    ]);
    const own = await client.get(`/console/picture?src=uploaded%2F${name}`);
    const sent = await fetch(`${running.service.webUrl}/images/uploaded/${name}`);
    assert.equal(own.status, 200);
    assert.equal(sent.headers.get('content-type'), 'image/png');
    assert.equal(sent.headers.get('x-content-type-options'), 'nosniff');
    assert.match(sent.headers.get('content-security-policy') ?? '', /sandbox/);
    assert.deepEqual(Buffer.from(await sent.arrayBuffer()), bytes);
  });

  it('are published without the position and the other metadata of the file', async () => {
    for (const kind of PICTURE_KINDS) {
      const fields = fieldsOfForm((await upload(await pictureWithPosition(kind))).text, 'property-save');
      const { webUrl } = running.service;
      const sent = await fetch(`${webUrl}/images/${fields.get('images[1].src')}`);
      const bytes = Buffer.from(await sent.arrayBuffer());
      assert.deepEqual(metadataOf((await readPicture(bytes)).facts), ['icc'], kind);
      for (const text of [SECRET, 'GPS', 'Exif', 'xmpmeta'])
        assert.ok(!bytes.includes(text), `${kind} ${text}`);
    }
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
    assert.equal((await upload(await plainPicture('jpg', 16, 32), 'really.png')).status, 200);
    assert.equal(files().filter((name) => name.endsWith('.jpg')).length, 2);
    const png = await plainPicture('png');
    const over = Buffer.concat([png, Buffer.alloc(UPLOAD_BYTES_MAX + 1 - png.length)]);
    for (const [what, bytes, reason] of [
      [
        'svg',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
        /must be a JPEG/,
      ],
      ['page', Buffer.from('<!doctype html><img src=x onerror=alert(1)>'), /must be a JPEG/],
      ['gif', Buffer.from('GIF89a\u0001\u0000\u0001\u0000'), /must be a JPEG/],
      ['script before a picture', Buffer.concat([Buffer.from('/*'), png]), /must be a JPEG/],
      ['head alone', Buffer.from('89504e470d0a1a0a', 'hex'), /damaged or not complete/],
      ['head without a picture', pngHead(5, 5), /damaged or not complete/],
      ['no width', pngHead(0, 5), /damaged or not complete/],
      ['wide', pngHead(20_001, 1), /pixels wide/],
      ['bomb', pngHead(20_000, 20_000), /million in all/],
      ['animation', await animation(), /holds several pictures/],
      ['30 MB and one byte', over, /at most 30 MB/],
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
    assert.equal((await upload(over.subarray(0, -1))).status, 200, '30 MB');
  });

  it('are taken without the mark at their end, and not where parts of them are missing', async () => {
    const whole = await plainPicture('jpg', 331, 229);
    assert.equal(whole.subarray(-2).toString('hex'), 'ffd9');
    const withoutMark = await upload(whole.subarray(0, -2), 'a.jpg');
    assert.equal(withoutMark.status, 200, withoutMark.text);
    for (const length of [-40, -whole.length / 2]) {
      const cut = await upload(whole.subarray(0, Math.floor(length)), 'a.jpg');
      assert.equal(cut.status, 422, String(length));
      assert.match(cut.text, /damaged or not complete|danneggiata o incompleta/);
    }
  });

  it('are at most thirty of one property', async () => {
    const fields = (await drawn()).set('upload', '1');
    for (let index = 0; index < 30; index += 1) fields.set(`images[${index}].src`, `p${index}.png`);
    const answer = await send(fields, await plainPicture('png', 31, 31));
    assert.equal(answer.status, 422);
    assert.match(answer.text, /at most 30 pictures/);
  });

  it('come one by one from a script, which is answered in the language of the page', async () => {
    const headers = {
      'sec-fetch-site': 'same-origin',
      accept: 'application/json',
      'accept-language': 'it-IT',
    };
    const file = { name: 'a.jpg', bytes: await plainPicture('jpg', 77, 55) };
    const taken = await client.upload(UPLOAD_PATH, file, {}, headers);
    assert.equal(taken.status, 200, taken.text);
    const { src, width, height } = JSON.parse(taken.text) as Record<string, unknown>;
    assert.match(String(src), /^uploaded\/[0-9a-f]{40}\.jpg$/);
    assert.deepEqual([width, height], [77, 55]);
    const refused = await client.upload(UPLOAD_PATH, { name: 'a.jpg', bytes: 'GIF89a' }, {}, headers);
    assert.equal(refused.status, 422);
    assert.equal(JSON.parse(refused.text).detail, 'deve essere un’immagine JPEG, PNG, WebP o AVIF');
    const before = files().length;
    const another = { name: 'a.jpg', bytes: await plainPicture('jpg', 78, 55) };
    assert.equal((await client.upload(UPLOAD_PATH, another, { form: 'x' }, headers)).status, 403);
    for (const [bytes, reason] of [
      [Buffer.alloc(0), /è vuota \(0 byte\); apri l’immagine/],
      [
        Buffer.from('0000001c6674797068656963000000006d69663168656963', 'hex'),
        /è in HEIC.*salvala come JPEG/,
      ],
    ] as const) {
      const answer = await client.upload(UPLOAD_PATH, { name: 'a.jpg', bytes }, {}, headers);
      assert.equal(answer.status, 422, answer.text);
      assert.match(answer.text, reason);
    }
    const viewer = await signInTo(running.installation, client.url, { role: 'viewer' });
    const unread = { name: 'a.jpg', bytes: await plainPicture('jpg', 79, 55) };
    assert.equal((await viewer.upload(UPLOAD_PATH, unread, {}, headers)).status, 403);
    assert.equal((await client.upload(UPLOAD_PATH, file, {}, { accept: 'application/json' })).status, 403);
    assert.equal(files().length, before, 'nothing is stored of who may not');
  });

  it('come several in one form without a script, each with its refusal, and nothing typed is lost', async () => {
    const body = new FormData();
    const fields = (await drawn()).set('seller', 'Ponte Srl').set('upload', '1');
    for (const [field, text] of fields) if (field !== 'houseRules.en-GB') body.append(field, text);
    const given = [
      await plainPicture('jpg', 501, 99),
      Buffer.from('GIF89a'),
      Buffer.alloc(0),
      await plainPicture('png', 502, 99),
    ];
    for (const [index, bytes] of given.entries())
      body.append('file', new Blob([new Uint8Array(bytes)]), `${index}.jpg`);
    // Behind the files, as most fields of the page are.
    body.append('houseRules.en-GB', 'No parties');
    const response = await fetch(`${client.url}${EDIT}/property-save`, {
      method: 'POST',
      body,
      headers: { cookie: client.cookie!, 'sec-fetch-site': 'same-origin', 'accept-language': 'it-IT' },
    });
    const text = await response.text();
    assert.equal(response.status, 422);
    assert.match(text, /1\.jpg<\/bdi>: <bdi>deve essere un’immagine JPEG/);
    assert.match(text, /2\.jpg<\/bdi>: <bdi>è vuota \(0 byte\)/);
    const back = fieldsOfForm(text, 'property-save');
    assert.deepEqual([back.get('seller'), back.get('houseRules.en-GB')], ['Ponte Srl', 'No parties']);
    const widths = [...back].filter(([name]) => name.endsWith('.width')).map(([, width]) => width);
    assert.deepEqual(widths.slice(-2), ['501', '502']);
  });

  it('that break off on their way leave nothing, wherever they are cut', async () => {
    const before = files();
    const whole = multipartOf(
      { form: await client.formToken() },
      { name: 'a.jpg', bytes: await plainPicture('jpg', 83, 61) },
    );
    for (const length of [1, 60, 200, 400, whole.length >> 1, whole.length - 30, whole.length - 1]) {
      const sent = request(`${client.url}${UPLOAD_PATH}`, {
        method: 'POST',
        headers: {
          cookie: client.cookie!,
          'sec-fetch-site': 'same-origin',
          'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
          'content-length': whole.length,
        },
      });
      const gone = new Promise<void>((resolve) => sent.once('close', resolve));
      sent.on('error', () => undefined);
      await new Promise((resolve) => sent.write(whole.subarray(0, length), resolve));
      sent.destroy();
      await gone;
    }
    // The form whose file is whole, but whose end is not, may have been stored: named by no property.
    const left = files().filter((name) => !before.includes(name));
    assert.deepEqual(
      left.filter((name) => name.startsWith('.')),
      [],
    );
    assert.ok(left.length <= 1, left.join(' '));
    const answer = await client.upload(
      UPLOAD_PATH,
      { name: 'a.jpg', bytes: await plainPicture('jpg', 84, 61) },
      {},
      { 'sec-fetch-site': 'same-origin', accept: 'application/json' },
    );
    assert.equal(answer.status, 200, 'and their turns are given back');
  });

  it('go through while three others stall with as much as they may hold', async () => {
    const stalled: ClientRequest[] = [];
    for (const name of ['Bob', 'Cyd', 'Dan']) {
      const other = await signInTo(running.installation, client.url, { role: 'operator', name });
      for (let sent = 0; sent < UPLOADS_AT_ONCE_OF_PERSON_MAX; sent += 1) stalled.push(await stall(other));
    }
    // As a camera writes it, and what comes behind the picture.
    const picture = Buffer.concat([await plainPicture('png', 640, 481), Buffer.alloc(8_000_000)]);
    const headers = { 'sec-fetch-site': 'same-origin', accept: 'application/json' };
    const answer = await client.upload(UPLOAD_PATH, { name: 'a.png', bytes: picture }, {}, headers);
    for (const request of stalled) assert.equal(request.destroyed, false, 'and none of them is answered');
    for (const request of stalled) request.destroy();
    assert.equal(answer.status, 200, answer.text);
  });

  /** Sends almost a whole picture of the largest size, all of which has left this side, and then nothing more. */
  async function stall(other: ConsoleClient): Promise<ClientRequest> {
    const bytes = Buffer.alloc(UPLOAD_BYTES_MAX);
    const whole = multipartOf({ form: await other.formToken() }, { name: 'a.jpg', bytes });
    const sent = request(`${client.url}${UPLOAD_PATH}`, {
      method: 'POST',
      agent: false,
      headers: {
        cookie: other.cookie!,
        'sec-fetch-site': 'same-origin',
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': whole.length,
      },
    });
    sent.on('error', () => undefined);
    await new Promise((resolve) => sent.write(whole.subarray(0, -100_000), resolve));
    return sent;
  }

  it('have smaller sizes, which the page of a traveller offers, as the preview shows', async () => {
    const given = { name: 'wide.jpg', bytes: await plainPicture('jpg', 1_500, 1_000) };
    const headers = { 'sec-fetch-site': 'same-origin', accept: 'application/json' };
    const { src } = JSON.parse((await client.upload(UPLOAD_PATH, given, {}, headers)).text) as {
      src: string;
    };
    const [small, middle] = [640, 1_280].map((width) => src.replace('.jpg', `-${width}.jpg`));
    const widthOf = async (url: string) => {
      const response = await fetch(url, { headers: { cookie: client.cookie! } });
      assert.equal(response.status, 200, url);
      return (await readPicture(Buffer.from(await response.arrayBuffer()))).facts.width;
    };
    const { webUrl, operatorUrl } = running.service;
    assert.equal(await widthOf(`${webUrl}/images/${small}`), 640);
    assert.equal(await widthOf(`${webUrl}/images/${middle}`), 1_280);
    assert.equal(await widthOf(`${webUrl}/images/${src}`), 1_500);
    assert.equal(await widthOf(`${operatorUrl}/console/picture?src=${src}&size=small`), 640);
    const image = { src, alt: 'The hall', width: 1_500, height: 1_000 };
    const findShown = buildFindShown({
      folder: new PictureFolder(folder, Date.now),
      origins: [],
      pageUrl: `${webUrl}/handoff`,
      meter: { imagesLeftOut: { origin: 0, missing: 0 } } as WebMeter,
    });
    const [shown] = await findShown([image]);
    assert.deepEqual(shown?.smaller, [
      { src: `images/${small}`, width: 640 },
      { src: `images/${middle}`, width: 1_280 },
    ]);
    const older = { ...image, src: 'front.png', width: 3 };
    writeFileSync(join(folder, 'front.png'), await plainPicture('png', 3, 2));
    assert.deepEqual((await findShown([older]))[0]?.smaller, [], 'put there by hand');
    const fields = (await drawn()).set('preview', '1').set('preview.checkIn', '2026-12-10');
    fields.set('preview.checkOut', '2026-12-12').set('images[0].src', src).set('images[0].width', '1500');
    fields.set('images[0].height', '1000').set('images[0].alt.it-IT', 'x').set('images[0].alt.en-GB', 'x');
    const { text } = await send(fields);
    assert.match(
      text,
      new RegExp(`srcset="[^"]*${small!.replace('/', '%2F')} 640w, [^"]*1280w, [^"]* 1500w"`),
    );
    assert.match(text, /sizes="min\((?:92vw, 1\.500 \* clamp\(|100vw)/);
  });

  it('are sent to the console all at once, as a proxy with HTTP/2 asks for them', async () => {
    const fields = fieldsOfForm(
      (await upload(await plainPicture('jpg', 2_000, 1_500))).text,
      'property-save',
    );
    const src = encodeURIComponent(fields.get('images[0].src')!);
    const answers = await Promise.all(
      Array.from({ length: IMAGES_MAX }, () => client.get(`/console/picture?src=${src}`)),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
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
    const pictures = join(import.meta.dirname, '..', '..', 'fixtures', 'pictures');
    for (const name of ['front.avif', 'front.jpg', 'front.png', 'front.webp', 'turned.jpg']) {
      const stored = await store(new Uint8Array(readFileSync(join(pictures, name))));
      assert.ok(stored.ok && stored.src.endsWith(name.slice(-4)), name);
      const { facts } = await readPicture(readFileSync(join(folder, stored.src)));
      assert.deepEqual([facts.width, facts.height], [stored.width, stored.height], name);
    }
    assert.ok(!(await store(new Uint8Array(readFileSync(join(pictures, 'front.gif'))))).ok);
    rmSync(folder, { recursive: true });
  });

  it('is made by the first picture, for the user of the service alone', async () => {
    const root = join(mkdtempSync(join(tmpdir(), 'stayport-first-')), 'data', 'images');
    const stored = await makeStorePicture(root, () => 0)(new Uint8Array(await plainPicture('png')));
    assert.ok(stored.ok);
    assert.ok(existsSync(join(root, stored.src)));
    if (process.platform !== 'win32') assert.equal(statSync(root).mode & 0o777, 0o700);
    rmSync(dirname(dirname(root)), { recursive: true });
  });

  it('says why it can not take one, and keeps nothing half written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stayport-full-'));
    writeFileSync(join(folder, 'uploaded'), 'in the way');
    const stored = await makeStorePicture(folder, () => 0)(new Uint8Array(await plainPicture('png')));
    assert.ok(!stored.ok);
    assert.match(inEnglish(stored.reason), /can't be written \(E\w+\): nothing was stored/);
    assert.equal(readFileSync(join(folder, 'uploaded'), 'utf8'), 'in the way');
    rmSync(folder, { recursive: true });
  });

  it('takes so many in a minute', async () => {
    let nowMs = 0;
    const store = makeStorePicture(tmpdir(), () => nowMs);
    const reasonOf = async () => {
      const stored = await store(Buffer.from('no picture'));
      return stored.ok ? '' : inEnglish(stored.reason);
    };
    for (let index = 0; index < UPLOADS_MAX; index += 1) assert.match(await reasonOf(), /must be a JPEG/);
    assert.match(await reasonOf(), /within a minute/);
    nowMs = 60_000;
    assert.match(await reasonOf(), /must be a JPEG/);
  });
});
