/**
 * From an empty folder to a traveller's page without a shell: a person in a browser with a sheet and a folder of photos,
 * and a traveller with a phone. `serve` is a process of its own, as people start it; of the settings only the ports are
 * set, for tests run beside each other, and that calendars may be fetched from this machine.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { UPLOAD_PATH } from '../../../src/console/pages/property-form/pictures.ts';
import { formatLocalDate, parseLocalDate, utcDay } from '../../../src/domain/local-date.ts';
import { addAuthenticator } from '../../kit/authenticator.ts';
import { browserMissing, startBrowser, type Watched, watchPage } from '../../kit/browser.ts';
import { startServer, Workplace } from '../../kit/command-line.ts';
import { calendar, type FeedServer, startFeedServer } from '../../kit/feed-server.ts';
import { Hands, type Means } from '../../kit/hands.ts';
import { plainPicture } from '../../kit/made-pictures.ts';
import { barriersOf } from '../../kit/page-barriers.ts';
import { type ReservedPort, reservePort } from '../../kit/reserved-port.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESK = { viewport: { width: 1280, height: 800 } };
interface Way {
  readonly name: string;
  readonly means: Means;
  readonly language: string;
  readonly look: BrowserContextOptions;
  /** Of each flat. */
  readonly picturesEach: number;
}

/** How the line begins that the browser writes for an answer of 503. */
const TOLD_LATER =
  'console: Failed to load resource: the server responded with a status of 503 (Service Unavailable)';

/** How people work. */
const WAYS: readonly Way[] = [
  {
    name: 'on a narrow screen, in Italian, by keyboard alone',
    means: 'keyboard',
    language: 'it',
    look: PHONE,
    picturesEach: 10,
  },
  {
    name: 'at a desk, in English, with a mouse',
    means: 'mouse',
    language: 'en',
    look: DESK,
    picturesEach: 2,
  },
];
const FLATS = 40;
/** From the page of partners, by keyboard too. */
const PRESSES_TO_FIRST_CALL = 30;
/** A sign-in is young for five minutes, and the longest step behind the pictures takes less than two. */
const YOUNG_MS = 3 * 60_000;
/** The service takes 240 in a minute, and decodes at a low priority beside whatever else the machine does. */
const PICTURES_MS_MAX = 600_000;
const FIRST = 'flat-01';

interface Weekend {
  readonly friday: string;
  readonly saturday: string;
  readonly sunday: string;
}

/** The first one of a month that a narrow screen shows only after others. */
function weekendAfter(nowMs: number): Weekend {
  const now = new Date(nowMs);
  const first = utcDay(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1));
  // The first day of the count, 1970-01-01, was a Thursday.
  const friday = first + ((8 - (first % 7)) % 7);
  const [one = '', two = '', three = ''] = [friday, friday + 1, friday + 2].map(formatLocalDate);
  return { friday: one, saturday: two, sunday: three };
}

const flatId = (index: number): string => `flat-${String(index + 1).padStart(2, '0')}`;

/** Mistakes of the last rows, one in each. */
const MISTAKES: readonly (readonly [column: string, text: string])[] = [
  ['guestsMax', 'quattro'],
  ['cleaningFee', '4O,00'],
  ['timezone', 'Europe/Roma'],
  ['currency', 'Euro'],
  ['bathrooms', '-1'],
];

/** As the spreadsheet program of an Italian office writes it: semicolons, decimal commas, Windows-1252. */
function spreadsheetOf(mistakes: typeof MISTAKES): Buffer {
  const flats = Array.from({ length: FLATS }, (_none, index): Readonly<Record<string, string>> => {
    const mistake = mistakes[FLATS - 1 - index];
    return {
      propertyId: flatId(index),
      'name:it-IT': `Casa Libertà ${index + 1}`,
      'name:en-GB': `Liberty House ${index + 1}`,
      propertyType: 'apartment',
      'city:it-IT': 'Venezia',
      'city:en-GB': 'Venice',
      country: 'IT',
      bathrooms: '1',
      currency: 'EUR',
      timezone: 'Europe/Rome',
      cleaningFee: '40,00',
      inventoryTypeId: 'whole',
      typeName: 'Whole apartment',
      guestsMax: '4',
      ...(mistake !== undefined && { [mistake[0]]: mistake[1] }),
    };
  });
  const lines = [Object.keys(flats[0]!), ...flats.map((flat) => Object.values(flat))];
  // Of the letters that the two encodings write differently there is none.
  return Buffer.from(`${lines.map((cells) => cells.join(';')).join('\r\n')}\r\n`, 'latin1');
}

