/** The web listener on the wire: states, headers, what is counted, what is not there, and hostile input. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { reportPriceDrift } from '../../../src/traveller/attribution/price-drift.ts';
import { NO_DETAILS } from '../../../src/domain/property-details.ts';
import { until } from '../../kit/command-line.ts';
import { nights } from '../../kit/catalogue-lines.ts';
import { exchange, headerOf, type Received } from '../../kit/http-exchange.ts';
import { exchange as rawExchange } from '../../kit/raw-client.ts';
import {
  LOCALES,
  OUTCOMES,
  startTravelling,
  STATES,
  travellersHotel,
  type Travelling,
} from '../../kit/traveller-states.ts';

const MUTATION_COUNT = 3_000;
const MARKUP = `<script>alert(1)</script>"'&<img src=x onerror=alert(1)>`;
const PAGE_BYTES_MAX = 30 * 1024;
const USUAL_PAGE_BYTES_MAX = 20 * 1024;
const MS_PER_DAY = 86_400_000;

const HOSTILE = travellersHotel('hostile', [], {
  name: MARKUP,
  description: MARKUP,
  propertyType: MARKUP,
  location: { city: MARKUP, country: 'IT', area: MARKUP },
  amenities: [MARKUP],
  discounts: [{ code: MARKUP, name: MARKUP, percent: '1' }],
  inventoryTypes: [
    {
      inventoryTypeId: 'x',
      name: MARKUP,
      guestsMax: 30,
      calendar: [nights('2026-11-20', '2027-03-31', { availability: 1, rate: '99.99' })],
    },
  ],
});
const ONE_LANGUAGE = travellersHotel('one-language', [], {
  name: { 'en-GB': 'Mill House' },
  description: { 'en-GB': 'By the river.' },
  propertyType: 'inn',
  amenities: ['courtyard', 'glass-roof'],
  taxes: [{ code: 'resort_fee', kind: 'fee', logic: 'per_booking', amount: '5.00' }],
});
/** As the agents of previews, of the programs behind them, and of programs that people write name themselves. */
const PREVIEW_AGENTS = [
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'WhatsApp/2.23.20.0 A',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  'curl/8.14.1',
];
const BROWSER_AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/407.0.0.0.65;]',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
];
const DISCOUNTED = travellersHotel('discounted', [], {
  discounts: [
    { code: 'weekly', percent: '40', minNights: 7 },
    {
      code: 'early-bird',
      name: { 'it-IT': 'Prenota prima', 'en-GB': 'Early bird' },
      percent: '12.5',
      minAdvanceDays: 10,
    },
  ],
});
const RIGHT_TO_LEFT = travellersHotel('right-to-left', [], { name: 'فندق الجسر', description: 'على القناة' });

const NOTHING_SAID = Object.fromEntries(Object.entries(NO_DETAILS).map(([name]) => [name, null]));
const ELSEWHERE = [
  'https://cdn.example.com/a.jpg?w=1&x=%22',
  'https://cdn.example.com:8443/b.jpg',
  'not-there.jpg',
].map((src) => ({ src, alt: 'A picture', width: 300, height: 200 }));

let travelling: Travelling;
before(async () => {
  travelling = await startTravelling({}, [
    HOSTILE,
    RIGHT_TO_LEFT,
    ONE_LANGUAGE,
    DISCOUNTED,
    travellersHotel('bare', [], { ...NOTHING_SAID }),
    travellersHotel('strict', [], { cancellation: [] }),
    travellersHotel('late', [], { cancellation: [{ daysBefore: 30, refundPercent: '100' }] }),
    travellersHotel('elsewhere', [], { images: ELSEWHERE }),
    ...['leaving', 'withdrawn-nameless', 'expired-dearer'].map((id) => travellersHotel(id)),
  ]);
});
after(() => travelling.installation.close());

function open(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Received> {
  return exchange(travelling.webUrl, { method, path: url.replace(travelling.webUrl, ''), headers });
}

function textOf({ body }: Received): string {
  return Buffer.from(body).toString('utf8');
}

function outcomeOf(received: Received): string | undefined {
  return /<main [^>]*data-outcome="([^"]*)"/.exec(textOf(received))?.[1];
}

const valueIn = (link: string): string => new URL(link).searchParams.get('handoff') ?? '';

