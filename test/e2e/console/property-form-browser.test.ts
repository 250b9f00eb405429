/** The form of a property as a browser shows it: on a phone, by keyboard, without script, in both languages. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { hotelWith, nights } from '../../kit/catalogue-lines.ts';
import { signInTo } from '../../kit/console-client.ts';
import { browserMissing, startBrowser, watchPage } from '../../kit/browser.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';
import { barriersOf } from '../../kit/page-barriers.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const FRONT = join(import.meta.dirname, '..', '..', 'fixtures', 'pictures', 'front.jpg');
const OPEN = nights('2026-12-01', '2026-12-31', { availability: 2, rate: '120.00' });

describe('The form of a property in a browser', { skip: browserMissing() }, () => {
  let running: Running;
  let browser: Browser;
  let folder: string;
  let cookie: { readonly name: string; readonly value: string; readonly url: string };
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stayport-form-'));
    running = await startInstallation([hotelWith('ponte', [OPEN])], { WEB_IMAGES: folder });
    const { installation, service } = running;
    const client = await signInTo(installation, service.operatorUrl, { role: 'operator' });
    const [name = '', value = ''] = client.cookie?.split('=') ?? [];
    cookie = { name, value, url: service.operatorUrl };
    browser = await startBrowser();
  });
  after(async () => {
    await browser.close();
    await running.installation.close();
    rmSync(folder, { recursive: true });
  });

  async function open(path: string, options: BrowserContextOptions): Promise<Page> {
    const context = await browser.newContext({ ...PHONE, ...options });
    await context.addCookies([cookie]);
    const page = await context.newPage();
    await page.goto(`${cookie.url}/console/${path}`);
    return page;
  }
  const overflows = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

  for (const [locale, colorScheme] of [
    ['en-GB', 'light'],
    ['it-IT', 'dark'],
  ] as const)
    it(`has no barrier on a phone, empty, filled and refused, in ${locale}`, async () => {
      for (const path of ['new-property', 'properties/ponte/edit']) {
        const page = await open(path, { locale, colorScheme });
        const { complaints } = watchPage(page);
        assert.equal(await page.locator('html').getAttribute('lang'), locale);
        assert.deepEqual(await barriersOf(page), [], path);
        assert.equal(await overflows(page), false, path);
        await page.fill('[name="bathrooms"]', 'two');
        await page.press('[name="bathrooms"]', 'Enter');
        await page.waitForSelector('#mistakes');
        assert.equal(await page.inputValue('[name="bathrooms"]'), 'two');
        assert.deepEqual(await barriersOf(page), [], `${path}, refused`);
        assert.equal(await overflows(page), false, `${path}, refused`);
        // The answer to a refused form is 422, which a browser writes down.
        assert.deepEqual(
          complaints.filter((text) => !/422/.test(text)),
          [],
        );
        await page.context().close();
      }
    });

  it('leads by keyboard from what is wrong to its field, and saves with the enter key', async () => {
    const page = await open('properties/ponte/edit', { locale: 'en-GB', javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Rooms and prices' }).press('Enter');
    await page.fill('[name="cleaningFee"]', '1,50,0');
    await page.press('[name="cleaningFee"]', 'Enter');
    await page.waitForSelector('#mistakes');
    assert.ok(await page.isVisible('[name="cleaningFee"]'), 'the section of the mistake is shown');
    await page.getByRole('link', { name: 'Legal' }).press('Enter');
    assert.equal(await page.isVisible('[name="cleaningFee"]'), false);
    await page.locator('#mistakes a').first().focus();
    await page.keyboard.press('Enter');
    assert.match(page.url(), /#cleaningFee$/);
    await page.fill('[name="cleaningFee"]', '1.50');
    await page.press('[name="cleaningFee"]', 'Enter');
    await page.waitForSelector('.good[role=status]');
    assert.equal(await page.inputValue('[name="cleaningFee"]'), '1.50');
    await page.context().close();
  });

  for (const javaScriptEnabled of [true, false])
    it(`shows one section at a time, ticks what is complete, and sends all, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const page = await open('new-property', { locale: 'en-GB', javaScriptEnabled });
      const shown = () =>
        page.locator('form.sheet > section').filter({ visible: true }).locator('h2').allInnerTexts();
      const ticked = () =>
        page
          .locator('.bar nav a:has(.tick)')
          .evaluateAll((all) => all.map((one) => one.id || one.textContent!.trim().split(' ')[0]));
      assert.deepEqual(await shown(), ['Basics']);
      assert.deepEqual(await ticked(), ['More'], 'which has its defaults');
      await page.fill('[name="name.en-GB"]', 'Casa Nuova');
      await page.getByRole('link', { name: 'Legal' }).press('Enter');
      assert.deepEqual(await shown(), ['Legal']);
      await page.fill('[name="seller"]', 'Ponte Srl');
      await page.press('[name="seller"]', 'Enter');
      await page.waitForSelector('#mistakes');
      assert.deepEqual(await shown(), ['Basics'], 'where the first mistake is');
      assert.equal(await page.inputValue('[name="name.en-GB"]'), 'Casa Nuova');
      assert.equal(await page.inputValue('[name="seller"]'), 'Ponte Srl');
      assert.deepEqual(await ticked(), ['Legal', 'More']);
      await page.context().close();
    });

  it('adds a row and a picture without a script, and keeps what was typed', async () => {
    const page = await open('properties/ponte/edit', { locale: 'en-GB', javaScriptEnabled: false });
    const section = (name: string) => page.getByRole('link', { name }).press('Enter');
    await section('Legal');
    await page.fill('[name="seller"]', 'Ponte Srl');
    await section('Rooms and prices');
    await page.press('button[name=add][value=taxes]', 'Enter');
    await page.waitForSelector('[name="taxes[0].code"]');
    assert.equal(await page.inputValue('[name="seller"]'), 'Ponte Srl');
    await section('Pictures');
    await page.setInputFiles('[name="file"]', FRONT);
    await page.press('button[name=upload]', 'Enter');
    await page.waitForSelector('[name="images[0].alt.en-GB"]');
    assert.equal(await page.inputValue('[name="seller"]'), 'Ponte Srl');
    await page.fill('[name="images[0].alt.en-GB"]', 'The front');
    assert.equal(await page.locator('img.thumb').count(), 1);
    await page.press('[name="images[0].alt.en-GB"]', 'Enter');
    await page.waitForSelector('.good[role=status]');
    const details = await running.installation.storage.findDetails('ponte');
    assert.equal(details?.seller, 'Ponte Srl');
    assert.equal(details.images.length, 1);
    await page.context().close();
  });
});
