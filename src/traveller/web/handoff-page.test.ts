/** Sentences and numbers of the page by case. Tests compare the names of sentences, so that wording may change. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayOf, makeDiscount, makeInventoryType, makeProperty } from '../../../test/kit/property-fixtures.ts';
import type { Discount, LocalizedText, Property } from '../../domain/property.ts';
import { NO_DETAILS } from '../../domain/property-details.ts';
import type { PricedQuote } from '../../domain/quote-decision.ts';
import type { TaxLine } from '../../domain/taxes.ts';
import type { Handoff } from '../../handoff/handoff-value.ts';
import type { HandoffReview } from '../../partner/quotes/check-handoff.ts';
import type { Html } from '../../http/html/html.ts';
import { formatPage, makeView, type Operator, type View } from './frame.ts';
import { type PageExtras, plainPage, reviewPage, uncheckedPage } from './handoff-page.ts';
import { EN_GB, type Messages } from './messages/en-gb.ts';

/** `[yourStay]` in place of the sentence, `[nights 3]` with its values. Codes without a name are left out. */
function byName<T>(messages: T, path = ''): T {
  if (typeof messages === 'string') return `[${path}]` as T;
  if (typeof messages === 'function') {
    return ((...values: unknown[]) => {
      const said: unknown = (messages as unknown as (...values: unknown[]) => unknown)(...values);
      const name = `[${[path, ...values].join(' ')}]`;
      if (typeof said !== 'object' || said === null) return said === undefined ? undefined : name;
      return { heading: `[${path}.heading]`, text: name };
    }) as T;
  }
  const entries = Object.entries(messages as object).map(([key, value]: [string, unknown]) => [
    key,
    byName(value, path === '' ? key : `${path}.${key}`),
  ]);
  return Object.fromEntries(entries) as T;
}
const MESSAGES: Messages = { ...byName(EN_GB), locale: 'en-GB' };

const OPERATOR: Operator = {
  name: 'Inn',
  logoPath: undefined,
  contact: 'tel:+39041',
  legal: {},
  canContinue: true,
  tellsReasons: true,
};
function viewOf(operator: Partial<Operator> = {}): View {
  return { ...makeView({ ...OPERATOR, ...operator }, 'en-GB', './'), messages: MESSAGES };
}

const CHECK_IN = dayOf('2026-12-04');
const HANDOFF: Handoff = {
  quoteId: 'qt_1',
  propertyId: 'hotel-ponte',
  checkIn: CHECK_IN,
  checkOut: CHECK_IN + 3,
  guests: 2,
  locale: 'en-GB',
  partnerId: 'acme',
  total: '300.00',
  currency: 'EUR',
  expiresAtMs: Date.UTC(2026, 10, 21, 11, 30),
};

function taxLine(overrides: Partial<TaxLine>): TaxLine {
  return {
    code: 'city-tax',
    kind: 'city_tax',
    logic: 'per_person',
    inclusive: false,
    due: 'booking',
    nightCount: null,
    quantity: 1,
    taxable: null,
    amount: 0n,
    included: null,
    ...overrides,
  };
}

function offerOf(price: Partial<PricedQuote['price']> = {}, nightCount = 3): PricedQuote {
  const nights = Array.from({ length: nightCount }, (_, index) => ({
    night: CHECK_IN + index,
    rate: 10_000,
    extraGuests: 0,
    children: 0,
    discount: 0,
    price: 10_000 + index,
  }));
  const sums = { accommodation: 30_003, cleaningFee: 0, taxes: 0n, total: 30_003n };
  const base = { ...sums, discount: null, nights, taxLines: [] };
  return {
    outcome: 'priced',
    type: makeInventoryType({ name: 'Attic <1>' }),
    price: { ...base, ...price },
  };
}

function reviewOf(overrides: Partial<HandoffReview> = {}, property: Partial<Property> = {}): HandoffReview {
  const stored = { property: makeProperty(property), source: 'pms', revision: 1, calendars: [] };
  return {
    outcome: 'unchanged',
    handoff: HANDOFF,
    quote: { breakdown: '{}' } as HandoffReview['quote'],
    stored: stored as unknown as HandoffReview['stored'],
    offer: offerOf(),
    quotedRoom: undefined,
    reason: undefined,
    otherStays: [],
    nights: [],
    details: NO_DETAILS,
    today: CHECK_IN - 30,
    ...overrides,
  };
}