function goOn(fields: Readonly<Record<string, string>>): Promise<Received> {
  return exchange(travelling.webUrl, {
    method: 'POST',
    path: '/handoff/continue',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
}

function assertPageHeaders(received: Received): void {
  const header = (name: string): string => headerOf(received, name) ?? '';
  assert.equal(header('content-type'), 'text/html; charset=utf-8');
  assert.equal(header('cache-control'), 'private, no-store');
  assert.equal(header('referrer-policy'), 'no-referrer');
  assert.equal(header('x-content-type-options'), 'nosniff');
  assert.equal(header('x-robots-tag'), 'noindex, nofollow');
  const policy = header('content-security-policy');
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*|script-src/);
  assert.equal(received.headers['set-cookie'], undefined);
  assert.doesNotMatch(textOf(received), /<script|<style| style=| on[a-z]+="/i);
}

describe('the page of a handoff', () => {
  for (const state of STATES) {
    for (const locale of LOCALES) {
      it(`is ${OUTCOMES[state]} for ${state} in ${locale}`, async () => {
        const received = await open(travelling.linkOf(state, locale), { 'accept-language': locale });
        assert.equal(received.status, state === 'invalid' ? 400 : 200);
        assert.equal(outcomeOf(received), OUTCOMES[state]);
        assertPageHeaders(received);
        const text = textOf(received);
        assert.ok(text.includes(`<html lang="${locale}">`));
        if (state === 'invalid') return;
        for (const date of ['2026-12-11', '2026-12-14']) assert.ok(text.includes(`datetime="${date}"`), date);
      });
    }
  }

  it('writes dates, money and numbers as the locale does', async () => {
    const english = textOf(await open(travelling.linkOf('price_changed', 'en-GB')));
    for (const said of [
      '11 December 2026',
      'Friday',
      '€575.00',
      '€603.00',
      '€28.00 more',
      'Cleaning fee',
      'City tax',
      '3\u00A0nights',
      '2\u00A0guests',
      'Included in the price: VAT (10%) €49.45.',
      '€4.00 per guest and night: 2\u00A0guests, 3\u00A0nights; charged for at most 5\u00A0nights',
    ]) {
      assert.ok(english.includes(said), said);
    }
    const italian = textOf(await open(travelling.linkOf('price_changed', 'it-IT')));
    for (const said of [
      '11 dicembre 2026',
      'venerdì',
      '575,00\u00A0€',
      '603,00\u00A0€',
      'Imposta di soggiorno',
      'IVA',
      '3\u00A0notti',
    ]) {
      assert.ok(italian.includes(said), said);
    }
  });

  it('offers the nearest stays that can be had, each with its total, and says why the wanted one cannot', async () => {
    const text = textOf(await open(travelling.linkOf('unavailable', 'en-GB')));
    const chosen = [...text.matchAll(/name="checkIn" value="([^"]+)"/g)].map(([, date]) => date);
    // The 12th is sold, and so are the 7th and the 8th.
    assert.deepEqual(chosen, ['2026-12-09', '2026-12-13', '2026-12-14', '2026-12-11']);
    const until = [...text.matchAll(/name="checkOut" value="([^"]+)"/g)].map(([, date]) => date);
    assert.deepEqual(until, ['2026-12-12', '2026-12-16', '2026-12-17', '2026-12-12']);
    assert.match(text, /<p data-reason="NIGHTS_CLOSED">These nights are not free: [^<]*12 [^<]*\.<\/p>/);
    for (const total of ['€503.00', '€539.00']) assert.ok(text.includes(total), total);
    const flat = text.replaceAll(/\s+/g, ' ');
    assert.match(flat, /<bdi>Canal-side double<\/bdi> · €72\.00 less than you were shown/);
  });

  it('of a property withdrawn meanwhile says so, with the name that the traveller saw and nothing else of it', async () => {
    const links = await Promise.all(LOCALES.map((locale) => travelling.link('leaving', locale)));
    await travelling.installation.storage.withdrawProperties(['leaving']);
    const [italian = '', english = ''] = await Promise.all(
      links.map(async (link) => textOf(await open(link))),
    );
    for (const page of [italian, english]) {
      assert.match(page, /data-outcome="unavailable"/);
      assert.doesNotMatch(page, /Cannaregio|Qualcuno è stato|Someone else|other dates|altre date/);
      assert.match(page, /mailto:stay@erbe\.example/);
    }
    assert.match(english, /<h1 dir="auto">Bridge Hotel<\/h1>[^]*Bridge Hotel is no longer offered here/);
    assert.match(italian, /<h1 dir="auto">Hotel Ponte delle Erbe<\/h1>[^]*non è più disponibile qui/);
  });

  it('of a withdrawn property whose name is not stored says so all the same', async () => {
    const link = await travelling.link('withdrawn-nameless', 'en-GB');
    await travelling.installation.storage.withdrawProperties(['withdrawn-nameless']);
    const database = new DatabaseSync(travelling.installation.databasePath);
    database.exec(
      `UPDATE quotes SET breakdown = json_remove(breakdown, '$.name') WHERE property_id = 'withdrawn-nameless'`,
    );
    database.close();
    assert.match(textOf(await open(link)), /This property is no longer offered here/);
  });

  it('of an expired offer names the total that was shown, and shows it beside another one', async () => {
    const same = textOf(await open(travelling.linkOf('expired', 'en-GB')));
    assert.match(same, /The price that you were shown, €575\.00, was valid until/);
    assert.doesNotMatch(same, /You were shown<\/dt>/);
    const gone = textOf(await open(travelling.linkOf('expired-unavailable', 'it-IT')));
    assert.match(gone, /Il prezzo che hai visto, 575,00\u00A0€, era valido fino a venerdì 20 novembre 2026/);
    const { time } = travelling.installation;
    time.nowMs -= 3_600_000;
    const link = await travelling.link('expired-dearer', 'en-GB');
    time.nowMs += 3_600_000;
    await travelling.installation.importLines([
      travellersHotel('expired-dearer', [nights('2026-12-12', '2026-12-12', { rate: '212.00' })]),
    ]);
    const other = textOf(await open(link));
    assert.match(other, /data-outcome="expired"/);
    assert.match(
      other,
      /You were shown<\/dt>\s*<dd><s>€575\.00<\/s><\/dd>[^]*Total now<\/dt>\s*<dd>€603\.00/,
    );
  });

  it('of a discounted stay shows what the discount takes off, and both totals when it has ended', async () => {
    const links = await Promise.all(LOCALES.map((locale) => travelling.link('discounted', locale)));
    const pages = async (): Promise<string[]> =>
      Promise.all(links.map(async (link) => textOf(await open(link)).replaceAll(/\s+/g, ' ')));
    // 184.00, 184.00 and 148.00, less 23.00, 23.00 and 18.50: of 575.00 510.50 are left.
    const [italian = '', english = ''] = await pages();
    for (const page of [italian, english]) assert.match(page, /data-outcome="unchanged"/);
    assert.match(english, />Accommodation, 3 nights<\/dt> <dd>€516\.00</);
    assert.match(english, />Early bird<\/bdi> \(12\.5%\)<\/dt> <dd>-€64\.50</);
    assert.match(english, />Total<\/dt> <dd>€510\.50</);
    assert.match(italian, />Prenota prima<\/bdi> \(12,5%\)<\/dt> <dd>-64,50 €</);

    await travelling.installation.importLines([travellersHotel('discounted')]);
    const [then = '', after = ''] = await pages();
    for (const page of [then, after]) assert.match(page, /data-outcome="price_changed"/);
    assert.match(after, /<s>€510\.50<\/s>.*Total now<\/dt> <dd>€575\.00/);
    assert.match(after, /€64\.50 more/);
    assert.doesNotMatch(after, /Early bird/);
  });

  it('weighs little, also with 30 guests and 60 nights', async () => {
    const { partner, webUrl } = travelling;
    const stay = { checkIn: '2026-12-01', checkOut: '2027-01-30', guests: 30 };
    const quoted = await partner.quote({ propertyId: 'hostile', stay, locale: 'it-IT' });
    const page = await open(`${webUrl}/handoff${new URL(quoted.success.handoffUrl).search}`);
    assert.equal(outcomeOf(page), 'unchanged');
    const assets = [...textOf(page).matchAll(/(?:href|src)="\.(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    assert.equal(new Set(assets).size, 2);
    const weights = await Promise.all(
      assets.map(async (path) => (await open(path, { 'accept-encoding': 'gzip, br' })).body.length),
    );
    const bytes = weights.reduce((sum, weight) => sum + weight, page.body.length);
    assert.ok(bytes < PAGE_BYTES_MAX, `${bytes} bytes`);
  });

  it('of a usual stay weighs less than 20 KB, pictures apart', async () => {
    const page = await open(travelling.linkOf('price_changed', 'it-IT'));
    const [style = ''] = /\/assets\/traveller-[^"]+/.exec(textOf(page)) ?? [];
    const { body } = await open(style, { 'accept-encoding': 'gzip, br' });
    const bytes = body.length + page.body.length;
    assert.ok(bytes < USUAL_PAGE_BYTES_MAX, `${bytes} bytes`);
  });

  it('says until when cancelling costs nothing and what is paid when, as dates of the property', async () => {
    const english = textOf(await open(travelling.linkOf('unchanged', 'en-GB')));
    const flat = english.replaceAll(/\s+/g, ' ');
    assert.match(
      flat,
      /Free cancellation until <time datetime="2026-11-27">Friday, 27 November 2026, 23:59 \(CET\)<\/time>/,
    );
    assert.match(
      flat,
      /50% back if you cancel by <time datetime="2026-12-08">Tuesday, 8 December 2026, 23:59 \(CET\)<\/time>/,
    );
    assert.doesNotMatch(flat, /datetime="2026-11-11"/, 'that step has passed');
    assert.match(flat, /<dt>When you book<\/dt> <dd>€172\.50<\/dd>/);
    assert.match(
      flat,
      /<time datetime="2026-12-04">Friday, 4 December 2026<\/time>\s?<\/dt> <dd>€287\.50<\/dd>/,
    );
    assert.match(flat, /<dt>On arrival<\/dt> <dd>€115\.00<\/dd>/);
    const italian = textOf(await open(travelling.linkOf('unchanged', 'it-IT'))).replaceAll(/\s+/g, ' ');
    assert.match(
      italian,
      /Cancellazione gratuita fino a <time datetime="2026-11-27">venerdì 27 novembre 2026, ore 23:59 \(CET\)<\/time>/,
    );
    assert.match(italian, /Silenzio dalle 23 alle 7/);
  });

  it('says when to come and to go, who sells, who sent the traveller, and what happens next', async () => {
    const flat = textOf(await open(travelling.linkOf('unchanged', 'en-GB'))).replaceAll(/\s+/g, ' ');
    assert.match(flat, /from <time datetime="15:00">15:00<\/time> to <time datetime="22:00">22:00<\/time>/);
    assert.match(flat, /by <time datetime="10:30">10:30<\/time>/);
    assert.match(flat, /Sold by<\/dt> <dd><bdi>Erbe Alberghi Srl, Venezia<\/bdi>/);
    assert.match(flat, /You came from<\/dt> <dd><bdi>acme<\/bdi>/);
    assert.match(flat, /IT02<wbr \/>7042<wbr \/>A1SA<wbr \/>MPLE<wbr \/>01/);
    assert.match(flat, /The button leads to the booking site of Erbe Hotels/);
  });

  it('of a stay that cannot be had promises neither a refund nor a payment', async () => {
    const text = textOf(await open(travelling.linkOf('unavailable', 'en-GB')));
    assert.doesNotMatch(text, /cancellation until|When you book/);
    assert.match(text, /House rules/);
  });

  it('has the legal links on every page, in its language', async () => {
    for (const path of [
      travelling.linkOf('unchanged', 'it-IT'),
      travelling.linkOf('invalid', 'it-IT'),
      '/nothing',
    ]) {
      const page = textOf(await open(path));
      assert.match(page, /<a href="https:\/\/erbe\.example\/imprint">(Note legali|Legal notice)<\/a>/, path);
      assert.match(page, /<a href="https:\/\/erbe\.example\/privacy">Privacy<\/a>/, path);
    }
  });

  it('names the quoted room that is gone and the one that is free, with both totals, in both languages', async () => {
    const english = textOf(await open(travelling.linkOf('other-room', 'en-GB')));
    assert.match(english, /data-outcome="price_changed"/);
    assert.match(english, /The room that you were quoted is gone; another is free/);
    assert.match(english, /“Canal-side double” for €575\.00\. “Garden family room” is free .* for €647\.00/);
    const italian = textOf(await open(travelling.linkOf('other-room', 'it-IT')));
    assert.match(italian, /La camera del preventivo non c’è più; un’altra è libera/);
    assert.match(italian, /«Doppia sul canale» a 575,00.€.*«Familiare sul giardino» a 647,00.€/);
  });

  it('of a property without pictures or terms says that they are missing, and of one that gives nothing back says so', async () => {
    const bare = textOf(await open(await travelling.link('bare', 'en-GB')));
    assert.match(bare, /There are no pictures.*How to cancel and when to pay is not given/s);
    assert.doesNotMatch(
      bare,
      /cancellation until|House rules|Registration|class="gallery|card terms|from <time/i,
    );
    assert.match(bare, /Sold by<\/dt>\s*<dd><bdi>Erbe Hotels<\/bdi>/);
    const strict = textOf(await open(await travelling.link('strict', 'en-GB')));
    assert.match(strict, /Non-refundable/);
    assert.doesNotMatch(strict, /cancellation until/);
    const late = textOf(await open(await travelling.link('late', 'en-GB')));
    assert.match(late, /too late for a refund/);
  });

  it('shows the pictures that are there, in order, and those of listed origins; the policy names no other host', async () => {
    const received = await open(travelling.linkOf('unchanged', 'en-GB'));
    const sources = [...textOf(received).matchAll(/<img\s+src="([^"]+)"/g)].map(([, source]) => source);
    assert.deepEqual(
      sources,
      ['front', 'double', 'terrace', 'family'].map((name) => `./images/hotel-ponte-venezia/${name}.svg`),
    );
    assert.match(headerOf(received, 'content-security-policy') ?? '', /; img-src 'self'(;|$)/);
    for (const source of sources) assert.equal((await open(source!.slice(1))).status, 200);

    const origins = 'https://cdn.example.com,https://img.example.com';
    const listed = await travelling.installation.serve({ WEB_PORT: '0', WEB_IMAGE_ORIGINS: origins });
    const link = (await travelling.link('elsewhere', 'en-GB')).replace(
      travelling.webUrl,
      listed.webUrl ?? '',
    );
    const page = await fetch(link);
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /; img-src 'self' https:\/\/cdn\.example\.com https:\/\/img\.example\.com(;|$)/,
    );
    const shown = [...(await page.text()).matchAll(/<img\s+src="([^"]+)"/g)].map(([, source]) => source);
    assert.deepEqual(shown, ['https://cdn.example.com/a.jpg?w=1&amp;x=%22']);
    assert.match(
      await (await fetch(`${listed.operatorUrl}/metrics`)).text(),
      /^stayport_page_images_left_out_total\{reason="missing"\} 1\nstayport_page_images_left_out_total\{reason="origin"\} 1$/m,
    );
  });

  it('has a preview for messengers, without the price and without the link', async () => {
    const text = textOf(await open(travelling.linkOf('unchanged', 'it-IT')));
    const tags = Object.fromEntries(
      [...text.matchAll(/<meta property="og:([a-z:_]+)" content="([^"]*)" \/>/g)].map(([, name, content]) => [
        name,
        content,
      ]),
    );
    assert.deepEqual(tags, {
      type: 'website',
      site_name: 'Erbe Hotels',
      title: tags['title'],
      description: 'Cannaregio, Venezia. 3\u00A0notti, 2\u00A0ospiti.',
      locale: 'it_IT',
      image: 'https://localhost:8443/images/hotel-ponte-venezia/front.svg',
      'image:width': '1200',
      'image:height': '800',
      'image:alt': 'Immagine: front',
    });
    assert.match(tags['title'] ?? '', /^Hotel Ponte delle Erbe: .*11.*14.*2026$/);
    assert.doesNotMatch(textOf(await open(travelling.linkOf('withdrawn', 'it-IT'))), /og:/);
  });

  it('has assets that are kept for ever, as small as the browser takes them', async () => {
    const text = textOf(await open(travelling.linkOf('unchanged', 'en-GB')));
    for (const [, path] of text.matchAll(/"\.(\/assets\/[^"]+)"/g)) {
      for (const [accepted, encoding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
        ['br;q=0, gzip', 'gzip'],
        ['identity', undefined],
      ] as const) {
        const received = await open(path!, { 'accept-encoding': accepted });
        assert.equal(received.status, 200);
        assert.equal(headerOf(received, 'content-encoding'), encoding);
        assert.equal(headerOf(received, 'cache-control'), 'public, max-age=31536000, immutable');
      }
    }
  });
});

describe('a handoff value that is not ours', () => {
  it('is 400, and never says why', async () => {
    const value = valueIn(travelling.linkOf('unchanged', 'en-GB'));
    const values = [
      '',
      'x',
      value.slice(1),
      `${value}x`,
      `${value}=`,
      value.toUpperCase(),
      '%00',
      '%',
      '%E0%A4',
      MARKUP,
    ];
    const pages = await Promise.all(values.map((text) => open(`/handoff?handoff=${encodeURI(text)}`)));
    const bodies = new Set(pages.map(textOf));
    assert.deepEqual(new Set(pages.map(({ status }) => status)), new Set([400]));
    assert.equal(bodies.size, 1);
    assert.equal(textOf(await open('/handoff')), [...bodies][0]);
  });

  it(`stays 400 however it is mutated, ${MUTATION_COUNT} times`, async () => {
    const value = valueIn(travelling.linkOf('unchanged', 'en-GB'));
    const mutations = fc.sample(
      fc.record({
        at: fc.integer({ min: 0, max: value.length }),
        cut: fc.integer({ min: 0, max: 3 }),
        put: fc.string({ unit: fc.constantFrom(...'AZaz09-_.%=&+ é\u0000'), maxLength: 3 }),
      }),
      { numRuns: MUTATION_COUNT, seed: 20261121 },
    );
    const mutated = mutations
      .map(({ at, cut, put }) => value.slice(0, at) + put + value.slice(at + cut))
      .filter((text) => text !== value);
    const statuses = new Map<number, number>();
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < mutated.length) {
        const text = mutated[(next += 1) - 1] ?? '';
        const { status } = await open(`/handoff?handoff=${encodeURIComponent(text)}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
    assert.deepEqual([...statuses.keys()], [400]);
  });

  it('of 2 MB ends its connection, and nobody else notices', async () => {
    const target = `/handoff?handoff=${'A'.repeat(2 * 1024 * 1024)}`;
    const { port } = new URL(travelling.webUrl);
    const { answers, isClosedByServer } = await rawExchange(Number(port), [
      `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ]);
    assert.ok(isClosedByServer);
    for (const { status } of answers) assert.equal(status, 400);
    assert.equal(outcomeOf(await open(travelling.linkOf('unchanged', 'en-GB'))), 'unchanged');
  });
});

