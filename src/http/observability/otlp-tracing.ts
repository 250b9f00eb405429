/**
 * Traces by OpenTelemetry, sent by OTLP over HTTP. Loaded only with an endpoint: its packages take time to start and
 * memory.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Tracing } from './tracing.ts';
import { shortLivedAgent } from '../../runtime/outbound/exchange.ts';
import { inTime } from '../../runtime/time-limit.ts';

/** A missing collector delays the end of the service no longer. */
const CLOSE_MS_MAX = 2_000;
/** One delivery of spans with its connection, whatever the collector answers. */
const EXPORT_MS_MAX = 10_000;
/** Spans waiting to be sent; further ones are dropped. */
const QUEUED_SPANS_MAX = 8_192;
type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];
/** `ExportResultCode.FAILED` of a package that is not ours to import. */
const FAILED = 1;
/** The first status of a failure on our side. */
const SERVER_ERROR_STATUS = 500;

export interface OtlpTracingOptions {
  /** Base URL of the receiver, without a slash at its end: spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  readonly logger: TracingLogger;
}

export interface TracingLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export function openOtlpTracing({ endpoint, logger }: OtlpTracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    httpAgentOptions: (protocol) => shortLivedAgent(protocol, EXPORT_MS_MAX),
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'stayport' }),
    // A caller with a trace of its own has decided; otherwise everything is traced, and the collector may choose.
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: loggingOutages(exporter, logger),
        maxQueueSize: QUEUED_SPANS_MAX,
      }),
    ],
  });
  const tracer = provider.getTracer('stayport');
  const current = new AsyncLocalStorage<Context>();

  return {
    startRequest(traceparent) {
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, readTraceparent(traceparent));
      const context = trace.setSpan(ROOT_CONTEXT, span);
      return {
        run: (work) => current.run(context, work),
        end({ correlationId, operation, method, status, code }) {
          span.updateName(operation);
          span.setAttributes({
            'http.request.method': method ?? '',
            'http.response.status_code': status,
            'stayport.operation': operation,
            'stayport.code': code,
            'stayport.correlation_id': correlationId,
          });
          if (status >= SERVER_ERROR_STATUS) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    span(name, work) {
      const parent = current.getStore() ?? ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL }, parent);
      return current.run(trace.setSpan(parent, span), () => endWith(span, work()));
    },
    async close() {
      const closing = provider.shutdown().catch(() => undefined);
      await inTime(closing, CLOSE_MS_MAX, () => undefined);
    },
  };
}

/** Records no message: an error's text may quote the request. */
async function endWith<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    if (error instanceof Error) span.setAttribute('error.type', error.name);
    throw error;
  } finally {
    span.end();
  }
}

/** Version 00 ends after these four fields; later versions may go on (W3C Trace Context 3.2). */
const TRACEPARENT = /^(?!ff)(?!00-.{53})[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/;

function readTraceparent(traceparent: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = '0'] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(spanContext) ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT;
}

/** The exporter, with one log line when the receiver is lost and one when it is back. */
function loggingOutages(exporter: SpanExporter, logger: TracingLogger): SpanExporter {
  let isAway = false;
  return {
    export(spans, done) {
      let isSettled = false;
      const settle = (result: ExportResult): void => {
        if (isSettled) return;
        isSettled = true;
        const isLost = result.error !== undefined;
        if (isLost && !isAway) logger.warn({ reason: result.error?.message }, 'traces are not delivered');
        if (!isLost && isAway) logger.info({}, 'traces are delivered again');
        isAway = isLost;
        done(result);
      };
      exporter.export(spans, settle);
      // An answer of 101 settles nothing.
      const error = new Error('the collector did not answer in time');
      setTimeout(() => settle({ code: FAILED, error }), EXPORT_MS_MAX).unref();
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