const flat = (content: unknown): string => (content as Html).text.replaceAll(/\s*\n\s*/g, '').trim();
const pageOf = (
  review: HandoffReview,
  operator: Partial<Operator> = {},
  extras: PageExtras = { images: [], partnerName: 'Acme', canContinue: true },
): string => flat(reviewPage(viewOf(operator), review, 'VALUE', extras).main);
/** Dates, length, travellers and room precede the prices. */
const FACTS = 5;
/** Rows of the list of prices: name, amount. */
const rowsOf = (page: string): string[][] =>
  [...page.replace(/<section class="card sale".*/, '').matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)]
    .slice(FACTS)
    .map(([, name, amount]) => [name, amount].map((text) => text!.replaceAll(/<[^>]*>/g, '')));
const count = (page: string, text: string): number => page.split(text).length - 1;

describe('the price on the page', () => {
  it('has a row for each part that costs something, and for nothing else', () => {
    const lines = [
      taxLine({ code: 'city-tax', amount: 800n }),
      taxLine({ code: 'RESORT_fee', kind: 'tax', amount: 500n }),
      taxLine({ code: 'free-of-charge', kind: 'tax', amount: 0n }),
      taxLine({ code: 'vat', kind: 'tax', inclusive: true, amount: 700n, included: 2_727n }),
    ];
    const price = { cleaningFee: 4_500, taxes: 1_300n, total: 35_803n, taxLines: lines };
    const handoff = { ...HANDOFF, total: '358.03' };
    const rows = rowsOf(pageOf(reviewOf({ handoff, offer: offerOf(price) })));
    assert.deepEqual(rows.slice(0, 5), [
      ['[accommodation [nights 3]]', '€300.03'],
      ['[cleaningFee]', '€45.00'],
      ['City tax', '€8.00'],
      ['RESORT fee', '€5.00'],
      ['[total]', '€358.03'],
    ]);
    assert.equal(rows.length, 5 + 3, 'and the prices of the nights');
  });

  it('has the discount behind the nights as they are without it', () => {
    const discounted = (rule: Partial<Discount>, amount = 3_000): string[][] => {
      const nights = offerOf().price.nights.map((night) => ({
        ...night,
        discount: 1_000,
        price: night.price - 1_000,
      }));
      const sums = { accommodation: 30_003 - amount, total: 30_003n - BigInt(amount) };
      const discount = { terms: makeDiscount({ percent: '9.99', ...rule }), amount };
      return rowsOf(pageOf(reviewOf({ offer: offerOf({ ...sums, discount, nights }) })));
    };
    assert.deepEqual(discounted({ code: 'EARLY_bird' }), [
      ['[accommodation [nights 3]]', '€300.03'],
      ['[discountName early-bird] (9.99%)', '-€30.00'],
      ['[quotedTotal]', '€300.00'],
      ['[totalNow]', '€270.03'],
      ['Fri 4 December', '€100.00'],
      ['Sat 5 December', '€100.01'],
      ['Sun 6 December', '€100.02'],
    ]);
    const nameOf = (rule: Partial<Discount>): string | undefined => discounted(rule)[1]?.[0];
    assert.equal(nameOf({ code: 'members_only', percent: '12.50' }), 'Members only (12.5%)');
    assert.equal(nameOf({ code: 'weekly', name: 'Seven & more', percent: '10' }), 'Seven &amp; more (10%)');
    assert.equal(
      discounted({ code: 'weekly' }, 0)[1]?.[0],
      '[quotedTotal]',
      'what takes off nothing has no row',
    );
  });

  it('says in which language the name of a discount is, where it is another one', () => {
    const name = { 'it-IT': 'Prenota prima' };
    const offer = offerOf({ discount: { terms: makeDiscount({ name }), amount: 3_000 } });
    assert.match(pageOf(reviewOf({ offer })), /<bdi lang="it-IT">Prenota prima<\/bdi> \(10%\)/);
  });

  it('says in which language the text of a picture is, where it is another one', () => {
    const altOf = (alt: LocalizedText) => {
      const image = { src: 'a.jpg', absoluteUrl: 'https://a.example/a.jpg', alt, width: 3, height: 2 };
      const extras = { images: [image], partnerName: undefined, canContinue: true };
      const [, text, language] = /alt="([^"]*)"\s*(?:lang="([^"]*)")?/.exec(pageOf(reviewOf(), {}, extras))!;
      return [text, language];
    };
    assert.deepEqual(altOf({ 'it-IT': 'La camera' }), ['La camera', 'it-IT']);
    assert.deepEqual(altOf({ 'it-IT': 'La camera', 'en-GB': 'The room' }), ['The room', undefined]);
  });

  it('calls a tax of a city that it has no name for a tax of the city', () => {
    const nameOf = (kind: TaxLine['kind']): unknown => {
      const taxLines = [taxLine({ code: 'seaside-levy', kind, amount: 100n })];
      return rowsOf(pageOf(reviewOf({ offer: offerOf({ taxLines }) })))[1]?.[0];
    };
    assert.deepEqual([nameOf('city_tax'), nameOf('tax')], ['City tax', 'Seaside levy']);
  });

  it('has no row for a cleaning fee of 0.00', () => {
    const page = pageOf(reviewOf({ offer: offerOf({ cleaningFee: 0 }) }));
    assert.equal(count(page, '[cleaningFee]'), 0);
    assert.equal(count(pageOf(reviewOf({ offer: offerOf({ cleaningFee: 1 }) })), '[cleaningFee]'), 1);
  });

  it('names taxes that it includes in one line, unless they come to nothing', () => {
    const included = (amount: bigint | null) =>
      pageOf(reviewOf({ offer: offerOf({ taxLines: [taxLine({ inclusive: true, included: amount })] }) }));
    assert.match(included(1_000n), /\[included \[includedTax City tax €10\.00\]\]/);
    for (const nothing of [0n, null]) assert.equal(count(included(nothing), '[included'), 0);
  });

  it('lists the nights from two on, each with its price', () => {
    const rows = rowsOf(pageOf(reviewOf({ offer: offerOf({}, 2) })));
    assert.deepEqual(rows.slice(-2), [
      ['Fri 4 December', '€100.00'],
      ['Sat 5 December', '€100.01'],
    ]);
    assert.equal(count(pageOf(reviewOf({ offer: offerOf({}, 2) })), '<details>'), 1);
    assert.equal(count(pageOf(reviewOf({ offer: offerOf({}, 1) })), '<details>'), 0);
  });

  it('shows the total of the quote beside that of now only where it has changed', () => {
    const unchanged = pageOf(reviewOf({ handoff: { ...HANDOFF, total: '300.03' } }));
    assert.deepEqual([count(unchanged, '[quotedTotal]'), count(unchanged, '[totalNow]')], [0, 0]);
    assert.equal(count(unchanged, '[total]'), 1);
    const changed = pageOf(reviewOf({ outcome: 'price_changed' }));
    assert.match(changed, /\[quotedTotal\].*<s>€300\.00<\/s>.*\[totalNow\]/);
    assert.equal(count(changed, '[total]'), 0);
  });
});

