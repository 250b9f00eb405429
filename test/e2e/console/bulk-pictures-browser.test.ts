/** Pictures of many properties: a folder of photos, matched, sent, put in order and saved with a few actions. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { AuditRow } from '../../../src/access/audit-trail.ts';
import { hotelWith } from '../../kit/catalogue-lines.ts';
import { type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { browserMissing, startBrowser, watchPage } from '../../kit/browser.ts';
import { plainPicture } from '../../kit/made-pictures.ts';
import { barriersOf } from '../../kit/page-barriers.ts';
import { callSupply, startSupply, type SupplyRunning } from '../../kit/supply-client.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const FLATS = 8;
const flat = (number: number): string => `flat-${String(number).padStart(2, '0')}`;

describe('Pictures of many properties in a browser', { skip: browserMissing() }, () => {
  let running: SupplyRunning;
  let browser: Browser;
  let folder: string;
  let photos: string;
  let client: ConsoleClient;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stayport-bulk-'));
    photos = join(folder, 'Photos');
    mkdirSync(join(folder, 'images'));
    const ids = Array.from({ length: FLATS }, (_none, index) => flat(index + 1));
    running = await startSupply(
      [...ids, 'hall'].map((id) => hotelWith(id, [], { name: `House ${id}` })),
      { WEB_IMAGES: join(folder, 'images') },
    );
    const put = await callSupply(running.service.operatorUrl, 'PUT', 'properties/pms-flat', {
      token: running.pmsToken,
      body: hotelWith('pms-flat', []),
    });
    assert.ok(put.status < 300);
    let width = 100;
    const add = async (path: string): Promise<void> => {
      mkdirSync(join(photos, path, '..'), { recursive: true });
      writeFileSync(join(photos, path), await plainPicture('jpg', (width += 1), 80));
    };
    for (const id of ids) for (const name of ['1.jpg', '2.jpg']) await add(`${id}/${name}`);
    // Numbers are numbers: 10 comes behind 2.
    await add('flat-01/10.jpg');
    await add('flat-02-3.jpg');
    await add('pms-flat/1.jpg');
    await add('Summer/DSC1.jpg');
    await add('Summer/DSC2.jpg');
    writeFileSync(join(photos, 'notes.txt'), 'no picture');
    // What systems put there is not counted.
    for (const name of ['Thumbs.db', '.DS_Store', '._1.jpg', 'desktop.ini'])
      writeFileSync(join(photos, name), 'no picture');
    client = await signInTo(running.installation, running.service.operatorUrl, { role: 'operator' });
    browser = await startBrowser();
  });
  after(async () => {
    await browser.close();
    await running.installation.close();
    rmSync(folder, { recursive: true });
  });

  async function open(options: BrowserContextOptions): Promise<Page> {
    const context = await browser.newContext(options);
    const [name = '', value = ''] = client.cookie?.split('=') ?? [];
    await context.addCookies([{ name, value, url: client.url }]);
    const page = await context.newPage();
    await page.goto(`${client.url}/console/pictures`);
    return page;
  }
  const widthsOf = async (id: string) =>
    ((await running.installation.storage.findDetails(id))?.images ?? []).map(({ width }) => width);

  it('find their property by folder and name, and are saved in order by one button; the rest is named', async () => {
    const page = await open({ viewport: { width: 1_280, height: 900 }, locale: 'en-GB' });
    const { complaints } = watchPage(page);
    await page.setInputFiles('#folder', photos);
    const count = 2 * FLATS + 5;
    await page.waitForFunction((wanted) => document.querySelectorAll('[data-card]').length === wanted, count);
    assert.equal(await page.innerText('[data-status]'), '1 files are not pictures, and are left out.');
    assert.match(await page.innerText('[data-said]'), new RegExp(`^${count} of ${count} pictures sent`));
    assert.deepEqual(await barriersOf(page), []);
    const loose = page.locator('.group', { hasText: 'No property for: Photos/Summer' });
    await loose.locator('[data-property]').fill('nowhere');
    await loose.locator('[data-assign] button').click();
    await loose.locator('[data-problem]', { hasText: 'There is no property nowhere.' }).waitFor();
    await loose.locator('[data-property]').fill('hall');
    await loose.locator('[data-assign] button').click();
    const hall = page.locator('.group', { hasText: 'House hall (hall)' });
    await hall.locator('[data-grip]').first().focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.innerText('[data-announced]'), 'Picture 2 of 2');
    await page.click('[data-save]');
    await page.locator('[data-status]', { hasText: 'Saved, but for 1 groups' }).waitFor();
    const foreign = page.locator('.group', { hasText: 'pms-flat' });
    assert.match(await foreign.innerText(), /belongs to another source/);
    assert.equal(await foreign.locator('[data-card]').count(), 1, 'its picture is not lost');
    assert.deepEqual(await widthsOf('flat-01'), [101, 102, 100 + 2 * FLATS + 1], 'as numbers count');
    assert.deepEqual(await widthsOf('flat-02'), [100 + 2 * FLATS + 2, 103, 104], 'by their paths');
    assert.deepEqual(await widthsOf('hall'), [100 + 2 * FLATS + 5, 100 + 2 * FLATS + 4]);
    for (let number = 3; number <= FLATS; number += 1) assert.equal((await widthsOf(flat(number))).length, 2);
    const details = await running.installation.storage.findDetails('flat-01');
    assert.deepEqual(details?.images[2]?.alt, {
      'it-IT': 'House flat-01, foto 3',
      'en-GB': 'House flat-01, picture 3',
    });
    assert.deepEqual(complaints, []);
    const rows = await client.rows<readonly AuditRow[]>('/console/audit');
    assert.equal(rows.filter(({ act, on }) => act === 'property save' && on === 'flat-01').length, 1);
    await page.context().close();
  });

  it('are added behind those that are there, on a phone, in Italian', async () => {
    const page = await open({ ...PHONE, locale: 'it-IT', colorScheme: 'dark' });
    const file = {
      name: 'flat-03-9.jpg',
      mimeType: 'image/jpeg',
      buffer: await plainPicture('jpg', 300, 80),
    };
    const again = { name: 'flat-03-8.jpg', mimeType: 'image/jpeg', buffer: file.buffer };
    await page.setInputFiles('#files', [file, again]);
    await page.locator('.refused', { hasText: 'è già tra le immagini' }).waitFor();
    await page.locator('[data-card]').waitFor();
    assert.match(await page.innerText('main .group'), /finora 2/);
    assert.deepEqual(await barriersOf(page), []);
    assert.equal(
      await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
      false,
    );
    await page.locator('[data-leave]').click();
    await page.click('[data-save]');
    await page.locator('[data-status]', { hasText: 'Tutte le immagini sono salvate.' }).waitFor();
    assert.deepEqual(await widthsOf('flat-03'), [105, 106, 300]);
    await page.context().close();
  });

  it('are matched by the name of their property too, and HEIC is named with what to do', async () => {
    const names = ['House Hall/1.jpg', 'house-flat_04 2.jpg', 'hòuse hall 3.jpg', 'House/1.jpg'].join('\n');
    const json = { accept: 'application/json', 'sec-fetch-site': 'same-origin' };
    const { text } = await client.act('/console/pictures/pictures-match', { names }, json);
    const { matches } = JSON.parse(text) as { matches: ({ propertyId: string } | null)[] };
    assert.deepEqual(
      matches.map((match) => match?.propertyId),
      ['hall', 'flat-04', 'hall', undefined],
    );
    const page = await open({ viewport: { width: 1_280, height: 900 }, locale: 'en-GB' });
    await page.setInputFiles('#files', [
      { name: 'hall-7.HEIC', mimeType: 'image/heic', buffer: Buffer.from('x') },
    ]);
    await page
      .locator('.refused', { hasText: 'is HEIC, which browsers do not show: save it as JPEG' })
      .waitFor();
    assert.equal(await page.innerText('[data-status]'), '');
    await page.context().close();
  });

  it('are for those who may change properties, and bounded', async () => {
    const viewer = await signInTo(running.installation, client.url, { role: 'viewer' });
    assert.doesNotMatch((await viewer.get('/console/pictures')).text, /type="file"/);
    assert.equal(
      (await viewer.act('/console/pictures/pictures-save', { picture: 'hall a.jpg 1 1' })).status,
      403,
    );
    const json = { accept: 'application/json', 'sec-fetch-site': 'same-origin' };
    const save = async (picture: string) => client.act('/console/pictures/pictures-save', { picture }, json);
    for (const [picture, reason] of [
      ['hall ../../etc/passwd 1 1', /percorso sotto la cartella|path below the folder/],
      ['hall uploaded/a.jpg x 1', /whole number|numero intero/],
      ['nobody uploaded/a.jpg 1 1', /nobody/],
      ['', /""/],
    ] as const) {
      const answer = await save(picture);
      assert.equal(answer.status, 200, answer.text);
      assert.match(JSON.parse(answer.text).properties[0].reason, reason);
    }
    const names = 'x\n'.repeat(1_001);
    assert.equal((await client.act('/console/pictures/pictures-match', { names }, json)).status, 422);
  });
});
