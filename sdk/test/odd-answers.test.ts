/** Answers that are not of this API, or not what it would say: each becomes a clear error, and none is taken for data. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { ConnectionError, RateLimitError, ServerError, Stayport } from '../src/index.ts';
import { RESPONSE_BYTES_MAX } from '../src/read-response.ts';
import { failureOf } from './failure-of.ts';
import { type OddServer, startOddServer } from './odd-server.ts';

const HTML = '<h1>Bad gateway</h1>';
const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-04', guests: 2 };
const QUOTE = { propertyId: 'h-1', stay: STAY, locale: 'en-GB' } as const;
const PROPERTY = { body: JSON.stringify({ propertyId: 'h-1' }) };
const problem = (fields: object): string =>
  JSON.stringify({ type: 'x', title: 't', detail: 'd', correlationId: 'c', ...fields });

let server: OddServer;
let client: Stayport;
let once: Stayport;
before(async () => {
  server = await startOddServer();
  const options = { baseUrl: server.url, token: 'secret-token' };
  client = new Stayport({ ...options, maxRetries: 1 });
  once = new Stayport({ ...options, maxRetries: 0 });
});
after(() => server.close());

describe('A refusal in the words of a balancer', () => {
  for (const status of [429, 502, 503, 504]) {
    it(`${status}: a GET is sent again`, async () => {
      server.plan({ status, body: HTML }, PROPERTY);
      assert.equal((await client.properties.get('h-1')).data.propertyId, 'h-1');
      assert.equal(server.seen.length, 2);
    });

    it(`${status}: the error keeps status, headers and Retry-After`, async () => {
      server.plan({ status, headers: { 'Retry-After': '7', 'X-Balancer': 'b' }, body: HTML });
      const error = await failureOf(once.properties.get('h-1'));
      assert.ok(error instanceof ConnectionError && error.code === 'INVALID_RESPONSE');
      assert.deepEqual(
        [error.status, error.retryAfterMs, error.headers?.get('x-balancer')],
        [status, 7_000, 'b'],
      );
    });

    it(`${status}: a quote is ${status === 429 ? '' : 'not '}asked for again`, async () => {
      server.plan({ status, body: HTML });
      await failureOf(client.quotes.create(QUOTE));
      assert.equal(server.seen.length, status === 429 ? 2 : 1);
    });
  }

  for (const status of [400, 401, 404, 500, 501]) {
    it(`${status}: nothing is sent again`, async () => {
      server.plan({ status, body: HTML });
      const error = await failureOf(client.properties.get('h-1'));
      assert.deepEqual([error.code, server.seen.length], ['INVALID_RESPONSE', 1]);
    });
  }
});

describe('An answer with status 200', () => {
  const calls = {
    get: () => client.properties.get('h-1'),
    search: () => client.properties.search({ city: 'x' }),
    availability: () => client.properties.availability('h-1', STAY),
    quote: () => client.quotes.create(QUOTE),
  };
  const bodies = [
    'null',
    '[]',
    '7',
    '"text"',
    '{}',
    '',
    HTML,
    '{"items":[null],"pagination":{}}',
    problem({ code: 'X' }),
  ];
  for (const [name, call] of Object.entries(calls)) {
    it(`is not taken for data when it has none: ${name}`, async () => {
      for (const body of bodies) {
        server.plan({ body });
        const error = await failureOf(call());
        assert.ok(error instanceof ConnectionError && error.code === 'INVALID_RESPONSE', body);
        assert.equal(error.status, 200);
        assert.equal(server.seen.length, 1);
      }
    });
  }

  it('is read up to a bound', async () => {
    // A busy machine needs more than the default timeout for so much.
    const unhurried = { timeout: 60_000 };
    const blanks = Buffer.alloc(1_048_576, ' ');
    const sized = (byteCount: number) => ({
      body: (response: ServerResponse) => {
        let left = byteCount - PROPERTY.body.length;
        const more = (): void => {
          while (left > 0) {
            const size = Math.min(left, blanks.length);
            left -= size;
            if (!response.write(blanks.subarray(0, size))) return void response.once('drain', more);
          }
          response.end(PROPERTY.body);
        };
        more();
      },
    });
    server.plan(sized(RESPONSE_BYTES_MAX));
    assert.equal((await once.properties.get('h-1', unhurried)).data.propertyId, 'h-1');
    server.plan(sized(RESPONSE_BYTES_MAX + 1));
    const error = await failureOf(once.properties.get('h-1', unhurried));
    assert.match(error.message, new RegExp(`more than ${RESPONSE_BYTES_MAX} bytes`));
  });
});

describe('A redirect', () => {
  for (const status of [301, 302, 307, 308]) {
    it(`${status} is not followed: the token would go elsewhere`, async () => {
      server.plan({ status, headers: { Location: `${server.url}/elsewhere` }, body: '' }, PROPERTY);
      const error = await failureOf(client.properties.get('h-1'));
      assert.ok(error instanceof ConnectionError && error.code === 'INVALID_RESPONSE');
      assert.match(error.message, /a redirect/);
      assert.equal(server.seen.length, 1);
    });
  }
});

describe('A problem', () => {
  it('belongs to the family of the status that HTTP has, not of the one in its body', async () => {
    server.plan({ status: 429, body: problem({ code: 'RATE_LIMIT_EXCEEDED', status: 400 }) });
    const limited = await failureOf(once.properties.get('h-1'));
    assert.ok(limited instanceof RateLimitError && limited.status === 429);
    server.plan({ status: 503, body: problem({ code: 'PARTNER_API_UNAVAILABLE' }) });
    const away = await failureOf(once.properties.get('h-1'));
    assert.ok(away instanceof ServerError && away.status === 503);
  });

  it('with errors that are not a list is read without them', async () => {
    for (const errors of [null, 'x', [null], {}]) {
      server.plan({ status: 400, body: problem({ code: 'VALIDATION_ERROR', status: 400, errors }) });
      const error = await failureOf(once.properties.get('h-1'));
      assert.ok(error.code === 'VALIDATION_ERROR' && 'issues' in error);
      assert.deepEqual(error.issues, []);
    }
  });
});

describe('Retry-After', () => {
  const date = 'Sun, 22 Nov 2026 10:00:00 GMT';
  const waits: Record<string, number | undefined> = {
    '0': 0,
    '30': 30_000,
    '-1': undefined,
    '1.5': undefined,
    soon: undefined,
    'Sun, 22 Nov 2026 10:00:20 GMT': 20_000,
    'Sun, 22 Nov 2026 09:00:00 GMT': 0,
  };
  for (const [value, expected] of Object.entries(waits)) {
    it(`${value} means ${expected === undefined ? 'nothing' : `${expected} ms`}`, async () => {
      const headers = { 'Retry-After': value, Date: date };
      server.plan({ status: 429, headers, body: problem({ code: 'RATE_LIMIT_EXCEEDED' }) });
      const error = await failureOf(once.properties.get('h-1'));
      assert.ok(error instanceof RateLimitError);
      assert.equal(error.retryAfterMs, expected);
    });
  }

  it('-1 does not mean to try again at once', async () => {
    server.plan({
      status: 429,
      headers: { 'Retry-After': '-1' },
      body: problem({ code: 'RATE_LIMIT_EXCEEDED' }),
    });
    const startMs = performance.now();
    await failureOf(client.properties.get('h-1'));
    assert.ok(performance.now() - startMs >= 120);
  });
});
