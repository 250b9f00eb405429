/** Import, settings and set-up as a browser shows them: on a phone, in both languages, by their own forms. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { makeLink } from '../../../src/access/console-sessions.ts';
import { signInUrl } from '../../../src/operator/acts/console-acts.ts';
import { browserMissing, startBrowser, watchPage } from '../../kit/browser.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { type Installation, type Served, startInstallation, valueOf } from '../../kit/installation.ts';
import { barriersOf } from '../../kit/page-barriers.ts';
import { textFaults } from '../../kit/page-reflow.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const PATHS = [
  '/console/import',
  '/console/settings',
  '/console/setup',
  '/console/properties',
  '/console/supply',
];

describe('Import, settings and set-up in a browser', { skip: browserMissing() }, () => {
  let installation: Installation;
  let service: Served;
  let browser: Browser;
  before(async () => {
    ({ installation, service } = await startInstallation([hotel('ponte')]));
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await installation.close();
  });

  async function signIn(locale: string, javaScriptEnabled = true): Promise<Page> {
    const deps = { ...installation.access, storage: installation.storage };
    const { secret } = valueOf(await makeLink(deps, { name: 'Ada', role: 'operator' }));
    const context = await browser.newContext({ ...PHONE, locale, javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(signInUrl(service.operatorUrl, secret));
    await page.click('[data-act="sign-in"] button');
    await page.waitForSelector('main[data-page="today"]');
    return page;
  }

  for (const locale of ['en-GB', 'it-IT'])
    it(`have no barrier and fit a phone, in ${locale}`, async () => {
      const page = await signIn(locale);
      const { complaints } = watchPage(page);
      for (const path of PATHS) {
        await page.goto(`${service.operatorUrl}${path}`);
        assert.equal(await page.getAttribute('html', 'lang'), locale);
        assert.deepEqual(await barriersOf(page), [], path);
        assert.deepEqual(await textFaults(page), [], path);
      }
      assert.deepEqual(complaints, []);
      await page.context().close();
    });

  for (const hasScript of [true, false])
    it(`show a file before they apply it, ${hasScript ? 'with' : 'without'} script`, async () => {
      const page = await signIn('en-GB', hasScript);
      await page.goto(`${service.operatorUrl}/console`);
      await page.click('[data-what="noQuote"] a[href$="setup"]');
      await page.click('[data-step="properties"] a');
      const buffer = Buffer.from(`${JSON.stringify(hotel(`new-${hasScript}`))}\n{}`);
      const file = { name: 'new.ndjson', mimeType: 'application/x-ndjson', buffer };
      await page.setInputFiles('[data-act="import-catalogue"] [type=file]', file);
      await page.click('[data-act="import-catalogue"] button');
      await page.waitForSelector('[data-phase="shown"]');
      assert.equal(await page.textContent('[data-count="created"]'), '1');
      assert.equal(await page.textContent('[data-count="rejected"]'), '1');
      const cells = page.locator('[data-changes] tbody tr');
      assert.match(await cells.first().innerText(), new RegExp(`new-${hasScript}[^]*Name[^]*–[^]*Hotel new`));
      if (hasScript) assert.deepEqual(await textFaults(page), []);
      if (hasScript) assert.deepEqual(await barriersOf(page), []);
      await page.click('[data-act="import-catalogue"] button');
      await page.waitForSelector('[data-phase="applied"]');
      assert.ok((await installation.storage.findProperty(`new-${hasScript}`)) !== undefined);
      await page.context().close();
    });
});
