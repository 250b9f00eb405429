/** /livez, /readyz and /metrics. */
import { Registry } from 'prom-client';
import type { Handler } from '../listener/app.ts';
import { JSON_TYPE } from '../answers/media-types.ts';
import { presentUnavailable } from '../answers/present-problem.ts';
import type { Readiness } from '../../runtime/readiness.ts';

/** 200 as long as the process answers at all. */
export const livezHandler: Handler = (_request, reply) => {
  reply.raw.answer({
    status: 200,
    mediaType: JSON_TYPE,
    cacheControl: 'no-store',
    body: '{"status":"alive"}',
  });
};

/** 200 when partners are served; else 503 with the reason, so that a load balancer sends them elsewhere. */
export function readyzHandler(
  readiness: () => Readiness | Promise<Readiness>,
  isClosing: () => boolean,
): Handler {
  return async (_request, reply) => {
    const state: Readiness = isClosing() ? { reason: 'The service is being stopped.' } : await readiness();
    if (state !== 'ready') return presentUnavailable(reply.raw, state.reason, state.reason);
    reply.raw.answer({
      status: 200,
      mediaType: JSON_TYPE,
      cacheControl: 'no-store',
      body: '{"status":"ready"}',
    });
  };
}

/** `metrics` makes the text in the format of Prometheus. */
export function metricsHandler(metrics: () => Promise<string>): Handler {
  return async (_request, reply) => {
    const body = await metrics();
    const mediaType = Registry.PROMETHEUS_CONTENT_TYPE;
    reply.raw.answer({ status: 200, mediaType, cacheControl: 'no-store', body });
  };
}
