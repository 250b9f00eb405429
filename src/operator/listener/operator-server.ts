/**
 * The operator listener, built from its table of operations. Binds to loopback by default; none of it can be reached
 * through the partner listener. Its errors are problems too.
 */
import type { HandoffResolution } from '../../partner/quotes/resolve-handoff.ts';
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
} from '../../http/listener/request-body.ts';
import {
  buildListener,
  type ListenerDeps,
  type ListenerSettings,
  type ListeningServer,
  runHooks,
} from '../../http/listener/listener.ts';
import { livenessHandler, metricsHandler, readinessHandler } from './health.ts';
import { openApiHandler, operatorPages, ownPageHandlers, supplyDocsHandler } from './supply-docs.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';
import { recordConversionHandler, resolveHandoffHandler } from './handoff-handlers.ts';
import { actHandler } from './act-handler.ts';
import {
  OPERATOR_OPERATIONS,
  type OwnOperationId,
  SERVED_ACTS,
  SUPPLY_OPERATIONS,
} from './operator-table.ts';
import type { SupplyContext } from '../../supply/messages/supply-context.ts';
import type { PagesNow } from '../../http/pages/page-handler.ts';
import { presentBrokenGzip, presentHeaderIssues } from './present-supply.ts';
import { createMemoryBudget, type MemoryBudget } from './memory-budget.ts';
import type { ActPorts } from '../acts/act.ts';
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
} from '../../http/answers/present-problem.ts';
import { findBearerToken, hostnameOf, rawPathOf } from '../../http/listener/request-head.ts';
import { type Exchange, NO_BODY } from '../../http/listener/exchange.ts';
import type { RequestMeter } from '../../http/observability/metrics/request-meter.ts';
import type { OperatorScope } from '../../contract/operator/operator-scopes.ts';
import { isIP } from 'node:net';

export interface OperatorServerSettings extends ListenerSettings {
  readonly bodyLimitBytes: number;
  readonly supplyBodyLimitBytes: number;
  /** DNS names accepted as Host, beside addresses and names without a dot. */
  readonly allowedHosts: readonly string[];
}

/** Pages for people on the same listener, such as the console: they have checks of their own. */
export interface OperatorPages {
  readonly has: (path: string) => boolean;
  readonly answer: (exchange: Pick<Exchange, 'request' | 'response'>) => void;
}

export interface OperatorServerDeps extends Pick<ListenerDeps, 'logger' | 'budget' | 'tracing'> {
  readonly clock: Clock;
  /** The current directory. */
  readonly access: () => AccessDirectory;
  readonly resolveHandoff: (value: string) => Promise<HandoffResolution>;
  readonly conversions: Pick<ConversionStore, 'recordConversion'>;
  readonly supply: SupplyContext;
  readonly acts: ActPorts;
  readonly pages: OperatorPages;
  /** Readiness of the whole machine, if several processes serve it. */
  readonly readiness: () => Readiness | Promise<Readiness>;
  /** The content of /metrics, for the whole machine too. */
  readonly metrics: () => Promise<string>;
  /** Separate from partners' requests: regular scrapes would distort those. */
  readonly meter: RequestMeter;
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

/** A page outside the table. */
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
      if (deps.pages.has(path)) return deps.pages.answer({ request, response });
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

/** One handler for each row of the table, except acts. */
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

/** Hooks shared by operations with large bodies. */
interface SupplyHooks {
  readonly memory: MemoryBudget;
  readonly inflate: OperatorHook;
}

/** The hooks that run before an operation's handler. */
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

/** Errors in a supply message's headers have the same form as its other errors. */
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

// Checks the operator listener's own credential: an operator token with the scope that the operation needs (RFC 6750).

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

// Host headers that the operator listener accepts. A page in the operator's browser could reach the listener through
// its own DNS name that resolves to it (DNS rebinding). Such a name has a dot and is not configured.

/** Checks a Host header; a request without one is not from a browser. */
type HostCheck = (host: string | undefined) => boolean;

/** Always accepts addresses and names without a dot: a foreign DNS server can provide neither. */
export function allowHosts(configured: readonly string[]): HostCheck {
  const allowed = new Set(configured.map((host) => host.toLowerCase()));
  return (host) => {
    if (host === undefined || host === '') return true;
    const name = hostnameOf(host);
    return isIP(name) !== 0 || !name.includes('.') || name.endsWith('.localhost') || allowed.has(name);
  };
}
