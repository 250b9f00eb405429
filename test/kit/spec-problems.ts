/**
 * The problems of the contract (SPEC 7), written out once more by hand, with ways to provoke each on a real service:
 * the table of the code is held against them.
 */
import assert from 'node:assert/strict';
import { ALL_OPERATIONS } from '../../src/contract/partner/extra-operations.ts';
import { DAY_MS } from '../../src/domain/local-date.ts';
import type { OperationId } from '../../src/contract/partner/operations.ts';
import { DatabaseSync } from 'node:sqlite';
import type { ProblemCode } from '../../src/contract/partner/problems.ts';
import type { Scope } from '../../src/contract/partner/scopes.ts';
import { hotel } from './catalogue-lines.ts';
import { until } from './command-line.ts';
import type { Asked } from './http-exchange.ts';
import type { Installation, Served } from './installation.ts';
import { type Answer, GOOD_REQUESTS, PartnerClient, quoteBody } from './partner-client.ts';

/** Credentials by what is wrong with them. */
export interface Tokens {
  readonly good: string;
  readonly revoked: string;
  readonly expired: string;
  readonly disabled: string;
  readonly usedUp: string;
  /** Has every scope but the one that is asked for. */
  readonly lacking: Readonly<Record<Scope, string>>;
}

/** With the properties hotel-ponte, full-house and not-quoting. */
export interface ProvokedService {
  readonly installation: Installation;
  readonly service: Served;
  readonly tokens: Tokens;
  /** On the same database, with an ingress limit that is used up. */
  readonly limited: Served;
}

type Provocation = (service: ProvokedService, operationId: OperationId) => Promise<Answer<unknown>>;

interface SpecProblem {
  readonly status: number;
  readonly slug: string;
  /** Its schema in the OpenAPI document; absent without an operation. */
  readonly schema?: string;
  readonly of: 'every operation' | readonly OperationId[];
  /** By what is done. */
  readonly provoked: Readonly<Record<string, Provocation>>;
}

/** An origin that the good token lists, and one of another partner. */
export const ORIGIN = 'https://shop.example';
export const FOREIGN_ORIGIN = 'https://other.example';

const OF_ONE_PROPERTY: readonly OperationId[] = [
  'getPartnerProperty',
  'getPartnerPropertyAvailability',
  'createPartnerQuote',
  'getPropertyContent',
  'getPriceCalendar',
];

/** Sends a valid request of the operation, changed by `asked`. */
export function ask(
  { service }: Pick<ProvokedService, 'service'>,
  token: string | undefined,
  operationId: OperationId,
  asked: Partial<Asked> = {},
) {
  const client = new PartnerClient(service.partnerUrl, token);
  return client.ask(operationId, { ...GOOD_REQUESTS[operationId], ...asked });
}

/** The request of the operation for another property. */
function askFor(on: ProvokedService, propertyId: string, operationId: OperationId) {
  const { path, body } = GOOD_REQUESTS[operationId];
  const quote = JSON.stringify(quoteBody(propertyId, '2026-12-01', '2026-12-04'));
  return ask(on, on.tokens.good, operationId, {
    path: path.replace('hotel-ponte', propertyId),
    ...(body === undefined ? {} : { body: quote }),
  });
}

interface Damaged {
  readonly service: Served;
  readonly asked: Partial<Asked>;
  readonly repair: () => void;
}

/** It answers from memory at any time: no row and no clock can make it fail. */
export const NEVER_DAMAGED: OperationId = 'suggestCities';

/** Makes the answer fail: pictures, terms or a change that are no JSON, or else a clock that shows no time. */
function damage(on: ProvokedService, operationId: OperationId): Promise<Damaged> {
  if (operationId === 'listChanges') return damageChange(on);
  return operationId.endsWith('Content') ? damageDetails(on) : Promise.resolve(stopClock(on));
}

function stopClock({ service, installation: { time } }: ProvokedService): Damaged {
  const { nowMs } = time;
  time.nowMs = Number.NaN;
  return { service, asked: {}, repair: () => void (time.nowMs = nowMs) };
}

/** On a service that has read nothing yet. */
async function damageDetails({ installation }: ProvokedService): Promise<Damaged> {
  runSql(installation, "INSERT INTO property_details (property_id, details) VALUES ('hotel-ponte', '{')");
  const repair = () => runSql(installation, "DELETE FROM property_details WHERE property_id = 'hotel-ponte'");
  return { service: await installation.serve(), asked: {}, repair };
}

