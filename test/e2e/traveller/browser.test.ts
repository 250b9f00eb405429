/**
 * The traveller's page as a browser shows it: every state, both locales, both sizes; keyboard, no script, large text,
 * dark and light, rules of accessibility, and not one request to anybody else.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type BookingSite, startBookingSite } from '../../kit/booking-site.ts';
import { barriersOf } from '../../kit/page-barriers.ts';
import { until } from '../../kit/command-line.ts';
import { browserMissing, startBrowser, watchPage } from '../../kit/browser.ts';
import {
  type Locale,
  OUTCOMES,
  startTravelling,
  STATES,
  type Travelling,
} from '../../kit/traveller-states.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 800 } };

interface Look {
  readonly where: string;
  readonly locale: Locale;
  readonly look: BrowserContextOptions;
  /** Rules of accessibility look at structure and colours: each scheme and each language once is enough. */
  readonly isJudged: boolean;
}

const LOOKS: readonly Look[] = [
  {
    where: 'phone',
    locale: 'it-IT',
    isJudged: true,
    look: { ...PHONE, locale: 'it-IT', colorScheme: 'dark' },
  },
  {
    where: 'phone',
    locale: 'en-GB',
    isJudged: false,
    look: { ...PHONE, locale: 'en-GB', colorScheme: 'light' },
  },
  {
    where: 'desktop',
    locale: 'it-IT',
    isJudged: false,
    look: { ...DESKTOP, locale: 'it-IT', colorScheme: 'dark' },
  },
  {
    where: 'desktop',
    locale: 'en-GB',
    isJudged: true,
    look: { ...DESKTOP, locale: 'en-GB', colorScheme: 'light' },
  },
];

