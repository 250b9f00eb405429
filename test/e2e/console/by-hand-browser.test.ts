/**
 * From an empty folder to a traveller's page without a shell: a person in a browser, a partner's program that makes the
 * calls which the console shows, and a traveller with a phone. `serve` is a process of its own, as people start it.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { generate } from 'selfsigned';
import type { Browser, Locator, Page } from 'playwright-core';
import { formatLocalDate, utcDay } from '../../../src/domain/local-date.ts';
import { addAuthenticator } from '../../kit/authenticator.ts';
import { browserMissing, startBrowser, unfold, type Watched, watchPage } from '../../kit/browser.ts';
import { type RunningServer, startServer, until, Workplace } from '../../kit/command-line.ts';
import { type ReservedPort, reservePort } from '../../kit/reserved-port.ts';
import { calendar, type FeedServer, startFeedServer } from '../../kit/feed-server.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
/** How people work: with a phone, or at a desk. */
const WAYS = [
  { name: 'with a phone, in English', look: { ...PHONE, locale: 'en-GB' } },
  { name: 'at a desk, in Italian', look: { viewport: { width: 1280, height: 800 }, locale: 'it-IT' } },
];
const PICTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'pictures');
const FLATS = 40;
/** Until a new credential works: a second, on a machine that does nothing else. */
const FOLLOWED_MS_MAX = 10_000;
/** Of the weekend that gets a price. */
const DAYS_AHEAD = 45;
const FIRST = 'flat-01';

interface Weekend {
  readonly friday: string;
  readonly saturday: string;
  readonly sunday: string;
}

function weekendAfter(nowMs: number): Weekend {
  const from = utcDay(nowMs) + DAYS_AHEAD;
  // The first day of the count, 1970-01-01, was a Thursday.
  const friday = from + ((8 - (from % 7)) % 7);
  const [one = '', two = '', three = ''] = [friday, friday + 1, friday + 2].map(formatLocalDate);
  return { friday: one, saturday: two, sunday: three };
}

/** Mistakes of the last rows, one in each. */
const MISTAKES: readonly (readonly [column: string, text: string])[] = [
  ['guestsMax', 'quattro'],
  ['cleaningFee', '4O,00'],
  ['timezone', 'Europe/Roma'],
  ['currency', 'Euro'],
  ['bathrooms', '-1'],
];

/** As a spreadsheet program of an Italian office writes it: semicolons, decimal commas, a mark at the beginning. */
function spreadsheetOf(mistakes: typeof MISTAKES): Buffer {
  const flats = Array.from({ length: FLATS }, (_none, index): Readonly<Record<string, string>> => {
    const number = String(index + 1).padStart(2, '0');
    const mistake = mistakes[FLATS - 1 - index];
    return {
      propertyId: `flat-${number}`,
      'name:it-IT': `Casa ${number}`,
      'name:en-GB': `House ${number}`,
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
  return Buffer.from(`\uFEFF${lines.map((cells) => cells.join(';')).join('\r\n')}\r\n`);
}

/** TLS as a proxy would have it, and pictures in a folder that is still empty. */
async function settingsOf(folder: string, port: number): Promise<Record<string, string>> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'book.example.com' }], {
    keyType: 'ec',
    algorithm: 'sha256',
  });
  const [certPath, keyPath, images] = ['web.crt', 'web.key', 'images'].map((name) => join(folder, name));
  writeFileSync(certPath!, cert);
  writeFileSync(keyPath!, key, { mode: 0o600 });
  mkdirSync(images!);
  return {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    WEB_PORT: '0',
    WEB_TLS_CERT: certPath!,
    WEB_TLS_KEY: keyPath!,
    WEB_IMAGES: images!,
    HANDOFF_BASE_URL: 'https://book.example.com/handoff',
    ICAL_ALLOW_PRIVATE: 'true',
  };
}

