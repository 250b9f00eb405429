/** The frame of the console in a browser: groups by role, where one is, the main act, and the menu, with and without script. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Role } from '../../../src/access/console-sessions.ts';
import { browserMissing, startBrowser } from '../../kit/browser.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { signInTo } from '../../kit/console-client.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';
import { barriersOf } from '../../kit/page-barriers.ts';
import { enlarge, ENLARGEMENTS, textFaults } from '../../kit/page-reflow.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-GB' };
const DESKTOP = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' };
/** As long as a name may be in a list, in words and in one piece. */
const LONG_NAME = 'Casa '.repeat(33);
const RIGHT_TO_LEFT = 'בית על הגשר '.repeat(10);

describe('The frame of the console in a browser', { skip: browserMissing() }, () => {
  let running: Running;
  let browser: Browser;
  before(async () => {
    running = await startInstallation([
      hotel('ponte'),
      hotel('long', { name: LONG_NAME }),
      hotel('rtl', { name: RIGHT_TO_LEFT }),
    ]);
    browser = await startBrowser();
  });
  after(async () => {
    await browser.close();
    await running.installation.close();
  });

  async function open(role: Role, options: BrowserContextOptions): Promise<Page> {
    const { installation, service } = running;
    const client = await signInTo(installation, service.operatorUrl, { role, name: LONG_NAME.trim() });
    const [name = '', value = ''] = client.cookie?.split('=') ?? [];
    const context = await browser.newContext(options);
    await context.addCookies([{ name, value, url: service.operatorUrl }]);
    return context.newPage();
  }
  const go = (page: Page, path: string) => page.goto(`${running.service.operatorUrl}/console${path}`);
  const seen = (page: Page, selector: string): Promise<readonly string[]> =>
    page.locator(selector).filter({ visible: true }).allInnerTexts();

  it('has the pages in groups beside the page; a viewer has those with something to see', async () => {
    const all = ['Today', 'Properties', 'Supply', 'Pictures', 'Partners', 'Requests', 'Funnel', 'Demand'];
    const settings = ['Site', 'Checks', 'People', 'Tokens', 'Audit'];
    for (const [role, pages] of [
      ['admin', [...all, ...settings]],
      ['viewer', [...all, ...settings].filter((name) => name !== 'Pictures')],
    ] as const) {
      const page = await open(role, DESKTOP);
      await go(page, '');
      const links = await seen(page, 'header nav a');
      assert.deepEqual(
        links.filter((name) => name !== 'Set-up'),
        pages,
        role,
      );
      assert.deepEqual(await seen(page, 'header .group'), ['Sell', 'Partners', 'Learn', 'Settings']);
      const side = (await page.locator('header').boundingBox())!;
      const main = (await page.locator('main').boundingBox())!;
      assert.ok(side.x + side.width <= main.x, 'beside the page');
      await page.context().close();
    }
  });

  it('marks the page that one is on, or that it belongs to, and leads to those above it', async () => {
    const page = await open('admin', DESKTOP);
    for (const [path, current, kind, above] of [
      ['', 'Today', 'page', []],
      ['/properties', 'Properties', 'page', ['Sell']],
      ['/properties/ponte', 'Properties', 'true', ['Sell', 'Properties']],
      [
        '/properties/ponte/nights/double/2026-12-03',
        'Properties',
        'true',
        ['Sell', 'Properties', 'Hotel ponte'],
      ],
      ['/import', 'Properties', 'true', ['Sell', 'Properties']],
      ['/partners/acme', 'Partners', 'true', ['Partners']],
      ['/passkeys', 'People', 'true', ['Settings', 'People']],
      ['/settings', 'Site', 'page', ['Settings']],
      ['/settings/legal', 'Site', 'true', ['Settings', 'Site']],
      ['/settings/checks', 'Checks', 'page', ['Settings']],
    ] as const) {
      await go(page, path);
      const marked = page.locator('header [aria-current]').filter({ visible: true });
      assert.deepEqual(await marked.allInnerTexts(), [current], path);
      assert.equal(await marked.getAttribute('aria-current'), kind, path);
      assert.deepEqual(await seen(page, '.where > *'), above, path);
    }
    await go(page, '/properties/ponte/nights/double/2026-12-03');
    await page.locator('.where a').last().click();
    assert.equal(await page.locator('main').getAttribute('data-page'), 'property');
    await page.context().close();
  });

  it('has the main act as the first stop of Tab behind the skip link, for roles that may use it', async () => {
    for (const [role, path, act, lands] of [
      ['admin', '/partners', 'Create a partner', 'name'],
      ['admin', '/partners/acme', 'Issue a credential', 'scope'],
      ['admin', '/supply', 'Subscribe to a calendar', 'property'],
      ['viewer', '/partners', null, null],
    ] as const) {
      const page = await open(role, DESKTOP);
      await go(page, path);
      await page.keyboard.press('Tab');
      const focused = () => page.evaluate('document.activeElement.textContent');
      assert.equal(await focused(), 'Skip to the content', path);
      await page.keyboard.press('Tab');
      if (act === null) assert.equal(await page.locator('[data-main-act]').count(), 0);
      else {
        assert.equal(await focused(), act);
        await page.keyboard.press('Enter');
        await page.waitForURL('**form=**');
        await page.locator(`main details[open] [name="${lands}"]:focus`).first().waitFor();
      }
      await page.context().close();
    }
  });

  it('leads to the act that a page shows among its parts, for roles that may use it', async () => {
    for (const [path, act, id] of [
      ['/import', 'Choose a file', 'catalogue-file'],
      ['/pictures', 'Choose a folder', 'folder'],
      ['/new-property', 'Save the property', 'save'],
    ] as const) {
      for (const role of ['operator', 'viewer'] as const) {
        const page = await open(role, DESKTOP);
        await go(page, path);
        const link = page.locator('[data-main-act]');
        assert.equal(await link.count(), role === 'viewer' ? 0 : 1, `${role} ${path}`);
        if (role === 'operator') {
          assert.equal(await link.innerText(), act);
          await link.press('Enter');
          assert.match(page.url(), new RegExp(`#${id}$`));
          assert.equal(await page.locator(`#${id}`).count(), 1);
        }
        await page.context().close();
      }
    }
  });

  it('leads to each part of a property', async () => {
    const page = await open('admin', DESKTOP);
    await go(page, '/properties/ponte');
    for (const [part, focused] of [
      ['#first-night', '.calendar td a'],
      ['#sources', 'summary'],
    ] as const) {
      await page.locator(`main .switch a[href="${part}"]`).press('Enter');
      assert.ok(await page.locator(`main ${focused}:focus`).count(), part);
    }
    await page.context().close();
  });

  it('has a short bar on a phone, and all groups behind the menu, without script', async () => {
    const page = await open('operator', { ...PHONE, javaScriptEnabled: false });
    await go(page, '/demand');
    assert.deepEqual(await seen(page, 'header nav a'), ['Today', 'Properties', 'Partners']);
    const main = (await page.locator('main').boundingBox())!;
    assert.ok(main.y < 190, `the page begins at ${main.y}`);
    await page.locator('header summary').tap();
    assert.deepEqual(await seen(page, 'header .group'), ['Sell', 'Partners', 'Learn', 'Settings']);
    assert.ok(await page.locator('header [data-act="sign-out"]').isVisible());
    await page.locator('header .more a', { hasText: 'Funnel' }).tap();
    assert.equal(await page.locator('main').getAttribute('data-page'), 'funnel');
    await page.context().close();
  });

  it('keeps the time of the page and the command in a menu, which opens without script', async () => {
    const page = await open('viewer', { ...DESKTOP, javaScriptEnabled: false });
    await go(page, '/partners');
    assert.ok(!(await page.locator('main').innerText()).includes('stayport partner list'));
    assert.ok(!(await page.locator('[data-in-utc]').isVisible()));
    await page.locator('.page-menu summary').click();
    assert.match(
      await page.locator('.page-menu').innerText(),
      /As of \d\d:\d\d UTC[^]*stayport partner list/,
    );
    await page.context().close();
  });

  it('leads from Today by the next step, shows done steps in a line, and back to the set-up', async () => {
    const page = await open('admin', { ...PHONE, javaScriptEnabled: false });
    await go(page, '');
    const card = page.locator('[data-what="noQuote"]');
    assert.match(await card.locator('.progress').innerText(), /^\d of 13 steps are done\.$/);
    assert.equal(await page.locator('[data-number]').count(), 0, 'no figures before there are some');
    await card.getByRole('link', { name: 'All steps' }).tap();
    const stepOf = (name: string) => page.locator(`[data-step="${name}"]`);
    assert.equal(await stepOf('properties').getAttribute('data-state'), 'done');
    assert.ok((await stepOf('properties').boundingBox())!.height < 50, 'one line');
    assert.equal(await page.locator('[data-state="next"]').count(), 1);
    assert.equal(await page.locator('.card .act').count(), 1, 'one step has a button');
    await stepOf('firstCall').locator('a').tap();
    await page.waitForURL('**/partners/acme?form=issue');
    assert.ok(await page.locator('[data-act="issue"] button').isVisible(), 'where the first call is sent');
    await go(page, '/partners?form=partner-create');
    await page.fill('[data-act="partner-create"] [name="name"]', 'Beta');
    await page.fill('[data-act="partner-create"] [name="partnerId"]', 'beta');
    await page.tap('[data-act="partner-create"] button');
    await page.waitForURL('**/partners/beta?did=partner-create');
    await page.locator('[role="status"] a[href$="/setup"]').tap();
    assert.equal(await page.locator('main').getAttribute('data-page'), 'setup');
    await page.context().close();
  });

  it('refuses a form of a card in that card', async () => {
    const page = await open('admin', DESKTOP);
    await go(page, '/partners/acme');
    await page.fill('[data-act="rotate"] [name="overlap"]', 'soon');
    await page.click('[data-act="rotate"] button');
    await page.waitForSelector('main[data-page="partner"] .card [data-act="rotate"] [data-refused]');
    await page.locator('[data-act="rotate"] [name="overlap"]:focus').waitFor();
    assert.deepEqual(await barriersOf(page), []);
    await page.context().close();
  });

  it('stays readable with names of 165 characters, and from right to left, on each screen', async () => {
    for (const options of [DESKTOP, PHONE]) {
      const page = await open('admin', options);
      for (const path of ['/properties', '/properties/long', '/properties/rtl', '/properties/long/edit']) {
        await go(page, path);
        assert.deepEqual(await barriersOf(page), [], path);
        const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        assert.equal(isWide, false, path);
      }
      await go(page, '/properties/long');
      for (const how of ENLARGEMENTS) {
        await enlarge(page, 320, how);
        assert.deepEqual(await textFaults(page), [], how);
      }
      await page.context().close();
    }
  });
});
