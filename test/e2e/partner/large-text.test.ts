/**
 * Pages on a phone of somebody who made text twice as large (WCAG 2.2, 1.4.4 and 1.4.10): no word that has room is
 * broken, nothing scrolls sideways, days of the calendar stay in their cells.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../kit/command-line.ts';
import { browserMissing, startBrowser } from '../../kit/browser.ts';
import { enlarge, ENLARGEMENTS, showAsUsual, textFaults } from '../../kit/page-reflow.ts';
import { PartnerClient } from '../../kit/partner-client.ts';
import { LOCALES, startTravelling, STATES, type Travelling } from '../../kit/traveller-states.ts';

const WIDTHS = [390, 320];
const PARTNER_PAGES = [
  '/',
  '/docs',
  '/docs/changes',
  '/docs/testing',
  '/docs/changelog',
  '/docs/headings',
  '/problems',
  '/problems/validation-error',
];
const OPERATOR_PAGES = ['/', '/supply/docs'];

describe('large text on a phone', { skip: browserMissing() }, () => {
  let travelling: Travelling;
  let browser: Browser;
  let page: Page;
  before(async () => {
    travelling = await startTravelling();
    browser = await startBrowser();
    page = await browser.newPage({ reducedMotion: 'reduce' });
  });
  after(async () => {
    await browser?.close();
    await travelling?.installation.close();
  });

  async function faultsOf(url: string): Promise<Readonly<Record<string, readonly string[]>>> {
    await page.goto(url);
    // Folded parts are text too.
    await page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })");
    const faults: Record<string, readonly string[]> = {};
    for (const width of WIDTHS) {
      await showAsUsual(page, width);
      faults[`${width}`] = await textFaults(page);
      for (const how of ENLARGEMENTS) {
        await enlarge(page, width, how);
        faults[`${width} ${how}`] = await textFaults(page);
      }
    }
    return Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0));
  }

  for (const state of STATES) {
    for (const locale of LOCALES) {
      it(`${state}, ${locale}: can be read`, async () => {
        assert.deepEqual(await faultsOf(travelling.linkOf(state, locale)), {});
      });
    }
  }

  it('of the sandbox: can be read, with the line that it is a test', async () => {
    const { token } = await travelling.installation.issue({ partnerId: 'tester', isTest: true });
    const tester = new PartnerClient(travelling.service.partnerUrl, token);
    const stay = { checkIn: '2026-12-11', checkOut: '2026-12-14', guests: 2 };
    for (const propertyId of ['test-always', 'test-gone', 'test-long-names']) {
      const quoteRequest = { propertyId, stay, locale: 'it-IT' } as const;
      await until(async () => (await tester.quote(quoteRequest)).status === 201);
      const { search } = new URL((await tester.quote(quoteRequest)).success.handoffUrl);
      const faults = await faultsOf(`${travelling.webUrl}/handoff${search}`);
      // One name has words that are wider than the screen: breaking those is right.
      const found = Object.values(faults).flat();
      const isLong = propertyId === 'test-long-names';
      assert.deepEqual(
        isLong ? found.filter((fault) => !fault.startsWith('broken: ')) : found,
        [],
        propertyId,
      );
    }
  });

  for (const path of PARTNER_PAGES) {
    it(`partners' ${path}: can be read`, async () => {
      assert.deepEqual(await faultsOf(travelling.service.partnerUrl + path), {});
    });
  }

  for (const path of OPERATOR_PAGES) {
    it(`operator's ${path}: can be read`, async () => {
      assert.deepEqual(await faultsOf(travelling.service.operatorUrl + path), {});
    });
  }

  it('is twice as large: the stay, its price and its days grow by half or more, whichever way', async () => {
    await page.goto(travelling.linkOf('price_changed', 'en-GB'));
    const sizes = async (): Promise<readonly number[]> =>
      (await page.evaluate(
        `['.facts dd', '.price dd', '.nights time', '.notice p:last-child', '.button'].map((name) =>
          Number.parseFloat(getComputedStyle(document.querySelector(name)).fontSize))`,
      )) as readonly number[];
    for (const width of WIDTHS) {
      await showAsUsual(page, width);
      const usual = await sizes();
      for (const how of ['root', 'setting'] as const) {
        await enlarge(page, width, how);
        const large = await sizes();
        for (const [index, size] of large.entries())
          assert.ok(size >= usual[index]! * 1.5, `${width} ${how} ${index}`);
      }
    }
  });

  it('squeezes no name of an amount beside it: not more than two lines', async () => {
    await page.goto(travelling.linkOf('price_changed', 'en-GB'));
    await enlarge(page, 390, 'root');
    const lines = await page.evaluate(`[...document.querySelectorAll('.terms .price dt')].map((name) =>
      Math.round(name.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(name).lineHeight)))`);
    assert.deepEqual(lines, [1, 2, 1]);
  });

  it('finds its way back to the contents of a long page, and from there to each part', async () => {
    await showAsUsual(page, 390);
    await page.goto(`${travelling.service.operatorUrl}/supply/docs`);
    await page.evaluate('scrollTo(0, 8000)');
    await page.getByRole('link', { name: 'On this page' }).click();
    await page.locator('.folded a', { hasText: 'Layers' }).click();
    await page.waitForURL(/#layers$/);
    assert.ok(await page.locator('#layers').isVisible());
  });
});
