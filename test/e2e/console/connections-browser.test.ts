/**
 * The first hour of somebody with thirty flats at Smoobu, in a browser, by keyboard alone: the set-up, the key, the
 * rooms, the first read, a comparison, a partner and its first call.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { makeLink } from '../../../src/access/console-sessions.ts';
import { signInUrl } from '../../../src/operator/acts/console-acts.ts';
import { double, hotel } from '../../kit/catalogue-lines.ts';
import { browserMissing, startBrowser, type Watched, watchPage } from '../../kit/browser.ts';
import { Hands } from '../../kit/hands.ts';
import {
  type Installation,
  NOW_MS,
  type Served,
  startInstallation,
  valueOf,
} from '../../kit/installation.ts';
import { barriersOf } from '../../kit/page-barriers.ts';
import { type FakeSmoobu, startFakeSmoobu } from '../../kit/pms/fake-smoobu.ts';

const DAY_MS = 86_400_000;
const FLATS = 30;
/** Flats that stand here already, from a sheet. */
const KNOWN = 3;
const ACTS_MAX = 40;
const SECRET = 'secret-of-ada-0815';
const WAYS = [
  { language: 'it', look: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } },
  { language: 'en', look: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } },
] as const;

const dayOf = (offset: number): string => new Date(NOW_MS + offset * DAY_MS).toISOString().slice(0, 10);

/** A price that nobody set is 0. */
function datesOf(flat: number) {
  const nights = Array.from({ length: 420 }, (_none, offset) => [
    dayOf(offset),
    { price: offset % 50 === 49 ? 0 : 80 + flat, available: offset % 9 === 0 ? 0 : 1, min_length_of_stay: 1 },
  ]);
  return Object.fromEntries(nights) as Record<string, object>;
}

