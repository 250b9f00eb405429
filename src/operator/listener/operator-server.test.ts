import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { buildAccessDirectory } from '../../access/access-directory.ts';
import { assertWellFormed, onlyAnswer, summaryOf } from '../../../test/kit/answer-checks.ts';
import {
  accessRows,
  metricSources,
  NOW_MS,
  OPERATOR_SETTINGS,
  SETTINGS,
  startPartnerServer,
  TOKENS,
  ACTS_STUB,
  SUPPLY_STUB,
} from '../../../test/kit/http-fixtures.ts';
import type { ListeningServer } from '../../http/listener/listener.ts';
import { createWaitingBudget } from '../../http/listener/waiting-budget.ts';
import { buildMetrics } from '../../http/observability/metrics/metrics.ts';
import { buildOperatorServer } from './operator-server.ts';
import { exchange, type RawAnswer } from '../../../test/kit/raw-client.ts';
import type { Readiness } from '../../runtime/readiness.ts';
import { createRequestMeter } from '../../http/observability/metrics/request-meter.ts';

const RESOLVED = { outcome: 'unchanged', quoteId: 'qt_1' };
const AUTH = `Authorization: Bearer ${TOKENS.operator}\r\n`;

describe('the operator listener', () => {
  let server: ListeningServer;
  let port: number;
  let readiness: Readiness = 'ready';
  const meter = createRequestMeter();

  before(async () => {
    const directory = buildAccessDirectory(accessRows());
    server = buildOperatorServer({
      clock: () => NOW_MS,
      access: () => directory,
      resolveHandoff: async (value) =>
        value === 'ours' ? (RESOLVED as never) : { refusal: 'HANDOFF_INVALID' },
      conversions: { recordConversion: () => assert.fail('not asked') },
      supply: SUPPLY_STUB,
      acts: ACTS_STUB,
      pages: { has: () => false, answer: () => assert.fail('not asked') },
      readiness: () => readiness,
      metrics: () => buildMetrics(metricSources({ meter })).metrics(),
      logger: pino({ level: 'silent' }),
      meter: createRequestMeter(),
      budget: createWaitingBudget(1_000_000),
      settings: OPERATOR_SETTINGS,
    });
    ({ port } = await server.listen(0, '127.0.0.1'));
  });
  after(() => server.close());

  async function ask(request: string, isHead = false): Promise<RawAnswer> {
    const { answers } = await exchange(port, [request], { isHead });
    const answer = onlyAnswer(answers, request);
    assertWellFormed(answer, request, isHead);
    return answer;
  }

  const get = (path: string): Promise<RawAnswer> => ask(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);

  function resolve(body: string, auth = AUTH): Promise<RawAnswer> {
    return ask(
      `POST /handoff/resolve HTTP/1.1\r\nHost: x\r\n${auth}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
  }

  it('says that the process is alive', async () => {
    assert.equal((await get('/livez')).status, 200);
    assert.equal((await ask('HEAD /livez HTTP/1.1\r\nHost: x\r\n\r\n', true)).status, 200);
  });

  it('is ready when partners are served, else says why not', async () => {
    assert.equal((await get('/readyz')).body, '{"status":"ready"}');
    readiness = { reason: 'The catalogue is being loaded.' };
    const answer = await get('/readyz');
    assert.equal(answer.status, 503);
    assert.match(answer.body, /The catalogue is being loaded\./);
    readiness = 'ready';
  });

  it('shows the answers of the partner listener as metrics', async () => {
    meter.count('listPartnerProperties', 200, 'OK', 0.7);
    meter.count('listPartnerProperties', 200, 'OK', 3);
    meter.count('listPartnerProperties', 429, 'RATE_LIMIT_EXCEEDED', 10_000);
    const { body, headers } = await get('/metrics');
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    for (const line of [
      'stayport_requests_total{operation="listPartnerProperties",status="200",code="OK"} 2',
      'stayport_requests_total{operation="listPartnerProperties",status="429",code="RATE_LIMIT_EXCEEDED"} 1',
      'stayport_request_duration_seconds_bucket{operation="listPartnerProperties",le="0.0005"} 0',
      'stayport_request_duration_seconds_bucket{operation="listPartnerProperties",le="0.001"} 1',
      'stayport_request_duration_seconds_bucket{operation="listPartnerProperties",le="+Inf"} 3',
      'stayport_request_duration_seconds_count{operation="listPartnerProperties"} 3',
    ]) {
      assert.ok(body.includes(line), line);
    }
    assert.match(body, /process_cpu_user_seconds_total/);
  });

  it('resolves a handoff value for an operator', async () => {
    const answer = await resolve('{"handoff":"ours"}');
    assert.equal(answer.status, 200);
    assert.deepEqual(JSON.parse(answer.body), RESOLVED);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });

  it('refuses a handoff value that is not ours', async () => {
    assert.equal(summaryOf(await resolve('{"handoff":"other"}')), 'HANDOFF_INVALID');
  });

  it('refuses bodies that are not request', async () => {
    assert.equal(summaryOf(await resolve('{')), 'INVALID_JSON');
    assert.equal(summaryOf(await resolve('{"handoff":"ours","handoff":"ours"}')), 'INVALID_JSON');
    assert.equal(summaryOf(await resolve('[]')), 'VALIDATION_ERROR body=TYPE_INVALID');
    assert.equal(summaryOf(await resolve('{}')), 'VALIDATION_ERROR handoff=REQUIRED');
    assert.equal(
      summaryOf(await resolve('{"handoff":1,"x":2}')),
      'VALIDATION_ERROR handoff=TYPE_INVALID x=UNKNOWN_FIELD',
    );
    assert.equal(summaryOf(await resolve('x'.repeat(SETTINGS.bodyLimitBytes + 1))), 'PAYLOAD_TOO_LARGE');
  });

  it('takes operator tokens only', async () => {
    const missing = await resolve('{"handoff":"ours"}', '');
    assert.deepEqual([missing.status, summaryOf(missing)], [401, 'OPERATOR_AUTH_REQUIRED']);
    assert.equal(missing.headers.get('www-authenticate'), 'Bearer realm="operator"');
    const partner = await resolve('{"handoff":"ours"}', `Authorization: Bearer ${TOKENS.full}\r\n`);
    assert.deepEqual([partner.status, summaryOf(partner)], [401, 'OPERATOR_TOKEN_INVALID']);
  });

  it('takes them with the right scope, until they expire or are revoked', async () => {
    const outcomeOf = async (token: string): Promise<string> =>
      summaryOf(await resolve('{"handoff":"other"}', `Authorization: Bearer ${token}\r\n`));
    assert.equal(await outcomeOf(TOKENS.operator), 'HANDOFF_INVALID');
    assert.equal(await outcomeOf(TOKENS.operatorSupplyOnly), 'OPERATOR_SCOPE_INSUFFICIENT');
    assert.equal(await outcomeOf(TOKENS.operatorExpired), 'OPERATOR_TOKEN_INVALID');
    assert.equal(await outcomeOf(TOKENS.operatorRevoked), 'OPERATOR_TOKEN_INVALID');
    const refused = await resolve('{}', `Authorization: Bearer ${TOKENS.operatorSupplyOnly}\r\n`);
    assert.equal(refused.status, 403);
    assert.equal(
      refused.headers.get('www-authenticate'),
      'Bearer realm="operator", error="insufficient_scope", scope="handoff:resolve"',
    );
  });

  it('the operator listener answers broken requests as the partner listener does', async () => {
    assert.equal((await get('/nope')).status, 404);
    assert.equal((await get('/v1/properties?city=x')).status, 404);
    const wrongMethod = await get('/handoff/resolve');
    assert.deepEqual([wrongMethod.status, wrongMethod.headers.get('allow')], [405, 'POST']);
    assert.equal((await ask('nonsense\r\n\r\n')).status, 400);
  });
});

describe('the partner listener', () => {
  it('has nothing of the operator listener', async () => {
    const server = await startPartnerServer();
    for (const path of ['/livez', '/readyz', '/metrics', '/handoff/resolve', '/handoff']) {
      for (const method of ['GET', 'POST']) {
        const headers = { authorization: `Bearer ${TOKENS.operator}` };
        assert.equal((await server.fetch(path, { method, headers })).status, 404, `${method} ${path}`);
      }
    }
    await server.close();
  });
});
