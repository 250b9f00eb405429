/**
 * The operator listener: health, metrics and handoff resolution. Binds to loopback unless told otherwise; nothing of it
 * can be reached through the partner listener. Its errors are problems too.
 */
import type { Logger } from 'pino';
import type { HandoffResolution } from '../../quotes/resolve-handoff.ts';
import type { Tracing } from '../../observability/tracing/tracing.ts';
import type { AccessDirectory } from '../../access/access-directory.ts';
import type { App, Handler } from '../listener/app.ts';
import { bodyParser } from '../partner/body-parsing.ts';
import { closingHook } from '../hooks/closing-hook.ts';
import { buildListener, type ListenerSettings, type ListeningServer } from '../listener/listener.ts';
import { mediaTypeHook } from '../hooks/media-type-hook.ts';
import { operationKnownHook } from '../hooks/operation-known-hook.ts';
import { operatorHook } from './operator-hook.ts';
import { livezHandler, metricsHandler, readyzHandler } from './health.ts';
import { resolveHandoffHandler } from './resolve-handoff.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Readiness } from '../../runtime/readiness.ts';
import { createRequestMeter } from '../../observability/metrics/request-meter.ts';

export interface OperatorServerSettings extends ListenerSettings {
  readonly bodyLimitBytes: number;
}

export interface OperatorServerDeps {
  readonly clock: Clock;
  /** The directory in force now. */
  readonly access: () => AccessDirectory;
  readonly resolveHandoff: (value: string) => Promise<HandoffResolution>;
  /** Of the whole machine, when several processes serve it. */
  readonly readiness: () => Readiness | Promise<Readiness>;
  /** What /metrics shows, of the whole machine as well. */
  readonly metrics: () => Promise<string>;
  readonly logger: Logger;
  readonly tracing?: Tracing | undefined;
  readonly settings: OperatorServerSettings;
}

const METHODS_BY_PATH: Readonly<Record<string, readonly string[]>> = {
  '/livez': ['GET', 'HEAD'],
  '/readyz': ['GET', 'HEAD'],
  '/metrics': ['GET', 'HEAD'],
  '/handoff/resolve': ['POST'],
};

/** The operator listener, not yet listening. */
export function buildOperatorServer(deps: OperatorServerDeps): ListeningServer {
  // Its own requests are not counted: a scrape every few seconds would say nothing about partners.
  const listener = buildListener({ ...deps, meter: createRequestMeter(), isKnownOrigin: () => false });
  const { app } = listener;

  getOrHead(app, '/livez', livezHandler);
  getOrHead(app, '/readyz', readyzHandler(deps.readiness, listener.isClosing));
  getOrHead(app, '/metrics', metricsHandler(deps.metrics));
  app.addHook(
    'onRequest',
    operationKnownHook((path) => METHODS_BY_PATH[path] ?? []),
  );
  app.register((scope, _options, done) => {
    const operator = scope as unknown as App;
    operator.addHook('onRequest', closingHook(listener.isClosing));
    operator.addHook('onRequest', operatorHook(deps.access, 'handoff:resolve', deps.clock));
    operator.addHook('onRequest', mediaTypeHook);
    operator.removeAllContentTypeParsers();
    operator.addContentTypeParser('*', bodyParser(deps.settings.bodyLimitBytes));
    operator.post('/handoff/resolve', resolveHandoffHandler(deps.resolveHandoff));
    done();
  });
  return listener;
}

function getOrHead(app: App, url: string, handler: Handler): void {
  app.route({ method: ['GET', 'HEAD'], url, handler });
}