describe('the notice of the page', () => {
  const changedTo = (total: bigint, overrides: Partial<Handoff> = {}): string =>
    pageOf(
      reviewOf({
        outcome: 'price_changed',
        handoff: { ...HANDOFF, ...overrides },
        offer: offerOf({ total }),
      }),
    );

  it('says whether the stay costs more or less, by how much, or that the currency is another', () => {
    const more = changedTo(31_000n);
    assert.match(more, /class="notice warn".*\[notice\.more €300\.00 €310\.00 €10\.00\]/);
    const less = changedTo(29_900n);
    assert.match(less, /class="notice good".*\[notice\.less €300\.00 €299\.00 €1\.00\]/);
    assert.match(
      changedTo(31_000n, { currency: 'USD' }),
      /class="notice warn".*\[notice\.otherCurrency US\$300\.00 €310\.00\]/,
    );
  });

  it('has the tone of what became of the stay', () => {
    const gone = { offer: undefined };
    const expiry = 'Saturday, 21 November 2026 at 12:30 CET';
    assert.match(pageOf(reviewOf()), /class="notice good".*\[notice\.unchanged\.heading\]/);
    assert.match(
      pageOf(reviewOf({ outcome: 'unavailable', ...gone })),
      /class="notice bad".*\[notice\.unavailable\.text\]/,
    );
    const expired = pageOf(reviewOf({ outcome: 'expired' }));
    assert.match(expired, /class="notice warn"/);
    assert.ok(expired.includes(`[notice.expired ${expiry} €300.00]`), expired);
    const both = pageOf(reviewOf({ outcome: 'expired', ...gone }));
    assert.match(both, /class="notice bad"/);
    assert.ok(both.includes(`[notice.expiredAndUnavailable ${expiry} €300.00]`), both);
    const withdrawn = pageOf(reviewOf({ outcome: 'expired', ...gone, stored: undefined }));
    assert.ok(withdrawn.includes('[notice.withdrawn ]'), withdrawn);
  });
});

