/** Traces of a whole service, as a receiver gets them. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hotel } from './kit/catalogue-lines.ts';
import { type Running, type Served, startInstallation } from './kit/installation.ts';
import { quoteBody } from './kit/partner-client.ts';
import { attributeOf, type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './kit/otlp-receiver.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';
const KIND_SERVER = 2;
const STATUS_ERROR = 2;

describe('Traces', () => {
  let receiver: OtlpReceiver;
  let running: Running;
  let traced: Served;
  let token: string;
  let operatorToken: string;
  const correlationIds = new Map<string, string>();

  before(async () => {
    receiver = await startOtlpReceiver();
    running = await startInstallation([hotel('ponte')]);
    const { installation } = running;
    ({ token } = await installation.issue());
    operatorToken = await installation.issueOperatorToken();
    traced = await installation.serve({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    await makeRequests();
    // Ends with the delivery of what was held back.
    await traced.close();
  });
  after(async () => {
    await running.installation.close();
    await receiver.close();
  });

  async function ask(name: string, url: string, init: RequestInit): Promise<Response> {
    const response = await fetch(url, init);
    correlationIds.set(name, response.headers.get('x-correlation-id') ?? '');
    return response;
  }

  async function makeRequests(): Promise<void> {
    const { partnerUrl, operatorUrl } = traced;
    const authorization = `Bearer ${token}`;
    const json = { 'content-type': 'application/json' };
    await ask('search', `${partnerUrl}/v1/properties?city=Venezia`, { headers: { authorization } });
    await ask('other', `${partnerUrl}/v1/properties/ponte`, {
      headers: { authorization, traceparent: `00-${TRACE_ID}-${PARENT_ID}-01-more` },
    });
    await ask('unasked', `${partnerUrl}/v1/properties/ponte`, {
      headers: { authorization, traceparent: `00-${'a'.repeat(32)}-${PARENT_ID}-00` },
    });
    const quoted = await ask('quote', `${partnerUrl}/v1/quotes`, {
      method: 'POST',
      headers: { authorization, ...json, traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` },
      body: JSON.stringify(quoteBody('ponte', '2026-12-01', '2026-12-03')),
    });
    const { handoffUrl } = (await quoted.json()) as { handoffUrl: string };
    await ask('handoff', `${operatorUrl}/handoff/resolve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, ...json },
      body: JSON.stringify({ handoff: new URL(handoffUrl).searchParams.get('handoff') }),
    });
  }

  function spanOf(name: string): ReceivedSpan {
    const id = correlationIds.get(name);
    const found = receiver.spans.filter((span) => attributeOf(span, 'stayport.correlation_id') === id);
    assert.equal(found.length, 1, `${name}: one span for ${id}`);
    return found[0]!;
  }

  const childrenOf = ({ spanId }: ReceivedSpan): ReceivedSpan[] =>
    receiver.spans.filter(({ parentSpanId }) => parentSpanId === spanId);

  it('have a span for each request, with operation, status and correlation id', () => {
    const span = spanOf('search');
    assert.deepEqual([span.name, span.kind], ['listPartnerProperties', KIND_SERVER]);
    assert.equal(attributeOf(span, 'http.response.status_code'), 200);
    assert.equal(attributeOf(span, 'stayport.code'), 'OK');
    assert.equal(attributeOf(span, 'http.request.method'), 'GET');
    assert.ok((span.parentSpanId ?? '') === '');
    assert.notEqual(span.status?.code, STATUS_ERROR);
  });

  it('go on with the trace of the caller, and show the storage calls of a quote', () => {
    const span = spanOf('quote');
    assert.deepEqual(
      [span.name, span.traceId, span.parentSpanId],
      ['createPartnerQuote', TRACE_ID, PARENT_ID],
    );
    assert.equal(attributeOf(span, 'http.response.status_code'), 201);
    const children = childrenOf(span);
    assert.deepEqual(children.map(({ name }) => name).sort(), [
      'storage.findProperty',
      'storage.insertQuote',
    ]);
    assert.ok(children.every(({ traceId }) => traceId === TRACE_ID));
  });

  it('show the resolution of a handoff, and its storage calls below it', () => {
    const [resolution, ...others] = childrenOf(spanOf('handoff'));
    assert.deepEqual([resolution?.name, others], ['resolveHandoff', []]);
    const calls = childrenOf(resolution!).map(({ name }) => name);
    assert.deepEqual(calls.sort(), ['storage.findProperty', 'storage.findQuote']);
  });

  it('begin a new trace when traceparent cannot be read, and follow a caller that does not trace', () => {
    assert.notEqual(spanOf('other').traceId, TRACE_ID);
    const unasked = correlationIds.get('unasked');
    assert.ok(receiver.spans.every((span) => attributeOf(span, 'stayport.correlation_id') !== unasked));
  });

  it('say nothing of who asked for what', () => {
    const text = receiver.bodies.join('\n');
    for (const secret of [
      token,
      operatorToken,
      'Venezia',
      '127.0.0.1',
      '2026-12-01',
      '"ponte"',
      'handoff=',
    ]) {
      assert.equal(text.includes(secret), false, secret);
    }
  });
});

describe('A receiver of traces that is away', () => {
  it('costs nothing but the traces', async () => {
    const receiver = await startOtlpReceiver();
    await receiver.close();
    const { installation, service } = await startInstallation([hotel('ponte')], {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    });
    assert.equal((await fetch(`${service.partnerUrl}/v1/properties?city=Venezia`)).status, 401);
    const startedMs = performance.now();
    await service.close();
    assert.ok(performance.now() - startedMs < 5_000);
    await installation.close();
  });
});

describe('Without a receiver', () => {
  it('none of the packages for traces is loaded', () => {
    const source = join(import.meta.dirname, '..', 'src');
    const texts = globSync('**/*.ts', { cwd: source }).map((path) => ({
      path: path.replaceAll('\\', '/'),
      text: readFileSync(join(source, path), 'utf8'),
    }));
    const users = texts.filter(({ text }) => text.includes("'@opentelemetry/")).map(({ path }) => path);
    assert.deepEqual(users, ['http/observability/otlp-tracing.ts']);
    const loaders = texts.filter(({ text }) => /from '[^']*otlp-tracing\.ts'/.test(text));
    assert.deepEqual(
      loaders.map(({ path }) => path),
      [],
    );
  });
});
