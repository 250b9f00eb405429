/**
 * The operator listener, wired from its table of operations. Binds to loopback unless told otherwise; nothing of it can
 * be reached through the partner listener. Its errors are problems too.
 */
import type { Logger } from 'pino';
import type { HandoffResolution } from '../../quotes/resolve-handoff.ts';
import type { Tracing } from '../../observability/tracing.ts';
import { type AccessDirectory, authorizeOperator } from '../../access/access-directory.ts';
import {
  type OperatorBody,
  type OperatorOperation,
  tooLargeCodeOf,
} from '../../contract/operator/operation.ts';
import { buildRouter, type Routed } from '../../contract/reading/router.ts';
import {
  bodyHook,
  type BodyLimits,
  inflateHook,
  mediaTypeHook,
  type PresentIssues,
} from '../listener/request-body.ts';
import { type ConsoleAnswer, isConsolePath } from '../console/console-server.ts';
import {
  type ListenerSettings,
  type ListeningServer,
  buildListener,
  runHooks,
} from '../listener/listener.ts';
import type { WaitingBudget } from '../listener/waiting-budget.ts';
import { livenessHandler, metricsHandler, readinessHandler } from './health.ts';
import { openApiHandler, operatorPages, ownPageHandlers, supplyDocsHandler } from './supply-docs.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';
import { recordConversionHandler } from './record-conversion.ts';
import { resolveHandoffHandler } from './resolve-handoff.ts';
import { actHandler } from './act-handler.ts';
import {
  OPERATOR_OPERATIONS,
  type OwnOperationId,
  SERVED_ACTS,
  SUPPLY_OPERATIONS,
} from './operator-table.ts';
import type { SupplyContext } from '../../supply/messages/supply-context.ts';
import type { PagesNow } from '../pages/page-handler.ts';
import { presentBrokenGzip, presentHeaderIssues } from './present-supply.ts';
import { createMemoryBudget, type MemoryBudget } from './memory-budget.ts';
import type { ActPorts } from '../../acts/act.ts';
import { setupHandlers } from './setup-handlers.ts';
import { supplyHandlers } from './supply-handlers.ts';
import type { ConversionStore } from '../../storage/conversions/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Readiness } from '../../runtime/readiness.ts';
import {
  presentFailure,
  presentIssues,
  presentProblem,
  presentUnknownOperation,
} from '../answers/present-problem.ts';
import { findBearerToken, hostnameOf, rawPathOf } from '../listener/request-head.ts';
import { NO_BODY } from '../listener/exchange.ts';
import type { RequestMeter } from '../../observability/metrics/request-meter.ts';
import type { OperatorScope } from '../../contract/operator/operator-scopes.ts';
import { isIP } from 'node:net';

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
  readonly conversions: Pick<ConversionStore, 'recordConversion'>;
  readonly supply: SupplyContext;
  readonly acts: ActPorts;
  /** Answers the paths of the console. */
  readonly console: ConsoleAnswer;
  /** Of the whole machine, when several processes serve it. */
  readonly readiness: () => Readiness | Promise<Readiness>;
  /** What /metrics shows, of the whole machine as well. */
  readonly metrics: () => Promise<string>;
  readonly logger: Logger;
  /** Apart from the partners': a scrape every few seconds would say nothing about them. */
  readonly meter: RequestMeter;
  readonly budget: WaitingBudget;
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

/** Beside the table. */
interface OwnPage extends Routed {
  readonly operationId?: undefined;
}