describe('what to do next', () => {
  it('is the booking site, else the contact, else the way back', () => {
    assert.match(pageOf(reviewOf()), /method="post" action="\.\/handoff\/continue"/);
    assert.match(pageOf(reviewOf()), /name="handoff" value="VALUE".*<button class="button">\[continue\]/);
    assert.equal(count(pageOf(reviewOf()), 'name="checkIn"'), 0);
    const contact = pageOf(reviewOf(), { canContinue: false });
    assert.match(contact, /<a class="button" href="tel:\+39041">\[contactToBook\]/);
    assert.equal(count(contact, '<form'), 0);
    const neither = pageOf(reviewOf(), { canContinue: false, contact: undefined });
    assert.match(neither, /<p>\[goBack\]<\/p>/);
  });

  it('without other dates is to ask, and says that there are none', () => {
    const none = { outcome: 'unavailable', offer: undefined } as const;
    const page = pageOf(reviewOf(none));
    assert.equal(count(page, '[noOtherDates]'), 1);
    assert.equal(count(page, '[otherDatesIntro'), 0);
    assert.match(page, /<a class="button" href="tel:\+39041">\[contactForOtherDates\]/);
    assert.equal(count(pageOf(reviewOf(none), { contact: undefined }), '[contactForOtherDates]'), 0);
  });

  it('with other dates is to choose one of them, and to ask in small print', () => {
    const otherStays = [1, 2].map((days) => ({
      stay: { checkIn: CHECK_IN + days, checkOut: CHECK_IN + days + 3, guests: 2 },
      offer: offerOf({ total: BigInt(days) * 10_000n }),
    }));
    const others = { outcome: 'unavailable', offer: undefined, otherStays } as const;
    const page = pageOf(reviewOf(others));
    assert.equal(count(page, '[noOtherDates]'), 0);
    assert.equal(count(page, '[otherDatesIntro [nights 3] [guests 2]]'), 1);
    assert.match(page, /<p class="fine ask"><a href="tel:\+39041">\[contactForOtherDates\]/);
    assert.equal(count(page, '[chooseDates]'), 2);
    assert.equal(
      count(page, '<span class="said">[chosenDates'),
      2,
      'buttons of the same text differ for listeners',
    );
    assert.match(page, /name="checkIn" value="2026-12-05".*name="checkIn" value="2026-12-06"/);
    assert.match(page, /name="checkOut" value="2026-12-08".*name="checkOut" value="2026-12-09"/);
    assert.match(page, /datetime="2026-12-05".*datetime="2026-12-08".*€100\.00.*€200\.00/);
    assert.equal(count(pageOf(reviewOf(others), { canContinue: false }), '<form'), 0);
  });

  it('with another length is to choose it, and its length is said', () => {
    const longer = {
      stay: { checkIn: CHECK_IN, checkOut: CHECK_IN + 4, guests: 2 },
      offer: offerOf({ total: 40_000n }, 4),
    };
    const page = pageOf(reviewOf({ outcome: 'unavailable', offer: undefined, otherStays: [longer] }));
    assert.match(page, / · \[nights 4\]/);
    assert.match(page, /name="checkIn" value="2026-12-04".*name="checkOut" value="2026-12-08"/);
  });

  it('without a price says why in one sentence, unless the operator keeps it back', () => {
    const reason = { code: 'MIN_STAY', nights: 5 } as const;
    const none = { outcome: 'unavailable', offer: undefined, reason } as const;
    for (const outcome of ['unavailable', 'expired'] as const)
      assert.match(
        pageOf(reviewOf({ ...none, outcome })),
        /<p data-reason="MIN_STAY">.*\[nights 5\]\.<\/p>/,
        outcome,
      );
    assert.equal(count(pageOf(reviewOf(none), { tellsReasons: false }), 'data-reason'), 0);
    const dates = Array.from({ length: 9 }, (_, index) => CHECK_IN + index);
    const closed = pageOf(reviewOf({ ...none, reason: { code: 'NIGHTS_CLOSED', dates } }));
    assert.match(closed, /data-reason="NIGHTS_CLOSED">.*\[moreNights 2\]/);
  });

  it('of a property that is withdrawn is to go back: no date of it can be asked for', () => {
    const gone = { outcome: 'unavailable', offer: undefined, stored: undefined } as const;
    const page = pageOf(reviewOf(gone));
    assert.match(page, /<h1 dir="auto">.+<\/h1>/);
    assert.equal(count(page, '[notice.withdrawn ]'), 1);
    assert.equal(count(page, '[otherDates]') + count(page, '[contactForOtherDates]'), 0);
  });
});

