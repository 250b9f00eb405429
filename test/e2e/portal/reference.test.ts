/** The reference in a real browser: what it shows, whom it asks, and a call made with a pasted token. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { ALL_OPERATIONS } from '../../../src/contract/partner/extra-operations.ts';
import { browserMissing, startBrowser } from '../../kit/browser.ts';
import { until } from '../../kit/command-line.ts';
import { barriersOf } from '../../kit/page-barriers.ts';
import { HOTEL_PONTE } from '../../kit/catalogue-lines.ts';
import { openInstallation, type Installation } from '../../kit/installation.ts';
import { enlarge, showAsUsual, textFaults } from '../../kit/page-reflow.ts';
import { reservePort, type ReservedPort } from '../../kit/reserved-port.ts';

const SCALAR = join(import.meta.dirname, '..', '..', '..', 'src', 'portal', 'scalar');

describe('the file of the reference', () => {
  it('is the one that is recorded, with its licence', () => {
    const record = JSON.parse(readFileSync(join(SCALAR, 'scalar.json'), 'utf8')) as Record<string, string>;
    const script = gunzipSync(readFileSync(join(SCALAR, 'standalone.js.gz')));
    assert.equal(createHash('sha256').update(script).digest('hex'), record['sha256']);
    assert.match(record['version'] ?? '', /^\d+\.\d+\.\d+$/);
    assert.match(
      readFileSync(join(SCALAR, 'LICENSE'), 'utf8'),
      /^MIT License\n\nCopyright \(c\) 2023-present Scalar/,
    );
  });
});

describe('the reference', { skip: browserMissing() }, () => {
  let reserved: ReservedPort;
  let installation: Installation;
  let browser: Browser;
  let page: Page;
  let url = '';
  const asked: string[] = [];
  const complaints: string[] = [];

  before(async () => {
    reserved = await reservePort();
    url = `http://127.0.0.1:${reserved.port}`;
    installation = await openInstallation();
    await installation.importLines([HOTEL_PONTE]);
    await installation.serve({ PORT: String(reserved.port), PUBLIC_URL: url });
    browser = await startBrowser();
    page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
    page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${url}/docs/reference`);
    await page.getByText('Create an indicative quote').first().waitFor();
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await reserved?.release();
  });

  it('shows every operation', async () => {
    const text = await page.innerText('body');
    for (const { summary } of ALL_OPERATIONS) assert.ok(text.includes(summary), summary);
  });

  it('shows the operations before its script is there', async () => {
    const early = await browser.newPage();
    await early.route('**/scalar-*.js', (route) => route.abort());
    await early.goto(`${url}/docs/reference`);
    const text = await early.innerText('.early');
    for (const { summary } of ALL_OPERATIONS) assert.ok(text.includes(summary), summary);
    await early.close();
  });

  it('the reference has one search field', async () => {
    await page.locator('.client-libraries-tabs').first().waitFor();
    const fields = page.locator('input[type=search], [role=search], button:has-text("Search")');
    assert.equal(await page.locator('.search input').count(), 1);
    assert.equal(await fields.count(), 2, 'the box of the bar and its field');
  });

  it('draws no frame around the operation that a link leads to', async () => {
    const opened = await browser.newPage({ viewport: { width: 1360, height: 900 } });
    await opened.goto(`${url}/docs/reference#tag/quotes/POST/v1/quotes`);
    const section = opened.locator('section[id$="tag/quotes/POST/v1/quotes"]');
    await section.waitFor();
    await opened.keyboard.press('Shift');
    await section.focus();
    assert.equal(await section.evaluate((shown) => getComputedStyle(shown).outlineStyle), 'none');
    await opened.close();
  });

  it('opens operations at the place that the search of all pages names', async () => {
    const sections = JSON.parse(
      await (await fetch(`${url}/docs/search.json`)).text(),
    ) as readonly (readonly string[])[];
    const places = sections.filter(([, path]) => path === 'docs/reference').map(([, , id]) => id ?? '');
    assert.equal(places.length, ALL_OPERATIONS.length);
    const opened = await browser.newPage({ viewport: { width: 1360, height: 900 } });
    // To load the reference takes a second of a processor: one operation of each group shows that its places are met.
    const groups = new Map(places.map((place) => [place.split('/', 2).join('/'), place]));
    assert.ok(groups.size > 1);
    for (const place of groups.values()) {
      await opened.goto('about:blank');
      await opened.goto(`${url}/docs/reference#${place}`);
      await opened.locator(`section[id$="${place}"]`).waitFor();
    }
    await opened.close();
  });

  it('has nothing around it that leads elsewhere', async () => {
    const text = await page.innerText('body');
    for (const unwanted of [
      'Ask AI',
      'Generate MCP',
      'Share',
      'Deploy',
      'Developer Tools',
      'Open API Client',
    ])
      assert.ok(!text.includes(unwanted), unwanted);
  });

  const LOOKS = [
    ['light', 1360],
    ['dark', 1360],
    ['light', 390],
  ] as const;
  const showAs = async (colorScheme: 'light' | 'dark', width: number): Promise<void> => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
  };

  it('has the languages of its samples in one row on a desktop', async () => {
    await showAs('light', 1360);
    await page.locator('.client-libraries-tabs').first().waitFor();
    const tops = `[...document.querySelectorAll('.client-libraries-tabs > button')].map((one) => one.offsetTop)`;
    const rows = (await page.evaluate(tops)) as readonly number[];
    assert.ok(rows.length > 1);
    assert.equal(new Set(rows).size, 1, rows.join());
  });

  // To load the reference takes longer than to look at it: one page shows itself in all ways.
  for (const [colorScheme, width] of LOOKS) {
    it(`has no barrier, ${colorScheme}, ${width} wide`, async () => {
      await showAs(colorScheme, width);
      await page.locator('#reference h1').first().waitFor();
      await page.locator(`body.${colorScheme}-mode`).waitFor();
      assert.deepEqual(await barriersOf(page), []);
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
    });
  }

  it('can be read with text twice as large on a phone: it grows, and stays on the screen', async () => {
    const sizes = async (): Promise<number[]> =>
      (await page.evaluate(
        `['p', 'code', '.endpoint', 'button'].map((name) =>
          Number.parseFloat(getComputedStyle(document.querySelector('#reference ' + name)).fontSize))`,
      )) as number[];
    await showAsUsual(page, 390);
    const usual = await sizes();
    for (const width of [390, 320]) {
      for (const how of ['root', 'setting'] as const) {
        await enlarge(page, width, how);
        // The reference draws again a moment after the size has changed.
        await until(async () => (await sizes()).every((size, index) => size === usual[index]! * 2));
        // Paths and media types are longer than the screen: breaking those is right.
        const faults = (await textFaults(page)).filter((fault) => !fault.startsWith('broken: '));
        assert.deepEqual(faults, [], `${width} ${how}`);
      }
    }
    await showAsUsual(page, 390);
  });

  it('searches all pages, as every page does', async () => {
    await showAs(...LOOKS[0]);
    await page.locator('.search input').fill('price changed');
    await page
      .locator('.found')
      .getByRole('link', { name: /Testing › Test properties/ })
      .waitFor();
    await page.keyboard.press('Escape');
    assert.ok(!(await page.locator('.found').isVisible()));
  });

  it('makes a call to this server with a token that is pasted', async () => {
    await showAs(...LOOKS[0]);
    const { token } = await installation.issue();
    await page.getByPlaceholder('Token').first().fill(token);
    await page.getByText('Create an indicative quote').first().click();
    await page.getByRole('button', { name: 'Test Request (post /v1/quotes)' }).click();
    const [response] = await Promise.all([
      page.waitForResponse((answer) => answer.url() === `${url}/v1/quotes`),
      page.getByRole('button', { name: /^Send/ }).first().click(),
    ]);
    assert.equal(response.request().headers()['authorization'], `Bearer ${token}`);
    const { code } = (await response.json()) as { code: string };
    // The catalogue of this test has another property than the example: the call came through to it.
    assert.deepEqual([response.status(), code], [404, 'PROPERTY_NOT_FOUND']);
  });

  it('asks no other host, and breaks no rule of its own policy', () => {
    assert.deepEqual(
      asked.filter(
        (line) => !line.includes(` ${url}/`) && !line.includes(' data:') && !line.includes(' blob:'),
      ),
      [],
    );
    assert.ok(asked.some((line) => line.endsWith('/docs/reference.json')));
    // Chromium itself complains of every answer of 400 and above.
    assert.deepEqual(
      complaints.filter((text) => !text.includes('status of 404')),
      [],
    );
  });
});
