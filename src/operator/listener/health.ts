/** /livez, /readyz and /metrics. */
import { Registry } from 'prom-client';
import type { Readiness } from '../../runtime/readiness.ts';
import { JSON_TYPE } from '../../http/answers/answer-headers.ts';
import { presentUnavailable } from '../../http/answers/present-problem.ts';
import type { Hook } from '../../http/listener/exchange.ts';

/** 200 as long as the process answers at all. */
export const livenessHandler: Hook = ({ response }) => {
  response.answer({
    status: 200,
    mediaType: JSON_TYPE,
    cacheControl: 'no-store',
    body: '{"status":"alive"}',
  });
};

/** 200 when partners are served; else 503 with the reason, so that a load balancer sends them elsewhere. */
export function readinessHandler(
  readiness: () => Readiness | Promise<Readiness>,
  isClosing: () => boolean,
): Hook {
  return async ({ response }) => {
    const state: Readiness = isClosing() ? { reason: 'The service is being stopped.' } : await readiness();
    if (state !== 'ready') return presentUnavailable(response, state.reason, state.reason);
    response.answer({
      status: 200,
      mediaType: JSON_TYPE,
      cacheControl: 'no-store',
      body: '{"status":"ready"}',
    });
  };
}

/** `metrics` makes the text in the format of Prometheus. */
export function metricsHandler(metrics: () => Promise<string>): Hook {
  return async ({ response }) => {
    const body = await metrics();
    const mediaType = Registry.PROMETHEUS_CONTENT_TYPE;
    response.answer({ status: 200, mediaType, cacheControl: 'no-store', body });
  };
}