describe('a room that is not the quoted one', () => {
  const rooms = { quoted: makeInventoryType({ name: 'Double' }), total: '300.00' };
  const changed = (isGone: boolean, outcome: HandoffReview['outcome'] = 'price_changed'): string =>
    flat(
      reviewPage(
        { ...viewOf(), messages: { ...MESSAGES, notice: EN_GB.notice } },
        reviewOf({ outcome, quotedRoom: { type: rooms.quoted, isGone } }),
        'VALUE',
        { images: [], partnerName: undefined, canContinue: true },
      ).main,
    ).replaceAll(/<[^>]*>/g, ' ');

  it('is named with the quoted one, and both with their totals', () => {
    const page = changed(true);
    assert.match(page, /The room that you were quoted is gone; another is free/);
    assert.match(page, /“Double” for €300\.00\. “Attic &lt;1&gt;” is free for the same dates, for €300\.03/);
  });

  it('is not said to be gone while it is free', () => {
    assert.match(changed(false), /Another room is the cheapest for your stay now .*“Double”.*“Attic/);
    assert.doesNotMatch(changed(false), /is gone/);
  });

  it('is named at the same price too, and after the offer has ended', () => {
    assert.match(changed(true, 'unchanged'), /is gone; another is free/);
    assert.match(changed(true, 'expired'), /is gone; another is free .*The offer was valid until/);
  });
});

describe('what the operator has not said', () => {
  const CANCELLATION = [{ daysBefore: 7, refundPercent: '100' }];
  const PAYMENT = [{ due: 'booking', daysBefore: null, percent: '100' }] as const;
  for (const [what, details, said] of [
    ['neither terms nor pictures', {}, ['noPictures', 'noTerms']],
    ['payment', { cancellation: CANCELLATION }, ['noPictures', 'terms', 'cancellation', 'noPayment']],
    ['cancellation', { payment: PAYMENT }, ['noPictures', 'terms', 'payment', 'noCancellation']],
    [
      'pictures',
      { cancellation: CANCELLATION, payment: PAYMENT },
      ['noPictures', 'terms', 'cancellation', 'payment'],
    ],
  ] as const)
    it(`is said to be missing, and has no card of nothing: ${what}`, () => {
      const page = pageOf(reviewOf({ details: { ...NO_DETAILS, ...details } }));
      const names = [
        'noPictures',
        'terms',
        'cancellation',
        'payment',
        'noTerms',
        'noCancellation',
        'noPayment',
      ];
      assert.deepEqual(names.filter((name) => page.includes(`[${name}]`)).toSorted(), said.toSorted());
    });
});

