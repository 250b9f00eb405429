/**
 * The operator listener, wired from its table of operations. Binds to loopback unless told otherwise; nothing of it can
 * be reached through the partner listener. Its errors are problems too.
 */
import type { Logger } from 'pino';
import type { HandoffResolution } from '../../quotes/resolve-handoff.ts';
import type { Tracing } from '../../observability/tracing/tracing.ts';
import type { AccessDirectory } from '../../access/access-directory.ts';
import {
  type OperatorBody,
  type OperatorOperation,
  tooLargeCodeOf,
} from '../../contract/operator/operation.ts';
import { OPERATOR_OPERATIONS, type OperatorOperationId } from '../../contract/operator/operations.ts';
import { buildRouter } from '../../contract/reading/router.ts';
import { bodyHook, type BodyLimits } from '../hooks/body-hook.ts';
import { buildListener, type ListenerSettings, type ListeningServer } from '../listener/listener.ts';
import { mediaTypeHook } from '../hooks/media-type-hook.ts';
import { operatorHook } from './operator-hook.ts';
import { allowHosts } from './allowed-hosts.ts';
import { livenessHandler, metricsHandler, readinessHandler } from './health.ts';
import { openApiHandler } from './openapi-handler.ts';
import { type OperatorExchange, type OperatorHook } from './operator-exchange.ts';
import { resolveHandoffHandler } from './resolve-handoff.ts';
import { SUPPLY_OPERATIONS } from '../../contract/operator/supply-operations.ts';
import type { SupplyApi } from '../../supply/messages/supply-api.ts';
import { supplyDocsPage } from '../../web/supply/supply-page.ts';
import { pageHandler } from '../partner/page-handler.ts';
import { roomHook } from './supply-room.ts';
import { supplyHandlers } from './supply-handlers.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Readiness } from '../../runtime/readiness.ts';
import { presentProblem, presentUnknownOperation } from '../answers/present-problem.ts';
import { rawPathOf } from '../answers/request-target.ts';
import { type Hook, NO_BODY, runHooks } from '../listener/exchange.ts';
import { presentFailure } from '../listener/present-failure.ts';
import { createRequestMeter } from '../../observability/metrics/request-meter.ts';

export interface OperatorServerSettings extends ListenerSettings {
  readonly bodyLimitBytes: number;
  readonly supplyBodyLimitBytes: number;
  /** DNS names that requests may name as their host, beside addresses and names without a dot. */
  readonly allowedHosts: readonly string[];
}

export interface OperatorServerDeps {
  readonly clock: Clock;
  /** The directory in force now. */
  readonly access: () => AccessDirectory;
  readonly resolveHandoff: (value: string) => Promise<HandoffResolution>;
  readonly supply: SupplyApi;
  /** Of the whole machine, when several processes serve it. */
  readonly readiness: () => Readiness | Promise<Readiness>;
  /** What /metrics shows, of the whole machine as well. */
  readonly metrics: () => Promise<string>;
  readonly logger: Logger;
  readonly tracing?: Tracing | undefined;
  readonly settings: OperatorServerSettings;
}

const CODES = {
  operationNotFound: 'OPERATOR_OPERATION_NOT_FOUND',
  unavailable: 'OPERATOR_API_UNAVAILABLE',
} as const;

const OPENAPI = {
  title: 'Stayport operator API',
  description:
    'What the systems of the operator call: health, metrics, handoff resolution. Not for partners.',
};

const SUPPLY_OPENAPI = {
  title: 'Stayport supply API',
  description:
    'How the systems of the operator keep properties, availability and prices true: each speaks for its source, and ' +
    'partners see the strictest of all. See docs/supply.md.',
};
const SUPPLY_DOCS = supplyDocsPage();
const SUPPLY_PAGES = new Map([[SUPPLY_DOCS.path, SUPPLY_DOCS]]);

/** The operator listener, not yet listening. */
export function buildOperatorServer(deps: OperatorServerDeps): ListeningServer {
  const findRoute = buildRouter<OperatorOperation>(OPERATOR_OPERATIONS);
  // Its own requests are not counted: a scrape every few seconds would say nothing about partners.
  const isAllowedHost = allowHosts(deps.settings.allowedHosts);
  const meter = createRequestMeter();
  const listener = buildListener(
    { ...deps, meter, isKnownOrigin: () => false, codes: CODES },
    (request, response) => {
      if (!isAllowedHost(request.headers.host)) return presentProblem(response, 'OPERATOR_HOST_NOT_ALLOWED');
      const route = findRoute(request.method ?? '', rawPathOf(request.url ?? ''));
      if (route.found !== 'operation') {
        return presentUnknownOperation(response, route.found === 'path' ? route.allowedMethods : []);
      }
      const { operation, rawSegments } = route;
      response.operationName = operation.operationId;
      const exchange = {
        request,
        response,
        operation,
        rawSegments,
        body: NO_BODY,
        presentFailure,
        operator: undefined,
      };
      runHooks<OperatorExchange>(hooksByRow.get(operation) ?? [], exchange);
    },
  );
  const room = roomHook(deps.settings.supplyBodyLimitBytes);
  const handlers = buildHandlers(deps, listener.isClosing);
  const hooksByRow = new Map<OperatorOperation, readonly OperatorHook[]>(
    OPERATOR_OPERATIONS.map((row) => [row, [...hooksOf(row, deps, room), handlers[row.operationId]]]),
  );
  return listener;
}

/** One for each row of the table. */
function buildHandlers(
  deps: OperatorServerDeps,
  isClosing: () => boolean,
): Readonly<Record<OperatorOperationId, OperatorHook>> {
  const { problemsBaseUrl } = deps.settings;
  return {
    getLiveness: livenessHandler,
    getReadiness: readinessHandler(deps.readiness, isClosing),
    getMetrics: metricsHandler(deps.metrics),
    getOperatorOpenApi: openApiHandler(OPERATOR_OPERATIONS, { ...OPENAPI, problemsBaseUrl }),
    resolveHandoff: resolveHandoffHandler(deps.resolveHandoff),
    ...supplyHandlers(deps.supply, {
      bodyLimitBytes: deps.settings.supplyBodyLimitBytes,
      silenceMsMax: deps.settings.requestTimeoutMs,
    }),
    getSupplyOpenApi: openApiHandler(SUPPLY_OPERATIONS, { ...SUPPLY_OPENAPI, problemsBaseUrl }),
    getSupplyDocs: pageHandler(() => SUPPLY_PAGES, SUPPLY_DOCS.path),
  };
}

/** What a request for this operation passes before its handler. */
function hooksOf(
  { scope, body }: OperatorOperation,
  deps: OperatorServerDeps,
  room: Hook,
): readonly OperatorHook[] {
  return [
    ...(scope === undefined ? [] : [operatorHook(deps.access, scope, deps.clock)]),
    ...(body === undefined ? [] : [mediaTypeHook(body.mediaTypes)]),
    ...(body?.limit === 'SUPPLY_BODY_LIMIT_BYTES' ? [room] : []),
    ...(body?.reading === 'whole' ? [bodyHook(bodyLimitsOf(body, deps.settings))] : []),
  ];
}

function bodyLimitsOf(body: OperatorBody, settings: OperatorServerSettings): BodyLimits {
  return {
    limitBytes:
      body.limit === 'SUPPLY_BODY_LIMIT_BYTES' ? settings.supplyBodyLimitBytes : settings.bodyLimitBytes,
    onTooLarge: ({ response }) => presentProblem(response, tooLargeCodeOf(body)),
    timeoutMs: settings.requestTimeoutMs,
  };
}