/** A folder for each flat, as they come from a phone; no two pictures are the same. */
async function takePhotos(folder: string, each: number): Promise<void> {
  for (let flat = 0; flat < FLATS; flat += 1) {
    mkdirSync(join(folder, flatId(flat)), { recursive: true });
    for (let number = 1; number <= each; number += 1)
      writeFileSync(
        join(folder, flatId(flat), `IMG_${number}.jpg`),
        await plainPicture('jpg', 100 + number, 100 + flat),
      );
  }
}

/** What docs/console.md says that a person does. */
function documented(means: Means): Readonly<{ acts: number; presses: number; minutes: number }> {
  const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'console.md'), 'utf8');
  const row = new RegExp(`\\| ${means} \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|`).exec(text) ?? [];
  const [acts = 0, presses = 0, minutes = 0] = row.slice(1).map(Number);
  return { acts, presses, minutes };
}

for (const { name: way, means, language, look, picturesEach } of WAYS)
  describe(`By hand, from an empty folder, ${way}`, { skip: browserMissing() }, () => {
    const weekend = weekendAfter(Date.now());
    const workplace = new Workplace({ WEB_PORT: '', HANDOFF_BASE_URL: '', ICAL_ALLOW_PRIVATE: 'true' });
    const photos = join(workplace.directory, 'Photos');
    const reserved: ReservedPort[] = [];
    let feeds: FeedServer;
    let browser: Browser;
    /** Of the person who sets up. */
    let page: Page;
    let hands: Hands;
    let watched: Watched;
    /** Paths that were answered with 503. */
    const later: string[] = [];
    let consoleUrl: string;

    before(async () => {
      feeds = await startFeedServer();
      for (let count = 0; count < 3; count += 1) reserved.push(await reservePort());
      const [PORT, OPERATOR_PORT, WEB_PORT] = reserved.map(({ port }) => String(port));
      const server = await startServer(workplace, { PORT, OPERATOR_PORT, WEB_PORT } as Record<
        string,
        string
      >);
      consoleUrl = server.consoleUrl!;
      await takePhotos(photos, picturesEach);
      browser = await startBrowser();
      const context = await browser.newContext({ ...look, locale: language, ignoreHTTPSErrors: true });
      page = await context.newPage();
      hands = new Hands(page, means);
    });
    let signedInMs = Infinity;
    /**
     * A slow machine takes longer than a sign-in is young, and the passkey of a browser that is driven is lost by then.
     * What this costs is not of the hour.
     */
    beforeEach(async () => {
      if (performance.now() - signedInMs < YOUNG_MS || page.isClosed()) return;
      const name = ['--name', 'administrator', '--role', 'admin'];
      const link = JSON.parse((await workplace.run(['console', 'link', ...name, '--json'])).stdout) as {
        readonly url: string;
      };
      const before = page.url();
      const { pathname, search } = new URL(link.url);
      await page.goto(at(pathname + search));
      await button('sign-in').click();
      await shown('today');
      signedInMs = performance.now();
      await page.goto(before);
    });
    // What follows needs what was before: it fails at once, and not after a wait.
    afterEach(async (step) => {
      if ((step as { readonly passed?: boolean }).passed) assert.deepEqual(await barriersOf(page), []);
      else await page.close();
    });
    after(async () => {
      await browser?.close();
      await workplace.remove();
      await feeds?.close();
      for (const port of reserved) await port.release();
    });

    const at = (path: string): string => new URL(path, consoleUrl).href;
    const form = (act: string): Locator => page.locator(`form[data-act="${act}"]`);
    const button = (act: string): Locator => form(act).locator('button');
    /** Until a page is there that is named so. */
    const shown = (name: string) => page.waitForSelector(`main[data-page="${name}"]`);
    /** By Enter in its last field; the page says that it was done. */
    async function sendForm(): Promise<void> {
      const loaded = page.waitForEvent('load');
      await hands.send();
      await loaded;
      await page.waitForSelector('.good[role=status]');
    }

    /** By a link of the page; else by the bar, most of which is folded on a narrow screen. */
    async function go(path: string): Promise<void> {
      const ofPage = page.locator(`main a[href$="${path}"]`).filter({ visible: true });
      if ((await ofPage.count()) > 0) return await hands.press(ofPage.first());
      const link = page.locator(`header nav a[href$="${path}"]`).filter({ visible: true });
      if ((await link.count()) === 0) await hands.press(page.locator('header nav .more > summary'));
      await hands.press(link.first());
    }
    async function begin(step: string): Promise<void> {
      await go('/console/setup');
      await shown('setup');
      await pressStep(step);
    }
    /** The button of the next step is the main act of the page, the second stop of Tab. */
    async function pressStep(step: string): Promise<void> {
      const row = page.locator(`[data-step="${step}"]`);
      const isNext = (await row.getAttribute('data-state')) === 'next';
      const isByKeys = means === 'keyboard';
      await hands.press(isNext && isByKeys ? page.locator('[data-main-act]') : row.locator('a').first());
    }
    /** As a program of the test reads it. */
    // oxlint-disable-next-line typescript/no-explicit-any -- rows of whatever page; the assertions judge them
    async function rowsOf(path: string): Promise<any> {
      const answer = await page.context().request.get(at(path), { headers: { accept: 'application/json' } });
      return await answer.json();
    }
    async function stepsIn(state: string): Promise<readonly string[]> {
      const rows: readonly { step: string; state: string }[] = await rowsOf('/console/setup');
      return rows.filter((row) => row.state === state).map(({ step }) => step);
    }

    it('the link of the first start signs an administrator in, and Today leads to the set-up', async () => {
      watched = watchPage(page);
      page.on('response', (response) => {
        if (response.status() === 503) later.push(new URL(response.url()).pathname);
      });
      await page.goto(consoleUrl);
      await hands.press(button('sign-in'));
      await shown('today');
      signedInMs = performance.now();
      await hands.press(page.locator('[data-what="noQuote"] a[href$="setup"]'));
      await shown('setup');
      assert.equal(await page.getAttribute('html', 'lang'), language === 'it' ? 'it-IT' : 'en-GB');
      assert.deepEqual(await stepsIn('next'), ['passkey']);
    });

    it('a passkey is kept, for a sign-in without a link', async () => {
      await addAuthenticator(page);
      await pressStep('passkey');
      await hands.press(button('passkey-register'));
      await page.waitForSelector('[data-act="passkey-end"]');
      assert.deepEqual(await stepsIn('next'), ['properties']);
    });

    it('a spreadsheet of forty flats is looked at, corrected and applied', async () => {
      await begin('properties');
      await send('Appartamenti.csv', spreadsheetOf(MISTAKES));
      assert.deepEqual(await counts('created', 'rejected'), [
        String(FLATS - MISTAKES.length),
        String(MISTAKES.length),
      ]);
      const told = await page.innerText('main');
      for (const [column, text] of MISTAKES) assert.ok(told.includes(column), `${column} ${text} in ${told}`);
      assert.deepEqual(await stepsIn('next'), ['properties'], 'a look changes nothing');
      await begin('properties');
      await send('Appartamenti.csv', spreadsheetOf([]));
      assert.deepEqual(await counts('created', 'rejected'), [String(FLATS), '0']);
      await hands.press(button('import-catalogue'));
      await page.waitForSelector('[data-phase="applied"]');
      assert.deepEqual(await counts('created'), [String(FLATS)]);
      assert.deepEqual(await stepsIn('next'), ['pictures']);
    });

    async function send(name: string, buffer: Buffer): Promise<void> {
      await hands.choose(form('import-catalogue').locator('[type=file]'), {
        name,
        mimeType: 'text/csv',
        buffer,
      });
      await hands.press(button('import-catalogue'));
      await page.waitForSelector('[data-phase="shown"]');
    }
    const counts = async (...names: readonly string[]) =>
      Promise.all(names.map((name) => page.locator(`[data-count="${name}"]`).textContent()));

    it(`${FLATS * picturesEach} pictures find their flats; one changes its place, and all are saved`, async () => {
      await begin('pictures');
      await hands.choose(page.locator('#folder'), photos);
      const count = FLATS * picturesEach;
      await page.waitForFunction(
        (wanted) => document.querySelectorAll('[data-card]').length === wanted,
        count,
        {
          timeout: PICTURES_MS_MAX,
        },
      );
      assert.deepEqual(await page.locator('.refused').allTextContents(), []);
      await hands.reach(page.locator('[data-grip]').first());
      await hands.key('ArrowRight');
      await hands.press(page.locator('[data-save]'));
      await page.waitForFunction(() => document.querySelector('[data-card]') === null);
      const { images } = await rowsOf(`/console/properties/${FIRST}/edit`);
      const widths = Array.from({ length: picturesEach }, (_none, index) => 101 + index);
      assert.deepEqual(
        images.map(({ width }: { width: number }) => width),
        [widths[1], widths[0], ...widths.slice(2)],
      );
      assert.deepEqual(await stepsIn('next'), ['prices']);
    });

    it('prices and units of a weekend are set in the months, and changed again', async () => {
      await begin('prices');
      await hands.fill(page.locator('[name="search"]'), 'casa liberta 1');
      await hands.send();
      await hands.press(page.locator(`main a[href$="properties/${FIRST}"]`));
      for (const rate of ['140.00', '150.00']) await priceWeekend(rate);
      for (const date of [weekend.friday, weekend.saturday])
        assert.equal(await nightOf(date).locator('..').getAttribute('data-look'), 'open');
      assert.deepEqual(await stepsIn('next'), ['prices'], 'the other flats have none');
    });

    const nightOf = (date: string): Locator => page.locator(`td[data-night="${date}"] a`);

    async function priceWeekend(rate: string): Promise<void> {
      await page.waitForSelector('.calendar');
      await chooseNights(weekend.friday, weekend.saturday);
      // After the first time there is a button that undoes it, in a form of the same name.
      const nights = form('nights-save').filter({ has: page.locator('#nights-save-from') });
      await hands.unfold(nights);
      assert.equal(await nights.locator('[name=from]').inputValue(), weekend.friday);
      assert.equal(await nights.locator('[name=to]').inputValue(), weekend.saturday);
      await hands.fill(nights.locator('[name=rate]'), rate);
      await hands.fill(nights.locator('[name=units]'), '1');
      await sendForm();
    }

    async function chooseNights(...dates: readonly string[]): Promise<void> {
      for (const date of dates) {
        if (means === 'mouse') {
          hands.acts += 1;
          await hands.point(nightOf(date));
        } else {
          await moveTo(date);
          await hands.key(' ');
        }
      }
    }

    /** Months by PageDown, then days by arrows. */
    async function moveTo(date: string): Promise<void> {
      await hands.reach(page.locator('.calendar td a:not([tabindex="-1"])'));
      const here = async () => (await page.locator('td:has(a:focus)').getAttribute('data-night'))!;
      const month = date.slice(0, 'YYYY-MM'.length);
      while ((await here()) < month) await hands.move('PageDown');
      const steps = parseLocalDate(date)! - parseLocalDate(await here())!;
      for (let step = 0; step < Math.abs(steps); step += 1)
        await hands.move(steps < 0 ? 'ArrowLeft' : 'ArrowRight');
    }

    it('a calendar of another platform is subscribed to and fetched', async () => {
      feeds.answer = calendar([weekend.sunday, formatLocalDate(parseLocalDate(weekend.sunday)! + 2)]);
      await hands.unfold(form('feed-add'));
      await hands.fill(form('feed-add').locator('[name=url]'), `${feeds.url}/flat-01.ics`);
      await sendForm();
      await hands.press(page.locator('[role=status]').locator(button('feed-test')));
      await page.waitForSelector('main dl');
      await begin('prices');
      await hands.press(page.locator(`main a[href$="properties/${FIRST}"]`));
      await page.waitForSelector('.calendar');
      assert.equal(await nightOf(weekend.sunday).locator('..').getAttribute('data-look'), 'closed');
      assert.ok((await stepsIn('done')).includes('calendars'));
    });

    it('a partner is created, and its credential comes with the calls to make', async () => {
      await begin('partner');
      pressesBefore = hands.presses;
      await hands.unfold(form('partner-create'));
      await hands.fill(form('partner-create').locator('[name=name]'), 'Acme Travel');
      await hands.send();
      await shown('partner');
      await hands.press(page.locator('[role=status] a.act'));
      await page.waitForURL(/form=issue/);
      await hands.press(button('issue'));
      await page.waitForSelector('.secret');
      assert.equal(await page.locator('pre code').count(), 4);
    });

    let pressesBefore = 0;

    it('the four calls and the traveller’s page are answered from the console', async () => {
      for (const call of [
        'listPartnerProperties',
        'getPartnerProperty',
        'getPartnerPropertyAvailability',
        'createPartnerQuote',
        'openHandoff',
      ]) {
        const own = form('send-now').filter({ has: page.locator(`[name="call"][value="${call}"]`) });
        await hands.press(own.locator('button'));
        const answer = page.locator(`section[data-call="${call}"]`);
        await answer.waitFor();
        const status = await answer.getAttribute('data-status');
        assert.equal(status, call === 'createPartnerQuote' ? '201' : '200', await answer.innerText());
        const toFirstCall = hands.presses - pressesBefore;
        assert.ok(call !== 'listPartnerProperties' || toFirstCall <= PRESSES_TO_FIRST_CALL, `${toFirstCall}`);
        if (call === 'createPartnerQuote') {
          handoffUrl = (await answer.locator('a[target="_blank"]').getAttribute('href'))!;
          assert.match(await answer.innerText(), /"total": "340\.00"/);
        }
      }
      assert.deepEqual((await stepsIn('done')).slice(-4), [
        'partner',
        'credential',
        'firstCall',
        'firstQuote',
      ]);
    });

    let handoffUrl = '';

    it('the traveller sees pictures and price on a phone', async () => {
      const context = await browser.newContext({ ...PHONE, locale: language, ignoreHTTPSErrors: true });
      const traveller = await context.newPage();
      await traveller.goto(handoffUrl);
      assert.equal(await traveller.locator('main').getAttribute('data-outcome'), 'unchanged');
      assert.match(await traveller.innerText('.offer'), /€340\.00|340,00\s€/);
      const picture = traveller.locator('.gallery img').first();
      await picture.scrollIntoViewIfNeeded();
      const shownFirst = `document.querySelector('.gallery img')`;
      const width = `${shownFirst}.decode().then(() => ${shownFirst}.naturalWidth)`;
      assert.equal(await traveller.evaluate(width), 102, 'the one that was moved');
      assert.deepEqual(await barriersOf(traveller), []);
      await context.close();
    });

    it('the audit trail names each act and who did it, in the number of acts that docs/console.md says', async () => {
      await go('/console/audit');
      await shown('audit');
      const told = () =>
        page.locator('.trail li').evaluateAll((all) => all.map((one) => one.getAttribute('data-act')!));
      const newest = await told();
      await hands.press(page.locator('main a[rel="next"]'));
      await page.waitForURL(/page=2/);
      const acts = [...newest, ...(await told())].toReversed();
      assert.equal(
        acts.filter((act, place) => place < 2 || !/^(?:console link|sign-in.*)$/.test(act)).join(', '),
        'console link, sign-in, passkey register, import catalogue, ' +
          'property save, '.repeat(FLATS) +
          'nights set, nights set, ical subscribe, ical poll, partner create, credential issue' +
          ', send-now'.repeat(5),
      );
      const people = new Set(
        (await rowsOf('/console/audit')).map(({ person }: { person: string }) => person),
      );
      assert.deepEqual([...people], ['administrator', 'command line']);
      // A fast machine reaches the limit of uploads in a minute: the page sends those again.
      assert.deepEqual(
        later.filter((path) => path !== UPLOAD_PATH),
        [],
      );
      assert.deepEqual(
        watched.complaints,
        later.map((path) => `${TOLD_LATER} ${at(path)}`),
      );
      assert.deepEqual(
        [...(await stepsIn('next')), ...(await stepsIn('open'))].filter((step) => step !== 'checks'),
        ['prices', 'bookingSite', 'travellers', 'legalLinks'],
        'needs a sheet of prices for the other flats, another machine than this one, and a lawyer; so may the checks, which take as long as its network',
      );
      const { acts: wanted, presses, minutes } = documented(means);
      const counted = `${hands.acts} acts, ${hands.presses} presses, ${hands.minutes.toFixed(1)} minutes`;
      // A fold may have opened by itself, or not yet.
      assert.ok(Math.abs(hands.acts - wanted) <= 2 && Math.abs(hands.minutes - minutes) <= 1, counted);
      assert.ok(Math.abs(hands.presses - presses) <= presses / 10, counted);
    });
  });