describe('texts of a property', () => {
  it('are never markup, whatever they hold', async () => {
    for (const locale of LOCALES) {
      const received = await open(await travelling.link('hostile', locale));
      assertPageHeaders(received);
      assert.ok(textOf(received).includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'));
      assert.doesNotMatch(textOf(received), /<img src=x/);
    }
  });

  it('say their language where it is not that of the page; types and amenities are translated', async () => {
    const italian = textOf(await open(await travelling.link('one-language', 'it-IT')));
    assert.match(italian, /<h1 dir="auto" lang="en-GB">Mill House<\/h1>/);
    assert.match(italian, /<p class="description" dir="auto" lang="en-GB">/);
    assert.match(italian, /<bdi>Locanda<\/bdi>/);
    assert.match(italian, /<bdi lang="en">Glass roof<\/bdi>/);
    assert.match(italian, /<bdi lang="en">Resort fee<\/bdi>/);
    const english = textOf(await open(await travelling.link('one-language', 'en-GB')));
    assert.match(english, /<bdi>Inn<\/bdi>/);
    // But for one picture, whose text is in Italian only.
    const body = english.slice(english.indexOf('<body>'));
    assert.match(body, /alt="La camera doppia"\s+lang="it-IT"/);
    assert.equal(body.match(/\slang=/g)?.length, 1);
  });

  it('keep their direction', async () => {
    const text = textOf(await open(await travelling.link('right-to-left', 'it-IT')));
    assert.match(text, /<h1 dir="auto">فندق الجسر<\/h1>/);
    assert.match(text, /<p class="description" dir="auto">على القناة<\/p>/);
  });
});

describe('going on', () => {
  it('is 303 to the booking site, with exactly the values of the quote', async () => {
    const link = travelling.linkOf('unchanged', 'en-GB');
    const received = await goOn({ handoff: valueIn(link) });
    assert.equal(received.status, 303);
    const quoteId = /Reference (qt_\w+)/.exec(textOf(await open(link)))?.[1];
    assert.equal(
      headerOf(received, 'location'),
      `https://book.example.com/unchanged/canal-double?from=2026-12-11&to=2026-12-14&guests=2&lang=en-GB&via=acme&quote=${quoteId}`,
    );
    assert.equal(headerOf(received, 'referrer-policy'), 'no-referrer');
  });

  it('takes other dates of the same length, or another length, within reach', async () => {
    const handoff = valueIn(travelling.linkOf('unavailable', 'en-GB'));
    for (const [checkIn, checkOut] of [
      ['2026-12-13', '2026-12-16'],
      ['2026-12-11', '2026-12-12'],
      ['2026-12-11', '2027-01-10'],
    ] as const) {
      const received = await goOn({ handoff, checkIn, checkOut });
      const location = headerOf(received, 'location') ?? '';
      assert.ok(location.includes(`from=${checkIn}&to=${checkOut}&guests=2`), location);
    }
    for (const [checkIn, checkOut] of [
      ['2027-01-11', '2027-01-14'],
      ['2026-12-11', '2027-01-11'],
      ['2026-12-13', '2026-12-15'],
      ['2026-12-11', '2026-12-11'],
      ['2026-12-13', ''],
      ['2026-13-01', '2026-12-14'],
      ['', ''],
      ['x', 'y'],
    ] as const)
      assert.equal((await goOn({ handoff, checkIn, checkOut })).status, 400, `${checkIn} ${checkOut}`);
    assert.equal((await goOn({ handoff, checkIn: '2026-12-13' })).status, 400);
  });

  it('is 400 with a value that is not ours, or none, or a body that is not a form', async () => {
    assert.equal((await goOn({ handoff: 'x' })).status, 400);
    assert.equal((await goOn({})).status, 400);
    const long = await goOn({ handoff: 'A'.repeat(100_000) });
    assert.equal(long.status, 400);
  });
});

describe('what is counted', () => {
  const today = (): number => Math.floor(travelling.installation.time.nowMs / MS_PER_DAY);
  const counts = async () => {
    const [row] = await travelling.installation.storage.readAttribution(today(), today());
    return row;
  };
  const settled = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 900));
  };

  it('are quotes that were opened and continued, once each, by partner', async () => {
    const link = await travelling.link('unchanged', 'it-IT');
    await settled();
    const first = await counts();
    for (let time = 0; time < 3; time += 1) await open(link);
    await goOn({ handoff: valueIn(link) });
    await goOn({ handoff: valueIn(link) });
    await until(async () => (await counts())?.continued === (first?.continued ?? 0) + 1);
    const then = await counts();
    assert.equal(then?.partnerId, 'acme');
    assert.equal(then?.opened, (first?.opened ?? 0) + 1);
    assert.equal(then?.unchanged, (first?.unchanged ?? 0) + 1);
  });

  it('are not the previews of messengers, nor programs; an app with a browser in it is a person', async () => {
    const link = await travelling.link('unchanged', 'it-IT');
    await settled();
    const first = await counts();
    for (const agent of PREVIEW_AGENTS) {
      assert.equal(outcomeOf(await open(link, { 'user-agent': agent })), 'unchanged', agent);
    }
    await settled();
    assert.deepEqual(await counts(), first);
    for (const agent of BROWSER_AGENTS)
      await open(await travelling.link('unchanged', 'it-IT'), { 'user-agent': agent });
    await until(async () => (await counts())?.opened === (first?.opened ?? 0) + BROWSER_AGENTS.length);
  });

  it('are not previews, prefetches or heads, which are answered all the same', async () => {
    const link = await travelling.link('unchanged', 'it-IT');
    await settled();
    const first = await counts();
    const page = await open(link, { 'sec-purpose': 'prefetch;prerender' });
    assert.equal(outcomeOf(page), 'unchanged');
    await open(link, { purpose: 'prefetch' });
    const head = await open(link, {}, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.body.length, 0);
    assert.ok(Number(headerOf(head, 'content-length')) > 1_000);
    await settled();
    assert.deepEqual(await counts(), first);
  });

  it('is by how much a price had changed, with the age of its quote', async () => {
    const { storage, databasePath } = travelling.installation;
    const link = travelling.linkOf('price_changed', 'en-GB');
    assert.match(textOf(await open(link)), /€575\.00.+€603\.00/s);
    const database = new DatabaseSync(databasePath, { readOnly: true });
    const changes = (): readonly unknown[] =>
      database
        .prepare('SELECT price_change_per_mille AS change FROM handoff_visits ORDER BY 1')
        .all()
        .flatMap(({ change }) => (change === null ? [] : [change]));
    await until(async () => changes().includes(49));
    const [young, ...older] = await reportPriceDrift(storage, { from: today(), to: today() });
    assert.equal(young?.priceChanged, changes().length);
    assert.ok(young.compared > young.priceChanged);
    assert.ok(older.every(({ compared }) => compared === 0));
    database.close();
  });

  it('is in the metrics', async () => {
    const metrics = await (await fetch(`${travelling.service.operatorUrl}/metrics`)).text();
    assert.match(metrics, /stayport_handoff_pages_total\{outcome="unchanged"\} [1-9]/);
    assert.match(metrics, /stayport_handoff_pages_total\{outcome="invalid"\} \d{4}/);
    assert.match(metrics, /stayport_handoffs_continued_total [1-9]/);
    assert.match(metrics, /stayport_attribution_lost_total 0/);
  });
});

