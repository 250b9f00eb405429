import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '../../storage/storage.ts';
import { type Hook, NO_BODY } from '../listener/exchange.ts';
import { buildListener, runHooks, withinDeadline } from '../listener/listener.ts';
import { presentFailure } from './present-problem.ts';
import { assertWellFormed, onlyAnswer, summaryOf } from '../../../test/kit/answer-checks.ts';
import {
  CATALOGUE,
  createQuoteStub,
  type Overrides,
  QUOTE_REQUEST,
  SETTINGS,
  startPartnerServer,
} from '../../../test/kit/http-fixtures.ts';
import { createWaitingBudget } from '../listener/waiting-budget.ts';
import { pino } from 'pino';
import { exchange, openConnection } from '../../../test/kit/raw-client.ts';
import { createRequestMeter, type RequestMeter } from '../observability/metrics/request-meter.ts';

const CODES = {
  operationNotFound: 'PARTNER_OPERATION_NOT_FOUND',
  unavailable: 'PARTNER_API_UNAVAILABLE',
} as const;

interface Misbehaved {
  readonly status: number;
  readonly says: string;
  readonly body: string;
  /** The failure as the log has it. */
  readonly reason: unknown;
}

interface Served {
  readonly port: number;
  readonly meter: RequestMeter;
  readonly lines: Record<string, unknown>[];
}

/** One listener with one route, while `use` runs. */
async function serving<T>(handler: Hook, use: (served: Served) => Promise<T>): Promise<T> {
  const meter = createRequestMeter();
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const listener = buildListener(
    {
      logger,
      meter,
      isKnownOrigin: () => false,
      codes: CODES,
      budget: createWaitingBudget(1_000_000),
      settings: SETTINGS,
    },
    (request, response) => runHooks([handler], { request, response, body: NO_BODY, presentFailure }),
  );
  const { port } = await listener.listen(0, '127.0.0.1');
  try {
    return await use({ port, meter, lines });
  } finally {
    await listener.close();
  }
}

/** The answer of a route that misbehaves: it must be a problem all the same, counted once. */
function answerOf(handler: Hook): Promise<Misbehaved> {
  return serving(handler, async ({ port, meter, lines }) => {
    const { answers, rest } = await exchange(port, ['GET / HTTP/1.1\r\nHost: x\r\n\r\n']);
    const answer = onlyAnswer(answers, handler.name);
    assertWellFormed(answer, handler.name);
    assert.equal(rest, '');
    assert.deepEqual(countsOf(meter), [[answer.status, 1]]);
    assert.equal(lines.length, 1);
    const reason = lines[0]?.['reason'];
    return { status: answer.status, says: summaryOf(answer), body: answer.body, reason };
  });
}

const MISBEHAVIOURS: Readonly<Record<string, Hook>> = {
  'throws an error with a message': () => {
    throw new Error('secret');
  },
  'throws null': () => {
    throw null;
  },
  'throws an object that claims to be a success': () => {
    throw Object.assign(new Error('secret'), { statusCode: 200 });
  },
  'throws what claims to be a client error': () => {
    throw Object.assign(new Error('secret'), { statusCode: 418, headers: { 'x-secret': 'secret' } });
  },
  rejects: async () => {
    throw new Error('secret');
  },
  'gives no answer': () => {},
  'gives no answer, late': async () => {},
  'writes its own answer': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.end('secret');
  },
  'writes its own answer in pieces': ({ response }) => {
    response.setHeader('X-Secret', 'secret');
    response.statusCode = 404;
    response.write('secret');
    response.end('secret');
  },
  'sends a header with a newline': ({ response }) => {
    const headers = ['Location', 'https://x/\r\nsecret: x'];
    response.answer({ status: 200, cacheControl: 'no-store', headers });
  },
  redirects: ({ response }) => {
    response.writeHead(302, { location: 'https://secret.example' }).end();
  },
};

