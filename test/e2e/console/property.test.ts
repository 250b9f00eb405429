/** The console's pages of properties and supply: what they show is what the commands print, on both engines. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { PagePorts } from '../../../src/console/reading/console-page.ts';
import { readProperties, readProperty } from '../../../src/console/pages/properties/read.ts';
import { createPropertyTable } from '../../../src/console/reading/property-table.ts';
import { silentAfterMs } from '../../../src/console/reading/sources.ts';
import type { PropertyPage } from '../../../src/console/pages/properties/read.ts';
import { formatLocalDate, getLocalDate } from '../../../src/domain/local-date.ts';
import type { NightState } from '../../../src/domain/night-state.ts';
import type { QuoteExplanation } from '../../../src/partner/quotes/explain-quote.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { viewOf } from '../../../src/console/web/elements.ts';
import { propertiesPage } from '../../../src/console/pages/properties/page.ts';
import { double, hotel, hotelWith, nights } from '../../kit/catalogue-lines.ts';
import { WorkplaceHere } from '../../kit/commands-here.ts';
import { type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { calendar, type FeedServer, startFeedServer } from '../../kit/feed-server.ts';
import { exchange } from '../../kit/http-exchange.ts';
import { callSupply, startSupply, type SupplyRunning } from '../../kit/supply-client.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const MARKUP = '<img src=x onerror=alert(1)>"\'&';

/** One night of each state, and what decides it. */
const STATES: Readonly<Record<string, readonly [NightState, object]>> = {
  '2026-12-01': ['open', {}],
  '2026-12-02': ['closed', { stopSell: true, availability: 0 }],
  '2026-12-03': ['sold', { availability: 0, rate: null }],
  '2026-12-04': ['unpriced', { rate: null, minStayArrival: 3 }],
  '2026-12-05': ['restricted', { closedToDeparture: true }],
  '2026-12-06': ['restricted', { minStayThrough: 2 }],
  '2026-12-07': ['restricted', { maxStay: 59 }],
  '2026-12-08': ['open', { maxStay: 60, minStayArrival: 1 }],
  '2026-12-09': ['open', { rate: null, ratesByGuests: { '2': '90.00' } }],
};

const LINES = [
  hotelWith('states', [
    nights('2026-12-01', '2026-12-31', { availability: 2, rate: '120.00' }),
    ...Object.entries(STATES).map(([date, [, set]]) => nights(date, date, { ...set })),
  ]),
  hotel('ponte', {
    name: { 'it-IT': 'Albergo Ponte', 'en-GB': 'Bridge Hotel' },
    inventoryTypes: [
      double(),
      double({ inventoryTypeId: 'suite', name: { 'it-IT': 'Appartamento', 'en-GB': 'Suite' }, guestsMax: 4 }),
    ],
  }),
  hotel('kiribati', { name: 'Île Canton', timezone: 'Pacific/Kiritimati' }),
  hotel('markup', {
    name: MARKUP,
    location: { city: MARKUP, country: 'IT' },
    inventoryTypes: [double({ name: MARKUP })],
  }),
  ...Array.from({ length: 130 }, (_none, index) => hotel(`row-${index}`, { name: `Zeta ${index % 7}` })),
];

const IDS = LINES.map((line) => String(line['propertyId']));

interface Cell {
  readonly type: string;
  readonly date: string;
  readonly state: string;
}

function cellsIn(text: string): Cell[] {
  return [...text.matchAll(/<td data-type="([^"]*)" data-state="([^"]*)" data-date="([^"]*)">/g)].map(
    ([, type = '', state = '', date = '']) => ({ type, date, state }),
  );
}

describe('Properties in the console', () => describeConsole(async () => undefined));
describePostgres('Properties in the console on PostgreSQL', (server) =>
  describeConsole(() => server().createDatabase()),
);

