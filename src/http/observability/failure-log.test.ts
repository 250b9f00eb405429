import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { StorageUnavailable } from '../../storage/storage.ts';
import { createFailureLog, FAILURE_LINES_PER_SECOND_MAX, type FailedRequest } from './failure-log.ts';
import { CATALOGUE, QUOTE_REQUEST, startPartnerServer, TOKENS } from '../../../test/kit/http-fixtures.ts';

const FAILED: FailedRequest = {
  correlationId: 'c-1',
  operation: 'createPartnerQuote',
  method: 'POST',
  status: 503,
  code: 'PARTNER_API_UNAVAILABLE',
  durationMs: 1,
};

type Line = Readonly<Record<string, unknown>>;

function collectLines(level: string): { logger: Logger; lines: Line[] } {
  const lines: Line[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Line);
  return { lines, logger: pino({ level }, { write }) };
}

describe('The log of failed requests', () => {
  it('has a warning for what is away and an error for a bug', () => {
    const { logger, lines } = collectLines('info');
    const failures = createFailureLog(logger);
    failures.note({ ...FAILED, reason: 'away' });
    failures.note({ ...FAILED, status: 500, code: 'INTERNAL_ERROR', err: new Error('bug') });
    assert.deepEqual(
      lines.map(({ level, code, reason }) => [level, code, reason]),
      [
        [40, 'PARTNER_API_UNAVAILABLE', 'away'],
        [50, 'INTERNAL_ERROR', undefined],
      ],
    );
  });

  it('ends at a number of lines in a second, and tells how many it left out', async () => {
    assert.equal(FAILURE_LINES_PER_SECOND_MAX, 100);
    const { logger, lines } = collectLines('info');
    const failures = createFailureLog(logger);
    for (let count = 0; count < 5_000; count += 1) failures.note(FAILED);
    assert.equal(lines.length, FAILURE_LINES_PER_SECOND_MAX);
    await delay(1_100);
    assert.equal(lines.at(-1)?.['leftOutCount'], 5_000 - FAILURE_LINES_PER_SECOND_MAX);
    failures.note(FAILED);
    assert.equal(lines.length, FAILURE_LINES_PER_SECOND_MAX + 2);
  });
});

describe('The log of a listener', () => {
  /** A loopback address other than the server's, behind a trusted proxy. */
  const SOURCE = '127.0.0.77';
  const FORWARDED = '203.0.113.77';

  it('never has a token, an address, a query or a body, at any level', async () => {
    const { logger, lines } = collectLines('trace');
    const server = await startPartnerServer({
      logger,
      readModel: { ...CATALOGUE, search: () => assert.fail('bug') },
      createQuote: () => Promise.reject(new StorageUnavailable('the database is locked')),
      settings: { trustedProxies: ['127.0.0.0/8'], ingressLimit: 5 },
    });
    const json = { 'content-type': 'application/json' };
    const quote = JSON.stringify(QUOTE_REQUEST);
    const statuses = [
      await send(server.port, 'GET', '/v1/properties?city=Querysecret'),
      await send(server.port, 'POST', '/v1/quotes', { ...json }, quote),
      await send(server.port, 'POST', '/v1/quotes', { ...json }, `{"bodysecret": ${quote}`),
      await send(server.port, 'GET', '/v1/properties', { authorization: `Bearer ${TOKENS.revoked}` }),
      await send(server.port, 'GET', '/v1/properties/hotel-ponte?locale=Querysecret'),
      await send(server.port, 'GET', '/v1/properties/hotel-ponte?locale=Querysecret'),
    ];
    await server.close();
    assert.deepEqual(statuses, [500, 503, 400, 401, 400, 429]);

    const failed = lines.filter(({ msg }) => msg === 'request failed');
    assert.deepEqual(
      failed.map(({ status, code, operation, reason }) => [status, code, operation, reason]),
      [
        [500, 'INTERNAL_ERROR', 'listPartnerProperties', undefined],
        [503, 'PARTNER_API_UNAVAILABLE', 'createPartnerQuote', 'the database is locked'],
      ],
    );
    assert.ok(failed.every(({ correlationId }) => typeof correlationId === 'string'));
    const text = JSON.stringify(lines);
    const secrets = [TOKENS.full, TOKENS.revoked, SOURCE, FORWARDED, 'Querysecret', 'bodysecret', 'checkIn'];
    for (const secret of secrets) assert.equal(text.includes(secret), false, `${secret} in ${text}`);
  });

  async function send(
    port: number,
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<number | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const sent = request({
      port,
      host: '127.0.0.1',
      localAddress: SOURCE,
      method,
      path,
      headers: { authorization: `Bearer ${TOKENS.full}`, 'x-forwarded-for': FORWARDED, ...headers },
    });
    sent.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
    sent.on('error', reject).end(body);
    return promise;
  }
});
