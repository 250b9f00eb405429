/** The console's pages of what happened, as a browser shows them: with and without script, dark and light, alone. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { SAMPLE_PARTNER, writeSampleActivity } from '../../../src/app/cli/demo/sample-activity.ts';
import { browserMissing, startBrowser, watchPage } from '../../kit/browser.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { signInTo } from '../../kit/console-client.ts';
import { type Installation, type Served, startInstallation } from '../../kit/installation.ts';
import { barriersOf } from '../../kit/page-barriers.ts';
import { brokenWords } from '../../kit/page-reflow.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  'a dark phone in Italian without script': {
    ...PHONE,
    locale: 'it-IT',
    colorScheme: 'dark',
    javaScriptEnabled: false,
  },
  'a dark desktop in Italian': { ...DESKTOP, locale: 'it-IT', colorScheme: 'dark' },
  'a light desktop in English': { ...DESKTOP, locale: 'en-GB', colorScheme: 'light' },
};
/** The longest that a catalogue may have, of two words that are wider than a phone. */
const LONG_CITY = `${'Llanfairpwllgwyngyll'.repeat(3).slice(0, 59)} ${'gogerychwyrndrobwll'.repeat(4).slice(0, 60)}`;
const CITIES = [
  { city: LONG_CITY, country: 'GB', properties: 40 },
  { city: 'Venezia', country: 'IT', properties: 40 },
  { city: 'Antwerp', country: 'BE', properties: 40 },
];