describe('whatever a handler does', { concurrency: true }, () => {
  for (const [name, handler] of Object.entries(MISBEHAVIOURS)) {
    it(`the answer is a problem that tells nothing: it ${name}`, async () => {
      const { status, says, body } = await answerOf(handler);
      assert.equal(status, 500);
      assert.equal(says, 'INTERNAL_ERROR');
      assert.doesNotMatch(body, /secret/);
    });
  }

  const unavailable: Readonly<Record<string, Hook>> = {
    'with headers of its own': ({ response }) => void response.writeHead(503).end(),
    'by its status alone': ({ response }) => {
      response.statusCode = 503;
      response.end();
    },
    'in pieces': ({ response }) => {
      response.statusCode = 503;
      response.write('secret');
      response.end('secret');
    },
    'and ends it twice': ({ response }) => {
      response.statusCode = 503;
      response.end('secret');
      response.end('secret');
    },
  };
  for (const [name, handler] of Object.entries(unavailable)) {
    it(`a 503 of somebody else stays a 503, written ${name}`, async () => {
      const { status, says, body } = await answerOf(handler);
      assert.deepEqual({ status, says }, { status: 503, says: 'PARTNER_API_UNAVAILABLE' });
      assert.doesNotMatch(body, /secret/);
    });
  }

  it('the log says what was written, unless it knows a better reason', async () => {
    const { reason } = await answerOf(({ response }) => void response.writeHead(418).end());
    assert.equal(reason, 'response with status 418 bypassed GuardedResponse.answer');
    const known = await answerOf(({ response }) => {
      response.failureCause = { reason: 'the disk is full' };
      response.writeHead(503).end();
    });
    assert.equal(known.reason, 'the disk is full');
  });

  it('an answer that was given can not be written again', async () => {
    const codes: unknown[] = [];
    const handler: Hook = ({ response }) => {
      response.answer({ status: 200, cacheControl: 'no-store', body: 'first' });
      response.answer({ status: 200, cacheControl: 'no-store', body: 'second' });
      assert.throws(
        () => response.writeHead(500),
        ({ code }: NodeJS.ErrnoException) => codes.push(code) === 1,
      );
      response.write('third');
      response.end('fourth');
    };
    await serving(handler, async ({ port, meter }) => {
      const { answers, rest } = await exchange(port, ['GET / HTTP/1.1\r\nHost: x\r\n\r\n']);
      assert.deepEqual([answers.map(({ status, body }) => [status, body]), rest], [[[200, 'first']], '']);
      assert.deepEqual(countsOf(meter), [[200, 1]]);
    });
    assert.deepEqual(codes, ['ERR_HTTP_HEADERS_SENT']);
  });

  it('nothing is counted as answered when the client had gone', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const handler: Hook = async ({ response }) => {
      await once(response, 'close');
      response.answer({ status: 200, cacheControl: 'no-store', body: 'for nobody' });
      end();
    };
    await serving(handler, async ({ port, meter }) => {
      const socket = await openConnection(port);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      while (meter.connections.open === 0) await sleep(1);
      socket.destroy();
      await isOver;
      assert.deepEqual(countsOf(meter), undefined);
    });
  });

  it('it is handed over when the operating system has all of it', async () => {
    const handedOver: boolean[] = [];
    const handler: Hook = ({ request, response }) => {
      const body = request.url === '/small' ? 'x' : Buffer.alloc(20_000_000);
      response.answer({ status: 200, cacheControl: 'no-store', body });
      handedOver.push(response.isFlushed);
    };
    await serving(handler, async ({ port }) => {
      await exchange(port, ['GET /small HTTP/1.1\r\nHost: x\r\n\r\n']);
      const slow = await openConnection(port);
      slow.pause().write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
      while (handedOver.length < 2) await sleep(1);
      slow.destroy();
    });
    assert.deepEqual(handedOver, [true, false]);
  });
});