describe('the deadlines of the terms', () => {
  it('have hour and zone, and each date its year', () => {
    const cancellation = [{ daysBefore: 7, refundPercent: '100' }];
    const payment = [
      { due: 'daysBefore', daysBefore: 5, percent: '50' },
      { due: 'arrival', daysBefore: null, percent: '50' },
    ] as const;
    const review = reviewOf(
      { details: { ...NO_DETAILS, cancellation, payment } },
      { timezone: 'Europe/Rome' },
    );
    const { main } = reviewPage(makeView(OPERATOR, 'en-GB', './'), review, 'VALUE', {
      images: [],
      partnerName: undefined,
      canContinue: true,
    });
    const text = flat(main);
    assert.match(text, />Friday, 27 November 2026, 23:59 \(CET\)</);
    assert.match(text, />Sunday, 29 November 2026</);
  });

  it('have the zone in force at their last second, where the clocks change at that hour', () => {
    // The hour before midnight is repeated on 29 October 2026, skipped is the one after 23 April.
    for (const [checkIn, said] of [
      ['2026-10-30', 'Thursday, 29 October 2026, 23:59 (EET)'],
      ['2026-10-29', 'Wednesday, 28 October 2026, 23:59 (EEST)'],
      ['2026-04-24', 'Thursday, 23 April 2026, 23:59 (EET)'],
    ] as const) {
      const handoff = { ...HANDOFF, checkIn: dayOf(checkIn), checkOut: dayOf(checkIn) + 3 };
      const cancellation = [{ daysBefore: 1, refundPercent: '100' }];
      const details = { ...NO_DETAILS, cancellation };
      const review = reviewOf(
        { handoff, details, today: handoff.checkIn - 30 },
        { timezone: 'Africa/Cairo' },
      );
      const extras = { images: [], partnerName: undefined, canContinue: true };
      const { main } = reviewPage(makeView(OPERATOR, 'en-GB', './'), review, 'VALUE', extras);
      assert.ok(flat(main).includes(`>${said}<`), said);
    }
  });
});

