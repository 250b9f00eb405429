/**
 * The partner listener, wired: what happens to a request, in order, is `buildPartnerServer` read from top to bottom.
 * Production and every test build it here.
 */
import type { Logger } from 'pino';
import type { ReadModel } from '../catalogue/read-model.ts';
import type { Clock } from '../clock.ts';
import * as operation from '../contract/operations.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { AccessDirectory } from '../partners/access-directory.ts';
import { buildPages } from '../web/docs/pages.ts';
import type { App, Handler, Hook } from './app.ts';
import { authenticateHook, rememberingAuthenticator } from './authenticate-hook.ts';
import { bodyParser } from './body-parsing.ts';
import { closingHook } from './closing-hook.ts';
import { foreseeCredential, OPERATION_CONFIG } from './foreseen-credential.ts';
import { ingressHook } from './ingress-hook.ts';
import { buildListener, type ListenerSettings, type ListeningServer } from './listener.ts';
import { mediaTypeHook } from './media-type-hook.ts';
import { operationKnownHook, operationMethods } from './operation-known-hook.ts';
import { createQuoteHandler, type CreateQuote } from './operations/create-quote.ts';
import { getAvailabilityHandler } from './operations/get-availability.ts';
import { getPropertyHandler } from './operations/get-property.ts';
import { listPropertiesHandler } from './operations/list-properties.ts';
import { originHook } from './origin-hook.ts';
import { pageMethods, registerPages } from './page-routes.ts';
import { preflightHook } from './preflight.ts';
import { quotaHook } from './quota-hook.ts';
import { type Readiness, readinessHook } from './readiness-hook.ts';
import type { RequestMeter } from './request-meter.ts';
import { scopeHook } from './scope-hook.ts';
import { sheddingHook } from './shedding-hook.ts';

export interface PartnerServerSettings extends ListenerSettings {
  /** Where partners reach the API, without a slash at its end. */
  readonly publicUrl: string;
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
  const pages = buildPages(settings);

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
    partner.addHook('onRequest', originHook);
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
