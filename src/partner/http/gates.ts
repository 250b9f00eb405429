/**
 * The checks before an operation, in this order. Each gate lets a request pass or answers it. The short gates follow in
 * the order in which they run, those of limits after them.
 */
import type { IncomingMessage } from 'node:http';
import type { AccessDirectory, Credential } from '../../access/access-directory.ts';
import { ALL_OPERATIONS } from '../../contract/partner/extra-operations.ts';
import type { Operation } from '../../contract/partner/operations.ts';
import { NO_BEARER_DETAIL, type ProblemCode } from '../../contract/partner/problems.ts';
import { sayScopes } from '../../contract/partner/scopes.ts';
import { buildRouter } from '../../contract/reading/router.ts';
import type { BothHits, RequestLimits, WindowCounter, WindowHit } from '../../limits/request-limits.ts';
import type { LimitTally, RequestMeter } from '../../http/observability/metrics/request-meter.ts';
import { msUntilTomorrow } from '../quotes/daily-quotes.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Readiness } from '../../runtime/readiness.ts';
import { JSON_TYPE, preflightHeaders, retryAfterHeader } from '../../http/answers/answer-headers.ts';
import {
  presentLimitExceeded,
  presentProblem,
  presentUnavailable,
  presentUnknownOperation,
} from '../../http/answers/present-problem.ts';
import { rawPathOf } from '../../http/listener/request-head.ts';
import type { Hook } from '../../http/listener/exchange.ts';
import { endIfOthersWait } from '../../http/listener/pipelining.ts';
import type { WaitingBudget } from '../../http/listener/waiting-budget.ts';
import { bodyHook, mediaTypeHook } from '../../http/listener/request-body.ts';
import { makeCallerAddress, makeSourceAddress } from '../../http/listener/source-address.ts';
import { type Authenticator, authenticatorWithin, rememberingAuthenticator } from './authenticator.ts';
import {
  type Backend,
  INVALID_TOKEN_CHALLENGE,
  type PartnerRow,
  type PartnerExchange,
  type PartnerHook,
  REALM,
} from './partner-exchange.ts';
import { type SandboxBackend, sandboxHook } from './sandbox-hook.ts';

export interface GateSettings {
  /** Public URL of the API, without a final slash. */
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
  /** Requests per source address and window; 0 is unlimited. */
  readonly ingressLimit: number;
  /** Quotes of one credential; 0 is unlimited. */
  readonly quotesPerDay: number;
  /** A body of exactly this size is accepted. */
  readonly bodyLimitBytes: number;
  readonly requestTimeoutMs: number;
}

/** Includes the backend of the catalogue, for live tokens. */
export interface GateDeps extends RequestLimits, Backend {
  /** For test tokens. */
  readonly sandbox: SandboxBackend;
  /** The current directory. */
  readonly access: () => AccessDirectory;
  readonly clock: Clock;
  /** Quotes stored for a credential today, UTC. */
  readonly quotesOf: (credentialId: string) => number;
  readonly readiness: () => Readiness;
  readonly meter: RequestMeter;
  readonly budget: WaitingBudget;
  /** The event loop is too late for more requests. */
  readonly isOverloaded: () => boolean;
  readonly settings: GateSettings;
}

export interface PartnerGates {
  /** Gates of every request, including pages. */
  readonly ofAll: readonly PartnerHook[];
  /** The same plus the gates of this operation; its handler follows. */
  readonly ofOperation: (row: Operation) => readonly PartnerHook[];
  /** Once more, after a wait: the token may have been revoked meanwhile. */
  readonly authenticate: PartnerHook;
}

