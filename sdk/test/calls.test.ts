/** The client against the real service. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hotel, hotelWith, inCity, nights } from '../../test/kit/catalogue-lines.ts';
import { NOW_MS } from '../../test/kit/now.ts';
import {
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  QuoteConflictError,
  RequestError,
  Stayport,
  UsageError,
} from '../src/index.ts';
import { failureOf } from './failure-of.ts';
import { openService, type ServiceInstallation } from './service.ts';

const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-04' };
const QUOTE = { propertyId: 'h-000', stay: { ...STAY, guests: 2 }, locale: 'en-GB' } as const;

let installation: ServiceInstallation;
let baseUrl: string;
let client: Stayport;
before(async () => {
  installation = await openService();
  const many = Array.from({ length: 130 }, (_, index) => hotel(`h-${String(index).padStart(3, '0')}`));
  await installation.importLines([
    ...many,
    hotel('no-quotes', { quoting: false, ...inCity('Roma') }),
    hotelWith('closed', [nights('2026-12-01', '2026-12-31', { availability: 0 })], inCity('Roma')),
  ]);
  const { token } = await installation.issue();
  baseUrl = (await installation.serve()).partnerUrl;
  client = new Stayport({ baseUrl: `${baseUrl}/`, token });
});
after(() => installation.close());

describe('results', () => {
  it('hold the body as it was sent, the correlation id and the limit', async () => {
    const result = await client.properties.search({ city: 'Venezia', pageSize: 2, ...STAY, guests: 2 });
    assert.deepEqual(result.data.pagination, { page: 1, pageSize: 2, total: 130, hasMore: true });
    assert.match(result.correlationId, /^\S{8,}$/);
    assert.equal(result.rateLimit?.limit, 1_000_000);
    assert.ok(result.rateLimit.resetAt > new Date(NOW_MS));
  });

  it('come from every operation', async () => {
    assert.equal((await client.properties.get('h-007', { locale: 'en-GB' })).data.propertyId, 'h-007');
    assert.equal((await client.properties.availability('h-007', STAY)).data.available, true);
    const { data } = await client.quotes.create(QUOTE);
    assert.equal(data.pricing.total, '360.00');
    assert.ok(data.handoffUrl.startsWith('https://'));
  });

  it('of all pages come one by one, each property once', async () => {
    const ids: string[] = [];
    for await (const { propertyId } of client.properties.each({ city: 'Venezia' })) ids.push(propertyId);
    assert.equal(ids.length, 130);
    assert.deepEqual(
      ids,
      [...new Set(ids)].toSorted((a, b) => (a < b ? -1 : 1)),
    );
  });
});

describe('pages while the catalogue changes', () => {
  it('pass over no property that was there all the time, and give none twice', async () => {
    const lines = (ids: readonly number[]) => ids.map((id) => hotel(`c-${1000 + id}`, inCity('Changeburg')));
    const all = Array.from({ length: 60 }, (_, index) => index);
    await installation.importLines(lines(all), { source: 'changing' });
    await until(
      async () => (await client.properties.search({ city: 'Changeburg' })).data.pagination.total === 60,
    );
    const ids: string[] = [];
    for await (const { propertyId } of client.properties.each({ city: 'Changeburg', pageSize: 20 })) {
      ids.push(propertyId);
      if (ids.length !== 20) continue;
      // The first page is withdrawn in part: what follows moves forward by five.
      await installation.withdraw(lines([1, 3, 5, 7, 9]).map((line) => String(line['propertyId'])));
      await until(
        async () => (await client.properties.search({ city: 'Changeburg' })).data.pagination.total === 55,
      );
    }
    assert.equal(ids.length, new Set(ids).size);
    assert.deepEqual(
      ids,
      all.map((id) => `c-${1000 + id}`),
    );
  });
});

describe('problems', () => {
  it('narrow by their code', async () => {
    const error = await failureOf(client.properties.search({ city: 'Venezia', page: 0 }));
    switch (error.code) {
      case 'VALIDATION_ERROR':
        assert.ok(error instanceof RequestError);
        assert.deepEqual(
          error.issues.map(({ field, code }) => [field, code]),
          [['page', 'OUT_OF_RANGE']],
        );
        assert.match(error.message, /page/);
        break;
      default:
        assert.fail(error.code);
    }
  });

  it('errors: one class per family of problems, with the problem and its correlation id', async () => {
    const unknown = await failureOf(client.properties.get('unknown'));
    assert.ok(unknown instanceof NotFoundError && unknown.code === 'PROPERTY_NOT_FOUND');
    assert.equal(unknown.problem.correlationId, unknown.correlationId);
    const closed = await failureOf(client.quotes.create({ ...QUOTE, propertyId: 'closed' }));
    assert.ok(closed instanceof QuoteConflictError && closed.code === 'STAY_UNAVAILABLE');
    const unpriced = await failureOf(client.quotes.create({ ...QUOTE, propertyId: 'no-quotes' }));
    assert.ok(unpriced instanceof QuoteConflictError && unpriced.code === 'QUOTE_UNAVAILABLE');
    const stranger = new Stayport({ baseUrl, token: 'sp_live_nobody' });
    const refused = await failureOf(stranger.properties.get('h-000'));
    assert.ok(refused instanceof AuthenticationError && refused.code === 'INVALID_PARTNER_CREDENTIAL');
    assert.equal(refused.rateLimit, undefined);
  });
});

describe('limits', () => {
  const beyond: Record<string, () => Promise<unknown>> = {
    'checkOut STAY_TOO_LONG': () =>
      client.properties.search({ city: 'x', checkIn: '2026-12-01', checkOut: '2027-01-31' }),
    'guests OUT_OF_RANGE': () => client.properties.availability('h-000', { ...STAY, guests: 31 }),
    'stay.guests OUT_OF_RANGE': () => client.quotes.create({ ...QUOTE, stay: { ...STAY, guests: 31 } }),
  };
  for (const [issue, call] of Object.entries(beyond)) {
    it(`are the service's to judge: ${issue}`, async () => {
      const error = await failureOf(call());
      assert.ok(error instanceof RequestError && error.code === 'VALIDATION_ERROR', error.message);
      assert.deepEqual(
        error.issues.map(({ field, code }) => `${field} ${code}`),
        [issue],
      );
    });
  }
});

describe('what is wrong before it is sent', () => {
  const wrong: Record<string, () => Promise<unknown>> = {
    'checkIn: "1.12.2026" is not a date': () =>
      client.properties.availability('h', { ...STAY, checkIn: '1.12.2026' }),
    'checkOut: 2026-02-30 is not a date of the calendar': () =>
      client.properties.availability('h', { checkIn: '2026-02-01', checkOut: '2026-02-30' }),
    'checkOut: 2026-12-01 is not after': () =>
      client.properties.availability('h', { ...STAY, checkOut: '2026-12-01' }),
    'checkOut: is missing': () => client.properties.search({ city: 'x', checkIn: '2026-12-01' }),
    'city: is missing': () => client.properties.search({ city: '' }),
    'propertyId: ".."': () => client.properties.get('..'),
    'propertyId: is missing': () => client.properties.get(''),
  };
  for (const [message, call] of Object.entries(wrong)) {
    it(`is refused: ${message}`, async () => {
      const error = await failureOf(call());
      assert.ok(error instanceof UsageError && error.message.includes(message), error.message);
    });
  }

  it('is a token or a URL that can not work', () => {
    const options = { baseUrl, token: 'sp_live_x' };
    for (const token of ['', ' \n', 'a b', 'secret\nsecret']) {
      assert.throws(
        () => new Stayport({ ...options, token }),
        (error: Error) => !error.message.includes('secret'),
      );
    }
    for (const url of ['', 'partners.example.com', 'file:///etc', `${baseUrl}/v1`, `${baseUrl}/v1/`]) {
      assert.throws(() => new Stayport({ ...options, baseUrl: url }), {
        code: 'INVALID_ARGUMENT',
        field: 'baseUrl',
      });
    }
  });

  it('is a browser, where the token would leak', () => {
    const scope = globalThis as { window?: unknown; document?: unknown };
    Object.assign(scope, { window: {}, document: {} });
    try {
      assert.throws(() => new Stayport({ baseUrl, token: 'x' }), { code: 'BROWSER_NOT_SUPPORTED' });
    } finally {
      delete scope.window;
      delete scope.document;
    }
  });
});

describe('a signal', () => {
  it('ends a call, before and while it runs', async () => {
    const aborted = await failureOf(client.properties.get('h-000', { signal: AbortSignal.abort() }));
    assert.ok(aborted instanceof ConnectionError && aborted.code === 'ABORTED');
  });
});

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    if (await isDone()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail('it did not happen within 5 s');
}
