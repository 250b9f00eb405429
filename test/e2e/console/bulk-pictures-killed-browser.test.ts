/** Pictures of many properties while the service is killed: between two of them, and between sending and saving. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { hotelWith } from '../../kit/catalogue-lines.ts';
import { browserMissing, startBrowser } from '../../kit/browser.ts';
import { type RunningServer, startServer, Workplace } from '../../kit/command-line.ts';
import { drawing } from '../../kit/made-pictures.ts';
import { type ReservedPort, reservePort } from '../../kit/reserved-port.ts';

const FLATS = ['flat-1', 'flat-2', 'flat-3'];
const PICTURES_EACH = 4;
/** The longest that the page waits before it sends a refused picture again, and a start on a busy machine. */
const GOES_ON_MS_MAX = 120_000;

describe('Pictures of many properties, sent to a service that is killed', { skip: browserMissing() }, () => {
  const workplace = new Workplace();
  const images = join(workplace.directory, 'images');
  const photos = join(workplace.directory, 'Photos');
  let reserved: ReservedPort;
  let server: RunningServer;
  let browser: Browser;
  let page: Page;

  before(async () => {
    reserved = await reservePort();
    mkdirSync(images);
    const lines = FLATS.map((id) => JSON.stringify(hotelWith(id, [], { name: id })));
    await workplace.json(['import', 'catalogue', '-'], { input: lines.join('\n') });
    let width = 1_000;
    for (const id of FLATS) {
      mkdirSync(join(photos, id), { recursive: true });
      for (let number = 1; number <= PICTURES_EACH; number += 1)
        writeFileSync(
          join(photos, id, `${number}.jpg`),
          await drawing((width += 1), 2_000)
            .jpeg()
            .toBuffer(),
        );
    }
    await start();
    browser = await startBrowser();
    page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    const { url } = await workplace.json(['console', 'link', '--name', 'Ada', '--role', 'operator']);
    await page.goto(`${server.operatorUrl}${new URL(url).pathname}${new URL(url).search}`);
    await page.click('[data-act="sign-in"] button');
    await page.goto(`${server.operatorUrl}/console/pictures`);
  });
  after(async () => {
    await browser?.close();
    await workplace.remove();
    await reserved?.release();
  });

  async function start(): Promise<void> {
    server = await startServer(workplace, { OPERATOR_PORT: String(reserved.port), WEB_IMAGES: images });
  }
  async function kill(): Promise<void> {
    server.child.kill('SIGKILL');
    await server.ended;
  }
  const cards = (count: number) =>
    page.waitForFunction((least) => document.querySelectorAll('[data-card]').length >= least, count, {
      timeout: GOES_ON_MS_MAX,
    });
  const imagesOf = async (id: string): Promise<readonly { src: string; width: number }[]> =>
    (await workplace.json(['property', 'show', id])).images;

  it('says that they wait, goes on where it was, and saves each of them once', async () => {
    await page.setInputFiles('#folder', photos);
    await cards(2);
    await kill();
    await page.locator('[data-resume]').waitFor();
    assert.match(await page.innerText('[data-said]'), /^The server does not answer\. Nothing is lost/);
    await start();
    await page.click('[data-resume]');
    await cards(FLATS.length * PICTURES_EACH);
    await kill();
    await page.click('[data-save]');
    const status = page.locator('[data-status]', { hasText: 'The server does not answer.' });
    await status.waitFor();
    assert.equal(await page.locator('[data-card]').count(), FLATS.length * PICTURES_EACH);
    await start();
    await page.click('[data-save]');
    await page.locator('[data-status]', { hasText: 'All pictures are saved.' }).waitFor();
    let width = 1_000;
    for (const id of FLATS)
      assert.deepEqual(
        (await imagesOf(id)).map((image) => image.width),
        Array.from({ length: PICTURES_EACH }, () => (width += 1)),
      );
    const named = (await Promise.all(FLATS.map(imagesOf))).flat().map(({ src }) => src.split('/').at(-1)!);
    const stored = new Set(readdirSync(join(images, 'uploaded')));
    assert.deepEqual(
      named.filter((name) => !stored.has(name)),
      [],
    );
  });

  it('saves no picture twice where the answer to a Save was lost', async () => {
    const before = await imagesOf('flat-1');
    const { src, width } = before[0]!;
    const answer = await page.evaluate(
      async ({ picture }) => {
        const form = document.querySelector<HTMLInputElement>('input[name="form"]')!.value;
        const body = new URLSearchParams({ form, picture, language: 'en-GB' });
        const headers = { accept: 'application/json' };
        return await (
          await fetch('/console/pictures/pictures-save', { method: 'POST', body, headers })
        ).json();
      },
      { picture: `flat-1 ${src} ${width} 2000` },
    );
    assert.equal(answer.properties[0].reason, null);
    assert.deepEqual(await imagesOf('flat-1'), before);
  });
});