export function buildGates(deps: GateDeps): PartnerGates {
  const { access, readiness, meter, settings } = deps;
  const authenticator = authenticatorWithin(
    rememberingAuthenticator(access, deps.clock),
    makeCallerAddress(settings.trustedProxies),
  );
  const { readModel, prices, ask, createQuote, findOffer, readContent, changes } = deps;
  const live: Backend = { readModel, prices, ask, createQuote, findOffer, readContent, changes };
  const toBackend = backendHook(live, deps.sandbox, deps.clock);

  const authenticate = authenticateHook(authenticator);
  const ofAll: readonly PartnerHook[] = [
    sheddingHook(deps.isOverloaded, meter),
    ...(settings.ingressLimit > 0 ? [ingressHook(deps, peekCredential(authenticator, readiness))] : []),
    preflightHook(access, readiness),
    operationKnownHook,
  ];
  return {
    ofAll,
    authenticate,
    ofOperation: (row) => [
      ...ofAll,
      readinessHook(readiness),
      authenticate,
      quotaHook(deps.quota, meter.limits.quota),
      ...(row.createsQuote === true ? [quotesPerDayHook(deps)] : []),
      originHook(settings.publicUrl),
      scopeHook(row),
      toBackend,
      ...(row.bodySchema === undefined ? [] : [mediaTypeHook([JSON_TYPE]), readBody(deps, row)]),
    ],
  };
}

const OVERLOADED = 'the event loop is late';

/**
 * Refuses new requests at once under overload, before counting: a late answer helps nobody, and requests under way get
 * time to finish.
 */
function sheddingHook(isOverloaded: () => boolean, meter: Pick<RequestMeter, 'shedCount'>): Hook {
  return ({ response }) => {
    if (!isOverloaded()) return;
    meter.shedCount += 1;
    presentUnavailable(response, OVERLOADED, 'The service has more requests than it can answer.');
  };
}

const findOperation = buildRouter(ALL_OPERATIONS);

/**
 * Answers a CORS preflight (Fetch 3.2.2) of an operation's path; ignores everything else, also an OPTIONS that is not a
 * preflight. It carries no credential, so any partner's origin passes; `originHook` checks the calling partner's list
 * on the request itself.
 */
function preflightHook(access: () => AccessDirectory, readiness: () => Readiness): Hook {
  return ({ request, response }) => {
    if (request.method !== 'OPTIONS') return;
    const route = findOperation('OPTIONS', rawPathOf(request.url ?? '/'));
    const { origin, 'access-control-request-method': requestedMethod } = request.headers;
    if (origin === undefined || requestedMethod === undefined || route.found !== 'path') return;
    const state = readiness();
    if (state !== 'ready') return presentUnavailable(response, state.reason);
    if (!access().isKnownOrigin(origin)) return presentProblem(response, 'ORIGIN_NOT_ALLOWED');
    response.answer({
      status: 204,
      cacheControl: 'no-store',
      headers: preflightHeaders(route.allowedMethods, isConditional(request)),
    });
  };
}

/** Whether the path supports `If-None-Match`. */
function isConditional({ url = '/' }: Pick<IncomingMessage, 'url'>): boolean {
  const route = findOperation('GET', rawPathOf(url));
  return route.found === 'operation' && route.operation.hasEtag === true;
}

const VERSION_MISSING = 'No operation has this path. The paths of operations begin with /v1.';

/** Refuses unknown operations before the credential check: 404, or 405 with Allow for a known path. */
const operationKnownHook: PartnerHook = ({ request, response, route }) => {
  if (route.found === 'path') presentUnknownOperation(response, route.allowedMethods);
  if (route.found !== 'nothing') return;
  const versioned = findOperation('', `/v1${rawPathOf(request.url ?? '/')}`);
  presentUnknownOperation(response, [], versioned.found === 'nothing' ? undefined : VERSION_MISSING);
};

/** Refuses everything until the catalogue and the credentials are in memory and fresh. */
function readinessHook(readiness: () => Readiness): Hook {
  return ({ response }) => {
    const state = readiness();
    if (state !== 'ready') presentUnavailable(response, state.reason);
  };
}

const MISSING = ['WWW-Authenticate', REALM] as const;

const CODE_BY_REASON = {
  invalid: 'INVALID_PARTNER_CREDENTIAL',
  revoked: 'PARTNER_ACCESS_REVOKED',
} as const satisfies Record<string, ProblemCode>;