function countsOf(meter: RequestMeter): (readonly [number, number])[] | undefined {
  return meter.operations.get('none')?.answers.map(({ status, count }) => [status, count] as const);
}

describe('what is behind an operation', () => {
  async function ask(overrides: Overrides): Promise<{ status: number; code: string; headers: Headers }> {
    const server = await startPartnerServer(overrides);
    try {
      const response = await server.fetch('/v1/quotes', {
        method: 'POST',
        body: JSON.stringify(QUOTE_REQUEST),
        headers: { 'content-type': 'application/json' },
      });
      const { code } = (await response.json()) as { code: string };
      return { status: response.status, code, headers: response.headers };
    } finally {
      await server.close();
    }
  }

  it('may be unavailable: 503 with Retry-After and without limits', async () => {
    const createQuote = () => Promise.reject(new StorageUnavailable('disk full'));
    const { status, code, headers } = await ask({ createQuote });
    assert.deepEqual({ status, code }, { status: 503, code: 'PARTNER_API_UNAVAILABLE' });
    assert.equal(headers.get('retry-after'), '1');
    assert.equal(headers.has('x-ratelimit-limit'), false);
  });

  it('may have a bug: 500, and the limits are still told', async () => {
    const createQuote = () => Promise.reject(new TypeError('x is not a function'));
    const { status, code, headers } = await ask({ createQuote });
    assert.deepEqual({ status, code }, { status: 500, code: 'INTERNAL_ERROR' });
    assert.ok(headers.has('x-ratelimit-limit'));
  });

  it('may be a catalogue that throws: 500', async () => {
    const server = await startPartnerServer({
      readModel: {
        ...CATALOGUE,
        search: () => {
          throw new Error('bug');
        },
      },
    });
    assert.equal((await server.fetch('/v1/properties?city=Venezia')).status, 500);
    await server.close();
  });

  it('may never answer: unavailable after the deadline', async () => {
    await assert.rejects(withinDeadline(new Promise(() => {}), 20), StorageUnavailable);
    assert.equal(await withinDeadline(Promise.resolve(1), 20), 1);
  });

  it('is not asked while the service is not ready', async () => {
    const createQuote = () => assert.fail('was asked');
    const { status, code } = await ask({ createQuote, readiness: () => ({ reason: 'loading' }) });
    assert.deepEqual({ status, code }, { status: 503, code: 'PARTNER_API_UNAVAILABLE' });
    assert.equal((await ask({ createQuote: createQuoteStub })).status, 201);
  });
});

describe('the log', () => {
  const BUG = { ...CATALOGUE, findSummary: () => assert.fail('bug') };

  async function linesOf(level: string, overrides: Overrides): Promise<readonly Record<string, unknown>[]> {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level }, { write: (line) => void lines.push(JSON.parse(line)) });
    const server = await startPartnerServer({ ...overrides, logger });
    const response = await server.fetch('/v1/properties/hotel-ponte?locale=en-GB');
    await server.close();
    for (const line of lines) assert.equal(line['correlationId'], response.headers.get('x-correlation-id'));
    return lines;
  }

  it('has an unexpected error under the correlation id of its answer', async () => {
    const [line] = await linesOf('info', { readModel: BUG });
    assert.deepEqual(
      [line?.['msg'], line?.['status'], line?.['code'], line?.['operation']],
      ['request failed', 500, 'INTERNAL_ERROR', 'getPartnerProperty'],
    );
    assert.match(JSON.stringify(line?.['err']), /"message":"bug"/);
  });

  it('has a line per answer at level debug only, without query and credential', async () => {
    assert.deepEqual(await linesOf('info', {}), []);
    const lines = await linesOf('debug', {});
    assert.equal(lines.length, 1);
    assert.deepEqual([lines[0]?.['operation'], lines[0]?.['status']], ['getPartnerProperty', 200]);
    assert.doesNotMatch(JSON.stringify(lines), /sp_live_|en-GB/);
  });
});
