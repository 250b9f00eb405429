/**
 * The console's pages of properties and supply as a browser shows them: by keyboard, without script, on a phone with
 * twice as large text, in the dark, by the rules of accessibility, with no request to anybody else.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { double, hotelWith, hotel, nights } from '../../kit/catalogue-lines.ts';
import { signInTo } from '../../kit/console-client.ts';
import { browserMissing, startBrowser, watchPage } from '../../kit/browser.ts';
import { until } from '../../kit/command-line.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';
import { barriersOf } from '../../kit/page-barriers.ts';
import { ENLARGEMENTS, enlarge, textFaults } from '../../kit/page-reflow.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PAGES = {
  properties: 'properties?search=a&sort=-price',
  property: 'properties/grand?did=close&type=double&from=2026-12-24&to=2026-12-26&changed=1',
  night: 'properties/grand/nights/double/2026-12-14',
  explain: 'properties/grand/explain?checkIn=2026-12-13&checkOut=2026-12-16&guests=2',
  supply: 'supply',
};

const LINES = [
  hotel('grand', {
    name: { 'it-IT': 'Grande Albergo Miracoli', 'en-GB': 'Grand Hotel' },
    inventoryTypes: [
      double({
        calendar: [
          nights('2026-11-20', '2027-12-31', { availability: 2, rate: '120.00' }),
          nights('2026-12-14', '2026-12-14', { stopSell: true }),
          nights('2026-12-20', '2026-12-22', { availability: 0 }),
          nights('2027-01-05', '2027-01-09', { minStayArrival: 3 }),
        ],
      }),
      double({ inventoryTypeId: 'twin', name: 'Twin with balcony' }),
    ],
  }),
  hotelWith('casa', [nights('2026-12-01', '2026-12-31', { availability: 1 })]),
];

describe('Properties of the console in a browser', { skip: browserMissing() }, () => {
  let running: Running;
  let browser: Browser;
  let cookie: { readonly name: string; readonly value: string; readonly url: string };
  before(async () => {
    running = await startInstallation(LINES);
    const { installation, service } = running;
    const client = await signInTo(installation, service.operatorUrl, { role: 'operator' });
    const [name = '', value = ''] = client.cookie?.split('=') ?? [];
    cookie = { name, value, url: service.operatorUrl };
    browser = await startBrowser();
  });
  after(async () => {
    await browser.close();
    await running.installation.close();
  });

  async function open(options: BrowserContextOptions): Promise<Page> {
    const context = await browser.newContext(options);
    await context.addCookies([cookie]);
    return context.newPage();
  }
  const urlOf = (path: string): string => `${cookie.url}/console${path === '' ? '' : `/${path}`}`;
  const shownPage = (page: Page): Promise<string | null> => page.locator('main').getAttribute('data-page');
  /** Type, date and state of the cell that has the focus. */
  const focused = (page: Page): Promise<string> =>
    page.evaluate(`(() => {
      const cell = document.activeElement.closest('td[data-type]');
      return cell === null ? '' : [cell.dataset.type, cell.dataset.date, cell.dataset.state].join(' ');
    })()`);

  const LOOKS = [
    { ...DESKTOP, locale: 'en-GB', colorScheme: 'light' },
    { ...DESKTOP, locale: 'it-IT', colorScheme: 'dark' },
    { ...PHONE, locale: 'it-IT', colorScheme: 'light' },
  ] as const;

  for (const look of LOOKS) {
    it(`shows every page ${look.colorScheme}, ${look.viewport.width} wide, in ${look.locale}, without a barrier`, async () => {
      const page = await open(look);
      const { requests, complaints } = watchPage(page);
      for (const [name, path] of Object.entries(PAGES)) {
        await page.goto(urlOf(path));
        assert.equal(await shownPage(page), name);
        assert.equal(await page.locator('html').getAttribute('lang'), look.locale);
        assert.deepEqual(await barriersOf(page), [], name);
      }
      assert.deepEqual(complaints, []);
      assert.deepEqual(
        requests.filter((request) => !request.startsWith(`GET ${cookie.url}/`)),
        [],
      );
      await page.context().close();
    });
  }

  it('shows every page on a phone with text twice as large', async () => {
    const page = await open({ ...PHONE, locale: 'it-IT' });
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(urlOf(path));
      for (const width of [390, 320])
        for (const how of ENLARGEMENTS) {
          await enlarge(page, width, how);
          assert.deepEqual(await textFaults(page), [], `${name} ${width} ${how}`);
        }
      await enlarge(page, 2 * 390, 'zoom');
    }
    await page.context().close();
  });

  it('the heat-map has one stop of Tab, moves by arrows, and opens a night by Enter', async () => {
    const page = await open({ ...DESKTOP, locale: 'en-GB' });
    await page.goto(urlOf('properties/grand'));
    const stops: string[] = [];
    for (let tabs = 0; tabs < 100; tabs += 1) {
      await page.keyboard.press('Tab');
      const cell = await focused(page);
      if (cell !== '') stops.push(cell);
      else if (stops.length > 0) break;
    }
    assert.deepEqual(stops, ['double 2026-11-20 open']);
    await page.keyboard.press('Shift+Tab');
    const path: readonly (readonly [string, string])[] = [
      ['ArrowRight', 'double 2026-11-21 open'],
      ['ArrowDown', 'twin 2026-11-21 not_set_up'],
      ['ArrowDown', 'double 2026-12-21 sold'],
      ['ArrowUp', 'twin 2026-11-21 not_set_up'],
      ['PageDown', 'twin 2026-12-21 open'],
      ['Home', 'twin 2026-12-01 open'],
      ['ArrowLeft', 'twin 2026-11-30 not_set_up'],
      ['ArrowUp', 'double 2026-11-30 open'],
      ['PageDown', 'double 2026-12-30 open'],
      ['PageDown', 'double 2027-01-30 open'],
      ['PageDown', 'double 2027-02-28 open'],
      ['End', 'double 2027-02-28 open'],
      ['PageUp', 'double 2027-01-28 open'],
    ];
    for (const [key, cell] of path) {
      await page.keyboard.press(key);
      assert.equal(await focused(page), cell, key);
    }
    assert.match(await page.locator('.overview .heat-night').innerText(), /28 January 2027 · Double: open/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/nights/double/2027-01-28');
    assert.equal(await shownPage(page), 'night');
    await page.context().close();
  });

  it('chooses the first and the last night for the forms, closes them, and takes that back', async () => {
    const page = await open({ ...DESKTOP, locale: 'en-GB' });
    await page.goto(urlOf('properties/grand'));
    const cell = (date: string) => page.locator(`td[data-type="double"][data-date="${date}"]`);
    await cell('2026-12-05').click({ modifiers: ['Shift'] });
    await cell('2026-12-03').click({ modifiers: ['Shift'] });
    const close = page.locator('form[data-act="close"]');
    assert.equal(await close.locator('[name=from]').inputValue(), '2026-12-03');
    assert.equal(await page.locator('[name=checkOut]').inputValue(), '2026-12-06');
    await close.locator('button').first().click();
    await page.waitForURL('**did=close**');
    for (const date of ['2026-12-03', '2026-12-05'])
      assert.equal(await cell(date).getAttribute('data-state'), 'closed');
    assert.equal(await cell('2026-12-06').getAttribute('data-state'), 'open');
    await page.locator('[role=status] form[data-act="open"] button').click();
    await page.waitForURL('**did=open**');
    assert.equal(await cell('2026-12-03').getAttribute('data-state'), 'open');
    await page.context().close();
  });

  it('shows a month by weeks on a phone, and a tap chooses nights for the bar that stays in sight', async () => {
    const page = await open({ ...PHONE, locale: 'en-GB' });
    await page.goto(urlOf('properties/grand'));
    const cell = (date: string) => page.locator(`td[data-type="double"][data-date="${date}"]`);
    const [monday, sunday, nextMonday] = await Promise.all(
      ['2026-12-07', '2026-12-13', '2026-12-14'].map(async (date) => (await cell(date).boundingBox())!),
    );
    assert.ok(monday!.y === sunday!.y && nextMonday!.y > monday!.y && nextMonday!.x === monday!.x);
    const box = page.locator('.heat-box');
    assert.ok(
      await box.evaluate((element) => element.scrollWidth <= element.clientWidth),
      'no way to the side',
    );
    await cell('2026-12-03').tap();
    const toNight = page.locator('.chosen-night');
    assert.match((await toNight.getAttribute('href')) ?? '', /double\/2026-12-03$/);
    await cell('2026-12-05').tap();
    assert.match(await page.locator('.chosen-nights').innerText(), /3\snights, Double: 3\D+5\sDec/);
    assert.ok(!(await toNight.isVisible()), 'several nights have no page');
    // The page glides there: it fails by its time limit where the panel stays out of sight.
    const close = page.locator('form[data-act="close"] button').first();
    await until(async () => {
      const box = (await close.boundingBox())!;
      return box.y >= 0 && box.y + box.height <= PHONE.viewport.height;
    });
    await page.context().close();
  });

  it('shows two months at a time on a phone, all without script, and folds what stands below', async () => {
    const shownMonths = (page: Page) =>
      page
        .locator('table.heat tbody')
        .evaluateAll((all) => all.map((one) => !(one as { hidden: boolean }).hidden));
    const page = await open({ ...PHONE, locale: 'en-GB' });
    await page.goto(urlOf('properties/grand'));
    const [first, second, ...others] = await shownMonths(page);
    assert.deepEqual([first, second, others.includes(true), others.length > 3], [true, true, false, true]);
    const later = page.locator('.overview').getByRole('button', { name: 'Later months' });
    const earlier = page.locator('.overview').getByRole('button', { name: 'Earlier months' });
    assert.ok(await earlier.isDisabled());
    await later.tap();
    assert.deepEqual((await shownMonths(page)).slice(0, 5), [false, false, true, true, false]);
    const stop = page.locator('table.heat td a:not([tabindex="-1"])');
    assert.ok(await stop.isVisible(), 'Tab leads to a month that is shown');
    await earlier.tap();
    assert.ok(await stop.isVisible());
    await page.locator('td[data-type="double"][data-date="2026-12-31"] a').focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(page), 'double 2027-01-01 open', 'a key shows the month that it leads to');
    assert.deepEqual((await shownMonths(page)).slice(0, 4), [false, true, true, false]);
    for (let turns = 0; !(await later.isDisabled()); turns += 1) {
      assert.ok(turns < 12);
      await later.tap();
    }
    assert.deepEqual((await shownMonths(page)).slice(-3), [false, true, true]);
    const below = page.locator('.below-nights');
    assert.equal(await below.getAttribute('open'), null);
    await page.context().close();
    const plain = await open({ ...PHONE, locale: 'en-GB', javaScriptEnabled: false });
    await plain.goto(urlOf('properties/grand'));
    assert.equal(await plain.locator('.overview .months').isVisible(), false);
    assert.equal(await plain.locator('table.heat tbody:visible').count(), (await shownMonths(plain)).length);
    assert.equal(await plain.locator('.below-nights').getAttribute('open'), '');
    await plain.context().close();
  });

  it('shows one type by month below weekdays, prices in the cells, and a minimum stay once', async () => {
    const page = await open({ ...PHONE, locale: 'it-IT', javaScriptEnabled: false });
    await page.goto(urlOf('properties/grand'));
    const december = page.locator('.month[data-month="2026-12"]');
    assert.deepEqual(await december.locator('th').allInnerTexts(), [
      'lun',
      'mar',
      'mer',
      'gio',
      'ven',
      'sab',
      'dom',
    ]);
    const cell = (date: string) => page.locator(`td[data-night="${date}"]`);
    const told = await Promise.all(
      ['2026-12-01', '2026-12-14', '2026-12-21'].map(async (date) => [
        await cell(date).getAttribute('data-look'),
        (await cell(date).innerText()).replaceAll(/\s+/g, ' '),
      ]),
    );
    assert.deepEqual(told, [
      ['open', '1 120€'],
      ['closed', '14 chiusa'],
      ['sold', '21 piena'],
    ]);
    assert.match(
      await page.locator('[data-minimum-stays]').innerText(),
      /^Almeno 3\snotti: mar 5 gen 2027 – sab 9 gen/,
    );
    assert.equal(
      await cell('2027-01-06')
        .innerText()
        .then((text) => text.trim().split(/\s+/)[1]),
      '120€',
    );
    assert.equal(await page.locator('.month:visible').count(), 15, 'all months, without script');
    await page.locator('.switch a', { hasText: 'Twin' }).click();
    await page.waitForURL('**type=twin');
    assert.equal(await cell('2026-11-20').getAttribute('data-look'), 'not_set_up');
    await page.context().close();
  });

  it('prices a season in 40 keys, and the result has the focus', async () => {
    const page = await open({ ...DESKTOP, locale: 'en-GB' });
    await page.goto(urlOf('properties/grand'));
    let keys = 0;
    const press = async (...names: readonly string[]): Promise<void> => {
      for (const name of names) await page.keyboard.press(name);
      keys += names.length;
    };
    const months = (count: number) => Array.from({ length: count }, () => 'PageDown');
    await press('Tab', 'Tab', 'Enter');
    await press(...months(7), 'Home', ' ', ...months(2), 'End', ' ');
    assert.match(await page.locator('.chosen-nights').innerText(), /92\snights, Double: 1 Jun – 31 Aug/);
    const isIn = (name: string) => page.evaluate(`document.activeElement.name === '${name}'`);
    while (!(await isIn('rate'))) await press('Tab');
    await page.keyboard.type('180');
    await press('Tab', 'Tab');
    await page.keyboard.type('5');
    await press('Enter');
    await page.waitForURL('**did=nights-save**');
    assert.ok(keys <= 40, `${keys} keys`);
    await page.locator('main [role=status]:focus').waitFor();
    assert.match(await page.locator('td[data-night="2027-06-01"]').innerText(), /€180/);
    assert.ok(await page.locator('.month[data-month="2027-06"]').isVisible(), 'what was changed is in sight');
    await page.locator('[role=status] form[data-act="nights-save"] button').click();
    await page.waitForURL('**did=nights-save**');
    await page.context().close();
  });

  it('refuses prices in the panel, with the nights as they were chosen', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open({ ...DESKTOP, locale: 'en-GB', javaScriptEnabled });
      await page.goto(urlOf('properties/grand'));
      const form = page.locator('.night-acts form[data-act="nights-save"]');
      if (javaScriptEnabled)
        for (const date of ['2026-12-03', '2026-12-05'])
          await page.locator(`td[data-night="${date}"] a`).click();
      else
        for (const [name, date] of [
          ['from', '2026-12-03'],
          ['to', '2026-12-05'],
        ] as const)
          await form.locator(`[name=${name}]`).fill(date);
      await form.locator('[name=rate]').fill('cheap');
      await form.locator('[name=units]').fill('7');
      await form.locator('button').click();
      await page.waitForSelector('[data-refused]');
      assert.equal(await shownPage(page), 'property');
      const valueOf = (name: string) => form.locator(`[name=${name}]`).inputValue();
      assert.deepEqual(await Promise.all(['type', 'from', 'to', 'rate', 'units'].map(valueOf)), [
        'double',
        '2026-12-03',
        '2026-12-05',
        'cheap',
        '7',
      ]);
      assert.equal(await form.locator('select[name=type] option').count(), 2, 'the types by name');
      await form.locator('[name=rate]:focus').waitFor();
      if (javaScriptEnabled) {
        assert.match(await page.locator('.chosen-nights').innerText(), /3\snights, Double/);
        assert.deepEqual(await barriersOf(page), []);
      }
      await form.locator('[name=rate]').fill('120.00');
      await form.locator('[name=units]').fill('');
      await form.locator('button').click();
      await page.waitForURL('**did=nights-save**');
      await page.context().close();
    }
  });

  it('acts on a night from its page, without script', async () => {
    const page = await open({ ...DESKTOP, locale: 'en-GB', javaScriptEnabled: false });
    for (const [act, state] of [
      ['close', 'closed'],
      ['open', 'open'],
    ] as const) {
      await page.goto(urlOf('properties/grand/nights/double/2027-03-03'));
      await page.locator(`form[data-act="${act}"] button`).click();
      await page.waitForURL(`**did=${act}**`);
      const cell = page.locator('td[data-type="double"][data-date="2027-03-03"]');
      assert.equal(await cell.getAttribute('data-state'), state);
    }
    await page.context().close();
  });

  it('closes and opens typed nights by one form with two buttons, without script', async () => {
    const page = await open({ ...PHONE, locale: 'it-IT', javaScriptEnabled: false });
    for (const [act, button, state] of [
      ['close', 0, 'closed'],
      ['open', 1, 'open'],
    ] as const) {
      await page.goto(urlOf('properties/grand'));
      const form = page.locator('.night-acts form[data-act="close"]');
      await form.locator('[name=type]').selectOption('double');
      for (const name of ['from', 'to']) await form.locator(`[name=${name}]`).fill('2027-03-04');
      await form.locator('button').nth(button).click();
      await page.waitForURL(`**did=${act}**`);
      const cell = page.locator('td[data-type="double"][data-date="2027-03-04"]');
      assert.equal(await cell.getAttribute('data-state'), state);
    }
    await page.context().close();
  });

  it('colours a night with a minimum stay as open, with a mark in its corner', async () => {
    const page = await open({ ...DESKTOP, locale: 'en-GB' });
    await page.goto(urlOf('properties/grand'));
    const look = (date: string) =>
      page.locator(`td[data-type="double"][data-date="${date}"]`).evaluate((element) => {
        const { backgroundColor, backgroundImage } = getComputedStyle(element);
        return { backgroundColor, isMarked: backgroundImage !== 'none' };
      });
    const plain = await look('2027-01-12');
    assert.deepEqual(await look('2027-01-06'), { ...plain, isMarked: true });
    assert.equal(plain.isMarked, false);
    await page.context().close();
  });

  it('leads without script from today to why a night is not sold, in three clicks, and explains a stay', async () => {
    const page = await open({ ...DESKTOP, locale: 'en-GB', javaScriptEnabled: false });
    await page.goto(urlOf(''));
    await page.getByRole('link', { name: 'Properties' }).click();
    await page.getByRole('link', { name: 'grand' }).click();
    assert.ok(!(await page.locator('.overview .heat-night').isVisible()), 'names no keys that do nothing');
    await page.locator('td[data-type="double"][data-date="2026-12-14"]').click();
    const row = page.locator('tr[data-field="stopSell"]');
    assert.deepEqual(
      [await row.getAttribute('data-source'), await row.getAttribute('data-decides')],
      ['catalogue', 'true'],
    );
    assert.match(await row.innerText(), /20 Nov 2026/);
    await page.getByRole('link', { name: 'Explain a stay' }).click();
    assert.equal(await shownPage(page), 'explain');
    assert.equal(await page.locator('section[data-type="double"]').getAttribute('data-eligible'), 'false');
    await page.context().close();
  });
});