async function damageChange(on: ProvokedService): Promise<Damaged> {
  const { installation } = on;
  const given = await ask(on, on.tokens.good, 'listChanges');
  const { next } = JSON.parse(given.text) as { next: string };
  await installation.importLines([hotel('damaged', { visibleTo: ['nobody'] })]);
  const setVisibleTo = (text: string) =>
    runSql(installation, `UPDATE property_changes SET visible_to = '${text}' WHERE property_id = 'damaged'`);
  setVisibleTo('{');
  const asked = { path: `/feeds/v1/changes?since=${next}` };
  // A running service may have read the change before it was damaged.
  return { service: await installation.serve(), asked, repair: () => setVisibleTo('["nobody"]') };
}

function runSql({ databasePath }: Installation, sql: string): void {
  // The service writes now and then.
  const database = new DatabaseSync(databasePath, { timeout: 5_000 });
  database.exec(sql);
  database.close();
}

const scopesOf = (operationId: OperationId) =>
  ALL_OPERATIONS.find((operation) => operation.operationId === operationId)!.scopes;

function withLastChanged(token: string): string {
  return token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a');
}

// The columns of SPEC 7 first.
export const SPEC_PROBLEMS: Readonly<Record<ProblemCode, SpecProblem>> = {
  VALIDATION_ERROR: {
    status: 400,
    schema: 'ValidationProblem',
    slug: 'validation-error',
    of: 'every operation',
    provoked: {
      'a request that is not as documented': (on, id) =>
        GOOD_REQUESTS[id].body !== undefined
          ? ask(on, on.tokens.good, id, { body: '{}' })
          : ask(on, on.tokens.good, id, { path: `${GOOD_REQUESTS[id].path.replace(/\?.*/, '')}?unknown=1` }),
    },
  },
  FEED_CURSOR_INVALID: {
    status: 400,
    schema: 'FeedCursorInvalidProblem',
    slug: 'feed-cursor-invalid',
    of: ['listChanges'],
    provoked: {
      'a cursor that nobody gave': (on, id) =>
        ask(on, on.tokens.good, id, { path: '/feeds/v1/changes?since=nonsense' }),
      'an empty cursor': (on, id) => ask(on, on.tokens.good, id, { path: '/feeds/v1/changes?since=' }),
    },
  },
  FEED_CURSOR_RESET: {
    status: 410,
    schema: 'FeedCursorResetProblem',
    slug: 'feed-cursor-reset',
    of: ['listChanges'],
    provoked: {
      'a cursor from before the time that changes are kept': async (on, id) => {
        const given = await ask(on, on.tokens.good, id);
        const { next } = JSON.parse(given.text) as { next: string };
        on.installation.time.nowMs += 91 * DAY_MS;
        const late = await ask(on, on.tokens.good, id, { path: `/feeds/v1/changes?since=${next}` });
        on.installation.time.nowMs -= 91 * DAY_MS;
        return late;
      },
    },
  },
  INVALID_JSON: {
    status: 400,
    schema: 'InvalidJsonProblem',
    slug: 'invalid-json',
    of: ['createPartnerQuote', 'priceStays'],
    provoked: { 'a body that is not JSON': (on, id) => ask(on, on.tokens.good, id, { body: '{' }) },
  },
  PARTNER_AUTH_REQUIRED: {
    status: 401,
    schema: 'UnauthorizedProblem',
    slug: 'partner-auth-required',
    of: 'every operation',
    provoked: {
      'no Authorization': (on, id) => ask(on, undefined, id),
      'another scheme': (on, id) => ask(on, undefined, id, { headers: { authorization: 'Basic YTpi' } }),
      'Bearer with nothing behind it': (on, id) =>
        ask(on, undefined, id, { headers: { authorization: 'Bearer ' } }),
      'a token in the query': (on, id) => {
        const { path } = GOOD_REQUESTS[id];
        return ask(on, undefined, id, {
          path: `${path}${path.includes('?') ? '&' : '?'}access_token=${on.tokens.good}`,
        });
      },
    },
  },
  INVALID_PARTNER_CREDENTIAL: {
    status: 401,
    schema: 'UnauthorizedProblem',
    slug: 'invalid-partner-credential',
    of: 'every operation',
    provoked: {
      'a token that nobody issued': (on, id) => ask(on, 'sp_live_nobody', id),
      'a token with one character changed': (on, id) => ask(on, withLastChanged(on.tokens.good), id),
      'two tokens': (on, id) => ask(on, `${on.tokens.good} ${on.tokens.good}`, id),
      'a credential that has expired': (on, id) => ask(on, on.tokens.expired, id),
    },
  },
  PARTNER_ACCESS_REVOKED: {
    status: 401,
    schema: 'UnauthorizedProblem',
    slug: 'partner-access-revoked',
    of: 'every operation',
    provoked: {
      'a revoked credential': (on, id) => ask(on, on.tokens.revoked, id),
      'a credential of a disabled partner': (on, id) => ask(on, on.tokens.disabled, id),
    },
  },
  PARTNER_SCOPE_INSUFFICIENT: {
    status: 403,
    schema: 'ForbiddenProblem',
    slug: 'partner-scope-insufficient',
    of: 'every operation',
    provoked: {
      'a credential with the other scopes': (on, id) => ask(on, on.tokens.lacking[scopesOf(id).at(-1)!], id),
    },
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    schema: 'ForbiddenProblem',
    slug: 'origin-not-allowed',
    of: 'every operation',
    provoked: {
      'an origin of nobody': (on, id) =>
        ask(on, on.tokens.good, id, { headers: { origin: 'https://evil.example' } }),
      'an origin of another partner': (on, id) =>
        ask(on, on.tokens.good, id, { headers: { origin: FOREIGN_ORIGIN } }),
      'the origin null': (on, id) => ask(on, on.tokens.good, id, { headers: { origin: 'null' } }),
      'the origin with another port': (on, id) =>
        ask(on, on.tokens.good, id, { headers: { origin: `${ORIGIN}:8443` } }),
    },
  },
  PROPERTY_NOT_FOUND: {
    status: 404,
    schema: 'PropertyNotFoundProblem',
    slug: 'property-not-found',
    of: OF_ONE_PROPERTY,
    provoked: { 'a property that nobody has': (on, id) => askFor(on, 'nowhere', id) },
  },
  PARTNER_OPERATION_NOT_FOUND: {
    status: 404,
    slug: 'partner-operation-not-found',
    of: [],
    // Belongs to no operation of the contract.
    provoked: {},
  },
  STAY_UNAVAILABLE: {
    status: 409,
    schema: 'QuoteConflictProblem',
    slug: 'stay-unavailable',
    of: ['createPartnerQuote'],
    provoked: { 'a property without an open night': (on, id) => askFor(on, 'full-house', id) },
  },
  QUOTE_UNAVAILABLE: {
    status: 409,
    schema: 'QuoteConflictProblem',
    slug: 'quote-unavailable',
    of: ['createPartnerQuote'],
    provoked: { 'a property that gives no quotes': (on, id) => askFor(on, 'not-quoting', id) },
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    schema: 'PayloadTooLargeProblem',
    slug: 'payload-too-large',
    of: ['createPartnerQuote', 'priceStays'],
    provoked: {
      'a body beyond the limit': (on, id) =>
        ask(on, on.tokens.good, id, { body: ' '.repeat(id === 'priceStays' ? 32_769 : 16_385) }),
    },
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    schema: 'RateLimitProblem',
    slug: 'rate-limit-exceeded',
    of: 'every operation',
    provoked: {
      'a quota that is used up': async (on, id) => {
        await ask(on, on.tokens.usedUp, id);
        return ask(on, on.tokens.usedUp, id);
      },
      'an ingress limit that is used up': (on, id) =>
        new PartnerClient(on.limited.partnerUrl, on.tokens.good).ask(id, GOOD_REQUESTS[id]),
    },
  },
  INTERNAL_ERROR: {
    status: 500,
    schema: 'InternalErrorProblem',
    slug: 'internal-error',
    of: 'every operation',
    provoked: {
      'a clock that shows no time, or a damaged row': async (on, id) => {
        const { service, asked, repair } = await damage(on, id);
        const answer = await ask({ service }, on.tokens.good, id, asked).finally(repair);
        // The line may follow the answer. Work in the background has no time either, and is logged beside it.
        const line = `"correlationId":"${answer.header('x-correlation-id')}"`;
        await until(async () => service.takeErrors().some((logged) => logged.includes(line)));
        assert.doesNotMatch(answer.text, /RangeError|Invalid time|SyntaxError|JSON|\.ts/);
        return answer;
      },
    },
  },
  PARTNER_API_UNAVAILABLE: {
    status: 503,
    schema: 'UnavailableProblem',
    slug: 'partner-api-unavailable',
    of: 'every operation',
    // Provoked in `database-away.test.ts`, on a service that loses its database.
    provoked: {},
  },
  HANDOFF_INVALID: {
    status: 400,
    slug: 'handoff-invalid',
    of: [],
    provoked: {},
  },
};

const CODES = Object.keys(SPEC_PROBLEMS) as readonly ProblemCode[];

export function specCodesOf(operationId: OperationId): readonly ProblemCode[] {
  return CODES.filter((code) => {
    const { of } = SPEC_PROBLEMS[code];
    return of === 'every operation' || of.includes(operationId);
  });
}

export function specStatusesOf(operationId: OperationId): Readonly<Record<number, readonly ProblemCode[]>> {
  const codes = specCodesOf(operationId);
  return Object.fromEntries(Map.groupBy(codes, (code) => SPEC_PROBLEMS[code].status));
}