/** Identifies the caller (SPEC 5). The challenges are those of RFC 6750 3. */
function authenticateHook(authenticator: Authenticator): PartnerHook {
  return (exchange) => {
    const { request, response } = exchange;
    const authentication = authenticator.authenticate(request);
    if (authentication === undefined) {
      const detail = request.headers.authorization === undefined ? undefined : NO_BEARER_DETAIL;
      return presentProblem(response, 'PARTNER_AUTH_REQUIRED', { headers: MISSING, detail });
    }
    if (!authentication.ok) {
      response.caller = authentication.refused;
      return presentProblem(response, CODE_BY_REASON[authentication.reason], {
        headers: INVALID_TOKEN_CHALLENGE,
      });
    }
    exchange.credential = authentication.credential;
    response.caller = authentication.credential;
    if (!authentication.credential.isTest) response.liveAsker = authentication.credential;
  };
}

/** The credential set by `authenticateHook`; throws without that hook, which is a mistake in the wiring. */
export function getCredential({ credential }: PartnerExchange): Credential {
  if (credential === null) throw new Error('the operation is not behind authenticateHook');
  return credential;
}

/**
 * A browser may call only from an origin on this partner's list (SPEC 5), or from our own pages: the reference makes
 * calls with the token that its reader has pasted.
 */
function originHook(publicUrl: string): PartnerHook {
  const ownOrigin = new URL(publicUrl).origin;
  return (exchange) => {
    const { request, response } = exchange;
    const { origin } = request.headers;
    if (origin === undefined || origin === ownOrigin) return;
    if (getCredential(exchange).origins.has(origin)) return;
    response.isOriginRefused = true;
    presentProblem(response, 'ORIGIN_NOT_ALLOWED');
  };
}

/** Whether the credential may use this operation (SPEC 5). The challenge names the scopes that it lacks (RFC 6750 3.1). */
function scopeHook({ scopes }: Operation): PartnerHook {
  return (exchange) => {
    const held = getCredential(exchange).scopes;
    if (scopes.every((scope) => held.has(scope))) return;
    const lacking = scopes.filter((scope) => !held.has(scope));
    presentProblem(exchange.response, 'PARTNER_SCOPE_INSUFFICIENT', {
      detail: `The operation needs the ${sayScopes(lacking)}.`,
      headers: ['WWW-Authenticate', `${REALM}, error="insufficient_scope", scope="${lacking.join(' ')}"`],
    });
  };
}

/**
 * Chooses the backend by the credential alone, only here. Live tokens can't reach the sandbox's reading of the request.
 */
function backendHook(live: Backend, sandbox: SandboxBackend, clock: Clock): PartnerHook {
  const forTests = sandboxHook(sandbox, clock);
  return (exchange) => {
    if (getCredential(exchange).isTest) return forTests(exchange);
    exchange.backend = live;
  };
}

/** The backend set by `backendHook`; throws without that hook, which is a mistake in the wiring. */
export function getBackend({ backend }: PartnerExchange): Backend {
  if (backend === null) throw new Error('the operation is not behind backendHook');
  return backend;
}

function readBody({ budget, meter, settings }: GateDeps, { bodyLimitFactor = 1 }: Operation): Hook {
  return bodyHook({
    limitBytes: bodyLimitFactor * settings.bodyLimitBytes,
    onTooLarge: ({ response }) => presentProblem(response, 'PAYLOAD_TOO_LARGE'),
    timeoutMs: settings.requestTimeoutMs,
    rules: { budget, meter: meter.connections },
  });
}

export function isOperation(row: PartnerRow): row is Operation {
  return 'operationId' in row;
}

/**
 * Finds the credential whose quota a request will use, before the ingress limit decides, so that one call counts both
 * where windows are elsewhere. It decides nothing and costs little: a token that was not accepted before waits for its
 * own gate.
 */
function peekCredential(authenticator: Authenticator, readiness: () => Readiness): PeekCredential {
  return ({ request, route }) => {
    if (route.found !== 'operation' || !isOperation(route.operation)) return undefined;
    return readiness() === 'ready' ? authenticator.findAccepted(request) : undefined;
  };
}

// The limits of a request (SPEC 8), as gates: per source address, before anything is known about the caller; the quota of
// its credential; and the quotes that one credential may have stored on a day.

