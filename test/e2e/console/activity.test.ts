/** The console's pages of what happened: their numbers are those of the commands, and asking again leaves no trace. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UnmetEntry } from '../../../src/operator/activity/unmet-report.ts';
import type { RequestEntry } from '../../../src/operator/activity/request-report.ts';
import type { AskedAgain } from '../../../src/console/pages/requests/replay-request.ts';
import type { TodayItem } from '../../../src/console/pages/today/read.ts';
import type { StayQuote } from '../../../src/contract/partner/price-schemas.ts';
import { formatHeld } from '../../../src/supply/polling/held-back.ts';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { december, double, hotel, hotelWith, inCity, nights } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { WorkplaceHere } from '../../kit/commands-here.ts';
import { type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { type Installation, NOW_MS, type Served, startInstallation } from '../../kit/installation.ts';
import { PartnerClient } from '../../kit/partner-client.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const MARKUP = '<img src=x onerror=alert(1)>"\'&';
const STAY = { checkIn: '2026-12-10', checkOut: '2026-12-12', guests: 2 };
const QUOTED = { propertyId: 'open', stay: STAY, locale: 'en-GB' };

/** Links of quotes lead further than to this machine. */
const REACHED = { HANDOFF_BASE_URL: 'https://stays.example/handoff' };
const LINES = [
  hotelWith('open', [december()], inCity('Padova', 'IT')),
  hotelWith('full', [december(), nights('2026-12-10', '2026-12-10', { availability: 0 })]),
  hotelWith('late', [december({ minStayArrival: 5 })]),
  hotel('small', { inventoryTypes: [double({ guestsMax: 1 })] }),
  hotelWith('family', [], {
    ...inCity('Mestre', 'IT'),
    ageBands: [{ untilAge: 4, occupies: false }],
    inventoryTypes: [double({ guestsMax: 3, calendar: [december()] })],
  }),
  hotel('secret', { visibleTo: ['other'] }),
];

describe('What happened, in the console', () => describeConsole(async () => undefined));
describePostgres('What happened, in the console on PostgreSQL', (server) =>
  describeConsole(() => server().createDatabase()),
);

