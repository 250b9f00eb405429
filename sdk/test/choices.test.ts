/** What a caller can choose and see: options of a call, hooks, headers; and arguments that can't work. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MS_MAX, RETRIES_MAX } from '../src/call-options.ts';
import {
  type CallOptions,
  ConnectionError,
  type ReceivedResponse,
  type SentRequest,
  Stayport,
  type StayportOptions,
  UsageError,
} from '../src/index.ts';
import { VERSION } from '../src/transport.ts';
import { failureOf } from './failure-of.ts';
import { type OddServer, startOddServer } from './odd-server.ts';

const PROPERTY = { headers: { 'X-Trace': 't-1' }, body: '{"propertyId":"h-1"}' };
const AWAY = { status: 503, body: 'away' };
const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-04', guests: 2 };

let server: OddServer;
let options: StayportOptions;
let client: Stayport;
before(async () => {
  server = await startOddServer();
  options = { baseUrl: server.url, token: 'secret-token' };
  client = new Stayport(options);
});
after(() => server.close());

describe('A request', () => {
  it('names this package and its version', async () => {
    server.plan(PROPERTY);
    await client.properties.get('h-1');
    assert.equal(server.seen[0]?.['user-agent'], `stayport-partner/${VERSION}`);
  });

  it('has the headers of its call', async () => {
    server.plan(PROPERTY);
    await client.properties.get('h-1', { headers: { 'User-Agent': 'shop/2', traceparent: 'tp' } });
    const { traceparent, authorization, 'user-agent': agent } = server.seen[0]!;
    assert.deepEqual([agent, traceparent, authorization], ['shop/2', 'tp', 'Bearer secret-token']);
  });

  it('calls the given fetch as a function of its own, as Cloudflare Workers want it', async () => {
    server.plan(PROPERTY);
    const strict = async function (this: unknown, url: string, init: RequestInit): Promise<Response> {
      if (this !== undefined) throw new TypeError('Illegal invocation');
      if (!['follow', 'manual'].includes(init.redirect ?? '')) throw new TypeError('Invalid redirect value');
      return fetch(url, init);
    };
    const worker = new Stayport({ ...options, fetch: strict as typeof fetch });
    assert.equal((await worker.properties.get('h-1')).data.propertyId, 'h-1');
  });
});

describe('A result', () => {
  it('has status and headers of the answer', async () => {
    server.plan(PROPERTY);
    const { status, headers } = await client.properties.get('h-1');
    assert.deepEqual([status, headers.get('x-trace')], [200, 't-1']);
  });
});

describe('Hooks', () => {
  it('are called before and after each try, without the token', async () => {
    server.plan(AWAY, PROPERTY);
    const sent: SentRequest[] = [];
    const received: ReceivedResponse[] = [];
    const hooked = new Stayport({
      ...options,
      onRequest: (request) => {
        sent.push(request);
        request.headers.set('traceparent', `try-${request.attempt}`);
        request.headers.set('Authorization', 'Bearer of-a-hook');
      },
      onResponse: (response) => received.push(response),
    });
    await hooked.properties.get('h-1');
    assert.deepEqual(
      sent.map(({ method, url, attempt }) => [method, url, attempt]),
      [0, 1].map((attempt) => ['GET', `${server.url}/v1/properties/h-1`, attempt]),
    );
    assert.ok(!JSON.stringify(sent.map(({ headers }) => [...headers])).includes('secret-token'));
    assert.deepEqual(
      server.seen.map(({ traceparent, authorization }) => [traceparent, authorization]),
      [0, 1].map((attempt) => [`try-${attempt}`, 'Bearer secret-token']),
    );
    assert.deepEqual(
      received.map(({ attempt, status, error }) => [attempt, status, error?.code]),
      [
        [0, 503, 'INVALID_RESPONSE'],
        [1, 200, undefined],
      ],
    );
    assert.equal(received[1]?.headers?.get('x-trace'), 't-1');
    assert.ok(received.every(({ durationMs }) => durationMs >= 0 && durationMs < 10_000));
  });

  it('are told of a request without an answer', async () => {
    const received: ReceivedResponse[] = [];
    const onResponse = (response: ReceivedResponse): unknown => received.push(response);
    const lost = new Stayport({ ...options, baseUrl: 'http://127.0.0.1:9', maxRetries: 0, onResponse });
    await failureOf(lost.properties.get('h-1'));
    assert.deepEqual([received[0]?.status, received[0]?.error?.code], [undefined, 'CONNECTION_FAILED']);
  });

  it('change nothing when they fail', async () => {
    server.plan(PROPERTY);
    const fail = (): never => {
      throw new Error('of a hook');
    };
    const reject = (): unknown => Promise.reject(new Error('of a hook'));
    for (const hook of [fail, reject] as (() => void)[]) {
      const hooked = new Stayport({ ...options, onRequest: hook, onResponse: hook });
      assert.equal((await hooked.properties.get('h-1')).status, 200);
    }
  });
});

describe('A call', () => {
  const silent = { body: () => {} };

  it('chooses its own timeout and retries', async () => {
    server.plan(silent);
    const startMs = performance.now();
    const error = await failureOf(client.properties.get('h-1', { timeout: 1_000, maxRetries: 0 }));
    assert.equal(error.code, 'TIMEOUT');
    assert.ok(performance.now() - startMs < 9_000, 'the client would wait for 10 s');
    assert.equal(server.seen.length, 1);
    server.plan(AWAY, AWAY, AWAY, AWAY, PROPERTY);
    await client.properties.get('h-1', { maxRetries: 4 });
    assert.equal(server.seen.length, 5);
  });

  for (const place of ['the call', 'the client'] as const) {
    it(`a call: the deadline of ${place} bounds all of its tries together`, async () => {
      server.plan(silent);
      const limits = { timeout: 200, maxRetries: 100 };
      const made = new Stayport({
        ...options,
        ...limits,
        ...(place === 'the client' ? { deadline: 700 } : {}),
      });
      const startMs = performance.now();
      const error = await failureOf(
        made.properties.get('h-1', place === 'the call' ? { deadline: 700 } : {}),
      );
      assert.equal(error.code, 'TIMEOUT');
      assert.ok(performance.now() - startMs < 10_000, 'a hundred retries would take 20 s');
      assert.ok(server.seen.length > 1);
    });
  }

  it('does not begin a wait that would end after its deadline: it fails with what it has met', async () => {
    server.plan({ status: 429, headers: { 'Retry-After': '30' }, body: 'slow down' });
    const startMs = performance.now();
    const error = await failureOf(client.properties.get('h-1', { deadline: 5_000 }));
    assert.ok(error instanceof ConnectionError && error.status === 429 && error.retryAfterMs === 30_000);
    assert.ok(performance.now() - startMs < 4_000, 'nothing was waited for');
  });
});

describe('Numbers', () => {
  const bounds = { timeout: [1, MS_MAX], deadline: [1, MS_MAX], maxRetries: [0, RETRIES_MAX] } as const;
  for (const [name, [min, max]] of Object.entries(bounds)) {
    it(`${name}: from ${min} to ${max}, of the client and of a call`, async () => {
      server.plan(PROPERTY);
      for (const value of [min, max]) {
        assert.ok(new Stayport({ ...options, [name]: value }));
        if (name === 'maxRetries' || value === max) await client.properties.get('h-1', { [name]: value });
      }
      for (const value of [min - 1, max + 1, -1, NaN, Infinity, '5', null]) {
        const isWrong = (error: unknown): boolean => error instanceof UsageError && error.field === name;
        assert.throws(() => new Stayport({ ...options, [name]: value } as StayportOptions), isWrong);
        assert.ok(isWrong(await failureOf(client.properties.get('h-1', { [name]: value } as CallOptions))));
      }
    });
  }
});

describe('Odd arguments', () => {
  const cyclic: Record<string, unknown> = { propertyId: 'h-1', stay: STAY, locale: 'en-GB' };
  cyclic['self'] = cyclic;
  const odd: Record<string, [field: string, call: () => Promise<unknown>]> = {
    'no parameters': ['parameters', () => client.properties.search(undefined as never)],
    'no parameters of each': ['parameters', () => client.properties.each(undefined as never).next()],
    'no parameters of availability': ['parameters', () => client.properties.availability('h', null as never)],
    'a city that is a number': ['city', () => client.properties.search({ city: 5 as never })],
    'half a character in a city': ['city', () => client.properties.search({ city: 'a\ud800' })],
    'half a character in an id': ['propertyId', () => client.properties.get('\udc00')],
    'an object as guests': [
      'guests',
      () => client.properties.search({ city: 'x', guests: Object.create(null) as never }),
    ],
    'null as locale': ['locale', () => client.properties.get('h', { locale: null as never })],
    'no request': ['request', () => client.quotes.create(undefined as never)],
    'a request without a stay': ['stay', () => client.quotes.create({ propertyId: 'h' } as never)],
    'a cyclic request': ['request', () => client.quotes.create(cyclic as never)],
    'a request with a bigint': [
      'request',
      () =>
        client.quotes.create({ propertyId: 'h', stay: { ...STAY, guests: 2n as never }, locale: 'it-IT' }),
    ],
    'null as options': ['options', () => client.properties.get('h', null as never)],
    'a signal that is none': ['signal', () => client.properties.get('h', { signal: {} as never })],
    'a line break in a header': ['headers', () => client.properties.get('h', { headers: { a: 'b\nc' } })],
    'another Authorization': [
      'headers',
      () => client.properties.get('h', { headers: { authorization: 'Bearer y' } }),
    ],
  };
  for (const [what, [field, call]] of Object.entries(odd)) {
    it(`are named: ${what}`, async () => {
      server.plan(PROPERTY);
      const error = await failureOf(call());
      assert.ok(error instanceof UsageError && error.field === field, `${error.name}: ${error.message}`);
      assert.equal(server.seen.length, 0);
    });
  }

  it('of the constructor are named too', () => {
    const wrong: Record<string, unknown> = {
      fetch: 'fetch',
      onRequest: {},
      onResponse: 1,
      baseUrl: 7,
      token: {},
    };
    for (const [field, value] of Object.entries(wrong)) {
      assert.throws(() => new Stayport({ ...options, [field]: value }), { name: 'UsageError', field });
    }
    for (const baseUrl of ['https://a:b@c.example', 'https://c.example?a=b', 'https://c.example/#x']) {
      assert.throws(() => new Stayport({ ...options, baseUrl }), { name: 'UsageError', field: 'baseUrl' });
    }
    assert.throws(() => new Stayport(undefined as never), { name: 'UsageError', field: 'options' });
  });
});