for (const { language, look } of WAYS)
  describe(
    `The first hour with thirty flats at Smoobu, by keyboard, in ${language}`,
    { skip: browserMissing() },
    () => {
      let installation: Installation;
      let service: Served;
      let smoobu: FakeSmoobu;
      let browser: Browser;
      let page: Page;
      let hands: Hands;
      let watched: Watched;
      before(async () => {
        const apartments = Array.from({ length: FLATS }, (_none, index) => ({
          id: 100 + index,
          name: `Casa ${index + 1}`,
          guests: 4,
          currency: 'EUR',
          timeZone: 'Europe/Rome',
          dates: datesOf(index),
        }));
        const account = { customer: 9, key: 'key-of-ada', secret: SECRET, apartments };
        const lines = apartments.slice(0, KNOWN).map(({ id, name }) =>
          hotel(`sheet-${id}`, {
            name,
            inventoryTypes: [double({ inventoryTypeId: 'whole', guestsMax: 4, calendar: [] })],
          }),
        );
        ({ installation, service } = await startInstallation(lines, { CONNECTIONS_ALLOW_PRIVATE: 'true' }));
        smoobu = await startFakeSmoobu({ account, nowMs: () => installation.time.nowMs });
        browser = await startBrowser();
        const context = await browser.newContext({ ...look, locale: language });
        page = await context.newPage();
        watched = watchPage(page);
        hands = new Hands(page, 'keyboard');
      });
      // What follows needs what was before.
      afterEach(async (step) => {
        if ((step as { readonly passed?: boolean }).passed) assert.deepEqual(await barriersOf(page), []);
        else await page.close();
      });
      after(async () => {
        await browser?.close();
        await installation.close();
        await smoobu.stop();
      });

      const form = (act: string): Locator => page.locator(`form[data-act="${act}"]`);
      const button = (act: string): Locator => form(act).locator('button').first();
      const shown = (name: string) => page.waitForSelector(`main[data-page="${name}"]`);
      const path = (): string => new URL(page.url()).pathname;
      const count = (name: string) => page.locator(`[data-count="${name}"]`).textContent();
      const pressAndLoad = async (what: Locator): Promise<void> => {
        const loaded = page.waitForEvent('load');
        await hands.press(what);
        await loaded;
      };

      /** By the bar; on a narrow screen most of it is folded. */
      async function go(to: string): Promise<void> {
        const link = page.locator(`header nav a[href$="${to}"]`).filter({ visible: true });
        if ((await link.count()) === 0) await hands.press(page.locator('header nav .more > summary'));
        await hands.press(link.first());
      }

      async function signIn(): Promise<void> {
        const origin = `http://localhost:${new URL(service.operatorUrl).port}`;
        const deps = { ...installation.access, storage: installation.storage };
        const { secret } = valueOf(await makeLink(deps, { name: 'Ada', role: 'admin' }));
        await page.goto(signInUrl(origin, secret));
        await hands.press(button('sign-in'));
        await shown('today');
      }

      it('the set-up leads to the systems', async () => {
        await signIn();
        await hands.press(page.locator('[data-what="noQuote"] a[href$="setup"]'));
        await shown('setup');
        await hands.press(page.locator('[data-step="calendars"] a[href$="new-connection"]'));
        await shown('new-connections');
      });

      it('a sign-in is asked for before the key, which the account then takes', async () => {
        // The first sign-in counts as young for an hour, and a session ends after half an hour without a request.
        for (let count = 0; count < 3; count += 1) {
          installation.time.nowMs += 25 * 60_000;
          await page.reload();
        }
        await hands.press(page.locator('a[href$="new-connection/smoobu"]'));
        await shown('new-connection');
        assert.equal(await page.locator('[type=password]').count(), 0);
        assert.ok(await page.locator('[data-before-key]').isVisible());
        await signIn();
        await hands.press(page.locator('[data-what="noQuote"] a[href$="setup"]'));
        await shown('setup');
        await hands.press(page.locator('[data-step="calendars"] a[href$="new-connection"]'));
        await hands.press(page.locator('a[href$="new-connection/smoobu"]'));
        await page.waitForSelector('[type=password]');
        await hands.fill(page.locator('[name="secret.key"]'), 'key-of-ada');
        await hands.fill(page.locator('[name="secret.secret"]'), SECRET);
        await hands.fill(page.locator('#connection-add-base'), `base=${smoobu.origin}`);
        await hands.send();
        await shown('connection');
        assert.equal(path(), '/console/connections/smoobu');
        assert.equal(await page.locator('tr[data-room]').count(), FLATS);
      });

      it('the rooms with a suggestion are mapped by one Save', async () => {
        const chosen = await page
          .locator('[name^="type."]')
          .evaluateAll((all) =>
            all.map((one) => (one as unknown as { value: string }).value).filter((value) => value !== ''),
          );
        assert.deepEqual(chosen, ['sheet-100 whole', 'sheet-101 whole', 'sheet-102 whole']);
        await pressAndLoad(button('rooms-save'));
        await page.waitForSelector('.good[role=status]');
      });

      it('what is missing is made, after the numbers of a dry run', async () => {
        const missing = form('connection-map').filter({ has: page.locator('[name=city]') });
        await hands.fill(missing.locator('[name=city]'), language === 'it' ? 'Roma' : 'Rome');
        await hands.fill(missing.locator('[name=country]'), 'IT');
        await hands.send();
        await shown('connection-map');
        assert.deepEqual(
          [await count('created'), await count('mapped'), await count('refused')],
          ['27', '0', '0'],
        );
        assert.notEqual(await count('prices'), '0');
        await hands.press(button('connection-map'));
        await shown('connection');
      });

      it('the first read gives nights and prices, and the reasons for nights without one', async () => {
        await pressAndLoad(button('connection-read'));
        await page.waitForSelector('[data-state="ok"]');
        const reasons = await page.locator('[data-reason-code="no_price"]').allInnerTexts();
        assert.equal(reasons.length, FLATS);
        assert.match(reasons[0]!, language === 'it' ? /nessun prezzo impostato/ : /no price is set/);
      });

      it('a comparison is made behind the page, which then shows it', async () => {
        await hands.press(button('connection-compare'));
        await page.waitForSelector('tr[data-verdict]');
        const verdicts = await page
          .locator('tr[data-verdict]')
          .evaluateAll((all) => all.map((one) => one.getAttribute('data-verdict')));
        assert.ok(verdicts.length >= 15, String(verdicts.length));
        assert.deepEqual([...new Set(verdicts)], ['equal']);
      });

      it('what was made is offered, and night and property name the connection', async () => {
        await pressAndLoad(button('connection-offer'));
        await page.waitForSelector('.good[role=status]');
        await hands.press(page.locator('tr[data-verdict] a').first());
        await page.waitForSelector('table.heat');
        const named = language === 'it' ? 'Connessione smoobu' : 'Connection smoobu';
        assert.equal(await page.locator('a[href$="connections/smoobu"]').first().textContent(), named);
        await hands.reach(page.locator('table.heat td a:not([tabindex="-1"])'));
        await hands.key('Enter');
        await shown('night');
        assert.equal(await page.locator('[data-source="connection:smoobu"] a').first().textContent(), named);
      });

      it('a partner is created, and makes its first call', async () => {
        await go('/console/partners');
        await shown('partners');
        await hands.unfold(form('partner-create'));
        await hands.fill(form('partner-create').locator('[name=name]'), 'Acme Travel');
        await hands.send();
        await shown('partner');
        await hands.unfold(form('issue'));
        await hands.press(button('issue'));
        await page.waitForSelector('.secret');
        const call = page.locator('[name="call"][value="listPartnerProperties"]');
        await hands.press(form('send-now').filter({ has: call }).locator('button'));
        const answer = page.locator('section[data-call="listPartnerProperties"]');
        await answer.waitFor();
        assert.equal(await answer.getAttribute('data-status'), '200');
        assert.match(await answer.innerText(), /smoobu-1\d\d|sheet-1\d\d/);
      });

      it(`all of it takes at most ${ACTS_MAX} acts, complains of nothing, and shows no key`, async () => {
        assert.ok(hands.acts <= ACTS_MAX, `${hands.acts} acts`);
        assert.deepEqual(watched.complaints, []);
        assert.deepEqual(smoobu.violations, []);
        await page.goto(new URL('/console/connections/smoobu', page.url()).href);
        assert.ok(!(await page.content()).includes(SECRET));
        const width = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        assert.equal(width, 0, 'no scrolling to the side');
      });
    },
  );
