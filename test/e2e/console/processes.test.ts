/** The console of several processes and workers: a passkey that ends, a picture that is uploaded, many people at once. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { UPLOADS_MAX } from '../../../src/app/service/pictures/uploaded-pictures.ts';
import { canSharePorts } from '../../../src/app/workers/claimed-ports.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { type RunningServer, startServer, Workplace } from '../../kit/command-line.ts';
import { type ConsoleAnswer, ConsoleClient } from '../../kit/console-client.ts';
import { fieldsOfForm } from '../../kit/form-fields.ts';
import { plainPicture, readPicture } from '../../kit/made-pictures.ts';
import { SoftPasskey } from '../../kit/soft-passkey.ts';

const UPLOAD = '/console/properties/ponte/edit/property-save';
const PEOPLE = 12;
/** More than all may send in a minute. */
const UPLOADS_EACH = Math.ceil(UPLOADS_MAX / PEOPLE) + 1;
/** Connections are spread over workers by chance: all of them miss one once in 60,000 times. */
const READERS = 16;

/** A picture that no other one equals. */
const picture = async (number: number): Promise<Buffer> => plainPicture('png', 8 + number, 8);

describe('The console of several processes', { skip: !(await canSharePorts()) }, () => {
  const workplace = new Workplace();
  let first: RunningServer;
  let second: RunningServer;
  before(async () => {
    const images = join(workplace.directory, 'images');
    mkdirSync(images);
    const settings = { WEB_PORT: '0', WEB_IMAGES: images, WEB_LIMIT: '0' };
    await workplace.json(['migrate']);
    await workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(hotel('ponte')) });
    first = await startServer(workplace, { ...settings, WORKERS: '2' });
    second = await startServer(workplace, settings);
  });
  after(() => workplace.remove());

  async function signIn(name: string, { operatorUrl }: RunningServer): Promise<ConsoleClient> {
    const { url } = await workplace.json(['console', 'link', '--name', name, '--role', 'admin']);
    const client = new ConsoleClient(operatorUrl);
    const answer = await client.post('/console/sign-in', { link: new URL(url).searchParams.get('link')! });
    client.cookie = answer.headers['set-cookie']?.[0]?.split(';')[0];
    return client;
  }

  /** As the page of passkeys does it, at `localhost`. */
  async function ceremony(
    client: ConsoleClient,
    path: string,
    sign: (options: { challenge: string }) => string,
  ): Promise<ConsoleAnswer> {
    const host = `localhost:${new URL(client.url).port}`;
    const headers = { accept: 'application/json', 'sec-fetch-site': 'same-origin', host };
    const form = client.cookie === undefined ? {} : { form: await client.formToken() };
    const options = await client.post(`${path}-options`, { credential: '', ...form }, headers);
    const answer = await client.post(
      path,
      { credential: sign(JSON.parse(options.text) as { challenge: string }), ...form },
      headers,
    );
    assert.equal(answer.status, 200, answer.text);
    return answer;
  }

  it('ends the sessions of a passkey in each of them, as soon as the command has ended', async () => {
    const passkey = new SoftPasskey(`http://localhost:${new URL(first.operatorUrl).port}`);
    const ada = await signIn('Ada', first);
    const registered = await ceremony(ada, '/console/passkeys/passkey-register', (options) =>
      passkey.register(options),
    );
    const { passkeyId } = JSON.parse(registered.text) as { passkeyId: string };
    const clients = [];
    for (const server of [first, second]) {
      const origin = `http://localhost:${new URL(server.operatorUrl).port}`;
      const visitor = new ConsoleClient(server.operatorUrl);
      const answer = await ceremony(visitor, '/console/sign-in-passkey', (options) =>
        passkey.signIn(options, { origin }),
      );
      const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0];
      // A session that one process opened is good in the other.
      for (const { operatorUrl } of [first, second]) clients.push(new ConsoleClient(operatorUrl, cookie));
    }
    for (const client of clients) assert.equal((await client.get('/console')).status, 200);
    await workplace.json(['console', 'passkeys', 'end', passkeyId]);
    for (const client of clients) assert.equal((await client.get('/console')).location, '/console/sign-in');
    assert.equal((await ada.get('/console')).status, 200, 'the session that a link opened goes on');
  });

  it('sends a picture from each worker and process as soon as it is uploaded', async () => {
    const client = await signIn('Bea', first);
    const bytes = await picture(0);
    const { text, status } = await client.upload(UPLOAD, { name: 'a.png', bytes }, { upload: '1' });
    assert.equal(status, 200, text);
    const src = /name="images\[0\]\.src"[^>]*value="([^"]*)"/.exec(text)?.[1];
    const urls = [first, second].flatMap(({ webUrl }) =>
      Array.from({ length: READERS }, () => `${webUrl}/images/${src}`),
    );
    const sent = await Promise.all(urls.map((url) => fetch(url, { headers: { connection: 'close' } })));
    const { pixels } = await readPicture(bytes);
    for (const answer of sent) {
      assert.equal(answer.status, 200);
      assert.deepEqual((await readPicture(Buffer.from(await answer.arrayBuffer()))).pixels, pixels);
    }
  });

  it('saves a picture after the process that took it was killed, and goes on with the same session', async () => {
    const settings = { WEB_PORT: '0', WEB_IMAGES: join(workplace.directory, 'images'), WEB_LIMIT: '0' };
    const third = await startServer(workplace, settings);
    const client = await signIn('Carla', third);
    const uploaded = await client.upload(
      UPLOAD,
      { name: 'a.png', bytes: await picture(500) },
      { upload: '1' },
    );
    const src = fieldsOfForm(uploaded.text, 'property-save').get('images[0].src')!;
    third.child.kill('SIGKILL');
    await third.ended;
    const fourth = await startServer(workplace, settings);
    const again = new ConsoleClient(fourth.operatorUrl, client.cookie);
    const { text } = await again.get('/console/properties/ponte/edit');
    const form = Object.fromEntries(fieldsOfForm(text, 'property-save'));
    const shown = { 'alt.it-IT': 'Il ponte', 'alt.en-GB': 'The bridge', width: '508', height: '8', src };
    const fields = Object.entries(shown).map(([name, value]) => [`images[0].${name}`, value]);
    const saved = await again.post(UPLOAD, { ...form, ...Object.fromEntries(fields) });
    assert.equal(saved.status, 303, saved.text);
    const image = await fetch(`${fourth.webUrl}/images/${src}`);
    assert.equal(image.status, 200, 'the file was whole before the answer');
    assert.equal((await readPicture(Buffer.from(await image.arrayBuffer()))).pixels.length > 0, true);
    const { images } = await workplace.json(['property', 'show', 'ponte']);
    assert.deepEqual(
      images.map((one: { src: string }) => one.src),
      [src],
    );
    fourth.child.kill('SIGTERM');
    await fourth.ended;
  });

  it('takes as many pictures at once and in a minute as it says, refuses the rest in words, and goes on', async () => {
    const people = [];
    for (let index = 0; index < PEOPLE; index += 1) people.push(await signIn(`Person ${index}`, second));
    // Before the crowd: a session may have only so many requests under way.
    for (const client of people) await client.formToken();
    const uploads = people.flatMap((client, person) =>
      Array.from({ length: UPLOADS_EACH }, async (_none, index) => {
        const bytes = await picture(1 + person * UPLOADS_EACH + index);
        return client.upload(UPLOAD, { name: 'a.png', bytes }, { upload: '1' });
      }),
    );
    const answers = await Promise.all(uploads);
    const taken = answers.filter(({ status }) => status === 200);
    const others = answers.filter(({ status }) => status !== 200);
    for (const { status, text, headers } of others) {
      if (status === 422)
        assert.match(text, /più di 240 immagini in un minuto|si stanno leggendo altre immagini/);
      // A busy machine may let a body wait for longer than it may stand still.
      else if (status === 400) assert.match(text, /took too long to arrive/);
      else assert.deepEqual([status, headers['retry-after']?.length], [503, 1]);
    }
    // A minute may begin in between.
    assert.ok(taken.length > 0 && taken.length <= 2 * UPLOADS_MAX, String(taken.length));
    assert.equal((await people[0]!.get('/console')).status, 200);
  });
});
