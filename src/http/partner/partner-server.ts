/**
 * The partner listener, wired: what happens to a request, in order, is `buildPartnerServer` read from top to bottom.
 * Production and every test build it here.
 */
import type { Logger } from 'pino';
import type { Clock } from '../../runtime/clock.ts';
import { type Operation, type OperationId, OPERATIONS } from '../../contract/partner/operations.ts';
import { buildRouter } from '../../contract/reading/router.ts';
import type { RequestLimits } from '../../limits/request-limits.ts';
import type { Tracing } from '../../observability/tracing/tracing.ts';
import type { AccessDirectory } from '../../access/access-directory.ts';
import { buildPages } from '../../web/docs/pages.ts';
import { authenticateHook, rememberingAuthenticator } from '../hooks/authenticate-hook.ts';
import type { Backend } from '../hooks/backend.ts';
import { type SandboxBackend, sandboxHook } from '../hooks/sandbox-hook.ts';
import { backendHook } from '../hooks/backend-hook.ts';
import { bodyHook, type BodyLimits } from '../hooks/body-hook.ts';
import { foreseeCredential } from '../hooks/foreseen-credential.ts';
import { ingressHook } from '../hooks/ingress-hook.ts';
import { buildListener, type ListenerSettings, type ListeningServer } from '../listener/listener.ts';
import { mediaTypeHook } from '../hooks/media-type-hook.ts';
import { operationKnownHook } from '../hooks/operation-known-hook.ts';
import { createQuoteHandler } from './create-quote.ts';
import { getAvailabilityHandler } from './get-availability.ts';
import { getPropertyHandler } from './get-property.ts';
import { listPropertiesHandler } from './list-properties.ts';
import { originHook } from '../hooks/origin-hook.ts';
import { presentProblem } from '../answers/present-problem.ts';
import { rawPathOf } from '../answers/request-target.ts';
import { JSON_TYPE } from '../answers/media-types.ts';
import { NO_BODY, runHooks } from '../listener/exchange.ts';
import { presentFailure } from '../listener/present-failure.ts';
import { isOperation, type PageRow, type PartnerHook, type PartnerRow } from '../hooks/partner-exchange.ts';
import { pageHandler, pagesOfToday } from './page-handler.ts';
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

/** Of the catalogue, for live tokens. */
export interface PartnerServerDeps extends RequestLimits, Backend {
  /** For test tokens. */
  readonly sandbox: SandboxBackend;
  /** The directory in force now. */
  readonly access: () => AccessDirectory;
  readonly clock: Clock;
  readonly readiness: () => Readiness;
  readonly meter: RequestMeter;
  /** The event loop is too late for anything more. */
  readonly isOverloaded: () => boolean;
  readonly tracing?: Tracing | undefined;
  readonly logger: Logger;
  readonly settings: PartnerServerSettings;
}

/** Of the listener itself; every other code stands in the table of operations. */
const CODES = {
  operationNotFound: 'PARTNER_OPERATION_NOT_FOUND',
  unavailable: 'PARTNER_API_UNAVAILABLE',
} as const;

/** The partner listener, not yet listening. */
export function buildPartnerServer(deps: PartnerServerDeps): ListeningServer {
  const pages = pagesOfToday((today) => buildPages(deps.settings, today), deps.clock);
  const pageRows = [...pages().keys()].map((path): PageRow => ({ method: 'GET', path }));
  const findRoute = buildRouter<PartnerRow>([...OPERATIONS, ...pageRows]);
  const isKnownOrigin = (origin: string): boolean => deps.access().isKnownOrigin(origin);

  const listener = buildListener({ ...deps, isKnownOrigin, codes: CODES }, (request, response) => {
    const route = findRoute(request.method ?? '', rawPathOf(request.url ?? ''));
    const exchange = {
      request,
      response,
      route,
      body: NO_BODY,
      presentFailure,
      credential: null,
      backend: null,
      quotaHit: null,
    };
    if (route.found !== 'operation') return runHooks(hooks.ofAll, exchange);
    if (isOperation(route.operation)) response.operationName = route.operation.operationId;
    runHooks(hooks.byRow.get(route.operation) ?? hooks.ofAll, exchange);
  });
  const hooks = listHooks(deps);
  for (const row of pageRows) hooks.byRow.set(row, [...hooks.ofAll, pageHandler(pages, row.path)]);
  return listener;
}

interface PartnerHooks {
  /** What every request passes; ends what is not an operation. */
  readonly ofAll: readonly PartnerHook[];
  /** The same, and what follows for this row, down to its handler. */
  readonly byRow: Map<PartnerRow, readonly PartnerHook[]>;
}

function listHooks(deps: PartnerServerDeps): PartnerHooks {
  const { access, settings } = deps;
  const live: Backend = { readModel: deps.readModel, createQuote: deps.createQuote };
  const forTests = sandboxHook(deps.sandbox, deps.clock);
  const authenticator = rememberingAuthenticator(access, deps.clock);
  const foreseenCredential = foreseeCredential(authenticator, deps.readiness);

  const ofAll: readonly PartnerHook[] = [
    sheddingHook(deps.isOverloaded, deps.meter),
    ...(settings.ingressLimit > 0 ? [ingressHook(deps, foreseenCredential)] : []),
    preflightHook(access, deps.readiness),
    operationKnownHook,
  ];
  const ofOperation = (row: Operation, handler: PartnerHook): readonly PartnerHook[] => [
    ...ofAll,
    readinessHook(deps.readiness),
    authenticateHook(authenticator),
    quotaHook(deps.quota, deps.meter.limits.quota),
    originHook(settings.publicUrl),
    scopeHook(row),
    backendHook(live, forTests),
    ...(row.bodySchema === undefined ? [] : [mediaTypeHook([JSON_TYPE]), bodyHook(bodyLimitsOf(settings))]),
    handler,
  ];
  const handlers: Readonly<Record<OperationId, PartnerHook>> = {
    listPartnerProperties: listPropertiesHandler(),
    getPartnerProperty: getPropertyHandler(),
    getPartnerPropertyAvailability: getAvailabilityHandler(),
    createPartnerQuote: createQuoteHandler(),
  };
  return {
    ofAll,
    byRow: new Map(OPERATIONS.map((row) => [row, ofOperation(row, handlers[row.operationId])])),
  };
}

function bodyLimitsOf({ bodyLimitBytes, requestTimeoutMs }: PartnerServerSettings): BodyLimits {
  return {
    limitBytes: bodyLimitBytes,
    onTooLarge: ({ response }) => presentProblem(response, 'PAYLOAD_TOO_LARGE'),
    timeoutMs: requestTimeoutMs,
  };
}
