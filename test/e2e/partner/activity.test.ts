/**
 * What happened: a script of requests, with restarts, midnights and all that must not count, is held against a book
 * that the script keeps itself.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  type DemandEntry,
  reportDemand,
  reportUnknownPlaces,
} from '../../../src/operator/activity/demand-report.ts';
import { reportRequests, type RequestEntry } from '../../../src/operator/activity/request-report.ts';
import { reportTraffic } from '../../../src/operator/activity/traffic-report.ts';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { formatLocalDate, parseLocalDate, utcDay } from '../../../src/domain/local-date.ts';
import { namesOfStay, Tally } from '../../kit/activity-book.ts';
import { hotel, inCity } from '../../kit/catalogue-lines.ts';
import { type Installation, NOW_MS, openInstallation, type Served } from '../../kit/installation.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';
import { type Answer, PartnerClient, quoteBody } from '../../kit/partner-client.ts';

const FIXED_SEED = { seed: 20261122 };
const HOUR_MS = 3_600_000;
const FIRST = parseLocalDate('2026-11-30')!;
const ALL = { from: utcDay(NOW_MS) - 9, to: utcDay(NOW_MS) + 9, rowsMax: 100_000 };

interface Step {
  readonly kind:
    | 'search'
    | 'priced'
    | 'window'
    | 'undated'
    | 'look'
    | 'ids'
    | 'calendar'
    | 'offer'
    | 'content'
    | 'property'
    | 'quote'
    | 'unknown'
    | 'test'
    | 'wrong'
    | 'pause'
    | 'restart';
  readonly partner: 0 | 1;
  readonly place: number;
  readonly from: number;
  readonly nights: number;
  readonly guests: number;
  readonly page: number;
}

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom('search', 'look', 'quote', 'property') },
    { weight: 30, arbitrary: fc.constantFrom('priced', 'window', 'ids', 'calendar', 'offer', 'content') },
    { weight: 20, arbitrary: fc.constantFrom('undated', 'unknown', 'test', 'wrong') },
    { weight: 5, arbitrary: fc.constant('pause') },
    { weight: 1, arbitrary: fc.constant('restart') },
  ) as fc.Arbitrary<Step['kind']>,
  partner: fc.constantFrom(0, 1),
  place: fc.nat(3),
  from: fc.nat(40),
  nights: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 60 })),
  guests: fc.constantFrom(1, 2, 3, 4, 5, 8, 9, 30),
  page: fc.constantFrom(1, 1, 2),
});

/** Under which name a city is asked for, and with which country. */
const PLACES = [
  { city: 'Venezia', country: undefined },
  { city: 'vénice', country: undefined },
  { city: 'Valencia', country: undefined },
  { city: 'Valencia', country: 'ES' },
] as const;
const PROPERTIES = ['ponte', 'valencia-es', 'valencia-ve', 'nobody'] as const;
const CITY_OF = { ponte: 'Venezia IT', 'valencia-es': 'Valencia ES', 'valencia-ve': 'Valencia VE' } as const;

function stayNames({ from, nights, guests }: Step): readonly string[] {
  return namesOfStay({ checkIn: FIRST + from, nights, guests });
}

/** Both engines are told the same; on SQLite for longer, because that takes less time. */
describe('What is kept of requests, on SQLite', () => holdAgainstBook(500));
describePostgres('What is kept of requests, on PostgreSQL', (server) => {
  holdAgainstBook(400, () => server().createDatabase());
});

