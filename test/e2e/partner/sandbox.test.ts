/** The sandbox over HTTP: what a test token sees, how each test property behaves, and that live tokens never meet it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatQuote } from '../../../src/app/cli/commands/readable-quote.ts';
import { buildHandoffKeyring } from '../../../src/handoff/handoff-keys.ts';
import { inspectHandoff } from '../../../src/handoff/inspect-handoff.ts';
import { findShownQuote } from '../../../src/partner/quotes/shown-quote.ts';
import { formatLocalDate, localToday } from '../../../src/domain/local-date.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { type Installation, NOW_MS, openInstallation, type Served } from '../../kit/installation.ts';
import { PartnerClient, quoteBody } from '../../kit/partner-client.ts';

const TODAY = localToday('Europe/Rome', NOW_MS);
/** A Friday: 20 November 2026 is one. */
const FRIDAY = TODAY + 21;
const DAY_MS = 86_400_000;
const day = (ahead: number): string => formatLocalDate(TODAY + ahead);

const BOOKING = {
  BOOKING_URL_TEMPLATE: 'https://book.example.com/{propertyId}?from={checkIn}',
  WEB_CONTACT: 'mailto:stay@erbe.example',
};

describe('The sandbox', () => {
  let installation: Installation;
  let service: Served;
  let live: PartnerClient;
  let test: PartnerClient;
  let operatorToken: string;

  before(async () => {
    installation = await openInstallation();
    // A live property that has an id and a city of the sandbox, and one that a test token must not see.
    await installation.importLines([
      hotel('test-always', { name: 'Live', location: { city: 'Testville', country: 'IT' } }),
      hotel('hotel-ponte'),
    ]);
    const issued = await installation.issue();
    const testIssued = await installation.issue({ isTest: true });
    assert.match(testIssued.token, /^sp_test_/);
    operatorToken = await installation.issueOperatorToken();
    service = await installation.serve({ WEB_PORT: '0', ...BOOKING });
    live = new PartnerClient(service.partnerUrl, issued.token);
    test = new PartnerClient(service.partnerUrl, testIssued.token);
  });
  after(() => installation.close());

  const idsIn = async (client: PartnerClient, query: Record<string, string | number>): Promise<string[]> =>
    (await client.search({ pageSize: 50, ...query })).success.items.map((item) => item.propertyId);

  async function quote(propertyId: string, from = day(30), to = day(33)) {
    return test.quote(quoteBody(propertyId, from, to));
  }

  async function resolve(handoffUrl: string): Promise<Record<string, unknown>> {
    const response = await fetch(`${service.operatorUrl}/handoff/resolve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ handoff: new URL(handoffUrl).searchParams.get('handoff') }),
    });
    assert.equal(response.status, 200);
    return (await response.json()) as Record<string, unknown>;
  }

  async function pageOutcome(handoffUrl: string): Promise<string | undefined> {
    const { search } = new URL(handoffUrl);
    const html = await (await fetch(`${service.webUrl}/handoff${search}`)).text();
    return /data-outcome="([^"]*)"/.exec(html)?.[1];
  }

  it('has Testville in three pages of 20, under both names', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => test.search({ city: 'Testville', page })));
    const lists = pages.map((page) => page.success);
    assert.deepEqual(
      lists.map(({ pagination }) => pagination.hasMore),
      [true, true, false],
    );
    const ids = lists.flatMap(({ items }) => items.map((item) => item.propertyId));
    assert.equal(ids.filter((id) => id.startsWith('testville-')).length, 45);
    assert.equal(ids.length, lists[0]!.pagination.total);
    const firstOfAlias = await idsIn(test, { city: 'cittadiprova' });
    assert.deepEqual(firstOfAlias, ids.slice(0, 50));
  });

  it('is not there for a live token, and nothing else is there for a test token', async () => {
    assert.deepEqual(await idsIn(live, { city: 'Testville' }), ['test-always']);
    assert.equal((await live.property('test-always')).success.name, 'Live');
    for (const id of ['test-gone', 'testville-01', 'test-hidden']) {
      assert.equal((await live.property(id)).problem.code, 'PROPERTY_NOT_FOUND');
      assert.equal((await live.quote(quoteBody(id, day(30), day(33)))).problem.code, 'PROPERTY_NOT_FOUND');
    }
    assert.equal((await test.property('hotel-ponte')).problem.code, 'PROPERTY_NOT_FOUND');
    assert.deepEqual(await idsIn(test, { city: 'Venezia' }), []);
    assert.equal((await quote('hotel-ponte')).problem.code, 'PROPERTY_NOT_FOUND');
    assert.notEqual((await test.property('test-always')).success.name, 'Live');
  });

  const isAvailable = async (id: string, from: string, to: string): Promise<boolean> =>
    (await test.availability(id, { checkIn: from, checkOut: to })).success.available;

  it('refuses what cannot be had', async () => {
    assert.equal(await isAvailable('test-sold-out', day(30), day(33)), false);
    assert.equal((await quote('test-sold-out')).problem.code, 'STAY_UNAVAILABLE');
    assert.equal(await isAvailable('test-quote-unavailable', day(30), day(33)), true);
    assert.equal((await quote('test-quote-unavailable')).problem.code, 'QUOTE_UNAVAILABLE');
    assert.equal((await test.property('test-hidden')).problem.code, 'PROPERTY_NOT_FOUND');
    assert.equal((await quote('test-hidden')).problem.code, 'PROPERTY_NOT_FOUND');
  });

  it('never combines two types', async () => {
    const answer = (await test.availability('test-two-types', { checkIn: day(30), checkOut: day(33) }))
      .success;
    assert.equal(answer.available, false);
    assert.ok(answer.days.every((night) => night.available));
    assert.equal((await quote('test-two-types')).problem.code, 'STAY_UNAVAILABLE');
    assert.equal(await isAvailable('test-two-types', day(30), day(31)), true);
  });

  it('has rules for weekends, a gap, and a far timezone', async () => {
    const [friday, saturday, sunday] = [FRIDAY, FRIDAY + 1, FRIDAY + 2].map(formatLocalDate);
    assert.equal(await isAvailable('test-weekend', friday!, saturday!), false);
    assert.equal(await isAvailable('test-weekend', friday!, sunday!), true);
    assert.equal(await isAvailable('test-weekend', day(16), day(17)), true);
    assert.equal(await isAvailable('test-family', day(16), day(18)), true, 'two adults');
    assert.equal(await isAvailable('test-gap', day(9), day(14)), false);
    assert.equal(await isAvailable('test-gap', day(13), day(16)), true);
    // Half past ten in the morning of UTC is half past midnight of the next day there.
    assert.equal(await isAvailable('test-timezone', day(0), day(1)), false);
    assert.equal(await isAvailable('test-timezone', day(1), day(2)), true);
    assert.equal(await isAvailable('test-always', day(0), day(1)), true);
  });

  it('has fields that are null, very long, and free of charge', async () => {
    const { description, rating, startingPrice, location } = (await test.property('test-null-fields'))
      .success;
    assert.deepEqual([description, rating, startingPrice, location.area], [null, null, null, null]);
    assert.ok((await test.property('test-long-names')).success.name.length > 500);
    assert.equal((await quote('test-free')).success.pricing.total, '0.00');
    assert.equal((await test.property('test-free')).success.startingPrice, '0.00');
  });

  it('has a handoff and a page for every outcome, and counts none of them', async () => {
    const outcomes = {
      'test-always': 'unchanged',
      'test-price-changed': 'price_changed',
      'test-gone': 'unavailable',
      'test-expired': 'expired',
    };
    for (const [id, outcome] of Object.entries(outcomes)) {
      const { handoffUrl, expiresAt } = (await quote(id)).success;
      assert.equal(Date.parse(expiresAt) <= NOW_MS, outcome === 'expired');
      const resolved = await resolve(handoffUrl);
      assert.deepEqual([resolved['outcome'], resolved['test']], [outcome, true], id);
      assert.equal(await pageOutcome(handoffUrl), outcome, id);
    }
    const today = Math.floor(NOW_MS / DAY_MS);
    assert.deepEqual(await installation.storage.readAttribution(today - 1, today + 1), []);
    const metrics = await (await fetch(`${service.operatorUrl}/metrics`)).text();
    assert.match(metrics, /^stayport_quotes_stored_total 0$/m);
    assert.doesNotMatch(
      metrics,
      /^stayport_(handoff|web)\S*\{[^}]*outcome="(?:unchanged|price_changed|unavailable|expired)"[^}]*\} [1-9]/m,
    );
  });

  it('says of its quotes that they are tests: quote show, handoff inspect, and each page in both languages', async () => {
    const pages: string[] = [];
    for (const id of ['test-always', 'test-price-changed', 'test-gone', 'test-expired']) {
      for (const locale of ['it-IT', 'en-GB'] as const) {
        const stay = { checkIn: day(30), checkOut: day(33), guests: 2 };
        const { quoteId, handoffUrl } = (await test.quote({ propertyId: id, stay, locale })).success;
        const { search, searchParams } = new URL(handoffUrl);
        const shown = (await findShownQuote(installation.storage, quoteId))!;
        assert.equal(shown.test, true);
        assert.match(formatQuote(shown), /^test +yes \(sandbox\)/m);
        const value = searchParams.get('handoff') ?? '';
        const keys = buildHandoffKeyring((await installation.storage.readAccess()).handoffKeys, 1_800)!;
        assert.equal((await inspectHandoff(keys, value, NOW_MS))?.test, true);
        const html = await (await fetch(`${service.webUrl}/handoff${search}`)).text();
        assert.match(html, /<p class="test" role="note">[^<]*\btest\b[^<]*<\/p>/, id);
        assert.doesNotMatch(html, /<button|<form|class="button"/, id);
        pages.push(html);
      }
    }
    assert.match(pages[0]!, /Questo è un test\./);
    assert.match(pages[1]!, /This is a test\./);
  });

  it('leads nobody from a test quote to the booking site', async () => {
    const { handoffUrl } = (await quote('test-always')).success;
    const goOn = async (fields: Readonly<Record<string, string>>): Promise<Response> =>
      await fetch(`${service.webUrl}/handoff/continue`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
    const handoff = new URL(handoffUrl).searchParams.get('handoff') ?? '';
    for (const fields of [
      { handoff },
      { handoff, checkIn: day(31), checkOut: day(34) },
      { handoff, checkIn: '2040-01-01', checkOut: '2040-01-04' },
    ]) {
      const answer = await goOn(fields);
      assert.deepEqual([answer.status, answer.headers.get('location')], [200, null]);
      assert.match(await answer.text(), /Il test finisce qui/);
    }
  });

  it('marks nothing of a live quote', async () => {
    const { success } = await live.quote(quoteBody('test-always', '2026-12-01', '2026-12-03'));
    const { search } = new URL(success.handoffUrl);
    const html = await (await fetch(`${service.webUrl}/handoff${search}`)).text();
    assert.doesNotMatch(html, /class="test"|This is a test/);
    const shown = (await findShownQuote(installation.storage, success.quoteId))!;
    assert.ok(!('test' in shown));
    assert.doesNotMatch(formatQuote(shown), /^test/m);
  });

  it('has moved on when a local day has begun', async () => {
    installation.time.nowMs = NOW_MS + DAY_MS;
    try {
      assert.equal(await isAvailable('test-gap', day(10), day(11)), true);
      assert.equal(await isAvailable('test-gap', day(13), day(14)), false);
      assert.equal(await isAvailable('test-always', day(0), day(1)), false);
    } finally {
      installation.time.nowMs = NOW_MS;
    }
  });
});
