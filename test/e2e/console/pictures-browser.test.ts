/** Pictures in the form of a property with script: several at once, beside the form, in order, and when things go wrong. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { UPLOAD_BYTES_MAX, UPLOAD_PATH } from '../../../src/console/pages/property-form/pictures.ts';
import { hotelWith, nights } from '../../kit/catalogue-lines.ts';
import { type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { browserMissing, startBrowser, watchPage } from '../../kit/browser.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';
import { animation, plainPicture } from '../../kit/made-pictures.ts';
import { barriersOf } from '../../kit/page-barriers.ts';

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const OPEN = nights('2026-12-01', '2026-12-31', { availability: 2, rate: '120.00' });
const IDS = ['ponte', 'torre', 'mulino', 'fienile', 'cantina', 'villa'];

interface Given {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A photo that no other one equals: its width tells which one it is. */
async function photo(width: number): Promise<Given> {
  return {
    name: `photo-${width}.jpg`,
    mimeType: 'image/jpeg',
    buffer: await plainPicture('jpg', width, 300),
  };
}

describe('Pictures of a property in a browser', { skip: browserMissing() }, () => {
  let running: Running;
  let browser: Browser;
  let folder: string;
  let client: ConsoleClient;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stayport-pictures-'));
    const name = { 'it-IT': 'Casa Ponte', 'en-GB': 'Bridge House' };
    running = await startInstallation(
      IDS.map((id) => hotelWith(id, [OPEN], { name })),
      { WEB_IMAGES: folder },
    );
    const { installation, service } = running;
    client = await signInTo(installation, service.operatorUrl, { role: 'operator' });
    browser = await startBrowser();
  });
  after(async () => {
    await browser.close();
    await running.installation.close();
    rmSync(folder, { recursive: true });
  });

  const url = (path: string): string => `${running.service.operatorUrl}${path}`;
  async function giveSession(context: BrowserContext, { cookie }: ConsoleClient): Promise<void> {
    const [name = '', value = ''] = cookie?.split('=') ?? [];
    await context.addCookies([{ name, value, url: running.service.operatorUrl }]);
  }
  async function open(id: string, options: BrowserContextOptions = DESKTOP, who = client): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    await giveSession(context, who);
    const page = await context.newPage();
    await page.goto(url(`/console/properties/${id}/edit#section-pictures`));
    return page;
  }
  /** In another section, from which one comes back to the pictures. */
  const fillSeller = async (page: Page, seller: string) => {
    await page.click('.bar nav a[href="#section-legal"]');
    await page.fill('[name="seller"]', seller);
    await page.click('.bar nav a[href="#section-pictures"]');
  };
  const choose = (page: Page, files: readonly Given[]) => page.setInputFiles('[name="file"]', [...files]);
  const cards = (page: Page, count: number) =>
    page.waitForFunction((wanted) => document.querySelectorAll('[data-card]').length === wanted, count);
  /** The widths of the pictures in their order. */
  const widths = (page: Page) =>
    page
      .locator('[data-card] [data-width]')
      .evaluateAll((inputs) => inputs.map((input) => Number((input as HTMLInputElement).value)));
  const save = async (page: Page) => {
    await page.click('.saves button');
    await page.waitForSelector('.good[role=status]');
  };
  const stored = async (id: string) =>
    ((await running.installation.storage.findDetails(id))?.images ?? []).map(({ width, alt }) => [
      width,
      alt,
    ]);

  for (const [id, options] of [
    ['ponte', { ...DESKTOP, locale: 'en-GB' }],
    ['torre', { ...PHONE, locale: 'it-IT', colorScheme: 'dark' }],
  ] as const)
    it(`are sent beside the form, each with its refusal, in order, in ${options.locale}`, async () => {
      const page = await open(id, options);
      const { requests } = watchPage(page);
      await fillSeller(page, 'Ponte Srl');
      const gif = { name: 'moves.webp', mimeType: 'image/webp', buffer: await animation() };
      await choose(page, [await photo(401), gif, await photo(402)]);
      // Too many bytes to be handed over to the browser.
      const large = join(folder, 'large.jpg');
      writeFileSync(large, '');
      truncateSync(large, UPLOAD_BYTES_MAX + 1);
      await page.setInputFiles('[name="file"]', large);
      await choose(page, [await photo(403)]);
      await cards(page, 3);
      await page.locator('.refused').nth(1).waitFor();
      assert.deepEqual(await widths(page), [401, 402, 403], 'as they were chosen');
      const [animated, tooLarge] = await page.locator('.refused').allInnerTexts();
      const isEnglish = options.locale === 'en-GB';
      assert.match(
        animated!,
        isEnglish ? /moves\.webp[\s\S]*holds several/ : /moves\.webp[\s\S]*più immagini/,
      );
      assert.match(
        tooLarge!,
        isEnglish ? /large\.jpg[\s\S]*at most 30 MB/ : /large\.jpg[\s\S]*al massimo 30 MB/,
      );
      assert.match(
        await page.innerText('[data-said]'),
        isEnglish ? /^3 of 5 pictures sent; 2 not taken$/ : /^3 immagini su 5 inviate; 2 non accettate$/,
      );
      assert.equal(await page.inputValue('[name="seller"]'), 'Ponte Srl');
      const posts = requests.filter((request) => request.startsWith('POST'));
      assert.deepEqual(new Set(posts), new Set([`POST ${url(UPLOAD_PATH)}`]), 'nothing else was sent');
      assert.deepEqual(await barriersOf(page), []);
      assert.equal(
        await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
        false,
      );
      assert.deepEqual(await stored(id), [], 'not before Save');
      await page.fill('[name="images[1].alt.en-GB"]', 'The hall');
      assert.equal(await page.locator('[data-suggested]:visible').count(), 3, 'in one of the languages');
      await page.fill('[name="images[1].alt.it-IT"]', 'L’ingresso');
      assert.equal(await page.locator('[data-suggested]:visible').count(), 2);
      await save(page);
      assert.deepEqual(await stored(id), [
        [401, { 'it-IT': 'Casa Ponte, foto 1', 'en-GB': 'Bridge House, picture 1' }],
        [402, { 'it-IT': 'L’ingresso', 'en-GB': 'The hall' }],
        [403, { 'it-IT': 'Casa Ponte, foto 3', 'en-GB': 'Bridge House, picture 3' }],
      ]);
      assert.equal(await page.locator('[data-suggested]:visible').count(), 2, 'still marked');
      await page.context().close();
    });

  it('change places by the keys of their grip and by dragging, and are told of it', async () => {
    const page = await open('ponte');
    await page.locator('[data-grip]').first().focus();
    await page.keyboard.press('ArrowDown');
    assert.deepEqual(await widths(page), [402, 401, 403]);
    assert.equal(await page.innerText('[data-announced]'), 'Picture 2 of 3');
    await page.keyboard.press('End');
    assert.deepEqual(await widths(page), [402, 403, 401]);
    assert.equal(
      await page.inputValue('[name="images[2].alt.en-GB"]'),
      'Bridge House, picture 3',
      'by its place',
    );
    assert.equal(await page.inputValue('[name="images[0].alt.en-GB"]'), 'The hall', 'as it was typed');
    await page.keyboard.press('Home');
    assert.deepEqual(await widths(page), [401, 402, 403]);
    const grip = page.locator('[data-grip]');
    await grip.nth(2).scrollIntoViewIfNeeded();
    const [from, to] = [await grip.nth(2).boundingBox(), await grip.nth(1).boundingBox()];
    await page.mouse.move(from!.x + 5, from!.y + 5);
    await page.mouse.down();
    await page.mouse.move(to!.x + 5, to!.y + 5, { steps: 5 });
    await page.mouse.up();
    assert.deepEqual(await widths(page), [401, 403, 402]);
    await page.locator('[data-card]').nth(0).locator('[name=remove]').click();
    assert.equal(await page.innerText('[data-announced]'), 'Picture removed; 2 left');
    await page.locator('[data-card]').nth(1).locator('[name=raise]').click();
    assert.deepEqual(await widths(page), [402, 403]);
    await save(page);
    assert.deepEqual(
      (await stored('ponte')).map(([width]) => width),
      [402, 403],
    );
    await page.context().close();
  });

  it('may be dropped on the page, and one that misses its place does not open in place of the form', async () => {
    const page = await open('mulino');
    await fillSeller(page, 'Mulino Srl');
    const files = await Promise.all([photo(411), photo(412)]);
    for (const selector of ['h1', '[data-drop]']) {
      const dropped = await page.evaluateHandle(
        (all) => {
          const transfer = new DataTransfer();
          for (const { name, mimeType, base64 } of all) {
            const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
            transfer.items.add(new File([bytes], name, { type: mimeType }));
          }
          return transfer;
        },
        files.map(({ buffer, ...file }) => ({ ...file, base64: buffer.toString('base64') })),
      );
      await page.dispatchEvent(selector, 'drop', { dataTransfer: dropped });
    }
    await cards(page, 2);
    assert.deepEqual(await widths(page), [411, 412]);
    assert.equal(await page.inputValue('[name="seller"]'), 'Mulino Srl');
    await page.context().close();
  });

  it('wait while the session has ended, go on after a sign-in in another tab, and one press of Save is enough', async () => {
    const { installation, service } = running;
    const bea = await signInTo(installation, service.operatorUrl, { role: 'operator', name: 'Bea' });
    const page = await open('fienile', DESKTOP, bea);
    await fillSeller(page, 'Fienile Srl');
    const sessions = await installation.storage.listConsoleSessions();
    const own = sessions.find(({ name }) => name === 'Bea')!;
    await installation.storage.endConsoleSessions(own.sessionId);
    await choose(page, await Promise.all([photo(421), photo(422), photo(423)]));
    await page.locator('[data-resume]').waitFor();
    assert.match(await page.innerText('[data-said]'), /signed out[\s\S]*Nothing is lost/);
    const again = await signInTo(installation, service.operatorUrl, { role: 'operator', name: 'Bea' });
    await giveSession(page.context(), again);
    await page.click('[data-resume]');
    await cards(page, 3);
    assert.equal(await page.inputValue('[name="seller"]'), 'Fienile Srl');
    await save(page);
    assert.deepEqual(
      (await stored('fienile')).map(([width]) => width),
      [421, 422, 423],
    );
    await page.context().close();
  });

  it('arrive before Save does, and what is not saved is not left without a question', async () => {
    const page = await open('cantina');
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.dismiss();
    });
    await choose(page, await Promise.all([photo(431), photo(432)]));
    await page.click('.side nav.whole a').catch(() => undefined);
    assert.deepEqual(questions, ['beforeunload']);
    await page.click('.saves button');
    await page.waitForSelector('.good[role=status]');
    assert.deepEqual(
      (await stored('cantina')).map(([width]) => width),
      [431, 432],
    );
    await page.goto(url('/console'));
    assert.deepEqual(questions, ['beforeunload'], 'no question where all is saved');
    await page.context().close();
  });

  it('of two people are all kept: the second is told, and saves both', async () => {
    const [one, other] = [await open('villa'), await open('villa')];
    await choose(one, [await photo(441)]);
    await choose(other, [await photo(442)]);
    await Promise.all([cards(one, 1), cards(other, 1)]);
    await save(one);
    await other.click('.saves button');
    await other.locator('.conflicts').waitFor();
    assert.deepEqual(await widths(other), [442], 'what this person chose');
    assert.match(await other.innerText('main'), /uploaded\/[0-9a-f]{40}/, 'and what the other one saved');
    assert.equal(readdirSync(join(folder, 'uploaded')).filter((name) => name.startsWith('.')).length, 0);
    await one.context().close();
    await other.context().close();
  });
});