function holdAgainstBook(steps: number, createDatabase?: () => Promise<string>): void {
  const traffic = new Tally();
  const searches = new Tally();
  const empty = new Tally();
  const looks = new Tally();
  const unknown = new Tally();
  const kept = new Map<string, { status: number; code: string | null; quoteId: string | null }>();
  const successes = new Set<string>();
  const tokens: string[] = [];
  let testToken = '';
  const credentialIds: string[] = [];
  let installation: Installation;
  let service: Served;
  let clients: readonly PartnerClient[] = [];
  let auditor: PartnerClient;
  let auditorToken = '';

  async function serve(): Promise<void> {
    service = await installation.serve();
    clients = tokens.map((token) => new PartnerClient(service.partnerUrl, token));
    auditor = new PartnerClient(service.partnerUrl, auditorToken);
  }

  before(async () => {
    installation = await openInstallation(await createDatabase?.());
    await installation.importLines([
      hotel('ponte'),
      hotel('valencia-es', inCity('Valencia', 'ES')),
      hotel('valencia-ve', inCity('València', 'VE')),
    ]);
    for (const partnerId of ['acme', 'bits']) {
      const { token, credentialId } = await installation.issue({ partnerId, scopes: ALL_SCOPE_NAMES });
      tokens.push(token);
      credentialIds.push(credentialId);
    }
    auditorToken = (await installation.issue({ partnerId: 'auditor' })).token;
    testToken = (await installation.issue({ isTest: true })).token;
    await serve();
    for (const step of fc.sample(stepArbitrary, { ...FIXED_SEED, numRuns: steps })) await perform(step);
    await service.close();
  });
  after(() => installation.close());

  const partnerOf = ({ partner }: Step): string => ['acme', 'bits'][partner]!;
  const today = (): string => formatLocalDate(utcDay(installation.time.nowMs));

  async function perform(step: Step): Promise<void> {
    const client = clients[step.partner]!;
    const stay = {
      checkIn: formatLocalDate(FIRST + step.from),
      checkOut: formatLocalDate(FIRST + step.from + step.nights),
      guests: step.guests,
    };
    const propertyId = PROPERTIES[step.place]!;
    switch (step.kind) {
      case 'search': {
        const place = PLACES[step.place]!;
        note(step, 'listPartnerProperties', await client.search({ ...place, ...stay, page: step.page }));
        if (step.page === 1) await bookSearch(step, place, stay);
        return;
      }
      case 'priced': {
        const place = PLACES[step.place]!;
        const query = Object.entries({ ...place, ...stay, page: step.page, sort: 'total' })
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => `${name}=${encodeURIComponent(value!)}`);
        const asked = { path: `/prices/v1/stays?${query.join('&')}` };
        note(step, 'searchStayPrices', await client.ask('searchStayPrices', asked));
        if (step.page === 1) await bookSearch(step, place, stay);
        return;
      }
      case 'window': {
        const place = PLACES[step.place]!;
        const nights = Math.min(step.nights, 30);
        const days = [0, 1].map((later) => ({
          checkIn: formatLocalDate(FIRST + step.from + later),
          checkOut: formatLocalDate(FIRST + step.from + later + nights),
          guests: step.guests,
        }));
        const [checkInFrom, checkInUntil] = days.map(({ checkIn }) => checkIn);
        const { guests } = stay;
        const query = Object.entries({ ...place, checkInFrom, checkInUntil, nights, guests, page: step.page })
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => `${name}=${encodeURIComponent(value!)}`);
        const asked = { path: `/prices/v1/flexible-stays?${query.join('&')}` };
        note(step, 'searchFlexibleStays', await client.ask('searchFlexibleStays', asked));
        const calendar = { path: `/prices/v1/days?city=Venezia&from=${stay.checkIn}` };
        note(step, 'listPriceDays', await client.ask('listPriceDays', calendar));
        // It counts once, as a search for the first stay; empty where all of them are.
        if (step.page === 1) await bookSearch({ ...step, nights }, place, ...days);
        return;
      }
      case 'undated':
        return note(step, 'listPartnerProperties', await client.search({ city: 'Venezia' }));
      case 'unknown': {
        const [query, place] = [
          [{ city: 'Atlántis', ...stay }, 'ATLANTIS'],
          [{ city: 'Venezia', country: 'FR', ...stay }, 'VENEZIA, FR'],
          [{ city: `Never ${step.from} ${step.nights} ${step.guests}`, ...stay }, undefined],
          [{ city: 'Mu' }, undefined],
        ][step.place] as [Record<string, string>, string | undefined];
        note(step, 'listPartnerProperties', await client.search(query));
        if (place !== undefined) unknown.add([place]);
        return;
      }
      case 'look': {
        const answer = await client.availability(propertyId, stay);
        note(step, 'getPartnerPropertyAvailability', answer);
        return bookLook(step, answer);
      }
      case 'ids': {
        const propertyIds = [propertyId, 'nobody', 'ponte', propertyId] as const;
        const body = JSON.stringify({ propertyIds, stay });
        const answer = await client.ask('priceStays', { method: 'POST', path: '/prices/v1/stays', body });
        note(step, 'priceStays', answer);
        for (const id of propertyIds) bookLook({ ...step, place: PROPERTIES.indexOf(id) }, answer);
        return;
      }
      case 'calendar': {
        const nights = Math.min(step.nights, 30);
        const asked = `from=${stay.checkIn}&nights=${nights}&guests=${stay.guests}`;
        const path = `/prices/v1/properties/${propertyId}/calendar?${asked}`;
        const answer = await client.ask('getPriceCalendar', { path });
        note(step, 'getPriceCalendar', answer);
        return bookLook({ ...step, nights }, answer);
      }
      case 'offer': {
        const { checkIn, checkOut, guests } = stay;
        const path = `/prices/v1/properties/${propertyId}/offer?checkIn=${checkIn}&checkOut=${checkOut}&guests=${guests}`;
        const answer = await client.ask('getStayOffer', { path });
        note(step, 'getStayOffer', answer);
        return bookLook(step, answer);
      }
      case 'content':
        note(
          step,
          'listPropertyContent',
          await client.ask('listPropertyContent', { path: '/content/v1/properties?city=Venezia' }),
        );
        return note(
          step,
          'getPropertyContent',
          await client.ask('getPropertyContent', { path: `/content/v1/properties/${propertyId}` }),
        );
      case 'property':
        return note(step, 'getPartnerProperty', await client.property(propertyId));
      case 'quote': {
        const { checkIn, checkOut, guests } = stay;
        const answer = await client.quote(quoteBody(propertyId, checkIn, checkOut, guests));
        note(step, 'createPartnerQuote', answer);
        return bookLook(step, answer);
      }
      case 'test':
        await new PartnerClient(service.partnerUrl, testToken).search({ city: 'Testville', ...stay });
        await new PartnerClient(service.partnerUrl, testToken, { 'stayport-test': 'unavailable' }).search({
          city: 'Testville',
        });
        await new PartnerClient(service.partnerUrl, 'spt_nobody').search({ city: 'Venezia', ...stay });
        await new PartnerClient(service.partnerUrl, undefined).search({ city: 'Venezia', ...stay });
        return;
      case 'wrong':
        return note(
          step,
          'listPartnerProperties',
          await client.search({ city: 'Venezia', page: 0, ...stay }),
        );
      case 'pause':
        installation.time.nowMs += HOUR_MS * (step.nights % 9) + step.from * 1_000;
        return;
      case 'restart':
        await service.close();
        await serve();
    }
  }

  function note(step: Step, operation: string, answer: Answer<unknown>): void {
    const code = answer.status < 400 ? null : answer.problem.code;
    const correlationId = answer.header('x-correlation-id')!;
    traffic.add([today(), partnerOf(step), credentialIds[step.partner], operation, code]);
    if (answer.status >= 400 || answer.status === 201) {
      const quoteId = answer.status === 201 ? (answer.success as { quoteId: string }).quoteId : null;
      kept.set(correlationId, { status: answer.status, code, quoteId });
    } else successes.add(correlationId);
  }

  /** Each country's own result is what a search in it alone finds, for somebody who is not in this book. */
  async function bookSearch(
    step: Step,
    { city, country }: (typeof PLACES)[number],
    ...stays: readonly object[]
  ): Promise<void> {
    const countries = city === 'Valencia' ? (country === undefined ? ['ES', 'VE'] : [country]) : ['IT'];
    for (const one of countries) {
      let total = 0;
      for (const stay of stays)
        total += (await auditor.search({ city, country: one, ...stay })).success.pagination.total;
      const name = city === 'Valencia' ? (one === 'VE' ? 'València' : 'Valencia') : 'Venezia';
      const names = [today(), name, one, ...stayNames(step), partnerOf(step)];
      searches.add(names);
      if (total === 0) empty.add(names);
    }
  }

  function bookLook(step: Step, answer: Answer<unknown>): void {
    const propertyId = PROPERTIES[step.place]!;
    if (answer.status >= 400 || propertyId === 'nobody') return;
    const [city, country] = CITY_OF[propertyId].split(' ');
    const name = country === 'VE' ? 'València' : city;
    looks.add([today(), name, country, ...stayNames(step), partnerOf(step)]);
  }

  it('is every answer to an accepted live token, by minute, and nothing else', async () => {
    const found = new Tally();
    for (const row of await reportTraffic(installation.storage, ALL)) {
      assert.equal(row.from, `${row.from.slice(0, 16)}:00.000Z`);
      assert.ok(row.p50Us > 0 && row.p99Us >= row.p50Us);
      if (row.partnerId === 'auditor') continue;
      const { partnerId, credentialId, operation, code } = row;
      found.add([row.from.slice(0, 10), partnerId, credentialId, operation, code], row.count);
    }
    assert.ok(new Set([...found.byName.keys()].map((name) => name.slice(0, 10))).size > 2, 'several days');
    assert.deepEqual(found.sorted(), traffic.sorted());
  });

  it('is every dated search on page 1, by country, and every look, in the city of the property', async () => {
    const found = { searches: new Tally(), empty: new Tally(), looks: new Tally() };
    for (const row of await reportDemand(installation.storage, ALL)) {
      if (row.partnerId === 'auditor') continue;
      const names = [row.day, row.city, row.country, row.arrivalWeek, row.nights, row.guests, row.partnerId];
      for (const name of ['searches', 'empty', 'looks'] as const) found[name].add(names, row[name]);
    }
    const sizes = [searches, empty, looks].map(({ byName }) => byName.size);
    assert.ok(Math.min(...sizes) > steps / 20, sizes.join(' '));
    assert.deepEqual(found.searches.sorted(), searches.sorted());
    assert.deepEqual(found.empty.sorted(), empty.sorted());
    assert.deepEqual(found.looks.sorted(), looks.sorted());
  });

  it('finds a city however it is written, of one country or partner', async () => {
    const sumOf = (rows: readonly DemandEntry[]): number => rows.reduce((sum, row) => sum + row.searches, 0);
    const read = (filter: object) => reportDemand(installation.storage, { ...ALL, ...filter });
    const all = await read({ city: 'valencia' });
    assert.deepEqual(new Set(all.map(({ country }) => country)), new Set(['ES', 'VE']));
    const parts = [
      await read({ city: 'VALENCIA', country: 'ES' }),
      await read({ city: 'València', country: 'VE' }),
    ];
    assert.equal(sumOf(parts.flat()), sumOf(all));
    // The bound is of what is shown, not of what is looked through.
    assert.deepEqual(await read({ city: 'valencia', rowsMax: all.length }), all);
    assert.deepEqual(await read({ city: 'Nowhere' }), []);
    assert.ok((await read({ partnerId: 'bits' })).every(({ partnerId }) => partnerId === 'bits'));
  });

  it('names places that do not exist here from the third time on', async () => {
    const rows = await reportUnknownPlaces(installation.storage, ALL);
    const shown = unknown.sorted().filter(([, searches]) => searches >= 3);
    assert.ok(shown.length > 0);
    const expected = shown.map(([text, searches]) => ({ text, searches }));
    assert.deepEqual(
      rows.toSorted((one, other) => (one.text < other.text ? -1 : 1)),
      expected,
    );
  });

  it('is each refusal and each quote one by one, and few of the rest', async () => {
    const rows = (await reportRequests(installation.storage, { limit: 10_000 })).filter(
      ({ partnerId }) => partnerId !== 'auditor',
    );
    const listed = rows.filter(({ correlationId }) => kept.has(correlationId));
    assert.equal(listed.length, kept.size);
    for (const row of listed) {
      const { status, code, quoteId } = kept.get(row.correlationId)!;
      assert.deepEqual([row.status, row.code, row.quoteId], [status, code, quoteId]);
    }
    const others = rows.filter(({ correlationId }) => !kept.has(correlationId));
    assert.ok(others.every(({ correlationId }) => successes.has(correlationId)));
    assert.ok(others.length < successes.size / 20, `${others.length} of ${successes.size}`);
    const times = rows.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted().toReversed());
    checkQuote(rows.find(({ status }) => status === 201)!);
  });

  function checkQuote(row: RequestEntry): void {
    assert.equal(row.operation, 'createPartnerQuote');
    assert.ok(row.durationUs > 0 && row.propertyId !== null && row.guests !== null);
    assert.match(`${row.checkIn} ${row.checkOut}`, /^2026-12-\d\d 202\d-\d\d-\d\d$/);
    assert.deepEqual([row.city, row.page, row.total], [null, null, null]);
  }

  it('holds no token, address, header or body', async () => {
    const names = globSync('*', { cwd: installation.folder }).filter((name) => name.includes('-activity'));
    assert.equal(names.length > 0, createDatabase === undefined);
    const files = names.map((name) => readFileSync(join(installation.folder, name), 'latin1'));
    const { storage } = installation;
    const reports = [
      await reportTraffic(storage, ALL),
      await reportDemand(storage, ALL),
      await reportRequests(storage, { limit: 10_000 }),
    ];
    const text = [...files, JSON.stringify(reports)].join('\n');
    assert.match(text, /createPartnerQuote/);
    for (const secret of [...tokens, testToken, auditorToken, '127.0.0.1', 'Bearer', 'user-agent', '"stay"'])
      assert.ok(!text.includes(secret), secret.slice(0, 8));
  });
}