/** The operator listener, not yet listening. */
export function buildOperatorServer(deps: OperatorServerDeps): ListeningServer {
  const pages = operatorPages(deps.clock);
  const ownPages = ownPageHandlers(pages);
  const ownRows = [...ownPages.keys()].map((path): OwnPage => ({ method: 'GET', path }));
  const findRoute = buildRouter<OperatorOperation | OwnPage>([...OPERATOR_OPERATIONS, ...ownRows]);
  const isAllowedHost = allowHosts(deps.settings.allowedHosts);
  const listener = buildListener(
    { ...deps, isKnownOrigin: () => false, codes: CODES },
    (request, response) => {
      if (!isAllowedHost(request.headers.host)) return presentProblem(response, 'OPERATOR_HOST_NOT_ALLOWED');
      const path = rawPathOf(request.url ?? '');
      if (isConsolePath(path)) return deps.console({ request, response });
      const route = findRoute(request.method ?? '', path);
      if (route.found !== 'operation') {
        return presentUnknownOperation(response, route.found === 'path' ? route.allowedMethods : []);
      }
      const { operation, rawSegments } = route;
      if (operation.operationId === undefined) {
        const handler = ownPages.get(operation.path)!;
        return runHooks([handler], { request, response, body: NO_BODY, presentFailure });
      }
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
  const memory = createMemoryBudget(deps.settings.supplyBodyLimitBytes);
  const inflate = inflateHook<OperatorExchange>({
    limitBytes: deps.settings.supplyBodyLimitBytes,
    reserveMemory: memory.reserve,
    onTooLarge: ({ response }) => presentProblem(response, 'SUPPLY_PAYLOAD_TOO_LARGE'),
    onBroken: presentBrokenGzip,
  });
  const shared = { memory, inflate };
  const handlers: Readonly<Record<string, OperatorHook>> = {
    ...buildHandlers(deps, { memory, pages, isClosing: listener.isClosing }),
    ...Object.fromEntries(SERVED_ACTS.map((row) => [row.http.operationId, actHandler(row, deps)])),
  };
  const hooksByRow = new Map<OperatorOperation, readonly OperatorHook[]>(
    OPERATOR_OPERATIONS.map((row) => [row, [...hooksOf(row, deps, shared), handlers[row.operationId]!]]),
  );
  return listener;
}

interface HandlerParts {
  readonly memory: MemoryBudget;
  readonly pages: PagesNow;
  readonly isClosing: () => boolean;
}

/** One for each row of the table, except the acts. */
function buildHandlers(
  deps: OperatorServerDeps,
  { memory, pages, isClosing }: HandlerParts,
): Readonly<Record<OwnOperationId, OperatorHook>> {
  const { problemsBaseUrl } = deps.settings;
  return {
    getLiveness: livenessHandler,
    getReadiness: readinessHandler(deps.readiness, isClosing),
    getMetrics: metricsHandler(deps.metrics),
    getOperatorOpenApi: openApiHandler(OPERATOR_OPERATIONS, { ...OPENAPI, problemsBaseUrl }),
    resolveHandoff: resolveHandoffHandler(deps.resolveHandoff),
    recordConversion: recordConversionHandler(deps),
    ...supplyHandlers(deps.supply, {
      bodyLimitBytes: deps.settings.supplyBodyLimitBytes,
      silenceMsMax: deps.settings.requestTimeoutMs,
      reserveMemory: memory.reserve,
    }),
    ...setupHandlers(deps),
    getSupplyOpenApi: openApiHandler(SUPPLY_OPERATIONS, { ...SUPPLY_OPENAPI, problemsBaseUrl }),
    getSupplyDocs: supplyDocsHandler(pages),
  };
}

/** What the operations with large bodies share. */
interface SupplyHooks {
  readonly memory: MemoryBudget;
  readonly inflate: OperatorHook;
}

/** What a request for this operation passes before its handler. */
function hooksOf(
  { scope, body }: OperatorOperation,
  deps: OperatorServerDeps,
  { memory, inflate }: SupplyHooks,
): readonly OperatorHook[] {
  const isSupply = body?.limit === 'SUPPLY_BODY_LIMIT_BYTES';
  return [
    ...(scope === undefined ? [] : [operatorHook(deps.access, scope, deps.clock)]),
    ...(body === undefined
      ? []
      : [mediaTypeHook(body.mediaTypes, { present: presentHeaderIssuesOf(body), takesGzip: isSupply })]),
    ...(isSupply ? [memory.enter] : []),
    ...(body?.reading === 'whole' ? [bodyHook(bodyLimitsOf(body, deps, memory))] : []),
    ...(body?.reading === 'whole' && isSupply ? [inflate] : []),
  ];
}

/** Mistakes of a supply message all have one form. */
function presentHeaderIssuesOf({ limit }: OperatorBody): PresentIssues {
  return limit === 'SUPPLY_BODY_LIMIT_BYTES' ? presentHeaderIssues : presentIssues;
}

function bodyLimitsOf(
  body: OperatorBody,
  { budget, meter, settings }: OperatorServerDeps,
  memory: MemoryBudget,
): BodyLimits<OperatorExchange> {
  const isSupply = body.limit === 'SUPPLY_BODY_LIMIT_BYTES';
  return {
    limitBytes: isSupply ? settings.supplyBodyLimitBytes : settings.bodyLimitBytes,
    ...(isSupply ? { reserveMemory: memory.reserve } : { rules: { budget, meter: meter.connections } }),
    onTooLarge: ({ response }) => presentProblem(response, tooLargeCodeOf(body)),
    timeoutMs: settings.requestTimeoutMs,
  };
}

// The operator listener's own credential: an operator token with the right that the operation needs (RFC 6750).

const REALM = 'Bearer realm="operator"';

function operatorHook(access: () => AccessDirectory, scope: OperatorScope, clock: Clock): OperatorHook {
  return (exchange) => {
    const { request, response } = exchange;
    const token = findBearerToken(request.headers.authorization);
    const authorization = authorizeOperator(access(), token, scope, clock());
    if (authorization.ok) {
      exchange.operator = authorization.operator;
      response.caller = authorization.operator;
      return;
    }
    switch (authorization.reason) {
      case 'missing':
        return presentProblem(response, 'OPERATOR_AUTH_REQUIRED', { headers: ['WWW-Authenticate', REALM] });
      case 'invalid':
        return presentProblem(response, 'OPERATOR_TOKEN_INVALID', {
          headers: ['WWW-Authenticate', `${REALM}, error="invalid_token"`],
        });
      case 'scope':
        return presentProblem(response, 'OPERATOR_SCOPE_INSUFFICIENT', {
          detail: `The operation needs the scope ${scope}.`,
          headers: ['WWW-Authenticate', `${REALM}, error="insufficient_scope", scope="${scope}"`],
        });
    }
  };
}

// Which Host headers the operator listener answers. A page in the operator's browser could reach it through a DNS name
// of its own that leads here (DNS rebinding); such a name has a dot, and nobody configured it.

/** Judges the value of a Host header; a request without one is not from a browser. */
type HostCheck = (host: string | undefined) => boolean;

/** Addresses and names without a dot are always allowed: neither can be had from a foreign DNS server. */
export function allowHosts(configured: readonly string[]): HostCheck {
  const allowed = new Set(configured.map((host) => host.toLowerCase()));
  return (host) => {
    if (host === undefined || host === '') return true;
    const name = hostnameOf(host);
    return isIP(name) !== 0 || !name.includes('.') || name.endsWith('.localhost') || allowed.has(name);
  };
}