describe('the stay and its property on the page', () => {
  it('have dates, nights, guests and the room that is offered', () => {
    const page = pageOf(reviewOf());
    assert.match(page, /\[checkIn\].*"2026-12-04".*\[checkOut\].*"2026-12-07".*\[nights 3\].*\[guests 2\]/);
    assert.match(page, /\[room\].*<bdi>Attic &lt;1&gt;<\/bdi>.*\[roomFor 2\]/);
    assert.equal(count(page, 'without-offer'), 0);
    const unavailable = pageOf(reviewOf({ outcome: 'unavailable', offer: undefined }));
    assert.equal(count(unavailable, '[room]'), 0);
    assert.equal(count(unavailable, 'without-offer'), 1);
  });

  it('say the area and the rating where there is one', () => {
    const bare = pageOf(reviewOf());
    assert.deepEqual([count(bare, '[place'), count(bare, '[rating')], [0, 0]);
    assert.ok(bare.includes('<bdi>Venice</bdi>'));
    const location = { city: 'Venice', country: 'IT', area: 'Rialto' };
    const full = pageOf(reviewOf({}, { location, rating: { score: 4.55, count: 3 } }));
    assert.ok(full.includes('[place Rialto Venice]'));
    assert.match(full, /\[rating 4\.[56] 3\]/);
  });

  it('are described as far as there is something to say', () => {
    assert.equal(count(pageOf(reviewOf()), '[about]'), 0);
    const described = pageOf(reviewOf({}, { description: 'By the canal.' }));
    assert.deepEqual([count(described, '[about]'), count(described, '[amenities]')], [1, 0]);
    assert.ok(described.includes('By the canal.'));
    const equipped = pageOf(reviewOf({}, { amenities: ['Ski_room 7', 'wifi'] }));
    assert.deepEqual([count(equipped, '[about]'), count(equipped, '[amenities]')], [1, 1]);
    assert.match(equipped, /<bdi>Ski room 7<\/bdi>.*<bdi>(?:\[amenityName wifi\]|Wifi)<\/bdi>/);
    assert.equal(count(equipped, 'class="description"'), 0);
  });

  it('are cut where they are too long: 24 amenities, 1,200 characters at a blank', () => {
    const amenities = Array.from({ length: 25 }, (_, index) => `thing-${index}`);
    assert.equal(count(pageOf(reviewOf({}, { amenities })), '<li><bdi>'), 24);
    const exact = `${'word '.repeat(239)}words`;
    assert.equal(exact.length, 1_200);
    assert.ok(pageOf(reviewOf({}, { description: exact })).includes(`${exact}</p>`));
    const long = pageOf(reviewOf({}, { description: `${exact}!` }));
    assert.ok(long.includes(`${'word '.repeat(239).trim()} …</p>`));
  });

  it('say of each night whether it is open, and whether it is of the stay', () => {
    const night = (offset: number, isOpen: boolean, isOfStay: boolean) => ({
      night: dayOf('2026-11-30') + offset,
      isOpen,
      isOfStay,
    });
    const nights = [
      night(0, true, false),
      night(1, false, false),
      night(2, true, true),
      night(3, false, true),
      ...[4, 5, 6, 7, 8, 9, 10, 11, 12, 13].map((offset) => night(offset, true, false)),
    ];
    const page = pageOf(reviewOf({ nights }));
    const cells = [...page.matchAll(/<td class="([^"]*)">.*?<span class="said">\[(\w+)\]/g)].map(
      ([, kind, said]) => `${kind}: ${said}`,
    );
    assert.deepEqual(cells.slice(0, 4), [
      'is-open: open',
      'is-closed: closed',
      'is-yours is-open: yours',
      'is-yours is-closed: yoursClosed',
    ]);
    assert.equal(cells.length, 14);
    assert.equal(count(page, '<th scope="col"'), 7);
    assert.equal(count(page, '<tr>') - count(page, '<tr><th scope="row">'), 3, 'days of the week, two weeks');
    const keys = (shown: string) =>
      [...shown.matchAll(/<li><span class="key ([^"]*)">/g)].map(([, key]) => key);
    assert.deepEqual(keys(page), ['is-yours', 'is-yours is-closed', 'is-open', 'is-closed']);
    const closed = pageOf(reviewOf({ nights: nights.map((one) => ({ ...one, isOpen: false })) }));
    assert.deepEqual(
      keys(closed),
      ['is-yours is-closed', 'is-open', 'is-closed'],
      'what it shows, and no more',
    );
    // The month where the calendar begins, and where the month does.
    assert.deepEqual(
      [...page.matchAll(/<small>(\w+)<\/small>/g)].map(([, month]) => month),
      ['Nov', 'Dec'],
    );
    assert.equal(count(pageOf(reviewOf()), '[calendar]'), 0);
  });
});

describe('the other pages', () => {
  it('of a database that is away has the figures of the quote', () => {
    const { outcome, main } = uncheckedPage(viewOf(), HANDOFF, 'VALUE', 'Bridge');
    const page = flat(main);
    assert.equal(outcome, 'unchecked');
    assert.match(page, /<h1 dir="auto">Bridge<\/h1>.*class="notice warn".*\[notice\.unchecked\.heading\]/);
    assert.match(page, /\[quotedPrice\].*\[total\].*€300\.00.*\[continue\].*\[indicative\]/);
    const unnamed = flat(uncheckedPage(viewOf(), HANDOFF, 'VALUE', undefined).main);
    assert.match(unnamed, /<h1 dir="auto">\[yourStay\]<\/h1>/);
  });

  it('without a stay say what happened and whom to ask', () => {
    for (const kind of ['invalid', 'notFound', 'tooMany', 'tryLater'] as const) {
      const { outcome, title, main } = plainPage(viewOf(), kind);
      assert.equal(outcome, kind === 'invalid' ? 'invalid' : 'none');
      assert.equal(title, `[title.${kind}]`);
      assert.match(flat(main), new RegExp(`\\[notice\\.${kind}\\.heading\\].*\\[notice\\.${kind}\\.text\\]`));
      assert.equal(count(flat(main), '[contactForHelp]'), 1);
      assert.equal(count(flat(plainPage(viewOf({ contact: undefined }), kind).main), '[contactForHelp]'), 0);
    }
  });
});

