/** The documentation in a real browser: samples are copied, choices stay, the search finds; and all without a script. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { browserMissing, startBrowser, type Watched, watchPage } from '../../kit/browser.ts';
import { type RunningServer, startOperatorServer, startPartnerServer } from '../../kit/http-fixtures.ts';
import { barriersOf } from '../../kit/page-barriers.ts';
import { enlarge, showAsUsual, textFaults } from '../../kit/page-reflow.ts';
import { programsOf, samplesOf } from '../../kit/page-samples.ts';

describe('the documentation in a browser', { skip: browserMissing() }, () => {
  let partner: RunningServer;
  let operator: RunningServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let watched: Watched;

  before(async () => {
    partner = await startPartnerServer();
    operator = await startOperatorServer();
    browser = await startBrowser();
    context = await browser.newContext({ viewport: { width: 1360, height: 900 }, reducedMotion: 'reduce' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    page = await context.newPage();
    watched = watchPage(page);
  });
  after(async () => {
    await browser?.close();
    await partner?.close();
    await operator?.close();
  });

  const isShown = (reading: Page, name: string): Promise<boolean> =>
    reading.locator(`[data-example="${name}"]`).isVisible();

  describe('a sample', () => {
    it('is copied as it is shown, and says so', async () => {
      await page.goto(`${partner.url}/docs/testing`);
      const samples = samplesOf(await (await fetch(page.url())).text());
      await page.getByRole('button', { name: 'Copy' }).first().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      assert.equal(await page.getByRole('status').innerText(), 'Copied');
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), samples[0]);
    });

    it('in several languages is copied in the one that is chosen', async () => {
      await page.goto(`${partner.url}/problems/stay-unavailable`);
      const programs = programsOf(await (await fetch(page.url())).text());
      await page.getByText('Python', { exact: true }).click();
      await page.locator('.tabs .copy').click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      assert.equal(
        await page.evaluate('navigator.clipboard.readText()'),
        programs.get('call-stay-unavailable-python'),
      );
    });

    it('is selected where the browser has no clipboard, for a copy by keyboard', async () => {
      await page.goto(`${partner.url}/problems/invalid-json`);
      await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined });
        document.execCommand = () => false`);
      await page.locator('.sample .copy').click();
      await page.getByRole('button', { name: 'Selected' }).waitFor();
      const [shown] = samplesOf(await (await fetch(page.url())).text());
      assert.equal(await page.evaluate('String(getSelection())'), shown);
    });

    it('has a button on the page of the operator too', async () => {
      await page.goto(`${operator.url}/supply/docs`);
      assert.equal(await page.getByRole('button', { name: 'Copy' }).count(), 2);
    });
  });

  describe('the language', () => {
    it('stays, for every sample of every page', async () => {
      await page.goto(`${partner.url}/docs`);
      await page.evaluate('localStorage.clear()');
      await page.reload();
      assert.deepEqual(
        [await isShown(page, 'quote-test-curl'), await isShown(page, 'quote-test-typescript')],
        [true, false],
      );
      await page.locator('label[for="quote-test-typescript"]').click();
      for (const name of ['first-call', 'paging'])
        assert.ok(await isShown(page, `${name}-test-typescript`), name);
      await page.goto(`${partner.url}/problems/quote-unavailable`);
      assert.ok(await isShown(page, 'call-quote-unavailable-typescript'));
      await page.goto(`${partner.url}/docs/testing`);
      assert.deepEqual(
        [await isShown(page, 'first-test-call-curl'), await isShown(page, 'first-test-call-typescript')],
        [false, true],
      );
    });

    it('is printed whole, in every language', async () => {
      await page.goto(`${partner.url}/docs`);
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 718, height: 900 });
      assert.deepEqual(
        [await isShown(page, 'quote-test-curl'), await isShown(page, 'quote-test-python')],
        [true, true],
      );
      const topOf = async (selector: string): Promise<number> =>
        (await page.locator(selector).boundingBox())?.y ?? Number.NaN;
      const order = [
        await topOf('[data-example="quote-test-curl"]'),
        await topOf('label[for="quote-test-python"]'),
        await topOf('[data-example="quote-test-python"]'),
      ];
      assert.deepEqual(
        order,
        order.toSorted((a, b) => a - b),
        'its name stands above each',
      );
      const cutCount = `[...document.querySelectorAll('pre')].filter((box) => box.scrollWidth > box.clientWidth).length`;
      assert.equal(await page.evaluate(cutCount), 0);
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize({ width: 1360, height: 900 });
    });

    it('is chosen by keyboard, as radio buttons are', async () => {
      await page.goto(`${partner.url}/docs`);
      await page.locator('#search-test-typescript').focus();
      await page.keyboard.press('ArrowRight');
      assert.ok(await page.getByRole('radio', { name: 'Python' }).nth(3).isChecked());
      assert.ok(await isShown(page, 'search-test-python'));
      const name = await page.evaluate('document.activeElement.id');
      assert.equal(name, 'search-test-python');
    });

    it('does not move what was chosen on the screen', async () => {
      const label = page.locator('label[for="paging-test-curl"]');
      await label.scrollIntoViewIfNeeded();
      const before = (await label.boundingBox())!.y;
      await label.click();
      assert.ok(await isShown(page, 'quote-test-curl'));
      assert.ok(Math.abs((await label.boundingBox())!.y - before) < 2);
    });

    it('and the kind of token stay together with the page', async () => {
      assert.ok(await page.locator('#token-test').isChecked(), 'before the reader chose');
      await page.locator('#token-live').check();
      await page.reload();
      assert.ok(await page.locator('#token-live').isChecked());
      assert.deepEqual(
        [await isShown(page, 'quote-curl'), await isShown(page, 'quote-test-curl')],
        [true, false],
      );
      await page.locator('#token-test').check();
    });
  });

  describe('the search', () => {
    const results = (): Promise<string[]> => page.locator('.found li b').allInnerTexts();
    const search = async (text: string): Promise<string[]> => {
      await page.getByRole('searchbox').fill(text);
      await page.locator('.found > p').waitFor();
      await page.waitForFunction(`document.querySelector('[role=status]').textContent !== ''`);
      return await results();
    };

    it('finds a problem by its code, on its own page first', async () => {
      await page.goto(`${partner.url}/problems`);
      assert.equal((await search('quote_unavailable'))[0], 'No quote can be made');
      assert.match(await page.locator('.found li').first().innerText(), /QUOTE_UNAVAILABLE/);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/problems\/quote-unavailable$/);
    });

    it('finds a heading and leads to its place, by keyboard alone', async () => {
      await page.goto(`${partner.url}/docs/testing`);
      assert.ok((await search('limits wait')).includes('Partner API guide › Limits, and how to wait'));
      await page.keyboard.press('ArrowDown');
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'A');
      await page.keyboard.press('ArrowUp');
      assert.equal(await page.evaluate('document.activeElement.type'), 'search');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/docs#limits$/);
    });

    it('shows no section of a page whose title alone has the term', async () => {
      const found = await search('quote can be made');
      assert.ok(found.includes('No quote can be made'));
      assert.ok(!found.includes('No quote can be made › What it looks like'), found.join(', '));
    });

    it('closes with Escape, and says how much it found', async () => {
      await search('token');
      assert.match(await page.getByRole('status').innerText(), /^The best 10 of \d+ results$/);
      await page.keyboard.press('Escape');
      assert.ok(!(await page.locator('.found').isVisible()));
      await search('no such thing');
      assert.equal(await page.getByRole('status').innerText(), 'Nothing found.');
    });

    it('shows what was typed and what was found as text, never as HTML', async () => {
      await search('<b>');
      assert.equal(await page.locator('.found p').innerText(), 'Nothing found.');
      await search('bearer <token>');
      assert.ok(
        (await page.locator('.found li span').allInnerTexts()).some((text) => text.includes('<token>')),
      );
      assert.equal(await page.locator('.found token').count(), 0);
      assert.match(await page.locator('.found mark').first().innerText(), /bearer|<token>/i);
    });

    it('finds the codes of the supply API on its page', async () => {
      await page.goto(`${operator.url}/supply/docs`);
      assert.ok((await search('SUPPLY_PAYLOAD_TOO_LARGE')).length > 0);
      await page.locator('.found a').first().click();
      await page.waitForURL(/\/supply\/docs#\w+$/);
      assert.ok(!(await page.locator('.found').isVisible()));
    });

    it('says so when its index can not be loaded, and leads to all headings', async () => {
      await page.route('**/docs/search.json', (route) => route.abort());
      await page.goto(`${partner.url}/docs/changelog`);
      await page.getByRole('searchbox').fill('quote');
      await page.getByText('The search could not be loaded.').first().waitFor();
      await page.unroute('**/docs/search.json');
      await page.locator('.found').getByRole('link', { name: 'All headings' }).click();
      await page.waitForURL(/\/docs\/headings$/);
    });
  });

  it('asked no other host, set no cookie, and broke no rule of its own policy', async () => {
    const ours = [partner.url, operator.url].map((url) => `GET ${url}/`);
    assert.deepEqual(
      watched.requests.filter((line) => !ours.some((own) => line.startsWith(own))),
      [],
    );
    assert.deepEqual(
      watched.complaints.filter((text) => !text.includes('net::ERR_FAILED')),
      [],
    );
    assert.deepEqual(await context.cookies(), []);
  });

  describe('without a script', () => {
    it('shows the language that is chosen, a way to all headings, and no control that does nothing', async () => {
      const plain = await browser.newContext({ javaScriptEnabled: false });
      const reading = await plain.newPage();
      await reading.goto(`${partner.url}/docs`);
      assert.deepEqual(
        [await isShown(reading, 'quote-test-curl'), await isShown(reading, 'quote-test-python')],
        [true, false],
      );
      await reading.locator('label[for="quote-test-python"]').click();
      assert.deepEqual(
        [await isShown(reading, 'quote-test-curl'), await isShown(reading, 'quote-test-python')],
        [false, true],
      );
      assert.equal(await reading.getByRole('button').count(), 0);
      assert.equal(await reading.getByRole('searchbox').count(), 0);
      await reading.getByRole('link', { name: 'All headings' }).click();
      await reading.getByRole('link', { name: 'Ask for a quote' }).click();
      await reading.waitForURL(/\/docs#quote$/);
      await plain.close();
    });
  });

  for (const [colorScheme, width, paths] of [
    ['light', 390, ['/docs', '/problems/validation-error', '/docs/headings']],
    ['dark', 1360, ['/docs/testing', '/docs/changelog', '/']],
  ] as const) {
    it(`has no barrier and fits the screen, ${colorScheme}, ${width} wide`, async () => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const path of paths) {
        await page.goto(partner.url + path);
        await page.getByRole('searchbox').fill('code');
        await page.locator('.found li').first().waitFor();
        assert.deepEqual(await barriersOf(page), [], path);
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), path);
      }
    });
  }

  it('covers no button on a phone that is brought into sight, and breaks no name that has room', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${partner.url}/docs`);
    const covered = await page.evaluate(`(() => [...document.querySelectorAll('.copy, .tabs > label')]
      .filter((button) => button.checkVisibility())
      .filter((button) => {
        button.scrollIntoView({ block: 'nearest', behavior: 'instant' });
        const { left, top, width, height } = button.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) !== button;
      }).length)()`);
    assert.equal(covered, 0);
    const broken = await page.evaluate(`[...document.querySelectorAll(':not(pre) > code')]
      .filter((name) => name.textContent.length <= 14 && name.getBoundingClientRect().height > 30)
      .map((name) => name.textContent)`);
    assert.deepEqual(broken, []);
    await page.setViewportSize({ width: 1360, height: 900 });
  });

  it('can be read with text twice as large on a phone, the results of a search too', async () => {
    await page.goto(`${partner.url}/docs/changelog`);
    for (const width of [390, 320]) {
      await showAsUsual(page, width);
      await page.getByRole('searchbox').fill('quote');
      await page.locator('.found li').first().waitFor();
      for (const how of ['root', 'zoom'] as const) {
        await enlarge(page, width, how);
        assert.deepEqual(await textFaults(page), [], `${width} ${how}`);
      }
    }
  });
});