describe('the traveller in a browser', { skip: browserMissing() }, () => {
  let travelling: Travelling;
  let browser: Browser;
  let site: BookingSite;
  const closers: (() => Promise<void>)[] = [];
  before(async () => {
    site = await startBookingSite();
    closers.push(() => site.close());
    travelling = await startTravelling();
    closers.push(() => travelling.installation.close());
    browser = await startBrowser({ 'book.example.com': site.place });
    closers.push(() => browser.close());
  });
  after(async () => {
    for (const close of closers.toReversed()) await close();
  });

  it('has the button on the first screen of a desktop, beside the pictures', async () => {
    const page = await browser.newPage(DESKTOP);
    for (const state of ['unchanged', 'other-room'] as const) {
      await page.goto(travelling.linkOf(state, 'en-GB'));
      const button = (await page.locator('.offer .button').boundingBox())!;
      assert.ok(button.y + button.height <= DESKTOP.viewport.height, `${state}: ${JSON.stringify(button)}`);
    }
    await page.close();
  });

  /** One for all visits of a look: each page is a process, which takes longer to start than a visit takes. */
  const pages = new Map<BrowserContextOptions, Promise<Page>>();

  async function visit(
    url: string,
    options: BrowserContextOptions,
    look: (page: Page) => Promise<void>,
  ): Promise<readonly string[]> {
    const opened = pages.get(options) ?? browser.newPage(options);
    pages.set(options, opened);
    const page = await opened;
    const { requests, complaints, stop } = watchPage(page);
    try {
      const answered = await page.goto(url);
      await look(page);
      // A browser reports the status of the page itself as a complaint.
      const own = answered?.status() === 400 ? [/status of 400/] : [];
      const unforeseen = complaints.filter((text) => !own.some((pattern) => pattern.test(text)));
      assert.deepEqual(unforeseen, []);
      return requests;
    } finally {
      stop();
    }
  }

  for (const state of STATES) {
    it(`${state}: shown in both languages on both sizes, accessible, within the width, alone`, async () => {
      // What is a variant of another state is looked at less.
      const looks = LOOKS.filter(({ isJudged }) => isJudged || OUTCOMES[state] === state);
      for (const { where, locale, look, isJudged } of looks) {
        const requests = await visit(travelling.linkOf(state, locale), look, async (page) => {
          assert.equal(await page.locator('main').getAttribute('data-outcome'), OUTCOMES[state], where);
          assert.equal(await page.locator('html').getAttribute('lang'), locale);
          assert.equal(await page.locator('h1').count(), 1);
          assert.deepEqual(await page.evaluate(WIDER_THAN_SCREEN), [], where);
          if (isJudged) assert.deepEqual(await barriersOf(page), [], where);
        });
        assert.ok(requests.every((request) => request.startsWith(`GET ${travelling.webUrl}/`)));
        const others = requests.filter((request) => !request.includes('/images/'));
        assert.ok(others.length <= 3, others.join('\n'));
      }
    });
  }

  it('goes on by keyboard alone, without scripts, and reaches the booking site', async () => {
    const context = await browser.newContext({
      ...DESKTOP,
      javaScriptEnabled: false,
      ignoreHTTPSErrors: true,
    });
    const page = await context.newPage();
    await page.goto(travelling.linkOf('unchanged', 'en-GB'));
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Skip to your stay');
    for (let tabs = 0; tabs < 4 && (await focused(page)) !== 'Continue to booking'; tabs += 1) {
      await page.keyboard.press('Tab');
    }
    assert.equal(await focused(page), 'Continue to booking');
    await page.keyboard.press('Enter');
    await page.waitForURL('https://book.example.com/**');
    assert.match(
      site.reached.at(-1) ?? '',
      /^GET book\.example\.com\/unchanged\/canal-double\?from=2026-12-11&to=2026-12-14&guests=2&lang=en-GB&via=acme&quote=qt_\w+$/,
    );
    await context.close();
  });

  it('chooses other dates by touch', async () => {
    const context = await browser.newContext({ ...PHONE, ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.goto(travelling.linkOf('unavailable', 'it-IT'));
    await page.getByRole('button', { name: /Scegli queste date .*9.*12/ }).tap();
    await page.waitForURL(/from=2026-12-09&to=2026-12-12/);
    await context.close();
  });

  it('tells a screen reader the landmarks, the headings, what changed, and each night', async () => {
    await visit(travelling.linkOf('price_changed', 'en-GB'), DESKTOP, async (page) => {
      for (const role of ['banner', 'main', 'contentinfo', 'status'] as const) {
        assert.equal(await page.getByRole(role).count(), 1, role);
      }
      assert.match(await page.getByRole('status').innerText(), /€575\.00.*€603\.00.*€28\.00 more/s);
      assert.deepEqual(await page.getByRole('heading').allInnerTexts(), [
        'Bridge Hotel',
        'Your stay',
        'Price',
        'Cancellation and payment',
        'If you cancel',
        'When you pay',
        'Nights around your stay',
        'About the property',
        'What it offers',
        'House rules',
        'Who sells this stay',
      ]);
      const nights = page.getByRole('table', { name: /Each day stands/ }).getByRole('cell');
      const said = await nights.allTextContents();
      assert.match(said.find((text) => text.trim().startsWith('11')) ?? '', /Your stay/);
      assert.match(said.find((text) => text.trim().startsWith('7')) ?? '', /Not available/);
      assert.match(said.find((text) => text.trim().startsWith('9')) ?? '', /Available/);
    });
  });

  for (const [width, height] of [
    [390, 844],
    [390, 664],
    [320, 568],
  ] as const)
    it(`has the total and the button in the first screen of a phone of ${width} by ${height}, and keeps them there`, async () => {
      const look = { ...PHONE, viewport: { width, height } };
      await visit(travelling.linkOf('unchanged', 'it-IT'), look, async (page) => {
        const bar = page.locator('.stay-bar');
        const isInSight = async (): Promise<void> => {
          const box = await bar.boundingBox();
          assert.ok(box !== null && box.y >= 0 && box.y + box.height <= height + 1, JSON.stringify(box));
          assert.ok(box.height < height / 5, `${box.height} px high`);
        };
        assert.match(await bar.innerText(), /575,00.€/);
        const buttons = page.getByRole('button', { name: 'Vai alla prenotazione' });
        assert.equal(await buttons.filter({ visible: true }).count(), 1);
        await isInSight();
        await page.evaluate('window.scrollTo(0, 900)');
        await isInSight();
        await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
        await page.getByText('Riferimento').waitFor();
      });
    });

  it('the registration number and the room stand on one line each', async () => {
    await visit(travelling.linkOf('unchanged', 'it-IT'), PHONE, async (page) => {
      const lines = async (selector: string): Promise<unknown> =>
        page.locator(selector).evaluate((element) => {
          const tops = [...element.getClientRects()].map(({ top }) => Math.round(top));
          return new Set(tops).size;
        });
      assert.equal(await lines('.sale div:last-child bdi'), 1, 'the registration number');
      assert.equal(await lines('.stay div:last-child bdi'), 1, 'the room');
    });
  });

  it('goes on from the bar of a phone', async () => {
    const context = await browser.newContext({ ...PHONE, ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.goto(travelling.linkOf('unchanged', 'it-IT'));
    await page.locator('.stay-bar').getByRole('button').tap();
    await page.waitForURL(/^https:\/\/book\.example\.com\/unchanged\/canal-double\?from=2026-12-11/);
    await context.close();
  });

  it('shows each picture that is there, the cover first, and moves nothing when they arrive', async () => {
    await visit(travelling.linkOf('unchanged', 'en-GB'), DESKTOP, async (page) => {
      const pictures = page.locator('.gallery img');
      assert.equal(await pictures.count(), 4, 'one is not there');
      await until(async () =>
        pictures.evaluateAll((all) =>
          all.slice(0, 2).every((one) => (one as { naturalWidth?: number }).naturalWidth !== 0),
        ),
      );
      const attributes = (name: string) =>
        pictures.evaluateAll((all, of) => all.map((one) => one.getAttribute(of)), name);
      assert.deepEqual(await attributes('loading'), [null, 'lazy', 'lazy', 'lazy']);
      assert.deepEqual(await attributes('lang'), [null, 'it-IT', null, null]);
      assert.deepEqual(new Set(await attributes('width')), new Set(['1200']));
      const moved = await page.evaluate(`new Promise((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; })
          .observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 100);
      })`);
      assert.ok(Number(moved) < 0.02, String(moved));
      await page.locator('.gallery').focus();
      await page.keyboard.press('ArrowRight');
      await until(async () => page.locator('.gallery').evaluate((row) => row.scrollLeft > 0));
    });
  });

  it('prints the stay and its price, without buttons', async () => {
    await visit(travelling.linkOf('unchanged', 'en-GB'), DESKTOP, async (page) => {
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.getByRole('button', { name: 'Continue to booking' }).isVisible(), false);
      assert.equal(await page.locator('.offer').getByText('€575.00').isVisible(), true);
      assert.equal(await page.getByText('11 December 2026').isVisible(), true);
      assert.equal(await page.getByText('The button leads to').isVisible(), false);
      const colour = `getComputedStyle(document.querySelector('.notice')).backgroundColor`;
      assert.equal(await page.evaluate(colour), 'rgba(0, 0, 0, 0)');
      const [text = 0, small = 0] = await sizesOf(page, ['.facts dd', '.facts dt']);
      assert.ok(small < text, `${small} px beside ${text}`);
      await page.emulateMedia({ media: null });
    });
  });
});

/**
 * Text of elements that reach beyond the right edge. A page that scrolls sideways is lost on a phone; the row of
 * pictures is there to be scrolled.
 */
const WIDER_THAN_SCREEN = `[...document.querySelectorAll('body *')]
  .filter((element) => !element.matches('.said, .skip, .gallery img'))
  .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((element) => element.tagName + ': ' + element.textContent.trim().slice(0, 40))
  .concat(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page'] : [])`;

async function sizesOf(page: Page, selectors: readonly string[]): Promise<readonly number[]> {
  const size = async (selector: string): Promise<number> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  return await Promise.all(selectors.map(size));
}

async function focused(page: Page): Promise<string> {
  return (await page.locator(':focus').innerText()).trim();
}