function describeConsole(openDatabase: () => Promise<string | undefined>): void {
  let installation: Installation;
  let service: Served;
  let partner: PartnerClient;
  let commands: WorkplaceHere;
  let viewer: ConsoleClient;
  let operator: ConsoleClient;

  before(async () => {
    const given = await openDatabase();
    let first: Served;
    ({ installation, service: first, partner } = await startInstallation(LINES, {}, given));
    const databaseUrl = given ?? `sqlite:${installation.databasePath}`;
    commands = new WorkplaceHere({ DATABASE_URL: databaseUrl }, () => installation.time.nowMs);
    for (const city of ['Venezia', 'Padova', 'Venezia', 'Nowhere', 'Nowhere', 'Nowhere'])
      await partner.search({ city, ...STAY });
    await partner.availability('open', STAY);
    await partner.quote(QUOTED);
    await partner.quote({ ...QUOTED, propertyId: 'full' });
    await startAgain(first);
  });
  /** What was counted is written when it stops: from then on pages and commands read the same. */
  async function startAgain(running: Served): Promise<void> {
    await running.close();
    // Known from the start of the service on.
    const { token } = await installation.issue({ scopes: ALL_SCOPE_NAMES });
    service = await installation.serve(REACHED);
    partner = new PartnerClient(service.partnerUrl, token);
    viewer = await signInTo(installation, service.operatorUrl);
    operator = await signInTo(installation, service.operatorUrl, { role: 'operator', name: 'Olga' });
  }
  after(async () => {
    await commands.remove();
    await installation.close();
  });

  const page = (path: string) => viewer.get(path, { 'accept-language': 'en-GB' });
  const rowsOf = (query: string) => viewer.rows<RequestEntry[]>(`/console/requests${query}`);
  /** Asks, and finds the answer in memory. */
  async function requestOf(ask: () => Promise<unknown>): Promise<RequestEntry> {
    installation.time.nowMs += 1;
    await ask();
    const [row] = await rowsOf('');
    assert.equal(row?.at, new Date(installation.time.nowMs).toISOString());
    return row;
  }
  const replayRequest = async ({ correlationId }: RequestEntry, headers = { accept: 'application/json' }) => {
    const path = `/console/requests/${correlationId}/ask-again`;
    return operator.act(path, {}, { 'sec-fetch-site': 'same-origin', ...headers });
  };

  it('shows the requests that the command prints, and before them those in memory', async () => {
    const stored: RequestEntry[] = await commands.json(['requests']);
    assert.ok(stored.length >= 2);
    assert.deepEqual((await rowsOf('')).slice(-stored.length), stored);
    const row = await requestOf(() => partner.search({ city: 'Padova', ...STAY }));
    assert.deepEqual([row.status, row.city, row.total], [200, 'Padova', 1]);
    assert.deepEqual(await rowsOf(`?correlation=${row.correlationId}`), [row]);
    for (const [query, options] of [
      ['?code=STAY_UNAVAILABLE', ['--code', 'STAY_UNAVAILABLE']],
      ['?status=4xx&operation=createPartnerQuote', ['--status', '4xx']],
      ['?partner=nobody', ['--partner', 'nobody']],
    ] as const)
      assert.deepEqual(await rowsOf(query), await commands.json(['requests', ...options]), query);
  });

  it('turns the pages of requests so that each is shown once', async () => {
    for (let count = 0; count < 60; count += 1) {
      if (count % 4 === 0) installation.time.nowMs += 1;
      await partner.search({ city: 'Padova', ...STAY });
    }
    const seen: string[] = [];
    for (let path: string | undefined = '/console/requests'; path !== undefined;) {
      const { text, status } = await page(path);
      assert.equal(status, 200);
      assert.ok(text.length < 60_000, `${text.length}`);
      seen.push(...[...text.matchAll(/<a href="[^"]*requests\/([\w-]+)">/g)].map(([, id = '']) => id));
      const next: string | undefined = /rel="next" href="[^"]*\?([^"]*)"/.exec(text)?.[1];
      path = next === undefined ? undefined : `/console/requests?${next.replaceAll('&amp;', '&')}`;
    }
    assert.ok(seen.length > 60);
    assert.equal(new Set(seen).size, seen.length);
  });

  it('offers choices where they are few, in plain words, and marks refusals', async () => {
    const { text } = await page('/console/requests?status=404');
    assert.match(text, /<details open>/);
    for (const [name, value, said] of [
      ['partner', 'acme', 'acme'],
      ['status', '4xx', 'refused \\(4xx\\)'],
      ['operation', 'listPartnerProperties', 'searched'],
      ['since', '24h', 'a day'],
    ])
      assert.match(
        text,
        new RegExp(`<select name="${name}">[^]*?<option value="${value}"\\s*>${said}</option>`),
      );
    assert.match(text, /<option value="404" selected>404<\/option>/);
    const refused = await page('/console/requests?code=STAY_UNAVAILABLE');
    assert.match(refused.text, /✕ 409<\/b>/);
    assert.match(refused.text, /<td data-head="Operation">quoted<\/td>/);
  });

  it('takes a filter that nobody can read as absent', async () => {
    const all = await rowsOf('');
    for (const query of [
      '?status=99',
      '?status=600',
      '?since=soon',
      '?code=%00',
      `?partner=${'x'.repeat(201)}`,
      '?before=x',
    ])
      assert.deepEqual(await rowsOf(query), all, query);
  });

  it('says why a search found nothing, by rule and source, and where it opens', async () => {
    const { correlationId } = await requestOf(() => partner.search({ city: 'Venezia', ...STAY }));
    const { text } = await page(`/console/requests/${correlationId}`);
    for (const said of [
      'nights not free, sold out',
      'minimum stay is longer',
      'too small for the guests',
      '11 Dec 2026',
    ])
      assert.ok(text.includes(said), `${said}\n${text}`);
    assert.ok(!text.includes('data-act="ask-again"'), 'viewers only read');
  });

  it('says why a quote was refused, and that a property is hidden from this partner or unknown', async () => {
    const refused = await requestOf(() => partner.quote({ ...QUOTED, propertyId: 'full' }));
    const { text } = await page(`/console/requests/${refused.correlationId}`);
    assert.match(text, /Units left<\/th><td[^>]*>0<\/td>/);
    assert.match(text, /data-reason="NIGHTS_CLOSED">These nights are not free: Thu 10 Dec 2026\.<\/li>/);
    for (const [propertyId, said] of [
      ['secret', 'does not make it visible'],
      ['gone', 'no property with this id'],
    ] as const) {
      const row = await requestOf(() => partner.property(propertyId));
      const { text: answered } = await page(`/console/requests/${row.correlationId}`);
      assert.ok(answered.includes(said), propertyId);
      assert.equal(
        answered.includes(`/console/properties/${propertyId}"`),
        propertyId === 'secret',
        'a link that leads on',
      );
    }
    assert.equal((await page('/console/requests/nothing')).status, 404);
  });

  it('says which reasons an answer gave, where one did', async () => {
    const ask = (more: object) => {
      const body = JSON.stringify({ propertyIds: ['full', 'late', 'gone', 'full'], stay: STAY, ...more });
      return requestOf(() => partner.ask('priceStays', { path: '/prices/v1/stays', method: 'POST', body }));
    };
    const row = await ask({ why: true });
    assert.deepEqual([row.status, row.code, row.reasons], [200, null, 'NIGHTS_CLOSED MIN_STAY']);
    const { text } = await page(`/console/requests/${row.correlationId}`);
    assert.match(
      text,
      /<dd>NIGHTS_<wbr \/>CLOSED: nights not free<br \/>MIN_<wbr \/>STAY: minimum stay is longer<\/dd>/,
    );
    const italian = await viewer.get(`/console/requests/${row.correlationId}`, {
      'accept-language': 'it-IT',
    });
    assert.match(italian.text, /notti non libere<br \/>.*soggiorno minimo più lungo<\/dd>/);
    assert.equal((await ask({ why: true, propertyIds: ['open'] })).reasons, null);
    assert.equal((await ask({})).reasons, null);
  });

  it('asks again as the partner and gets what the partner gets', async () => {
    const search = await requestOf(() => partner.search({ city: 'Padova', ...STAY }));
    const asked = JSON.parse((await replayRequest(search)).text) as AskedAgain;
    const { success: body } = await partner.search({ city: 'Padova', ...STAY });
    assert.deepEqual([asked.status, asked.answer], [200, body]);
    const quote = await requestOf(() => partner.quote(QUOTED));
    const quoted = JSON.parse((await replayRequest(quote)).text) as AskedAgain;
    const { success: made } = await partner.quote(QUOTED);
    assert.deepEqual([quoted.status, quoted.code], [201, null]);
    assert.deepEqual((quoted.answer as { pricing: object }).pricing, (made as { pricing: object }).pricing);
    for (const [propertyId, code] of [
      ['full', 'STAY_UNAVAILABLE'],
      ['secret', 'PROPERTY_NOT_FOUND'],
    ]) {
      const row = await requestOf(() => partner.quote({ ...QUOTED, propertyId: propertyId! }));
      assert.equal((JSON.parse((await replayRequest(row)).text) as AskedAgain).code, code);
    }
  });

  it('asks for one guest again where the partner named none', async () => {
    const { guests: _named, ...stay } = STAY;
    for (const ask of [
      () => partner.availability('small', stay),
      () => partner.search({ city: 'Venezia', ...stay }),
    ]) {
      const row = await requestOf(ask);
      const asked = JSON.parse((await replayRequest(row)).text) as AskedAgain;
      assert.deepEqual([asked.status, asked.answer], [200, (await ask()).success]);
    }
  });

  it('keeps of a request that breaks a rule what can be read, and does not ask it again', async () => {
    const [checkIn, checkOut] = ['2026-12-12', '2026-12-10'];
    const reversed = { checkIn, checkOut, guests: 2 };
    const nothing = { city: null, propertyId: null, checkIn: null, checkOut: null, guests: null, page: null };
    for (const [sent, kept] of [
      [() => partner.search('city=Padova&checkIn=2026-12-10&chekOut=2026-12-12'), { city: 'Padova' }],
      [() => partner.search('city=Padova&city=Roma&page=2'), { page: 2 }],
      [() => partner.property('open', { locale: 'xx' }), { propertyId: 'open' }],
      [() => partner.property('%2fopen'), {}],
      [() => partner.availability('open', reversed), { propertyId: 'open', checkIn, checkOut, guests: 2 }],
      [
        () => partner.quote({ ...QUOTED, stay: reversed }),
        { propertyId: 'open', checkIn, checkOut, guests: 2 },
      ],
      [() => partner.quote({ ...QUOTED, stay: 'tomorrow' }), { propertyId: 'open' }],
    ] as const) {
      const row = await requestOf(sent);
      assert.equal(row.status, 400);
      assert.deepEqual({ ...nothing, ...row }, { ...row, ...nothing, ...kept });
      const again = await replayRequest(row, { accept: 'text/html' });
      assert.equal(again.status, 422);
    }
  });

  it('compares what a search found, not only its status', async () => {
    const row = await requestOf(() => partner.search({ city: 'Padova', ...STAY }));
    await installation.importLines([hotelWith('second-of-padova', [december()], inCity('Padova', 'IT'))]);
    await until(
      async () => (await partner.search({ city: 'Padova', ...STAY })).success.pagination.total === 2,
    );
    const { found } = JSON.parse((await replayRequest(row)).text) as AskedAgain;
    assert.deepEqual(found, { before: 1, now: 2 });
    const { text } = await replayRequest(row, { accept: 'text/html' });
    assert.match(text, /allora 1, ora 2/);
    assert.match(text, /diversa da quella di allora/);
    const looked = await requestOf(() => partner.availability('open', STAY));
    assert.match(
      (await replayRequest(looked, { accept: 'text/html' })).text,
      /Il contenuto di allora non è conservato/,
    );
  });

  it('shows requests for prices and content as shell commands, and offers to ask again only what it can', async () => {
    const list = '/prices/v1/stays';
    const ids = JSON.stringify({ propertyIds: ['late', 'full'], stay: STAY });
    const first = JSON.stringify({ propertyIds: ['late'], stay: STAY, locale: 'it-IT' });
    const dates = 'checkIn=2026-12-10&checkOut=2026-12-12&guests=2';
    const calendar = '/prices/v1/properties/late/calendar?from=2026-12-10&nights=2&guests=3';
    const offer = `/prices/v1/properties/late/offer?${dates}`;
    const content = '/content/v1/properties';
    for (const [operation, asked, shown] of [
      ['searchStayPrices', { path: `${list}?city=Venezia&${dates}` }, `${list}?city=Venezia&${dates}&page=1`],
      ['priceStays', { path: list, method: 'POST', body: ids }, list],
      ['getPriceCalendar', { path: calendar }, calendar],
      ['getStayOffer', { path: offer }, offer],
      ['listPropertyContent', { path: `${content}?city=Venezia` }, `${content}?city=Venezia&page=1`],
      ['getPropertyContent', { path: `${content}/late` }, `${content}/late`],
    ] as const) {
      const { correlationId } = await requestOf(() => partner.ask(operation, asked));
      const { text } = await page(`/console/requests/${correlationId}`);
      const sent = operation === 'priceStays' ? ` -H "Content-Type: application/json" -d '${first}'` : '';
      const [, curl = ''] = /<code class="secret">(.*?)<\/code>/.exec(text) ?? [];
      const written = curl.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
      assert.ok(
        written.startsWith(`curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN"${sent} "http`),
        written,
      );
      assert.ok(written.endsWith(`${shown}"`), written);
      assert.ok(!text.includes('/ask-again'), operation);
    }
  });

  it('keeps the ages of children, says them, and asks again with them', async () => {
    const ages = [9, 4];
    const family = { ...STAY, guests: 4, childAges: ages };
    const quote = { path: '/prices/v1/quotes', method: 'POST' };
    const body = JSON.stringify({ propertyId: 'family', stay: family, locale: 'en-GB' });
    const made = await partner.ask('createStayQuote', { ...quote, body });
    assert.equal(made.status, 201, made.text);
    const row = await requestOf(() => partner.ask('createStayQuote', { ...quote, body }));
    assert.deepEqual([row.guests, row.childAges, row.status], [4, '4,9', 201]);
    const again = JSON.parse((await replayRequest(row)).text) as AskedAgain;
    const { stay, pricing } = again.answer as StayQuote;
    assert.deepEqual(
      [again.status, stay.childAges, pricing],
      [201, [4, 9], (made.success as StayQuote).pricing],
    );
    const query = 'checkIn=2026-12-10&checkOut=2026-12-12&guests=4&childAges=4%2C9';
    const sent = JSON.stringify({ propertyId: 'family', stay: { ...STAY, guests: 4, childAges: [4, 9] } });
    for (const [operation, asked, shown] of [
      ['createStayQuote', { ...quote, body }, '/prices/v1/quotes'],
      ['searchStayPrices', `/prices/v1/stays?city=Mestre&${query}`, `${query}&page=1`],
      [
        'searchFlexibleStays',
        `/prices/v1/flexible-stays?city=Mestre&checkInFrom=2026-12-10&nights=2&guests=4&childAges=9,4`,
        'childAges=4%2C9&page=1',
      ],
      [
        'listPriceDays',
        '/prices/v1/days?city=Mestre&from=2026-12-10&nights=2&guests=4&childAges=9,4',
        'childAges=4%2C9',
      ],
      [
        'getPriceCalendar',
        '/prices/v1/properties/family/calendar?from=2026-12-10&nights=2&guests=4&childAges=4,9',
        'childAges=4%2C9',
      ],
      ['getStayOffer', `/prices/v1/properties/family/offer?${query}`, query],
    ] as const) {
      const request = typeof asked === 'string' ? { path: asked } : asked;
      const { correlationId, childAges } = await requestOf(() => partner.ask(operation, request));
      assert.equal(childAges, '4,9', operation);
      const { text } = await page(`/console/requests/${correlationId}`);
      assert.match(text, /2\sadults, 2\schildren \(4 and 9\)/, operation);
      const curl = /<code class="secret">(.*?)<\/code>/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? '';
      assert.ok(curl.replaceAll('&amp;', '&').endsWith(`${shown}"`), curl);
      if (operation === 'createStayQuote') assert.ok(curl.includes(sent.slice(0, -1)), curl);
    }
    const { text: italian } = await viewer.get(`/console/requests/${row.correlationId}`, {
      'accept-language': 'it-IT',
    });
    assert.match(italian, /2\sadulti, 2\sbambini \(4 e 9\)/);
    assert.match(italian, /ha chiesto un preventivo per una famiglia/);
    const { text: quoted } = await page(`/console/quotes/${row.quoteId}`);
    assert.match(quoted, /2\sadults, 2\schildren \(4 and 9\)/);
    const refused = await requestOf(() =>
      partner.ask('createStayQuote', { ...quote, body: body.replace('[9,4]', '[17,9]') }),
    );
    assert.deepEqual([refused.code, refused.childAges], ['STAY_UNAVAILABLE', '9,17']);
    const explained = (await page(`/console/requests/${refused.correlationId}`)).text;
    assert.match(explained, /explain\?[^"]*childAges=9%2C17/);
    assert.equal((JSON.parse((await replayRequest(refused)).text) as AskedAgain).code, 'STAY_UNAVAILABLE');
  });

  it('judges a family that searched in vain with the ages of its children', async () => {
    const search = (childAges: string) =>
      partner.ask('searchStayPrices', {
        path: `/prices/v1/stays?city=Mestre&checkIn=${STAY.checkIn}&checkOut=${STAY.checkOut}&guests=4&childAges=${childAges}`,
      });
    // Three beds and a cot up to 4 years: a child of 4 would find a place.
    const row = await requestOf(() => search('9,17'));
    assert.deepEqual([row.total, row.childAges], [0, '9,17']);
    const { text } = await page(`/console/requests/${row.correlationId}`);
    assert.match(text, /Judged: 1 of 1/);
    await startAgain(service);
    const unmet = async () => {
      const rows: UnmetEntry[] = await commands.json(['demand', '--unmet', '--city', 'mestre']);
      return rows.map(({ guests, childAges, causes }) => [guests, childAges, causes.map(({ rule }) => rule)]);
    };
    await until(async () => (await unmet()).length === 1);
    assert.deepEqual(await unmet(), [[4, '9,17', ['guests']]]);
    assert.match((await page('/console/demand')).text, /2\snights, 2\sadults, 2\schildren \(9 and 17\)/);
  });

  it('stores and counts nothing when it asks again', async () => {
    const quote = await requestOf(() => partner.quote(QUOTED));
    await startAgain(service);
    const day = ['--from', '2026-11-01', '--to', '2026-12-31'];
    const state = async () => [
      await rowsOf('?operation=createPartnerQuote'),
      await commands.json(['requests', '--operation', 'createPartnerQuote']),
      await commands.json(['attribution', ...day]),
      await commands.json(['audit']),
    ];
    const remaining = async () => Number((await partner.property('open')).header('x-ratelimit-remaining'));
    const earlier = [await state(), await remaining()];
    const { status, text } = await replayRequest(quote, { accept: 'text/html' });
    assert.equal(status, 200, text);
    assert.ok(text.includes('data-page="ask-again"'));
    const later = [await state(), (await remaining()) + 1];
    assert.deepEqual(later, earlier, 'but for our own look, which used the quota');
    assert.equal((await viewer.act(`/console/requests/${quote.correlationId}/ask-again`)).status, 403);
  });

  it('shows the funnel with the rows of attribution, and the same sums on the page', async () => {
    await startAgain(service);
    const days = ['--from', '2026-11-01', '--to', '2026-11-30'];
    const rows = await viewer.rows('/console/funnel?from=2026-11-01&to=2026-11-30');
    const printed: { quotes: number }[] = await commands.json(['attribution', ...days]);
    assert.deepEqual(rows, printed);
    const { text } = await page('/console/funnel?from=2026-11-01&to=2026-11-30');
    assert.ok(text.length < 60_000);
    const drift: { compared: number }[] = await commands.json(['attribution', ...days, '--drift']);
    assert.equal(drift.length, 5);
    const youngest = `up to an hour</th>\\s*<td[^>]*>${drift[0]!.compared}</td>`;
    assert.match(text, new RegExp(youngest));
    const demand: { searches: number; looks: number }[] = await commands.json(['demand', ...days]);
    const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
    const totals = /<th scope="row">Total<\/th>((?:<td[^>]*>\d+<\/td>)+)/.exec(text)?.[1];
    assert.deepEqual(
      [...totals!.matchAll(/>(\d+)</g)].slice(0, 3).map(([, number]) => Number(number)),
      [
        sum(demand.map(({ searches }) => searches)),
        sum(demand.map(({ looks }) => looks)),
        sum(printed.map(({ quotes }) => quotes)),
      ],
    );
  });

  it('shows demand with the rows of its three commands, and shares that are sums of them', async () => {
    await startAgain(service);
    type Row = { city: string; searches: number; empty: number };
    const rows = await viewer.rows<{ demand: Row[]; unmet: UnmetEntry[]; unknown: object[] }>(
      '/console/demand',
    );
    assert.deepEqual(rows.demand, await commands.json(['demand']));
    assert.deepEqual(rows.unknown, [{ text: 'NOWHERE', searches: 3 }]);
    assert.deepEqual(rows.unknown, await commands.json(['demand', '--unknown']));
    assert.deepEqual(rows.unmet, await commands.json(['demand', '--unmet']));
    const { text } = await page('/console/demand');
    for (const city of ['Venezia', 'Padova']) {
      const own = rows.demand.filter((row) => row.city === city);
      const [searches, empty] = (['searches', 'empty'] as const).map((name) =>
        own.reduce((total, row) => total + row[name], 0),
      );
      const cell = new RegExp(
        `data-city="${city}"[^]*?data-week="all" data-searches="${searches}" data-empty="${empty}"`,
      );
      assert.match(text, cell, city);
    }
    assert.match(text, /<th scope="col">2026-W50 <small>Mon 7 Dec 2026<\/small><\/th>/);
    assert.deepEqual((await viewer.rows<{ demand: Row[] }>('/console/demand?city=padova')).demand.length, 1);
  });

  it('names the night that a stay without a result waits for, and drops the stay once all partners find it', async () => {
    const night = '../console/properties/full/nights/double/2026-12-10';
    await until(async () => (await page('/console/demand')).text.includes(`href="${night}"`));
    const { text } = await page('/console/demand');
    assert.match(
      text,
      new RegExp(`href="${night.replaceAll('.', '\\.')}"[^>]*><bdi>Hotel full</bdi>, Thu 10 Dec 2026`),
    );
    assert.ok(!text.includes('can be booked by now'));
    await installation.importLines([hotelWith('full', [december()])]);
    // A city that was just judged waits for that long.
    installation.time.nowMs += 11_000;
    await until(async () => (await page('/console/demand')).text.includes('can be booked by now'));
    assert.ok(!(await page('/console/demand')).text.includes(night));
    const { unmet } = await viewer.rows<{ unmet: UnmetEntry[] }>('/console/demand');
    assert.equal(unmet[0]?.nearest?.checkIn, STAY.checkIn, 'the rows are those of the command');
    await installation.importLines([
      hotelWith('full', [december(), nights('2026-12-10', '2026-12-10', { availability: 0 })]),
    ]);
  });

  it('names filters that it can not read, and keeps to the others', async () => {
    const { text } = await page('/console/requests?since=yesterday&status=abc&partner=acme');
    assert.ok(text.includes('cannot be used: Answer; Not older than.'), text);
    assert.match(text, /stayport requests <span>--partner<\/span> acme</);
    assert.ok(!(await page('/console/requests?since=1h')).text.includes('cannot be used'));
  });

  it('names days of a report that are none, turned round or too many, and keeps to the others', async () => {
    for (const [query, names] of [
      ['from=yesterday&to=2026-02-30', 'From; To'],
      ['from=2026-11-20&to=2026-11-01', 'To'],
      ['from=2025-01-01&to=2026-11-01', 'From'],
      [`from=2026-11-01&partner=${'x'.repeat(201)}`, 'Partner'],
    ])
      for (const report of ['funnel', 'demand']) {
        const { text } = await page(`/console/${report}?${query}`);
        assert.ok(text.includes(`cannot be used: ${names}.`), `${report}?${query}`);
      }
    assert.ok((await page('/console/audit?since=soon')).text.includes('cannot be used: Not older than'));
    for (const query of ['', '?from=2026-08-21&to=2026-11-20', '?from=2026-11-20', '?to=2026-11-01'])
      for (const report of ['funnel', 'demand'])
        assert.ok(!(await page(`/console/${report}${query}`)).text.includes('cannot be used'), query);
  });

  it('writes numbers as the language does', async () => {
    const row = await requestOf(() => partner.quote(QUOTED));
    const path = `/console/requests/${row.correlationId}`;
    const { text: italian } = await viewer.get(path, { 'accept-language': 'it-IT' });
    assert.match(
      italian,
      /open<\/a><\/bdi>, <span class="whole">gio 10 dic 2026<\/span> – <span class="whole">sab 12 dic 2026<\/span>, 2\u00A0ospiti</,
    );
    assert.match(italian, /<dd>\d+,\d\u00A0ms<\/dd>/);
    assert.match((await page(path)).text, /<dd>\d+\.\d\u00A0ms<\/dd>/);
  });

  it('says whose console it is, and when what it shows was read', async () => {
    const { text } = await page('/console');
    const [, icon = ''] =
      /<span class="mark"><img src="([^"]+)" alt="" height="20" \/> <bdi>Stayport<\/bdi>/.exec(text) ?? [];
    const asset = await viewer.get(new URL(icon, `${service.operatorUrl}/console`).pathname);
    assert.equal(asset.status, 200);
    assert.match(
      text,
      new RegExp(
        `As of <time datetime="${new Date(installation.time.nowMs).toISOString()}">\\d\\d:\\d\\d UTC</time>`,
      ),
    );
  });

  it('escapes what partners type', async () => {
    const row = await requestOf(() => partner.search({ city: MARKUP, ...STAY }));
    assert.equal(row.city, MARKUP);
    const paths = ['', `/${row.correlationId}`, `?partner=${encodeURIComponent(MARKUP)}`];
    const asked = new URLSearchParams({ city: MARKUP, partner: MARKUP, country: MARKUP }).toString();
    for (const path of [
      ...paths.map((one) => `/console/requests${one}`),
      `/console/demand?${asked}`,
      `/console/funnel?${asked}`,
    ]) {
      const { text, status } = await page(path);
      assert.equal(status, 200);
      assert.ok(!text.includes('<img src=x'), path);
      assert.ok(text.includes('&lt;img') || path.endsWith('/funnel'), path);
    }
  });

  /** One for each way to fail, one that has only begun to, and one that the operator has disabled. */
  async function failWebhooks(): Promise<void> {
    const { storage, time } = installation;
    const signed = storage.asAuthor({ person: 'Olga', role: 'operator', act: 'webhook create' });
    const hourAgoMs = time.nowMs - 3_600_000;
    const common = { partnerId: 'acme', events: ['quote.converted'], createdAtMs: hourAgoMs } as const;
    for (const [name, row] of Object.entries({
      failing: { failingSinceMs: hourAgoMs },
      young: { failingSinceMs: time.nowMs },
      gone: { disabledAtMs: hourAgoMs, disabledReason: 'gone' as const },
      off: { disabledAtMs: hourAgoMs, disabledReason: 'operator' as const },
    })) {
      const webhook = { failingSinceMs: null, disabledAtMs: null, disabledReason: null, ...common, ...row };
      const key = { secret: 'AAAA', privateKey: 'AAAA', createdAtMs: hourAgoMs };
      await signed.insertWebhook(
        { ...webhook, webhookId: `wh_${name}`, url: `https://${name}.example/` },
        key,
      );
    }
  }

  async function holdEmptyFeed(): Promise<void> {
    const notBeforeMs = Date.parse('2026-11-29T18:30:00Z');
    const about = { feedId: 'feed_held', propertyId: 'open', inventoryTypeId: 'double', name: null };
    const times = { createdAtMs: NOW_MS, nextPollAtMs: NOW_MS, polledAtMs: null, confirmedAtMs: null };
    const failing = { failure: null, failureWrong: null, failureCount: 0 };
    const answer = { ...failing, etag: null, lastModified: null, contentHash: null };
    await installation.storage.insertFeed({
      ...about,
      ...times,
      ...answer,
      url: 'https://feeds.example/1.ics',
      everySeconds: 1_800,
      eventCount: 0,
      nightCount: 0,
      heldHash: 'a',
      heldNights: formatHeld({ closed: [], until: 30_000, notBeforeMs }),
    });
  }

  it('lists today what needs a person, and is calm otherwise', async () => {
    const calm = await viewer.rows<TodayItem[]>('/console');
    assert.deepEqual(calm, []);
    assert.ok((await page('/console')).text.includes('All is well'));
    const local = await installation.serve();
    const nearby = await signInTo(installation, local.operatorUrl);
    const setup = async (client: typeof viewer) => {
      const rows = await client.rows<{ step: string; state: string }[]>('/console/setup');
      return rows.find(({ step }) => step === 'travellers')?.state;
    };
    const [only, ...more] = await nearby.rows<TodayItem[]>('/console');
    assert.deepEqual([only?.what, only?.path, more], ['travellers', '/console/setup', []]);
    assert.match((await nearby.get('/console')).text, /data-what="travellers"[^]*solo su questa macchina/);
    assert.match((await nearby.get('/console')).text, /<nav[^]*console\/setup"[^]*<\/nav>/);
    assert.deepEqual([await setup(viewer), (await setup(nearby)) === 'done'], ['done', false]);
    await installation.issue({ partnerId: 'ending', expiresAtMs: NOW_MS + 7 * 86_400_000 });
    for (let count = 0; count < 25; count += 1) await partner.property('gone');
    for (let count = 0; count < 12; count += 1) await partner.search({ city: 'Venezia', ...STAY });
    await service.close();
    service = await installation.serve(REACHED);
    viewer = await signInTo(installation, service.operatorUrl);
    installation.time.nowMs += 60_000;
    const items = await viewer.rows<TodayItem[]>('/console');
    assert.deepEqual(
      items.map(({ what, subject }) => [what, subject]),
      [
        ['expiringCredential', items[0]!.subject],
        ['errorsRose', 'acme'],
        ['unmetDemand', 'Venezia, IT'],
      ],
    );
    const { text } = await page('/console');
    assert.ok(!text.includes('data-number'), 'no figures before there are some');
    assert.match(text, /Credential <bdi[^>]*>\w+<\/bdi> of ending ends on/);
    for (const { what, path } of items) {
      assert.ok(text.includes(`data-what="${what}"`), text);
      assert.equal((await page(path)).status, 200, path);
    }
    const [stay] = await installation.storage.readUnmet({ checkInFrom: 0, rowsMax: 1 });
    await installation.importLines([hotelWith('found-now', [december()], inCity('Venezia', 'IT'))]);
    const found = { causes: [], nearest: { checkIn: stay!.checkIn, properties: 1 } };
    await installation.storage.recordJudgements([
      { ...stay!, judgedAtMs: installation.time.nowMs, judgement: JSON.stringify(found) },
    ]);
    // The listener follows the import within moments.
    let solved = await viewer.rows<TodayItem[]>('/console');
    for (let looks = 0; looks < 100 && solved.some(({ what }) => what === 'unmetDemand'); looks += 1) {
      await sleep(50);
      solved = await viewer.rows<TodayItem[]>('/console');
    }
    assert.ok(!solved.some(({ what }) => what === 'unmetDemand'), 'a stay that is found now needs nobody');
    installation.time.nowMs += 24.5 * 3_600_000;
    viewer = await signInTo(installation, service.operatorUrl);
    const { text: ages } = await viewer.get('/console/supply', { 'accept-language': 'it-IT' });
    assert.match(ages, /data-head="Ore fa">24,5</);
    const isSilent = ({ what, subject }: TodayItem) => what === 'silentSource' && subject === 'catalogue';
    assert.ok(!(await viewer.rows<TodayItem[]>('/console')).some(isSilent), 'people sent its file');
    await installation.issueOperatorToken('catalogue');
    const later = await viewer.rows<TodayItem[]>('/console');
    assert.ok(later.some(isSilent));
    assert.ok(!later.some(({ what }) => what === 'errorsRose'));
    const { text: numbers } = await page('/console');
    for (const name of ['requests', 'searches', 'p99', 'refused'])
      assert.match(
        numbers,
        new RegExp(`data-number="${name}"[^]*?the week before[^]*?role="img" aria-label="[^"]+"`),
      );
    assert.ok(!numbers.includes('data-number="converted"'), 'nothing was booked');
    const shownOf = (name: string) =>
      new RegExp(`data-number="${name}">[^]*?<b>([^<]*)</b>[^]*?</li>`).exec(numbers) ?? [];
    assert.ok(Number(shownOf('requests')[1]) >= 37, 'the day before counts, whole');
    assert.match(shownOf('p99')[0]!, /points="120\.0,0\.0 120\.0,0\.0"/, 'days without an answer are a gap');
    await failWebhooks();
    const failing = await viewer.rows<TodayItem[]>('/console');
    assert.deepEqual(
      failing
        .filter(({ what }) => what.endsWith('Webhook'))
        .map(({ what, subject, path }) => [what, subject, path]),
      [
        ['failingWebhook', 'failing.example', '/console/webhooks/wh_failing'],
        ['stoppedWebhook', 'gone.example', '/console/webhooks/wh_gone'],
      ],
    );
    assert.match(
      (await page('/console')).text,
      /webhook of <bdi[^>]*>acme|webhook of acme at <bdi[^>]*>gone\.example/,
    );
    await holdEmptyFeed();
    const held = (await viewer.rows<TodayItem[]>('/console')).find(({ what }) => what === 'heldFeed');
    assert.deepEqual([held?.subject, held?.path], ['open', '/console/supply']);
    for (const [language, words] of [
      ['en-GB', /still empty after 29 Nov 2026, 18:30 UTC\./],
      ['it-IT', /ancora vuoto dopo 29 nov 2026, 18:30 UTC\./],
    ] as const) {
      const { text: today } = await viewer.get('/console', { 'accept-language': language });
      assert.match(today.replaceAll(/<[^>]*>/g, ''), words);
    }
    const all = await installation.storage.listProperties('', 100);
    await installation.storage.withdrawProperties(all.map(({ property }) => property.propertyId));
    const [first] = await viewer.rows<TodayItem[]>('/console');
    assert.equal(first?.what, 'noProperties');
    assert.match((await page(first.path)).text, /Operators and administrators can add it/);
  });
}
