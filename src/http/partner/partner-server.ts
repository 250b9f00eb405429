/**
 * The partner listener, wired: what happens to a request, in order, is `buildPartnerServer` read from top to bottom.
 * Production and every test build it here.
 */
import type { Logger } from 'pino';
import type { ReadModel } from '../../catalogue/bodies/read-model.ts';
import type { Clock } from '../../runtime/clock.ts';
import * as operation from '../../contract/partner/operations.ts';
import type { RequestLimits } from '../../limits/request-limits.ts';
import type { Tracing } from '../../observability/tracing/tracing.ts';
import type { AccessDirectory } from '../../access/access-directory.ts';
import { buildPages } from '../../web/docs/pages.ts';
import type { App, Handler, Hook } from '../listener/app.ts';
import { authenticateHook, rememberingAuthenticator } from '../hooks/authenticate-hook.ts';
import { bodyParser } from './body-parsing.ts';
import { closingHook } from '../hooks/closing-hook.ts';
import { foreseeCredential, OPERATION_CONFIG } from '../hooks/foreseen-credential.ts';
import { ingressHook } from '../hooks/ingress-hook.ts';
import { buildListener, type ListenerSettings, type ListeningServer } from '../listener/listener.ts';
import { mediaTypeHook } from '../hooks/media-type-hook.ts';
import { operationKnownHook, operationMethods } from '../hooks/operation-known-hook.ts';
import { createQuoteHandler, type CreateQuote } from './create-quote.ts';
import { getAvailabilityHandler } from './get-availability.ts';
import { getPropertyHandler } from './get-property.ts';
import { listPropertiesHandler } from './list-properties.ts';
import { originHook } from '../hooks/origin-hook.ts';
import { pageMethods, pagesOfToday, registerPages } from './page-routes.ts';
import { preflightHook } from '../hooks/preflight.ts';
import { quotaHook } from '../hooks/quota-hook.ts';
import type { Readiness } from '../../runtime/readiness.ts';
import { readinessHook } from '../hooks/readiness-hook.ts';
import type { RequestMeter } from '../../observability/metrics/request-meter.ts';
import { scopeHook } from '../hooks/scope-hook.ts';
import { sheddingHook } from '../hooks/shedding-hook.ts';

export interface PartnerServerSettings extends ListenerSettings {
  /** Where partners reach the API, without a slash at its end. */
  readonly publicUrl: string;
  /** Whom partners ask for help: a `mailto:`, `tel:` or `https:` URL; told in the documentation. */
  readonly supportContact: string | undefined;
  /** Requests per source address and window; 0 turns the ingress limit off. */
  readonly ingressLimit: number;
  /** What a credential gets unless it was issued with another quota; told in the documentation. */
  readonly partnerQuota: number;
  readonly quoteTtlSeconds: number;
  readonly horizonNights: number;
  /** A body of exactly this size is accepted. */
  readonly bodyLimitBytes: number;
  /** CIDRs or addresses whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
}

export interface PartnerServerDeps extends RequestLimits {
  readonly readModel: ReadModel;
  /** The directory in force now. */
  readonly access: () => AccessDirectory;
  readonly createQuote: CreateQuote;
  readonly clock: Clock;
  readonly readiness: () => Readiness;
  readonly meter: RequestMeter;
  /** The event loop is too late for anything more. */
  readonly isOverloaded: () => boolean;
  readonly tracing?: Tracing | undefined;
  readonly logger: Logger;
  readonly settings: PartnerServerSettings;
}

/** The partner listener, not yet listening. */
export function buildPartnerServer(deps: PartnerServerDeps): ListeningServer {
  const { access, clock, settings } = deps;
  const isKnownOrigin = (origin: string): boolean => access().isKnownOrigin(origin);
  const listener = buildListener({ ...deps, isKnownOrigin });
  const { app } = listener;
  const authenticator = rememberingAuthenticator(access, clock);
  const foreseenCredential = foreseeCredential(authenticator, deps.readiness);
  const pages = pagesOfToday((today) => buildPages(settings, today), clock);

  app.decorateRequest('quotaHit', null);
  app.addHook('onRequest', closingHook(listener.isClosing));
  app.addHook('onRequest', sheddingHook(deps.isOverloaded, deps.meter));
  if (settings.ingressLimit > 0) app.addHook('onRequest', ingressHook(deps, foreseenCredential));
  app.addHook('onRequest', preflightHook(access, deps.readiness, operationMethods));
  app.addHook(
    'onRequest',
    operationKnownHook((path) => [...operationMethods(path), ...pageMethods(pages, path)]),
  );
  registerPages(app, pages);

  app.register((scope, _options, done) => {
    const partner = scope as unknown as App;
    partner.decorateRequest('credential', null);
    partner.addHook('onRequest', readinessHook(deps.readiness));
    partner.addHook('onRequest', authenticateHook(authenticator));
    partner.addHook('onRequest', quotaHook(deps.quota, deps.meter.limits.quota));
    partner.addHook('onRequest', originHook(settings.publicUrl));
    partner.removeAllContentTypeParsers();
    partner.addContentTypeParser('*', bodyParser(settings.bodyLimitBytes));
    addOperation(partner, operation.listPartnerProperties, listPropertiesHandler(deps.readModel));
    addOperation(partner, operation.getPartnerProperty, getPropertyHandler(deps.readModel));
    addOperation(partner, operation.getPartnerPropertyAvailability, getAvailabilityHandler(deps.readModel));
    addOperation(partner, operation.createPartnerQuote, createQuoteHandler(deps.createQuote), mediaTypeHook);
    done();
  });
  return listener;
}

function addOperation(
  app: App,
  table: operation.Operation,
  handler: Handler,
  ...hooks: readonly Hook[]
): void {
  const { method, path } = table;
  const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
  app.route({ method, url, config: OPERATION_CONFIG, onRequest: [scopeHook(table), ...hooks], handler });
}