interface IngressDeps extends RequestLimits {
  readonly meter: RequestMeter;
  readonly settings: { readonly ingressLimit: number; readonly trustedProxies: readonly string[] };
}

/** Undefined when a gate between the two limits will answer, or the token was not accepted before. */
type PeekCredential = (exchange: PartnerExchange) => Credential | undefined;

function ingressHook({ ingress, hitBoth, meter, settings }: IngressDeps, peek: PeekCredential): PartnerHook {
  const limit = settings.ingressLimit;
  const sourceAddress = makeSourceAddress(settings.trustedProxies);

  /** Counts both limits in one call if calls cost something; the quota gate finds its count on the exchange. */
  function count(exchange: PartnerExchange): WindowHit | Promise<WindowHit> {
    const source = sourceAddress(exchange.request);
    const credential = hitBoth === undefined ? undefined : peek(exchange);
    if (hitBoth === undefined || credential === undefined) return ingress.hit(source);
    const { credentialId } = credential;
    const take = (hits: BothHits): WindowHit => {
      if (hits.quota !== undefined) exchange.quotaHit = { credentialId, hit: hits.quota };
      return hits.ingress;
    };
    const hits = hitBoth(source, limit, credentialId);
    return hits instanceof Promise ? hits.then(take) : take(hits);
  }

  return limitHook(
    count,
    (hit, { response }) => {
      if (hit.count <= limit) return true;
      endIfOthersWait(response);
      presentLimitExceeded(response, limit, hit, 'from this address');
      return false;
    },
    meter.limits.ingress,
  );
}

/** The quota of the credential (SPEC 8). Every later answer describes it in X-RateLimit-*. */
function quotaHook(quota: WindowCounter, tally: LimitTally): PartnerHook {
  return limitHook(
    (exchange) => {
      const { credentialId } = getCredential(exchange);
      const { quotaHit } = exchange;
      return quotaHit?.credentialId === credentialId ? quotaHit.hit : quota.hit(credentialId);
    },
    (hit, exchange) => {
      const { response } = exchange;
      const { quota: limit } = getCredential(exchange);
      response.rateLimit = { limit, hit };
      if (hit.count <= limit) return true;
      presentLimitExceeded(response, limit, hit, 'with this credential');
      return false;
    },
    tally,
  );
}

/**
 * Bounds the quotes stored for one credential a day: 429 until the next day (UTC); X-RateLimit-* then describe this
 * limit. Only stored quotes count.
 */
function quotesPerDayHook({ settings, quotesOf, meter, clock }: GateDeps): PartnerHook {
  const limit = settings.quotesPerDay;
  const tally = meter.limits.quotes_per_day;
  return (exchange) => {
    if (limit === 0) return;
    const count = quotesOf(getCredential(exchange).credentialId);
    if (count < limit) {
      tally.passed += 1;
      return;
    }
    tally.refused += 1;
    const nowMs = clock();
    const resetInMs = msUntilTomorrow(nowMs);
    const hit = { count, resetAtMs: nowMs + resetInMs, resetInMs };
    exchange.response.rateLimit = { limit, hit };
    presentProblem(exchange.response, 'RATE_LIMIT_EXCEEDED', {
      detail: `More than ${limit} quotes with this credential today (UTC).`,
      headers: retryAfterHeader(hit),
    });
  };
}

/** Answers a hit over the limit, and returns whether the request may continue. */
type Judge = (hit: WindowHit, exchange: PartnerExchange) => boolean;

/** A counter that answers at once needs no promise; one on another machine does. */
function limitHook(
  count: (exchange: PartnerExchange) => WindowHit | Promise<WindowHit>,
  judge: Judge,
  tally: LimitTally,
): PartnerHook {
  function decide(hit: WindowHit, exchange: PartnerExchange): void {
    if (judge(hit, exchange)) tally.passed += 1;
    else tally.refused += 1;
  }
  return (exchange) => {
    const hit = count(exchange);
    if (hit instanceof Promise) return hit.then((late) => decide(late, exchange));
    decide(hit, exchange);
  };
}
