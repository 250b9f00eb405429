/**
 * Random catalogues through the whole stack, each stay asked for whole: it costs what its quote costs, its parts sum to
 * that, its dates and amounts are those of the traveller's page, and what has no price is explained as the model does.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { StayOffer } from '../../../src/contract/partner/offer-schemas.ts';
import type { PropertyContent } from '../../../src/contract/partner/content-schemas.ts';
import type { AnyQuote } from '../../../src/contract/partner/quote-schemas.ts';
import type { StayPrices } from '../../../src/contract/partner/price-schemas.ts';
import type { StayConflictProblem } from '../../../src/contract/partner/problem-schemas.ts';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { formatLocalDate, parseLocalDate } from '../../../src/domain/local-date.ts';
import { formatMoney } from '../../../src/domain/money.ts';
import { inRunningOrder } from '../../../src/domain/price-terms.ts';
import type { Locale, Property, TaxRule } from '../../../src/domain/property.ts';
import type { CancellationStep } from '../../../src/domain/property-details.ts';
import { makeFormats } from '../../../src/http/html/formats.ts';
import { formatPropertyDocument } from '../../../src/supply/native/format-property-document.ts';
import type { Line } from '../../kit/catalogue-lines.ts';
import { exchange } from '../../kit/http-exchange.ts';
import { type Installation, openInstallation, type Served } from '../../kit/installation.ts';
import {
  naiveInstead,
  type NaivePrice,
  naiveQuote,
  naiveReasons,
  type NaiveStay,
  readNaiveWorld,
} from '../../kit/naive-model.ts';
import { PartnerClient } from '../../kit/partner-client.ts';
import {
  detailsArbitrary,
  familyArbitrary,
  FIRST_DAY,
  worldArbitrary,
} from '../../kit/property-arbitraries.ts';
import { RUN_SEED } from '../../kit/seeds.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const DAY_MS = 86_400_000;
const PROPERTY_COUNT = 60;
const STAYS_OF_EACH = 4;
const HORIZON_NIGHTS = 60;
/** Within the random dates of rules and discounts; at this instant zones have three dates. */
const NOW_MS = (FIRST_DAY - 2) * DAY_MS + 10.5 * 3_600_000;
const ZONES = ['Europe/Rome', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Africa/Cairo', 'Asia/Kathmandu'];
const CURRENCIES = ['EUR', 'JPY', 'KWD'];
const LOCALES: readonly Locale[] = ['it-IT', 'en-GB'];

const idOf = (index: number): string => `property-${index}`;

/** The lines of a catalogue file. */
const LINES: readonly Line[] = fc
  .sample(fc.tuple(worldArbitrary, detailsArbitrary), { ...RUN_SEED, numRuns: PROPERTY_COUNT })
  .map(([{ property, entries }, details], index) => {
    const { bookingUrl: _own, ...shown } = details;
    const document = formatPropertyDocument(
      {
        ...property,
        propertyId: idOf(index),
        timezone: ZONES[index % ZONES.length]!,
        currency: CURRENCIES[index % CURRENCIES.length]!,
        visibleTo: 'all',
        taxes: property.taxes.map((rule, place) =>
          rule.inclusive || place % 2 === 1 ? rule : { ...rule, due: 'arrival' },
        ),
        // Most of them: of the others there is little to compare.
        quoting: index % 8 !== 0,
      },
      entries,
      { ...shown, images: [] },
    );
    return JSON.parse(JSON.stringify(document)) as Line;
  });

const STAYS: readonly NaiveStay[] = fc.sample(familyArbitrary, {
  ...RUN_SEED,
  numRuns: PROPERTY_COUNT * STAYS_OF_EACH,
});

interface Asked {
  readonly line: Line;
  readonly propertyId: string;
  readonly stay: NaiveStay;
  readonly dates: {
    readonly checkIn: string;
    readonly checkOut: string;
    readonly guests: number;
    readonly childAges?: readonly number[];
  };
  readonly locale: Locale;
}

const ASKED: readonly Asked[] = STAYS.map((stay, index) => ({
  line: LINES[index % PROPERTY_COUNT]!,
  propertyId: idOf(index % PROPERTY_COUNT),
  stay,
  dates: {
    checkIn: formatLocalDate(stay.checkIn),
    checkOut: formatLocalDate(stay.checkOut),
    guests: stay.guests,
    ...(stay.childAges && { childAges: stay.childAges }),
  },
  locale: LOCALES[Math.floor(index / PROPERTY_COUNT) % 2]!,
}));

const cents = (money: string): bigint => BigInt(money.replace('.', ''));
const sum = (amounts: readonly string[]): bigint =>
  amounts.reduce((total, amount) => total + cents(amount), 0n);

/** What each rule adds and includes, with the cleaning fee before them: written out from the document. */
function naiveCharges(taxes: readonly TaxRule[], price: NaivePrice): readonly unknown[] {
  const ofRules = inRunningOrder(taxes).map((rule, index) => {
    const included = price.ruleIncluded[index] ?? null;
    return [rule.code, rule.kind, price.ruleAmounts[index]!, included, rule.due ?? 'booking'] as const;
  });
  const cleaning = ['cleaning-fee', 'cleaning', price.cleaningFee, null, 'booking'] as const;
  return [cleaning, ...ofRules]
    .filter(([, , amount, included]) => amount !== 0n || (included !== null && included !== 0n))
    .map(([code, kind, amount, included, due]) => [
      code,
      kind,
      formatMoney(amount),
      included === null ? null : formatMoney(included),
      due,
    ]);
}

/** Day, percentage and amount of each refund that is left. */
function naiveRefunds(
  steps: readonly CancellationStep[],
  {
    checkIn,
    today,
    refundable,
    unit,
  }: Record<'checkIn' | 'today', number> & Record<'refundable' | 'unit', bigint>,
): readonly unknown[] {
  const left = steps.filter(
    ({ daysBefore, refundPercent }) => checkIn - daysBefore >= today && Number(refundPercent) > 0,
  );
  return left
    .filter(({ refundPercent }, index) => Number(left[index + 1]?.refundPercent) !== Number(refundPercent))
    .map(({ daysBefore, refundPercent }) => {
      const hundredths = BigInt(Math.round(Number(refundPercent) * 100));
      const units = (2n * refundable * hundredths + 10_000n * unit) / (2n * 10_000n * unit);
      return [formatLocalDate(checkIn - daysBefore), refundPercent, formatMoney(units * unit)];
    });
}

/** The clock of the zone, written by another format than the service's. */
function clockAt(timeZone: string, instant: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return format.format(Date.parse(instant)).replace(' ', 'T');
}

const plain = (html: string): string =>
  html
    .replaceAll(/<small>.*?<\/small>/gs, '')
    .replaceAll(/<[^>]*>/g, '')
    .trim();
const rowsOf = (html: string): string[][] =>
  [...html.matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/gs)].map(([, name, amount]) => [name!, amount!]);