describe('the web listener', () => {
  it('has nothing of the other two', async () => {
    for (const path of [
      '/',
      '/v1/properties?city=x',
      '/docs',
      '/openapi.json',
      '/problems',
      '/livez',
      '/readyz',
      '/metrics',
      '/supply/v1/messages',
      '/handoff/',
      '/handoff/resolve',
      '/assets/',
      '/assets/x.css',
      '/%zz',
    ]) {
      const received = await open(path);
      assert.equal(received.status, 404, path);
      assertPageHeaders(received);
    }
    for (const url of [travelling.service.partnerUrl, travelling.service.operatorUrl]) {
      const { status } = await exchange(url, { path: '/handoff?handoff=x' });
      assert.ok(status === 404 || status === 401, `${url}: ${status}`);
    }
  });

  it('names the methods that a path has', async () => {
    const posted = await open('/handoff', {}, 'POST');
    assert.deepEqual([posted.status, headerOf(posted, 'allow')], [405, 'GET, HEAD']);
    const got = await open('/handoff/continue');
    assert.deepEqual([got.status, headerOf(got, 'allow')], [405, 'POST']);
  });

  it('speaks the language of the browser where no handoff binds one', async () => {
    assert.match(textOf(await open('/x', { 'accept-language': 'de-DE, en;q=0.8' })), /<html lang="en-GB">/);
    assert.match(textOf(await open('/x', { 'accept-language': 'fr, it;q=0.5' })), /<html lang="it-IT">/);
    for (const language of ['de-DE', 'zh-CN,zh;q=0.9', 'ja', 'i-klingon', '*']) {
      const text = textOf(await open('/x', { 'accept-language': language }));
      assert.match(text, /<html lang="en-GB">/, language);
    }
    assert.match(textOf(await open('/x')), /<html lang="it-IT">/);
  });
});

