/** Each problem code, produced by the real service with a test token, as the error that a caller catches. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  PROBLEM_CODES,
  type ProblemCode,
  PROBLEMS,
  rowOfProblem,
} from '../../src/contract/partner/problems.ts';
import { ALL_SCOPE_NAMES } from '../../src/contract/partner/scopes.ts';
import type { SampleBody, SampleCall } from '../../src/contract/partner/sample-calls.ts';
import { formatLocalDate, localToday } from '../../src/domain/local-date.ts';
import { NOW_MS } from '../../test/kit/now.ts';
import {
  AuthenticationError,
  NotFoundError,
  PermissionError,
  type Problem,
  QuoteConflictError,
  RateLimitError,
  RequestError,
  ServerError,
  Stayport,
} from '../src/index.ts';
import { failureOf } from './failure-of.ts';
import { openService, type ServiceInstallation } from './service.ts';

const TODAY = localToday('Europe/Rome', NOW_MS);
/** With `Retry-After`. */
const WAITS: ReadonlySet<number> = new Set([429, 503]);

const CLASSES = {
  400: RequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: QuoteConflictError,
  410: RequestError,
  413: RequestError,
  429: RateLimitError,
  500: ServerError,
  503: ServerError,
} as const satisfies Readonly<Record<(typeof PROBLEMS)[ProblemCode]['status'], unknown>>;

let installation: ServiceInstallation;
let service: Awaited<ReturnType<ServiceInstallation['serve']>>;
/** What a call of the documentation leaves open. */
let variables: Readonly<Record<string, string>>;
before(async () => {
  installation = await openService();
  // Before the service starts: one that runs knows a new token within a second.
  const tokens = {
    TEST_TOKEN: (await installation.issue({ isTest: true })).token,
    NARROW_TEST_TOKEN: (await installation.issue({ isTest: true, scopes: ['properties:read'] })).token,
    FULL_TEST_TOKEN: (await installation.issue({ isTest: true, scopes: ALL_SCOPE_NAMES })).token,
    OPERATOR_TOKEN: await installation.issueOperatorToken(),
  };
  service = await installation.serve();
  variables = {
    ...tokens,
    URL: service.partnerUrl,
    OPERATOR_URL: service.operatorUrl,
    CHECK_IN: formatLocalDate(TODAY + 30),
    CHECK_OUT: formatLocalDate(TODAY + 33),
  };
});
after(() => installation.close());

describe('Each problem code', () => {
  for (const code of PROBLEM_CODES) {
    it(`${code} arrives as its class, with what was answered`, async () => {
      const { status, testCall, hasErrors } = rowOfProblem(code);
      const Class = CLASSES[PROBLEMS[code].status];
      const wire: Wire = { headers: undefined, body: undefined };
      const client = new Stayport({
        baseUrl: service.partnerUrl,
        token: 'replaced',
        maxRetries: 0,
        fetch: fetchOf(testCall, wire),
      });
      const error = await failureOf(client.properties.search({ city: 'Testville' }));
      assert.ok(error instanceof Class, error.name);
      assert.deepEqual([error.code, error.status], [code, status]);
      assert.deepEqual(error.problem, wire.body);
      assert.deepEqual([error.problem.code, error.problem.status], [code, status]);
      assert.equal(error.correlationId, wire.headers?.get('x-correlation-id'));
      assert.ok(error.correlationId.length >= 8);
      assert.deepEqual(error.issues, wire.body?.errors ?? []);
      assert.equal(error.issues.length > 0, hasErrors === true);
      const waitSeconds = wire.headers?.get('retry-after');
      assert.equal(error.retryAfterMs, waitSeconds == null ? undefined : Number(waitSeconds) * 1_000);
      assert.equal(error.retryAfterMs !== undefined && error.retryAfterMs >= 1_000, WAITS.has(status));
    });
  }
});

interface Wire {
  headers: Headers | undefined;
  body: Problem | undefined;
}

/**
 * The real `fetch` with the call of the documentation in place of the client's own, whose checks would find such
 * mistakes before it sends; and what came over the wire beside what the client made of it.
 */
function fetchOf({ url, token, header, body }: SampleCall, wire: Wire): typeof fetch {
  return async (_, init) => {
    const sent = new Headers({ Accept: 'application/json' });
    if (token !== undefined) sent.set('Authorization', `Bearer ${filled(token)}`);
    if (header !== undefined) sent.set(...header);
    if (body !== undefined) sent.set('Content-Type', body.mediaType);
    const response = await fetch(filled(url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: sent,
      body: body === undefined ? null : textOf(body),
      signal: init?.signal ?? null,
    });
    wire.headers = response.headers;
    wire.body = (await response.clone().json()) as Problem;
    return response;
  };
}

function textOf(body: SampleBody): string {
  if ('json' in body) return filled(JSON.stringify(body.json));
  return 'text' in body ? body.text : ' '.repeat(body.byteCount);
}

function filled(text: string): string {
  return text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => variables[name] ?? '');
}