describe('the frame of every page', () => {
  const assets = { style: { path: '/assets/s.css' }, icon: { path: '/assets/i.svg' } };
  const frameOf = (operator: Partial<Operator>, reference?: string, root = './'): string =>
    formatPage({ ...viewOf(operator), root }, assets as never, {
      outcome: 'unchanged',
      title: 'Title',
      main: 'MAIN',
      reference,
    });

  it('leads to its files from wherever it is, and says in which language and state it is', () => {
    const page = frameOf({});
    assert.match(page, /<html lang="en-GB"/);
    assert.match(page, /<title>Title \| Inn<\/title>/);
    assert.match(page, /data-outcome="unchanged">MAIN</);
    assert.match(page, /<link rel="stylesheet" href="\.\/assets\/s\.css"/);
    assert.match(page, /<link rel="icon" href="\.\/assets\/i\.svg"/);
    assert.match(page, /<meta name="robots" content="noindex"/);
    assert.match(page, /<a class="skip" href="#main">\[skipToStay\]<\/a>/);
    assert.match(frameOf({}, undefined, '../'), /href="\.\.\/assets\/s\.css"/);
  });

  it('has the logo where there is one, else the name', () => {
    assert.match(frameOf({}), /class="brand"><bdi>Inn<\/bdi>/);
    const logo = frameOf({ logoPath: '/assets/logo.png' });
    assert.match(logo, /class="brand"><img src="\.\/assets\/logo\.png" alt="Inn"/);
    assert.equal(count(frameOf({}), '<img'), 0);
  });

  it('links to the legal pages that are set, in the words of its language', () => {
    const legal = { imprint: 'https://a.example/i', accessibility: 'https://a.example/a?b="' };
    const foot = frameOf({ legal });
    assert.match(foot, /<a href="https:\/\/a\.example\/i">\[legal\.imprint\]<\/a>/);
    assert.match(foot, /<a href="https:\/\/a\.example\/a\?b=&quot;">\[legal\.accessibility\]<\/a>/);
    assert.equal(count(foot, '[legal.'), 2);
    assert.equal(count(frameOf({}), 'class="legal"'), 0);
  });

  it('has the contact to read, and the reference, where they are known', () => {
    const foot = (page: string): string => page.slice(page.indexOf('<footer'));
    assert.match(foot(frameOf({}, '[reference]')), /<a href="tel:\+39041">\+39041<\/a>[^]*\[reference\]/);
    const mail = foot(frameOf({ contact: 'mailto:a@b.example?subject=x' }));
    assert.match(mail, /<a href="mailto:a@b\.example\?subject=x">a@<wbr \/>b\.<wbr \/>example<\/a>/);
    assert.match(foot(frameOf({ contact: 'https://a.example/' })), />\[contact\]<\/a>/);
    assert.equal(count(foot(frameOf({ contact: undefined })), '<a '), 0);
    assert.equal(count(foot(frameOf({})), 'class="fine"'), 0);
  });
});

describe('amounts on the page', () => {
  it('have the digits of their currency, and never lose one', () => {
    const { money } = viewOf().formats;
    assert.equal(money('1234.50', 'EUR'), '€1,234.50');
    assert.equal(money('1234.00', 'EUR'), '€1,234.00');
    assert.equal(money('1234.00', 'JPY'), 'JP¥1,234');
    assert.equal(money('1234.50', 'JPY'), 'JP¥1,234.50');
    assert.equal(money('90071992547409.93', 'EUR'), '€90,071,992,547,409.93');
  });
});