/** Makes the call that a command for a shell makes, and reads its answer. */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever is answered; the assertions judge it
async function called(command: string): Promise<any> {
  // A line ends with a backslash where the command goes on.
  const [program, ...words] = Array.from(
    command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|(\S+)/g),
    ([, quoted, bare]) => quoted ?? bare!,
  );
  assert.equal(program, 'curl');
  const headers: [string, string][] = [];
  let body: string | undefined;
  let url = '';
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    if (word === '-H') headers.push(words[(index += 1)]!.split(': ') as [string, string]);
    else if (word === '-d') body = words[(index += 1)]!;
    else url = word;
  }
  const method = body === undefined ? 'GET' : 'POST';
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await answer.text();
  assert.ok(answer.ok, `${command}\n${answer.status} ${text}`);
  return JSON.parse(text);
}

const ALREADY = new Set(['passkey', 'travellers', 'checks']);

/** A box that is ticked is one act, as is a form that a key in one of its fields sends. */
const COUNT_ACTS = `
  addEventListener('change', () => countAct(), true);
  addEventListener('click', ({ target }) => target.matches('input, select, option') || countAct(), true);`;

for (const { name: way, look } of WAYS)
  describe(`By hand, from an empty folder, ${way}`, { skip: browserMissing() }, () => {
    const weekend = weekendAfter(Date.now());
    const workplace = new Workplace();
    let feeds: FeedServer;
    let reserved: ReservedPort;
    let server: RunningServer;
    let browser: Browser;
    /** Of the person who sets up. */
    let page: Page;
    /** So many things this person did: a button or link pressed, a field filled in, an address opened. */
    let acts = 0;
    let watched: Watched;

    before(async () => {
      feeds = await startFeedServer();
      reserved = await reservePort();
      server = await startServer(workplace, await settingsOf(workplace.directory, reserved.port));
      const web = new URL(server.webUrl!);
      browser = await startBrowser({ 'book.example.com': web.host });
      const context = await browser.newContext({ ...look, ignoreHTTPSErrors: true });
      await context.exposeFunction('countAct', () => (acts += 1));
      await context.addInitScript(COUNT_ACTS);
      page = await context.newPage();
      page.setDefaultTimeout(60_000);
    });
    after(async () => {
      await browser?.close();
      await workplace.remove();
      await feeds?.close();
      await reserved?.release();
    });

    /** At the name of the link, to which the cookie belongs. */
    const at = (path: string): string => new URL(path, server.consoleUrl).href;
    const open = (path: string) => {
      acts += 1;
      return page.goto(at(path));
    };
    const form = (act: string): Locator => page.locator(`form[data-act="${act}"]`);
    /** Which steps of the set-up are done, without the first, and those of the settings and the machine. */
    async function stepsDone(): Promise<readonly string[]> {
      await open('/console/setup');
      // A look of the test, not of the person.
      acts -= 1;
      const done = await page.locator('[data-step][data-state=done]').all();
      const names = await Promise.all(done.map((step) => step.getAttribute('data-step')));
      return names.filter((name): name is string => name !== null && !ALREADY.has(name));
    }
    async function begin(step: string): Promise<void> {
      await open('/console/setup');
      await page.locator(`[data-step="${step}"] a`).first().click();
    }
    const nextStep = () => page.locator('[data-state=next]').getAttribute('data-step');

    it('the link of the first start signs an administrator in, and Today leads to the set-up', async () => {
      watched = watchPage(page);
      await page.goto(server.consoleUrl!);
      await page.press('[data-act="sign-in"] button', 'Enter');
      await page.waitForSelector('main[data-page="today"]');
      await page.click('[data-what="noQuote"] a');
      await page.waitForSelector('main[data-page="setup"]');
      assert.deepEqual(await stepsDone(), []);
      assert.equal(await nextStep(), 'passkey');
    });

    it('a passkey is kept, for a sign-in without a link', async () => {
      await addAuthenticator(page);
      await begin('passkey');
      await page.click('[data-act="passkey-register"] button');
      await page.waitForSelector('[data-act="passkey-end"]');
      await open('/console/setup');
      assert.equal(await nextStep(), 'properties');
    });

    it('a spreadsheet of forty flats is looked at, corrected and applied', async () => {
      await begin('properties');
      await send('import-catalogue', 'flats.csv', spreadsheetOf(MISTAKES));
      assert.deepEqual(await counts('created', 'rejected'), [
        String(FLATS - MISTAKES.length),
        String(MISTAKES.length),
      ]);
      const told = await page.innerText('main');
      for (const [column, text] of MISTAKES) assert.ok(told.includes(column), `${column} ${text} in ${told}`);
      assert.deepEqual(await stepsDone(), [], 'a look changes nothing');
      await open('/console/import');
      await send('import-catalogue', 'flats.csv', spreadsheetOf([]));
      assert.deepEqual(await counts('created', 'rejected'), [String(FLATS), '0']);
      await form('import-catalogue').locator('button').press('Enter');
      await page.waitForSelector('[data-phase="applied"]');
      assert.deepEqual(await counts('created'), [String(FLATS)]);
      assert.deepEqual(await stepsDone(), ['properties']);
      assert.equal(await nextStep(), 'pictures');
    });

    async function send(act: string, name: string, buffer: Buffer): Promise<void> {
      await form(act).locator('[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
      await form(act).locator('button').press('Enter');
      await page.waitForSelector('[data-phase="shown"]');
    }
    const counts = async (...names: readonly string[]) =>
      Promise.all(names.map((name) => page.locator(`[data-count="${name}"]`).textContent()));

    it('pictures of a flat are uploaded, described and saved', async () => {
      await begin('pictures');
      // The page for many of them; one flat has its form.
      await open('/console/properties');
      await page.fill('[name="search"]', 'casa 01');
      await page.press('[name="search"]', 'Enter');
      await page.click(`a[href$="properties/${FIRST}"]`);
      await page.click('a[href$="/edit"]');
      for (const [index, file] of ['front.jpg', 'front.webp'].entries()) {
        await page.setInputFiles('[name="file"]', join(PICTURES, file));
        await page.waitForSelector(`[name="images[${index}].alt.en-GB"]`);
      }
      for (const [index, text] of ['The front', 'The front again'].entries())
        await page.fill(`[name="images[${index}].alt.en-GB"]`, text);
      await page.press('[name="images[0].alt.en-GB"]', 'Enter');
      await page.waitForSelector('.good[role=status]');
      assert.deepEqual(await stepsDone(), ['properties', 'pictures']);
    });

    it('prices and units of a weekend are set by keyboard in the heat-map, and changed again', async () => {
      await begin('prices');
      for (const rate of ['140.00', '150.00']) await priceWeekend(rate);
      for (const date of [weekend.friday, weekend.saturday])
        assert.equal(await page.locator(`td[data-date="${date}"]`).getAttribute('data-state'), 'open');
      const done = await stepsDone();
      assert.ok(done.includes('prices') && !done.includes('calendars'), done.join());
    });

    async function priceWeekend(rate: string): Promise<void> {
      await open(`/console/properties/${FIRST}`);
      const friday = page.locator(`td[data-date="${weekend.friday}"] a`);
      while (!(await friday.isVisible())) await page.locator('.months button').last().press('Enter');
      await friday.focus();
      for (const key of [' ', 'ArrowRight', ' ']) await page.keyboard.press(key);
      await unfold(page, 'nights-save');
      const nights = form('nights-save');
      assert.equal(await nights.locator('[name=from]').inputValue(), weekend.friday);
      assert.equal(await nights.locator('[name=to]').inputValue(), weekend.saturday);
      await nights.locator('[name=rate]').fill(rate);
      await nights.locator('[name=units]').fill('1');
      await nights.locator('[name=units]').press('Enter');
      await page.waitForSelector('.good[role=status]');
    }

    it('a calendar of another platform is subscribed to and fetched', async () => {
      feeds.answer = calendar([weekend.sunday, formatLocalDate(utcDay(Date.parse(weekend.sunday)) + 2)]);
      await open(`/console/properties/${FIRST}`);
      await unfold(page, 'feed-add');
      await form('feed-add').locator('[name=url]').fill(`${feeds.url}/flat-01.ics`);
      await form('feed-add').locator('[name=url]').press('Enter');
      await page.waitForSelector('.good[role=status]');
      await form('feed-test').locator('button').press('Enter');
      await page.waitForSelector('main dl');
      await open(`/console/properties/${FIRST}`);
      const state = page.locator(`td[data-date="${weekend.sunday}"]`);
      assert.equal(await state.getAttribute('data-state'), 'closed');
      assert.ok((await stepsDone()).includes('calendars'));
      for (const [search, count] of [
        ['flat-01', 1],
        ['flat-02', 0],
      ] as const) {
        await open(`/console/supply?search=${search}`);
        assert.equal(await form('feed-test').count(), count, search);
      }
    });

    /** As the page shows them, for a shell. */
    let calls: readonly string[] = [];

    it('a partner is created, and its credential comes with the calls to make', async () => {
      await begin('partner');
      await unfold(page, 'partner-create');
      await form('partner-create').locator('[name=name]').fill('Acme Travel');
      await form('partner-create').locator('[name=name]').press('Enter');
      await page.waitForSelector('main[data-page="partner"]');
      await open('/console/partners?search=travel+acme');
      await page.click('main table a');
      await page.waitForSelector('main[data-page="partner"]');
      await unfold(page, 'issue');
      for (const box of await form('issue').locator('[name=scope]').all()) await box.check();
      await form('issue').locator('button').press('Enter');
      await page.waitForSelector('.secret');
      calls = await page.locator('pre code').allTextContents();
      assert.equal(calls.length, 4);
      const token = await page.locator('.secret').textContent();
      await page.goBack();
      assert.ok(!(await page.content()).includes(token!.trim()), 'a token is shown once');
      assert.deepEqual((await stepsDone()).slice(-2), ['partner', 'credential']);
    });

    it('the four calls answer as they are shown, and the traveller sees picture and price', async () => {
      const [search, property, availability, quote] = calls;
      await until(() => called(search!).then(Boolean, () => false), FOLLOWED_MS_MAX);
      const found = await called(search!);
      assert.deepEqual(
        found['items'].map(({ propertyId }: { propertyId: string }) => propertyId),
        [FIRST],
      );
      assert.equal((await called(property!))['propertyId'], FIRST);
      assert.equal((await called(availability!))['available'], true);
      const quoted = await called(quote!);
      assert.equal(quoted['pricing'].total, '340.00');
      const context = await browser.newContext({ ...PHONE, locale: 'en-GB', ignoreHTTPSErrors: true });
      const traveller = await context.newPage();
      await traveller.goto(quoted['handoffUrl']);
      assert.equal(await traveller.locator('main').getAttribute('data-outcome'), 'unchanged');
      assert.match(await traveller.innerText('.offer'), /€340\.00|340,00\s€/);
      const picture = traveller.locator('.gallery img').first();
      await picture.scrollIntoViewIfNeeded();
      const shown = `document.querySelector('.gallery img')`;
      const width = `${shown}.decode().then(() => ${shown}.naturalWidth)`;
      assert.ok(Number(await traveller.evaluate(width)) > 0);
      await context.close();
      assert.deepEqual((await stepsDone()).slice(-3), ['credential', 'firstCall', 'firstQuote']);
    });

    it('the audit trail names each step and who did it', async () => {
      const rows = await audited();
      assert.equal(
        rows.map(({ act }) => act).join(', '),
        'console link, sign-in, passkey register, import catalogue, property save, nights set, nights set, ical subscribe, ical poll, ' +
          'partner create, credential issue',
      );
      assert.deepEqual([...new Set(rows.slice(1).map(({ person }) => person))], ['administrator']);
      await open('/console/audit');
      const told = await page
        .locator('.trail li')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-act')));
      assert.deepEqual(
        told.toReversed(),
        rows.map(({ act }) => act),
      );
      assert.deepEqual(watched.complaints, []);
      const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'console.md'), 'utf8');
      const actsMax = Number(/takes at most (\d+) actions/.exec(text)?.[1]);
      assert.ok(acts <= actsMax && acts > 0.8 * actsMax, `${acts} actions`);
    });

    async function audited(): Promise<readonly { readonly act: string; readonly person: string }[]> {
      const answer = await page.context().request.get(at('/console/audit'), {
        headers: { accept: 'application/json' },
      });
      return ((await answer.json()) as { act: string; person: string }[]).toReversed();
    }
  });