describe('the limit of the web listener', () => {
  it('the limit of the web listener answers 429 there, and no partner notices', async () => {
    const { installation, partner } = travelling;
    const limited = await installation.serve({ WEB_PORT: '0', WEB_LIMIT: '3', INGRESS_LIMIT: '5' });
    const ask = () => exchange(limited.webUrl ?? '', { path: '/handoff?handoff=x' });
    for (let count = 0; count < 3; count += 1) assert.equal((await ask()).status, 400);
    const refused = await ask();
    assert.equal(refused.status, 429);
    assertPageHeaders(refused);
    const wait = Number(headerOf(refused, 'retry-after'));
    assert.ok(wait >= 1 && wait <= 60);
    assert.equal((await fetch(`${limited.partnerUrl}/v1/properties?city=x`)).status, 401);
    assert.ok(
      (
        await partner.quote({
          propertyId: 'unchanged',
          stay: { checkIn: '2026-12-11', checkOut: '2026-12-12', guests: 1 },
          locale: 'it-IT',
        })
      ).success,
    );
  });
});

describe('without a booking site', () => {
  it('the button is the contact', async () => {
    const { installation } = travelling;
    const plain = await installation.serve({ WEB_PORT: '0', WEB_CONTACT: 'tel:+39041123456' });
    const path = travelling.linkOf('unchanged', 'en-GB').replace(travelling.webUrl, '');
    const received = await exchange(plain.webUrl ?? '', { path });
    assert.match(textOf(received), /<a class="button" href="tel:\+39041123456">Contact us to book<\/a>/);
    assert.doesNotMatch(textOf(received), /<form/);
  });
});