describe('What happened, in a browser', { skip: browserMissing() }, () => {
  let installation: Installation;
  let service: Served;
  let browser: Browser;
  let cookie: { readonly name: string; readonly value: string };
  let paths: readonly string[];
  before(async () => {
    const running = await startInstallation([hotel('ponte')]);
    ({ installation, service } = running);
    const clock = (): number => installation.time.nowMs;
    await writeSampleActivity({ storage: installation.storage, clock, cities: CITIES });
    const stay = { checkIn: '2026-12-10', checkOut: '2026-12-12', guests: 2 };
    await running.partner.search({ city: 'Venezia', ...stay });
    await running.partner.search({ city: LONG_CITY, ...stay });
    const operator = await signInTo(installation, service.operatorUrl, { role: 'operator' });
    const [name = '', value = ''] = operator.cookie!.split('=');
    cookie = { name, value };
    const [row] = await operator.rows<{ correlationId: string }[]>('/console/requests');
    paths = ['', '/requests', `/requests/${row!.correlationId}`, '/funnel', '/demand'];
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await installation.close();
  });

  async function openIn(look: BrowserContextOptions): Promise<Page> {
    const context = await browser.newContext(look);
    await context.addCookies([{ ...cookie, url: service.operatorUrl }]);
    return context.newPage();
  }

  for (const [name, look] of Object.entries(LOOKS)) {
    it(`shows each page on ${name}: accessible, within the width, without another host`, async () => {
      const context = await browser.newContext(look);
      await context.addCookies([{ ...cookie, url: service.operatorUrl }]);
      const page = await context.newPage();
      const { requests, complaints } = watchPage(page);
      for (const path of paths) {
        await page.goto(`${service.operatorUrl}/console${path}`, { waitUntil: 'networkidle' });
        assert.equal(await page.locator('h1').count(), 1, path);
        const byteCount = Buffer.byteLength(await page.content());
        assert.ok(byteCount < 60_000, `${path} ${byteCount}`);
        if (look.javaScriptEnabled !== false) assert.deepEqual(await barriersOf(page), [], path);
        const { width } = look.viewport!;
        const box = await page.locator('main').boundingBox();
        assert.ok(box !== null && box.width <= width, `${path} ${box?.width}`);
      }
      assert.deepEqual(complaints, []);
      const others = requests.filter((request) => !request.startsWith(`GET ${service.operatorUrl}/console`));
      assert.deepEqual(others, []);
      await context.close();
    });
  }

  it('keeps numbers in sight beside a long name, on each screen and on paper', async () => {
    for (const [width, media] of [
      [390, 'screen'],
      [1280, 'screen'],
      [718, 'print'],
    ] as const) {
      const page = await (await browser.newContext({ viewport: { width, height: 800 } })).newPage();
      await page.context().addCookies([{ ...cookie, url: service.operatorUrl }]);
      await page.emulateMedia({ media });
      await page.goto(`${service.operatorUrl}/console/demand`);
      const share = await page.locator('[data-city] [data-week=all]').first().boundingBox();
      assert.ok(share!.x + share!.width <= width, `${width} ${media}: ${share!.x}`);
      await page.goto(`${service.operatorUrl}/console/requests`);
      const cutAt = `[...document.querySelectorAll('.wide')].filter((box) => box.scrollWidth > box.clientWidth).length`;
      assert.equal(await page.evaluate(cutAt), 0, `${width} ${media}`);
      await page.context().close();
    }
  });

  it('breaks no word of a table between its letters on a wide screen', async () => {
    const page = await (await browser.newContext(DESKTOP)).newPage();
    await page.context().addCookies([{ ...cookie, url: service.operatorUrl }]);
    for (const path of ['/demand', '/requests', '/partners', '/audit']) {
      await page.goto(`${service.operatorUrl}/console${path}`);
      assert.deepEqual(await brokenWords(page), [], path);
    }
    await page.context().close();
  });

  it('keeps each option of a command on one line', async () => {
    const page = await (await browser.newContext({ viewport: { width: 320, height: 800 } })).newPage();
    await page.context().addCookies([{ ...cookie, url: service.operatorUrl }]);
    const linesOf = `[...document.querySelectorAll('code span')].map((option) => option.getClientRects().length)`;
    for (const path of ['/demand', '/funnel']) {
      await page.goto(`${service.operatorUrl}/console${path}`);
      const lines = new Set((await page.evaluate(linesOf)) as readonly number[]);
      assert.deepEqual([...lines], [1], path);
    }
    await page.context().close();
  });

  it('draws the funnel from its table, and shows the table alone without script', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ ...DESKTOP, locale: 'en-GB', javaScriptEnabled });
      await context.addCookies([{ ...cookie, url: service.operatorUrl }]);
      const page = await context.newPage();
      await page.goto(`${service.operatorUrl}/console/funnel`, { waitUntil: 'networkidle' });
      assert.equal(await page.locator('.plot canvas').count(), javaScriptEnabled ? 2 : 0);
      assert.equal(await page.locator('.steps li').count(), 6);
      await page.locator('main details summary').first().click();
      const days = await page
        .locator('.by-day tbody time')
        .evaluateAll((times) => times.map((time) => time.getAttribute('datetime') ?? ''));
      assert.ok(days.length > 0 && days.length < 30, 'days without anything are left out');
      assert.deepEqual(days, days.toSorted().toReversed(), 'newest first');
      assert.ok((await page.locator('main').innerText()).includes(SAMPLE_PARTNER.partnerId));
      await context.close();
    }
  });

  it('keeps the drawing code under 50 KB, for as long as its name stays', async () => {
    const page = await fetch(`${service.operatorUrl}/console/funnel`, {
      headers: { cookie: `${cookie.name}=${cookie.value}` },
    });
    const script = /src="([^"]*plot-[0-9a-f]+\.js)"/.exec(await page.text())?.[1];
    const own = await (await fetch(new URL(script!, `${service.operatorUrl}/console/funnel`))).text();
    const library = /from '\.\/(uplot-[0-9a-f]+\.js)'/.exec(own)?.[1];
    const answer = await fetch(`${service.operatorUrl}/console/assets/${library}`);
    assert.ok((await answer.arrayBuffer()).byteLength <= 50 * 1_024);
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
  });

  it('tells times in the zone of the reader, in UTC by a button, and in UTC alone without script', async () => {
    const rome = { ...DESKTOP, locale: 'en-GB', timezoneId: 'Europe/Rome' };
    const page = await openIn(rome);
    await page.goto(`${service.operatorUrl}/console/requests`);
    await page.locator('.page-menu summary').press('Enter');
    const foot = page.locator('[data-in-utc]');
    const shown = foot.locator('time');
    const utc = new Date(installation.time.nowMs).toISOString().slice(11, 16);
    const own = new Date(installation.time.nowMs + 3_600_000).toISOString().slice(11, 16);
    assert.match(await shown.innerText(), new RegExp(`^${own} (CET|GMT\\+1)$`));
    assert.equal(await shown.getAttribute('title'), `${utc} UTC`);
    const button = foot.locator('button');
    await button.press('Enter');
    assert.equal(await shown.innerText(), `${utc} UTC`);
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    assert.deepEqual(await barriersOf(page), []);
    await button.press('Enter');
    assert.match(await shown.innerText(), /^\d\d:\d\d (CET|GMT\+1)$/);
    await page.context().close();
    for (const plain of [
      { ...rome, javaScriptEnabled: false },
      { ...rome, timezoneId: 'UTC' },
    ]) {
      const other = await openIn(plain);
      await other.goto(`${service.operatorUrl}/console/requests`);
      await other.locator('.page-menu summary').press('Enter');
      assert.equal(await other.locator('[data-in-utc] time').innerText(), `${utc} UTC`);
      assert.equal(await other.locator('[data-in-utc] button').count(), 0);
      await other.context().close();
    }
  });
});
