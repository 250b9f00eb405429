/**
 * The console as a browser shows it: each page and role, phone and desktop, dark and light, both languages, large text,
 * without script, the rules of accessibility, and not one request to anybody else.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { CONSOLE_PAGES } from '../../../src/console/http/console-routes.ts';
import { makeLink, type Role } from '../../../src/access/console-sessions.ts';
import { listCredentials } from '../../../src/access/credential-changes.ts';
import { signInUrl } from '../../../src/operator/acts/console-acts.ts';
import { browserMissing, startBrowser, watchPage } from '../../kit/browser.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { type Installation, type Served, startInstallation, valueOf } from '../../kit/installation.ts';
import { barriersOf } from '../../kit/page-barriers.ts';
import { brokenWords, enlarge, ENLARGEMENTS, showAsUsual, textFaults } from '../../kit/page-reflow.ts';
import { quoteBody } from '../../kit/partner-client.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const LOOKS: Readonly<Record<string, BrowserContextOptions & { readonly role: Role }>> = {
  'a dark phone in Italian without script, as a viewer': {
    ...PHONE,
    locale: 'it-IT',
    colorScheme: 'dark',
    javaScriptEnabled: false,
    role: 'viewer',
  },
  'a light desktop in English, as an administrator': {
    ...DESKTOP,
    locale: 'en-GB',
    colorScheme: 'light',
    role: 'admin',
  },
};
const PHONE_WIDTH_MIN = 320;
const HEIGHT_MAX = 3_000;

describe('The console in a browser', { skip: browserMissing() }, () => {
  let installation: Installation;
  let service: Served;
  let browser: Browser;
  /** Of each page, with the rows that it has. */
  let paths: readonly string[];
  before(async () => {
    const running = await startInstallation([hotel('ponte')]);
    ({ installation, service } = running);
    browser = await startBrowser();
    const { quoteId } = (await running.partner.quote(quoteBody('ponte', '2026-12-10', '2026-12-12'))).success;
    await installation.issue({ origins: ['https://shop.example'], partnerId: 'shop', isTest: true });
    paths = [
      '/console',
      '/console/partners',
      '/console/partners/acme',
      '/console/partners/shop',
      '/console/tokens',
      '/console/supply',
      '/console/audit',
      '/console/passkeys',
      '/console/people',
      `/console/quotes/${quoteId}`,
      '/console/nothing',
      '/console/sign-in',
    ];
  });
  after(async () => {
    await browser?.close();
    await installation.close();
  });

  /** By the button of a link, as people do it. */
  async function signIn(options: BrowserContextOptions, role: Role): Promise<Page> {
    const deps = { ...installation.access, storage: installation.storage };
    const { secret } = valueOf(await makeLink(deps, { name: 'Ada Lovelace', role }));
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(signInUrl(service.operatorUrl, secret));
    await page.click('[data-act="sign-in"] button');
    await page.waitForSelector('main[data-page="today"]');
    return page;
  }

  for (const [name, { role, ...options }] of Object.entries(LOOKS)) {
    it(`signs in, shows each page and signs out, on ${name}`, async () => {
      const page = await signIn(options, role);
      const { requests, complaints } = watchPage(page);
      for (const path of paths) {
        await page.goto(`${service.operatorUrl}${path}`);
        assert.equal(await page.getAttribute('html', 'lang'), options.locale);
        if (options.javaScriptEnabled === false) continue;
        assert.deepEqual(await barriersOf(page), [], path);
      }
      assert.ok(
        requests.every((request) => request.includes(` ${service.operatorUrl}/`)),
        requests.join(),
      );
      // Chromium tells of the page that does not exist.
      assert.deepEqual(
        complaints.filter((text) => !text.includes('404')),
        [],
      );
      await page.goto(`${service.operatorUrl}/console`);
      await page.click('[data-act="sign-out"] button');
      await page.waitForSelector('main[data-page="sign-in"]');
      await page.context().close();
    });
  }

  it('keeps its text readable on a phone of 320 pixels, twice as large, and its colours in the dark', async () => {
    const page = await signIn({ ...PHONE, locale: 'it-IT', colorScheme: 'dark' }, 'admin');
    for (const path of paths) {
      await page.goto(`${service.operatorUrl}${path}`);
      assert.deepEqual(await barriersOf(page), [], path);
      for (const how of ENLARGEMENTS) {
        await enlarge(page, PHONE_WIDTH_MIN, how);
        assert.deepEqual(await textFaults(page), [], `${path}, larger by ${how}`);
      }
      await showAsUsual(page, PHONE_WIDTH_MIN);
      assert.deepEqual(await textFaults(page), [], path);
    }
    await page.context().close();
  });

  it('has no page that is longer than four screens of a desktop', async () => {
    const page = await signIn({ ...DESKTOP, locale: 'it-IT' }, 'admin');
    const ofProperty = ['', '/edit', '/explain', '/nights/double/2026-12-24'].map(
      (path) => `/console/properties/ponte${path}`,
    );
    const others = CONSOLE_PAGES.map((row) => row.path).filter((path) => !path.includes('{'));
    const long: string[] = [];
    for (const path of new Set([...paths, ...others, ...ofProperty])) {
      await page.goto(`${service.operatorUrl}${path}`);
      const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
      if (height > HEIGHT_MAX) long.push(`${path}: ${height} px`);
    }
    assert.deepEqual(long, []);
    await page.context().close();
  });

  it('shows a form, and what it refuses, on a phone without script and by keyboard alone', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await signIn({ ...PHONE, locale: 'en-GB', javaScriptEnabled }, 'admin');
      await page.goto(`${service.operatorUrl}/console/partners`);
      await page.focus('main summary');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Beta');
      await page.keyboard.press('Tab');
      await page.keyboard.type('a b');
      await page.keyboard.press('Enter');
      await page.waitForSelector('main[data-page="partners"] [data-refused]');
      await page.locator('main :is([data-refused], [name="partnerId"]):focus').waitFor();
      assert.equal(await page.inputValue('[name="name"]'), 'Beta');
      assert.equal(await page.inputValue('[name="partnerId"]'), 'a b');
      if (javaScriptEnabled) {
        await page.goto(`${service.operatorUrl}/console/partners/acme`);
        await page.click('summary:has-text("Issue")');
        assert.deepEqual(await barriersOf(page), []);
        await page.fill('[data-act="issue"] [name="expires"]', '2020-01-01');
        await page.click('[data-act="issue"] button');
        await page.waitForSelector('main[data-page="partner"] [data-refused]');
        assert.deepEqual(await barriersOf(page), []);
        await enlarge(page, PHONE_WIDTH_MIN, ENLARGEMENTS[0]!);
        assert.deepEqual(await textFaults(page), []);
        await showAsUsual(page, PHONE_WIDTH_MIN);
        await page.fill('[name="expires"]', '');
        await page.click('[data-act="issue"] button');
        await page.waitForSelector('main[data-page="issue"] .secret');
        assert.deepEqual(await barriersOf(page), []);
      }
      await page.context().close();
    }
  });

  it('breaks no word of a table between its letters on a wide screen', async () => {
    const page = await signIn({ ...DESKTOP, locale: 'en-GB' }, 'admin');
    for (const path of paths) {
      await page.goto(`${service.operatorUrl}${path}`);
      assert.deepEqual(await brokenWords(page), [], path);
    }
    await page.context().close();
  });

  it('leaves no column out of sight on a tablet, or on a wide screen with text twice as large', async () => {
    const page = await signIn({ ...DESKTOP, locale: 'it-IT' }, 'admin');
    const cutTables = (): Promise<unknown> =>
      page.evaluate(`[...document.querySelectorAll('.wide')]
        .filter((box) => box.scrollWidth > box.clientWidth)
        .map((box) => box.getAttribute('aria-label'))`);
    for (const path of paths) {
      await page.goto(`${service.operatorUrl}${path}`);
      await showAsUsual(page, 820);
      assert.deepEqual(await cutTables(), [], path);
      for (const width of [1280, 390]) {
        await enlarge(page, width, 'root');
        assert.deepEqual(await cutTables(), [], `${path}, larger, on ${width}`);
      }
    }
    await page.context().close();
  });

  it('issues, rotates and revokes by the forms of the page', async () => {
    const page = await signIn(DESKTOP, 'admin');
    await page.goto(`${service.operatorUrl}/console/partners/acme`);
    await page.click('summary:has-text("credenziale"), summary:has-text("credential")');
    await page.fill('[data-act="issue"] [name="quota"]', '5');
    await page.click('[data-act="issue"] button');
    assert.match((await page.textContent('.secret')) ?? '', /^sp_live_\w{40}$/);
    const { credentialId } = valueOf(await listCredentials(installation, 'acme')).at(-1)!;
    for (const act of ['rotate', 'revoke']) {
      await page.goto(`${service.operatorUrl}/console/partners/acme`);
      const form = `[data-act="${act}"]:has([value="${credentialId}"])`;
      // What cannot be undone is asked first.
      assert.equal(await page.isVisible(form), act === 'rotate');
      if (act === 'revoke') await page.click(`details:has(${form}) summary`);
      await page.click(`${form} button`);
      await page.waitForSelector(act === 'revoke' ? 'main[data-page="partner"]' : '.secret');
    }
    const row = valueOf(await listCredentials(installation, 'acme')).find(
      (credential) => credential.credentialId === credentialId,
    );
    assert.ok(row?.revokedAt, JSON.stringify(row));
    await page.context().close();
  });
});