/** What the traveller's page shows of charges, refunds and payments. */
function readPage(page: string) {
  const [offer = ''] = /<dl class="price">.*?<\/dl>/s.exec(page) ?? [];
  const [terms = ''] = /<section class="card terms".*?<\/section>/s.exec(page) ?? [];
  return {
    prices: rowsOf(offer).map((row) => row.map(plain)),
    refunds: [...terms.matchAll(/<li class="\w*">.*?<time datetime="([^"]+)">/gs)].map(([, date]) => date),
    payments: rowsOf(terms).map(([when, amount]) => [
      /datetime="([^"]+)"/.exec(when!)?.[1] ?? null,
      plain(amount!),
    ]),
  };
}

function describeOffers(databaseUrl: () => Promise<string | undefined>): void {
  let installation: Installation;
  let service: Served;
  let partner: PartnerClient;

  before(async () => {
    installation = await openInstallation(await databaseUrl());
    installation.time.nowMs = NOW_MS;
    const { rejections } = await installation.importLines(LINES);
    assert.deepEqual(rejections, []);
    const { token } = await installation.issue({ scopes: ALL_SCOPE_NAMES });
    service = await installation.serve({
      HORIZON_NIGHTS: `${HORIZON_NIGHTS}`,
      WEB_PORT: '0',
      WEB_LIMIT: '0',
      WEB_NAME: 'The Operator',
      QUOTES_PER_DAY: '0',
    });
    partner = new PartnerClient(service.partnerUrl, token);
  });
  after(() => installation.close());

  const offer = ({ propertyId, dates, locale }: Asked) => {
    const { childAges, ...others } = dates;
    const ages = childAges && { childAges: childAges.join() };
    const query = new URLSearchParams({ ...others, guests: `${dates.guests}`, ...ages, locale }).toString();
    return partner.ask<StayOffer>('getStayOffer', {
      path: `/prices/v1/properties/${propertyId}/offer?${query}`,
    });
  };
  const quote = ({ propertyId, dates, locale }: Asked) => {
    const body = { propertyId, stay: dates, locale };
    if (dates.childAges === undefined) return partner.quote(body);
    const post = { method: 'POST', path: '/prices/v1/quotes', body: JSON.stringify(body) };
    return partner.ask<AnyQuote>('createStayQuote', post);
  };
  const worldOf = ({ line }: Asked) => readNaiveWorld(JSON.stringify(line), NOW_MS, HORIZON_NIGHTS);

  it('costs what its quote costs, in parts that sum to it', async () => {
    let [priced, arrivals, refunds, included] = [0, 0, 0, 0];
    for (const asked of ASKED) {
      const world = worldOf(asked);
      const expected = naiveQuote(world, asked.stay);
      const answer = await offer(asked);
      const quoted = await quote(asked);
      assert.equal(answer.status, quoted.status === 201 ? 200 : quoted.status, asked.propertyId);
      if (expected.outcome !== 'priced') continue;
      priced += 1;
      const body = answer.success;
      const { pricing, nights, charges, payment, cancellation, currency } = body;
      assert.equal(answer.header('cache-control'), 'no-store');
      assert.equal(body.asOf, new Date(NOW_MS).toISOString());
      assert.deepEqual([body.propertyId, currency], [asked.propertyId, world.property.currency]);
      assert.deepEqual(body.stay, quoted.success.stay);
      const { mode: _mode, pricePreservedInHandoff: _kept, ...parts } = quoted.success.pricing;
      assert.deepEqual({ ...parts, discount: pricing.discount }, pricing);
      assert.deepEqual(
        nights.map(({ date }) => parseLocalDate(date)),
        nights.map((_, index) => asked.stay.checkIn + index),
      );
      assert.equal(sum(nights.map(({ amount }) => amount)), cents(pricing.accommodation));
      const { taxes } = world.property;
      assert.deepEqual(
        charges.map(({ code, kind, amount, included: within, due }) => [code, kind, amount, within, due]),
        naiveCharges(taxes, expected.price),
      );
      assert.equal(
        sum(charges.map(({ amount }) => amount)),
        cents(pricing.cleaningFee) + cents(pricing.taxes),
      );
      const atArrival = sum(charges.filter(({ due }) => due === 'arrival').map(({ amount }) => amount));
      arrivals += Number(atArrival > 0n);
      included += charges.filter((charge) => charge.included !== null).length;

      const terms = asked.line as { cancellation?: CancellationStep[] | null; payment?: unknown };
      assert.equal(payment === null, (terms.payment ?? null) === null);
      if (payment !== null) {
        assert.equal(sum(payment.map(({ amount }) => amount)), cents(pricing.total));
        assert.ok(
          payment.every(
            ({ amount, due, date }) => cents(amount) > 0n && (due === 'daysBefore') === (date !== null),
          ),
        );
        const dates = payment.flatMap(({ date }) => date ?? []);
        assert.ok(dates.every((date) => parseLocalDate(date)! > world.today));
        if (atArrival > 0n)
          assert.deepEqual(payment.at(-1), { due: 'arrival', date: null, amount: formatMoney(atArrival) });
      }

      const steps = terms.cancellation ?? null;
      const unit = currency === 'JPY' ? 100n : 1n;
      const refundable = cents(pricing.total) - atArrival;
      const { today } = world;
      const wanted = steps && naiveRefunds(steps, { checkIn: asked.stay.checkIn, today, refundable, unit });
      assert.deepEqual(
        cancellation &&
          cancellation.map(({ until, refundPercent, refundAmount }) => [
            until.slice(0, 10),
            refundPercent,
            refundAmount,
          ]),
        wanted,
      );
      for (const { until } of cancellation ?? []) {
        assert.equal(clockAt(body.stay.timezone, until), until.slice(0, 19));
        assert.equal(until.slice(10, 19), 'T23:59:59');
      }
      const first = Number(cancellation?.[0]?.refundPercent ?? 0);
      const kind = first === 100 ? 'refundable' : first > 0 ? 'partially_refundable' : 'non_refundable';
      assert.equal(body.refundability, cancellation && kind);
      refunds += cancellation?.length ?? 0;
    }
    const counts = `${priced} ${arrivals} ${refunds} ${included}`;
    assert.ok(priced > 30 && arrivals > 5 && refunds > 10 && included > 2, counts);
  });

  it('costs what a list of ids says, and has the texts of its content', async () => {
    for (const asked of ASKED) {
      const { propertyId, dates, locale } = asked;
      const body = JSON.stringify({ propertyIds: [propertyId], stay: dates, why: true });
      const post = { method: 'POST', path: '/prices/v1/stays', body };
      const [item] = (await partner.ask<StayPrices>('priceStays', post)).success.items;
      const answer = await offer(asked);
      assert.equal(answer.status < 400 ? null : answer.problem.code, item?.code);
      if (answer.status >= 400) {
        const { reasons, instead } = answer.problem as unknown as StayConflictProblem;
        assert.deepEqual([reasons, instead], [item?.reasons, item?.instead]);
        continue;
      }
      const { pricing, checkIn, checkOut, houseRules, registrationNumber, seller } = answer.success;
      assert.deepEqual(pricing, item?.pricing);
      const path = `/content/v1/properties/${propertyId}?locale=${locale}`;
      const content = (await partner.ask<PropertyContent>('getPropertyContent', { path })).success;
      assert.deepEqual(
        { ...content, checkIn, checkOut, houseRules, registrationNumber, seller },
        content,
        propertyId,
      );
    }
  });

  it('is refused as its quote is, for the reasons of the model, with its other stays', async () => {
    const refused = ASKED.filter((asked) => naiveQuote(worldOf(asked), asked.stay).outcome !== 'priced');
    assert.ok(refused.length > 30, `${refused.length}`);
    for (const asked of refused) {
      const world = worldOf(asked);
      const problem = (await offer(asked)).problem as unknown as StayConflictProblem;
      const { correlationId: _id, reasons, instead, ...others } = problem;
      const { correlationId: _other, ...ofQuote } = (await quote(asked)).problem;
      assert.deepEqual(others, ofQuote);
      assert.equal(others.code, naiveQuote(world, asked.stay).outcome);
      assert.deepEqual(reasons, naiveReasons(world, asked.stay));
      const expected = naiveInstead(world, asked.stay).map((one) => ({
        ...one,
        total: one.total === null ? null : formatMoney(one.total),
      }));
      assert.deepEqual(instead, expected);
    }
  });

  it('has the charges, deadlines and payments of the traveller’s page', async () => {
    let shown = 0;
    for (const asked of ASKED) {
      const quoted = await quote(asked);
      if (quoted.status !== 201) continue;
      const body = (await offer(asked)).success;
      const path = `/handoff${new URL(quoted.success.handoffUrl).search}`;
      const received = await exchange(service.webUrl ?? '', { path });
      const page = readPage(Buffer.from(received.body).toString('utf8'));
      const money = (amount: string): string => makeFormats(asked.locale).money(amount, body.currency);
      const isDiscounted = Number(body.pricing.discount?.amount ?? 0) > 0;
      assert.deepEqual(
        page.prices.slice(isDiscounted ? 2 : 1, -1),
        body.charges
          .filter(({ amount }) => amount !== '0.00')
          .map(({ name, amount }) => [name, money(amount)]),
      );
      assert.equal(page.prices.at(-1)?.[1], money(body.pricing.total));
      assert.deepEqual(
        page.refunds,
        (body.cancellation ?? []).map(({ until }) => until.slice(0, 10)),
      );
      assert.deepEqual(
        page.payments,
        (body.payment ?? []).map(({ date, amount }) => [date, money(amount)]),
      );
      shown += page.refunds.length + page.payments.length;
    }
    assert.ok(shown > 30, `${shown}`);
  });

  it('has the total that the page of a quote without ages shows once they are typed', async () => {
    let [shown, other] = [0, 0];
    for (const asked of ASKED) {
      const { childAges, ...dates } = asked.dates;
      if (childAges === undefined) continue;
      const quoted = await partner.quote({ propertyId: asked.propertyId, stay: dates, locale: asked.locale });
      if (quoted.status !== 201) continue;
      const typed = `&childAges=${childAges.join('+')}`;
      const path = `/handoff${new URL(quoted.success.handoffUrl).search}${typed}`;
      const received = await exchange(service.webUrl ?? '', { path });
      const [section] =
        /<section class="card family".*?<\/section>/s.exec(Buffer.from(received.body).toString('utf8')) ?? [];
      const { ageBands, inventoryTypes, taxes } = asked.line as unknown as Property;
      const lists = [ageBands, ...inventoryTypes.map((type) => type.ageBands)];
      const isAsked =
        lists.some((bands) => (bands ?? []).length > 0) ||
        taxes.some((rule) => rule.exemptUntilAge !== undefined || (rule.ages ?? []).length > 0);
      assert.equal(section !== undefined, isAsked, asked.propertyId);
      if (section === undefined) continue;
      const family = naiveQuote(worldOf(asked), asked.stay);
      const totals = rowsOf(section).map(([, amount]) => plain(amount!));
      const { currency, pricing } = quoted.success;
      const money = (amount: string): string => makeFormats(asked.locale).money(amount, currency);
      if (family.outcome !== 'priced') {
        assert.deepEqual(totals, []);
        continue;
      }
      assert.deepEqual(totals, [money(pricing.total), money(formatMoney(family.price.total))]);
      shown += 1;
      other += Number(family.price.total !== cents(pricing.total));
    }
    assert.ok(shown > 10 && other > 5, `${shown} ${other}`);
  });
}

describe('An offer on SQLite', () => describeOffers(async () => undefined));

describePostgres('An offer on PostgreSQL', (server) => describeOffers(() => server().createDatabase()));