function describeConsole(openDatabase: () => Promise<string | undefined>): void {
  let running: SupplyRunning;
  let commands: WorkplaceHere;
  let feeds: FeedServer;
  let viewer: ConsoleClient;
  let operator: ConsoleClient;
  before(async () => {
    feeds = await startFeedServer();
    const given = await openDatabase();
    running = await startSupply(LINES, { ICAL_ALLOW_PRIVATE: 'true' }, given);
    const { installation, service } = running;
    const databaseUrl = given ?? `sqlite:${installation.databasePath}`;
    commands = new WorkplaceHere(
      { DATABASE_URL: databaseUrl, ICAL_ALLOW_PRIVATE: 'true' },
      () => installation.time.nowMs,
    );
    viewer = await signInTo(installation, service.operatorUrl);
    operator = await signInTo(installation, service.operatorUrl, { role: 'operator', name: 'Olga' });
  });
  after(async () => {
    await commands.remove();
    await running.installation.close();
    await feeds.close();
  });

  const look = (path: string) => viewer.get(path, { 'accept-language': 'en-GB' });
  const idsOf = async (search: string): Promise<string[]> =>
    (
      await viewer.rows<{ propertyId: string }[]>(`/console/properties?search=${encodeURIComponent(search)}`)
    ).map(({ propertyId }) => propertyId);
  const stateOf = async (type: string, date: string): Promise<string | undefined> => {
    const { text } = await look('/console/properties/ponte');
    return cellsIn(text).find((cell) => cell.type === type && cell.date === date)?.state;
  };
  const close = (source: string, propertyId: string, date: string, set: object = { stopSell: true }) =>
    callSupply(running.service.operatorUrl, 'PATCH', `calendars?source=${source}`, {
      token: running.anyToken,
      body: {
        entries: [{ propertyId, inventoryTypeId: 'double', dateFrom: date, dateTo: date, ...set }],
      },
    });

  /** Ids of the list from this page on, over all pages. */
  async function listedFrom(firstPath: string): Promise<string[]> {
    const seen: string[] = [];
    for (let path: string | undefined = firstPath; path !== undefined;) {
      const { text, status } = await look(path);
      assert.equal(status, 200, text);
      const links = text.matchAll(/<th scope="row"><a href="[^"]*\/properties\/([^"]*)"/g);
      seen.push(...[...links].map(([, id = '']) => id));
      const next: string | undefined = /<a rel="next" href="(?:\.\.\/)*([^"]*)"/.exec(text)?.[1];
      path = next === undefined ? undefined : `/${next.replaceAll('&amp;', '&')}`;
    }
    return seen;
  }

  it('lists all properties page by page, each once, ordered by id, and counts them', async () => {
    const seen = await listedFrom('/console/properties');
    assert.match((await look('/console/properties')).text, new RegExp(`${LINES.length} properties\\.`));
    assert.deepEqual(seen, LINES.map(({ propertyId }) => propertyId).sort());
  });

  it('finds properties by words of an id or of a name in any language', async () => {
    assert.deepEqual(await idsOf('pon'), ['ponte']);
    assert.deepEqual(await idsOf('bridge h'), ['ponte']);
    assert.deepEqual(await idsOf('ILE CANTON'), ['kiribati']);
    assert.deepEqual(await idsOf('hotel sta'), ['states']);
    assert.deepEqual(await idsOf('canton'), ['kiribati']);
    assert.deepEqual(await idsOf('hotel BRID'), ['ponte']);
    assert.deepEqual(await idsOf('onte'), ['ponte'], 'also within a word');
    assert.deepEqual(await idsOf('bridge canton'), []);
    assert.match((await look('/console/properties?search=zeta+3')).text, /19 properties\./);
    const { text } = await look('/console/properties?search=canton');
    assert.match(
      text,
      /<a href="[^"]*\/properties\/kiribati"><bdi[^>]*>Île Canton<\/bdi><\/a>/,
      'the name leads on',
    );
    const found = await viewer.rows<object[]>('/console/properties?search=ponte');
    assert.deepEqual(found, [{ propertyId: 'ponte', name: 'Albergo Ponte', city: 'Venezia' }]);
    assert.deepEqual((await idsOf('zeta 3')).length, 19);
  });

  it('says of each property its next free night, the share of open ones and a price, as its page does', async () => {
    const figures = await figuresByNaiveCount();
    const { text } = await look('/console/properties?search=hotel');
    assert.ok(text.includes('states"'), text);
    const { nextNight, openNights } = figures.get('states')!;
    const share = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });
    assert.equal(nextNight, '2026-12-01');
    const row = text.split('<tr').find((part) => part.includes('/properties/states"'))!;
    for (const said of [
      `datetime="${nextNight}"`,
      share.format(openNights / 90),
      '120.00 EUR',
      'Tue 1 Dec 2026',
    ])
      assert.ok(row.includes(said), `${said}\n${row}`);
    assert.ok(row.includes('<code>catalogue</code>'), row);
  });

  /** From the states of nights that the page of each property has. */
  async function figuresByNaiveCount() {
    const figures = new Map<string, { nextNight: string | undefined; openNights: number }>();
    const clock = (): number => running.installation.time.nowMs;
    const ports = { storage: running.installation.storage, clock } as unknown as PagePorts;
    for (const propertyId of IDS) {
      const question = { segments: { propertyId }, query: new URLSearchParams(), isJson: true } as const;
      const { today, inventoryTypes } = (await readProperty(ports, { ...question, locale: 'en-GB' }))!.rows;
      const last = formatLocalDate(getLocalDate(today) + 89);
      const free = new Set<string>();
      for (const { dateFrom, dateTo, state } of inventoryTypes.flatMap(({ nights: runs }) => runs))
        for (let night = getLocalDate(dateFrom); night <= getLocalDate(dateTo); night += 1)
          if (state === 'open' || state === 'restricted') free.add(formatLocalDate(night));
      const open = [...free].filter((date) => date <= last);
      figures.set(propertyId, { nextNight: [...free].toSorted()[0], openNights: open.length });
    }
    return figures;
  }

  it('sorts all of them over all pages, either way, and what is found', async () => {
    const figures = await figuresByNaiveCount();
    const ids = [...figures.keys()].toSorted();
    const naive = (search: RegExp, isFalling: boolean, valueOf: (id: string) => string | number): string[] =>
      ids
        .filter((id) =>
          search.test(`${id} ${JSON.stringify(LINES.find((line) => line['propertyId'] === id)?.['name'])}`),
        )
        .toSorted((one, other) => {
          const [a, b] = [valueOf(one), valueOf(other)];
          const order = a === b ? 0 : a < b ? -1 : 1;
          return (isFalling ? -order : order) || (one < other ? -1 : 1);
        });
    const nextOf = (id: string) => figures.get(id)!.nextNight ?? '9999';
    const openOf = (id: string) => figures.get(id)!.openNights;
    assert.ok(new Set(ids.map(openOf)).size > 1);
    assert.deepEqual(await listedFrom('/console/properties?sort=next'), naive(/./, false, nextOf));
    assert.deepEqual(await listedFrom('/console/properties?sort=open'), naive(/./, false, openOf));
    assert.deepEqual(await listedFrom('/console/properties?sort=-open'), naive(/./, true, openOf));
    const zeta = (id: string) => Number(id.replace('row-', '')) % 7;
    const rows = await listedFrom('/console/properties?search=zeta&sort=-name');
    assert.deepEqual(rows, naive(/Zeta/, true, zeta));
    for (const sort of ['price', '-price', 'changed', '-changed', 'source', '-source', '-next', 'name'])
      assert.deepEqual((await listedFrom(`/console/properties?sort=${sort}`)).toSorted(), ids, sort);
    const json = await viewer.rows<{ propertyId: string }[]>('/console/properties?sort=-open');
    assert.deepEqual(
      json.map(({ propertyId }) => propertyId),
      naive(/./, true, openOf).slice(0, 50),
    );
  });

  it('leaves out an order that nobody knows, and says so', async () => {
    for (const sort of ['nonsense', '--open', 'open%20', 'OPEN', 'constructor', '%00', '-']) {
      const { text } = await look(`/console/properties?sort=${sort}`);
      // A space at its end is not part of what was asked for.
      assert.equal(text.includes('Left out, because it cannot be used: Sort by.'), sort !== 'open%20', sort);
    }
  });

  it('neither sorts nor counts ten thousand of them, and says so', async () => {
    const many = Object.create(running.installation.storage) as Storage;
    many.countProperties = async (max) => max;
    const clock = (): number => running.installation.time.nowMs;
    const ports = { storage: many, clock, horizonNights: 60, names: { prepare: () => undefined } };
    const question = {
      segments: {},
      query: new URLSearchParams('sort=open'),
      isJson: false,
      locale: 'en-GB',
    } as const;
    const shown = await readProperties(ports as unknown as PagePorts, question);
    assert.deepEqual([shown.isSortable, shown.total, shown.unread], [false, undefined, ['sort']]);
    assert.equal(shown.rows.length, 50);
    const table = createPropertyTable({ storage: many, clock, horizonNights: 60 });
    assert.equal((await table.get())?.length, LINES.length);
    const view = viewOf({
      locale: 'en-GB',
      root: './',
      formId: '',
      nowMs: clock(),
      person: undefined,
      leadsToSetup: false,
    });
    assert.match(JSON.stringify(propertiesPage(view, shown).main), /There are 10,000 properties or more/);
  });

  it('names properties and types in the language of the page, and for programs as the commands do', async () => {
    const paths = {
      '/console/properties': ['Bridge Hotel', 'Albergo Ponte'],
      '/console/properties/ponte': ['Suite', 'Appartamento'],
      '/console/properties/ponte/nights/suite/2026-12-14': ['Suite', 'Appartamento'],
      '/console/properties/ponte/explain?checkIn=2026-12-14&checkOut=2026-12-15&guests=2': [
        'Suite',
        'Appartamento',
      ],
    };
    for (const [path, [english = '', italian = '']] of Object.entries(paths)) {
      const { text } = await look(path);
      assert.ok(text.includes(english) && !text.includes(italian), path);
      const other = await viewer.get(path, { 'accept-language': 'it-IT' });
      assert.ok(other.text.includes(italian) && !other.text.includes(english), path);
    }
    const json = { accept: 'application/json', 'accept-language': 'en-GB' };
    const { text } = await viewer.get('/console/properties/ponte', json);
    assert.ok(text.includes('"name":"Albergo Ponte"') && text.includes('"name":"Appartamento"'), text);
  });

  it('finds what was imported just now by its id', async () => {
    await running.installation.importLines([hotel('brand-new')]);
    assert.deepEqual(await idsOf('brand-new'), ['brand-new']);
  });

  it('shows each night of 14 months in the first state that is true of it', async () => {
    const { text } = await look('/console/properties/states');
    const cells = cellsIn(text);
    assert.deepEqual([cells[0]?.date, cells.at(-1)?.date, cells.length], ['2026-11-20', '2028-01-19', 426]);
    const states = new Map(cells.map(({ date, state }) => [date, state]));
    for (const [date, [state]] of Object.entries(STATES)) assert.equal(states.get(date), state, date);
    const rowsOfTypes = text
      .replaceAll(/>\s+</g, '><')
      .match(
        /<tr><th scope="row">[^]*?<\/th>(?:<td colspan="\d+"><\/td>)?(?:<td data-type[^>]*><a [^>]*>.<\/a><\/td>)+<\/tr>/g,
      );
    assert.equal(rowsOfTypes?.length, 15, 'one row for each month');
    assert.equal(states.get('2026-11-20'), 'not_set_up', 'no source has set units');
    assert.equal(text.match(/<td [^>]*><a href="[^"]*">/g)?.length, 1, 'one stop of Tab');
  });

  it('shows prices or units in the cells where they are asked for', async () => {
    const textOf = async (show: string, date: string): Promise<string | undefined> =>
      new RegExp(`data-date="${date}"><a [^>]*>([^<]*)</a>`).exec(
        (await look(`/console/properties/states?show=${show}`)).text,
      )?.[1];
    assert.equal(await textOf('price', '2026-12-01'), '120');
    assert.equal(await textOf('price', '2026-12-09'), '90');
    assert.equal(await textOf('price', '2026-12-04'), '–');
    assert.equal(await textOf('units', '2026-12-01'), '2');
    assert.equal(await textOf('units', '2026-12-03'), '0');
    assert.equal(await textOf('sum', '2026-12-03'), 'S', 'what is none of these is the state');
  });

  it('says on its page which nights sell for nothing, and of no others', async () => {
    const free = [
      nights('2026-12-01', '2026-12-09', { availability: 1, rate: '0.00' }),
      nights('2026-12-03', '2026-12-03', { availability: 0 }),
      nights('2026-12-05', '2026-12-05', { ratesByGuests: { '2': '90.00' } }),
      nights('2026-12-07', '2026-12-09', { stopSell: true }),
    ];
    await running.installation.importLines([hotelWith('free', free)]);
    const { inventoryTypes } = await viewer.rows<PropertyPage>('/console/properties/free');
    assert.deepEqual(inventoryTypes[0]!.sellForNothing, [
      { dateFrom: '2026-12-01', dateTo: '2026-12-02' },
      { dateFrom: '2026-12-04', dateTo: '2026-12-04' },
      { dateFrom: '2026-12-06', dateTo: '2026-12-06' },
    ]);
    const { text } = await look('/console/properties/free');
    assert.match(text, /data-free="double"[^]*sell for nothing/);
    assert.ok(!(await look('/console/properties/states')).text.includes('data-free'));
  });

  it('begins today at the property, and its rows are the cells', async () => {
    const { text } = await look('/console/properties/kiribati');
    const cells = cellsIn(text);
    assert.equal(cells[0]?.date, '2026-11-21');
    const row = await viewer.rows<{
      today: string;
      lastNight: string;
      inventoryTypes: { nights: { dateFrom: string; dateTo: string; state: string }[] }[];
    }>('/console/properties/kiribati');
    assert.deepEqual([row.today, row.lastNight], ['2026-11-21', cells.at(-1)?.date]);
    for (const { dateFrom, dateTo, state } of row.inventoryTypes[0]!.nights) {
      const own = cells.filter(({ date }) => dateFrom <= date && date <= dateTo);
      assert.ok(own.length > 0 && own.every((cell) => cell.state === state));
    }
  });

  it('says of a night what quote explain says, and what would be without each source', async () => {
    await close('channel', 'ponte', '2026-12-14');
    await close('pms', 'ponte', '2026-12-14', { availability: 1 });
    const rows = await viewer.rows<object[]>('/console/properties/ponte/nights/double/2026-12-14');
    const stay = ['--check-in', '2026-12-14', '--check-out', '2026-12-15', '--guests', '1'];
    const explained = (await commands.json([
      'quote',
      'explain',
      '--property',
      'ponte',
      ...stay,
    ])) as QuoteExplanation;
    const setBy = explained.inventoryTypes.find((type) => type.inventoryTypeId === 'double')?.nights[0]
      ?.setBy;
    assert.deepEqual(rows, setBy);
    const { text } = await look('/console/properties/ponte/nights/double/2026-12-14');
    assert.match(text, /data-field="stopSell" data-source="channel" data-decides="true"/);
    assert.match(text, /data-field="availability" data-source="catalogue" data-decides="false"/);
    assert.match(text, /closed \(stop-sell\)/);
    const gone = text.slice(text.indexOf('Without this source')).replaceAll(/ data-head="[^"]*"/g, '');
    assert.match(gone, /channel<\/code><\/th><td>open<\/td><td>Stop-sell: yes → –/);
    assert.match(gone, /pms<\/code><\/th><td>closed \(stop-sell\)<\/td><td>Units left: 1 → 3/);
  });

  it('explains a stay as quote explain does', async () => {
    const query = 'checkIn=2026-12-02&checkOut=2026-12-05&guests=2';
    const rows = await viewer.rows(`/console/properties/states/explain?${query}`);
    const stay = ['--check-in', '2026-12-02', '--check-out', '2026-12-05', '--guests', '2'];
    assert.deepEqual(rows, await commands.json(['quote', 'explain', '--property', 'states', ...stay]));
    const { text } = await look(`/console/properties/states/explain?${query}`);
    assert.match(text, /data-type="double" data-eligible="false"/);
    assert.match(text, /Stop-sell<\/th><td[^>]*>yes<\/td>/);
    const { reasons } = rows as unknown as QuoteExplanation;
    assert.deepEqual(
      reasons.map(({ code }) => code),
      ['NIGHTS_CLOSED', 'CLOSED_TO_DEPARTURE'],
    );
    const said = /<li data-reason="NIGHTS_CLOSED">These nights are not free: [^<]*<\/li>/g;
    assert.ok(text.match(said)!.length >= 2, 'of the nearest type, and of each');
    const priced = await look(
      '/console/properties/ponte/explain?checkIn=2026-12-20&checkOut=2026-12-22&guests=2',
    );
    assert.match(priced.text, /240\.00 EUR/);
    const italian = await viewer.get(
      '/console/properties/ponte/explain?checkIn=2026-12-20&checkOut=2026-12-22&guests=2',
      { 'accept-language': 'it-IT' },
    );
    assert.match(italian.text, /240,00 EUR/);
    assert.doesNotMatch(italian.text, /\d\.\d\d</);
  });

  it('explains the stay of a family as quote explain does, and asks again for ages that are none', async () => {
    const query = 'checkIn=2026-12-20&checkOut=2026-12-22&guests=2&childAges=';
    const rows = await viewer.rows(`/console/properties/ponte/explain?${query}4`);
    const stay = ['--check-in', '2026-12-20', '--check-out', '2026-12-22', '--guests', '2'];
    const asked = ['quote', 'explain', '--property', 'ponte', ...stay, '--child-ages', '4'];
    assert.deepEqual(rows, await commands.json(asked));
    const { text } = await look(`/console/properties/ponte/explain?${query}4`);
    assert.match(text, /1\sadult, 1\schild \(4\)/);
    assert.match(text, /1\schild \(4\): takes a place, pays as an adult/);
    assert.match(text, /--child-ages<\/span> 4/);
    for (const wrong of ['18', '4,9', 'four'])
      assert.match(
        (await look(`/console/properties/ponte/explain?${query}${wrong}`)).text,
        /Choose a check-in/,
      );
  });

  it('asks for a stay where the question is none, and has no page for what is not there', async () => {
    for (const query of [
      '',
      '?checkIn=2026-12-02&checkOut=2026-12-02&guests=1',
      '?checkIn=x&checkOut=y&guests=31',
    ]) {
      const { status, text } = await look(`/console/properties/states/explain${query}`);
      assert.deepEqual([status, text.includes('Choose a check-in')], [200, true]);
    }
    for (const path of ['nope', 'nope/explain', 'nope/nights/double/2026-12-01', 'ponte/nights/x/2026-12-01'])
      assert.equal((await look(`/console/properties/${path}`)).status, 404, path);
    assert.equal((await look('/console/properties/ponte/nights/double/2026-02-30')).status, 404);
  });

  it('closes nights for operators, undoes that exactly, and records who', async () => {
    const fields = { type: 'double', from: '2026-12-24', to: '2026-12-26' };
    const path = '/console/properties/ponte';
    assert.equal((await viewer.act(`${path}/close`, fields)).status, 403);
    assert.ok(!(await look(path)).text.includes('data-act="close"'));
    await operator.act(`${path}/close`, { ...fields, to: '2026-12-24' });
    const closed = await operator.act(`${path}/close`, fields);
    assert.equal(closed.status, 303, closed.text);
    assert.equal(await stateOf('double', '2026-12-26'), 'closed');
    assert.equal(await stateOf('suite', '2026-12-26'), 'open');
    const location = new URL(closed.headers['location']![0]!, `http://x${path}/close`);
    const { text } = await operator.get(`${location.pathname}${location.search}`);
    assert.match(
      (await look(`${location.pathname}${location.search}`)).text,
      /role="status">(?:(?!<form)[^])*<\/div>/,
    );
    const note = text.slice(text.indexOf('role="status"'));
    const undo = Object.fromEntries(
      [...note.slice(0, note.indexOf('</form>')).matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
        ([, name, value]) => [name, value],
      ),
    );
    assert.deepEqual([undo['type'], undo['from'], undo['to']], ['double', '2026-12-25', '2026-12-26']);
    await operator.act(`${path}/open`, undo as Record<string, string>);
    assert.equal(await stateOf('double', '2026-12-26'), 'open');
    assert.equal(await stateOf('double', '2026-12-24'), 'closed', 'it was closed before');
    const audited = (await commands.json(['audit'])) as { person: string; act: string; on: string }[];
    const [last] = audited;
    assert.deepEqual(
      [last?.person, last?.act, last?.on],
      ['Olga', 'open', 'ponte/double 2026-12-25..2026-12-26'],
    );
  });

  it('names the source that keeps opened nights closed', async () => {
    await close('pms', 'ponte', '2026-12-29');
    const path = '/console/properties/ponte';
    const opened = await operator.act(`${path}/open`, {
      type: 'double',
      from: '2026-12-28',
      to: '2026-12-30',
    });
    const location = new URL(opened.headers['location']![0]!, `http://x${path}/open`);
    const { text } = await look(`${location.pathname}${location.search}`);
    assert.match(text, /Still closed by pms: only that source can open these nights/);
    const forged = await look(`${path}?did=open&changed=0&by=${encodeURIComponent('<b>,the boss')}`);
    assert.doesNotMatch(forged.text, /Still closed/);
  });

  it('begins an explanation with verdict and total, adds its nights up, and folds what is refused', async () => {
    const path = '/console/properties/ponte/explain?checkIn=2026-12-16&checkOut=2026-12-18&guests=4';
    const { text } = await look(path);
    const verdict = text.slice(text.indexOf('A quote would be made'));
    assert.match(verdict.slice(0, 200), /Suite<\/bdi>, Total: 240\.00 EUR/);
    assert.ok(
      text.indexOf('data-type="suite"') < text.indexOf('data-type="double"'),
      'refused types come last',
    );
    assert.match(text.slice(text.indexOf('data-type="double"')), /<details>\s*<summary>/);
    const rows = await viewer.rows<QuoteExplanation>(path);
    const suite = rows.inventoryTypes.find((type) => type.inventoryTypeId === 'suite')!;
    const sum = suite.nights.reduce((total, night) => total + Number(night.price), 0);
    assert.equal(sum, Number(suite.pricing?.accommodation));
  });

  it('bounds what one session asks for at a time, while partners are answered', async () => {
    // Takes so long that others are asked for meanwhile: the nights of 14 months in HTML.
    const path = '/console/properties/ponte?show=price';
    const busy = await signInTo(running.installation, running.service.operatorUrl);
    const [answers, partner] = await Promise.all([
      Promise.all(Array.from({ length: 60 }, () => busy.get(path))),
      fetch(`${running.service.partnerUrl}/v1/health`).then(({ status }) => status),
    ]);
    const refused = answers.filter(({ status }) => status !== 200);
    assert.ok(refused.length > 0 && refused.length < answers.length, String(refused.length));
    for (const { status, headers, text } of refused) {
      assert.deepEqual([status, Number(headers['retry-after']?.[0]) >= 1], [503, true]);
      assert.match(text, /of this session|from this session/);
    }
    assert.ok(partner < 500);
    assert.equal((await operator.get(path)).status, 200, 'another session goes on');
  });

  it('refuses nights that are none, and types that are not of the property', async () => {
    const path = '/console/properties/ponte/close';
    for (const fields of [
      { type: 'double', from: '2026-12-24', to: '2026-12-23' },
      { type: 'double', from: 'tomorrow', to: '2026-12-23' },
      { type: 'attic', from: '2026-12-24', to: '2026-12-24' },
    ]) {
      const { status, text } = await operator.act(path, fields);
      assert.equal(status, 422, JSON.stringify(fields));
      assert.match(
        text,
        /data-page="property"[^]*class="bad" role="alert"[^]*data-act="close"|data-act="close"[^]*class="bad" role="alert"/,
        'beside its fields',
      );
    }
    const unknown = await operator.act('/console/properties/nope/close', {
      from: '2026-12-24',
      to: '2026-12-24',
    });
    assert.equal(unknown.status, 404);
  });

  it('shows supply as the commands do, and accepts a calendar that is held back', async () => {
    feeds.answer = calendar(['2026-12-10', '2026-12-20']);
    const subscribe = ['ical', 'subscribe', '--property', 'kiribati', '--type', 'double'];
    const { feedId } = (await commands.json([...subscribe, '--url', `${feeds.url}/1.ics`])) as {
      feedId: string;
    };
    await commands.json(['ical', 'poll', feedId]);
    feeds.answer = calendar(['2026-12-28', '2026-12-29']);
    assert.equal(((await commands.json(['ical', 'poll', feedId])) as { state: string }).state, 'held');
    const { rows, text } = await pageOf('/console/supply');
    assert.deepEqual(rows['feeds'], await commands.json(['ical', 'list']));
    const fresh = (await commands.json(['freshness'])) as object[];
    assert.deepEqual(rows['freshness'], fresh);
    assert.match(text, /properties\/kiribati"><bdi[^>]*>[^<]+<\/bdi><\/a>\s*<small class="fine">kiribati</);
    const shown: string[] = [];
    for (let path: string | undefined = '/console/supply'; path !== undefined;) {
      const { text: part } = await look(path);
      const table = part.slice(part.indexOf('Last news of each property'));
      const ids = [...table.matchAll(/<a href="[^"]*properties\/([^"]+)">/g)].map(([, id = '']) => id);
      assert.ok(ids.length <= 50);
      shown.push(...ids);
      const next: string | undefined = /rel="next" href="[^"]*(\?after=\d+)"/.exec(part)?.[1];
      path = next && `/console/supply${next}`;
    }
    // Of each property; a source that spoke within seconds may be missing.
    assert.deepEqual(
      new Set(shown),
      new Set((fresh as { propertyId: string }[]).map((row) => row.propertyId)),
    );
    assert.ok(text.includes(`<code>${feedId.replace('_', '_<wbr />')}</code>`), 'the id that commands take');
    const held = text.slice(text.indexOf(`data-feed="${feedId}"`));
    assert.match(held, /Would open<\/dt>\s*<dd>Thu,? 10 Dec 2026 – Sat,? 19 Dec 2026/);
    assert.ok(!text.includes('data-act="accept"'));
    assert.equal((await viewer.act('/console/supply/accept', { feedId })).status, 403);
    assert.match((await operator.get('/console/supply')).text, /data-act="accept"/);
    assert.equal((await operator.act('/console/supply/accept', { feedId })).status, 303);
    const [feed] = (await commands.json(['ical', 'list'])) as { state: string; nights: number }[];
    assert.equal(feed?.state, 'ok');
    assert.equal((await operator.act('/console/supply/accept', { feedId })).status, 422);
    assert.equal((await operator.act('/console/supply/accept', { feedId: 'nope' })).status, 404);
  });

  async function pageOf(path: string): Promise<{ rows: Record<string, unknown>; text: string }> {
    return { rows: await viewer.rows(path), text: (await look(path)).text };
  }

  it('lets no text of a property, a type, a city, a source, or a search become markup', async () => {
    await close('a~b', 'markup', '2026-12-14');
    const paths = [
      `/console/properties?search=${encodeURIComponent(MARKUP)}`,
      '/console/properties/markup',
      '/console/properties/markup/nights/double/2026-12-14',
      `/console/properties/markup/explain?checkIn=${encodeURIComponent(MARKUP)}`,
      '/console/properties/markup/explain?checkIn=2026-12-02&checkOut=2026-12-04&guests=2',
      `/console/properties/markup?did=close&type=${encodeURIComponent(MARKUP)}&from=x&to=y&changed=1`,
      '/console/supply',
    ];
    for (const path of paths) {
      const { status, text } = await look(path);
      assert.equal(status, 200, path);
      assert.ok(!text.includes('<img src=x'), path);
    }
  });

  it('sends a page of twelve types within 60 KB, and leads to the types behind them', async () => {
    const types = Array.from({ length: 14 }, (_none, index) =>
      double({
        inventoryTypeId: `type-${index}`,
        name: `Type ${index}`,
        calendar: Array.from({ length: 60 }, (_night, night) => {
          const date = new Date(Date.parse('2026-11-20') + (night * 7 + index) * 86_400_000).toISOString();
          return nights(date.slice(0, 10), date.slice(0, 10), { availability: night % 3, rate: '90.00' });
        }),
      }),
    );
    await running.installation.importLines([hotel('large', { inventoryTypes: types })]);
    const url = running.service.operatorUrl;
    const received = await exchange(url, {
      path: '/console/properties/large',
      headers: { cookie: viewer.cookie!, 'accept-encoding': 'gzip' },
    });
    assert.equal(received.headers['content-encoding']?.[0], 'gzip');
    assert.ok(received.body.length < 60_000, `${received.body.length} bytes`);
    const text = gunzipSync(received.body).toString('utf8');
    assert.equal(new Set(cellsIn(text).map(({ type }) => type)).size, 12);
    assert.match(text, /rel="next" href="[^"]*after=type-11"/);
    const rest = await look('/console/properties/large?after=type-11');
    assert.equal(new Set(cellsIn(rest.text).map(({ type }) => type)).size, 2);
  });

  it('waits for a source twice as long as its messages are usually apart', async () => {
    const { storage, time } = running.installation;
    const hoursUntilSilent = async (source: string): Promise<number> =>
      (await silentAfterMs(storage, source)) / 3_600_000;
    const before = time.nowMs;
    for (const week of [1, 2, 3]) {
      for (const minute of [0, 1]) {
        time.nowMs = before + week * 7 * 86_400_000 + minute * 60_000;
        await close('weekly', 'ponte', '2027-02-01', { availability: week + minute });
      }
    }
    assert.equal(await hoursUntilSilent('weekly'), 2 * 7 * 24);
    for (let count = 0; count < 40; count += 1) {
      time.nowMs += 60_000;
      await close('hourly', 'ponte', '2027-02-02', { availability: count });
    }
    assert.equal(await hoursUntilSilent('hourly'), 24);
  });
}
