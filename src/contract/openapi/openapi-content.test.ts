/** Compares the OpenAPI document with the tables of SPEC 2, 4, 5 and 7, restated by hand. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SPEC_PROBLEMS, specStatusesOf } from '../../../test/kit/spec-problems.ts';
import type { OperationId } from '../partner/operations.ts';
import { buildOpenApi, COMMITTED_SETTINGS } from './openapi.ts';

type Json = { [name: string]: Json } & (readonly Json[] | object);

/** Reads members by name and resolves `$ref`. */
const document = buildOpenApi(COMMITTED_SETTINGS) as unknown as Json;

function resolve(node: Json | undefined): Json {
  const reference = node?.['$ref'] as unknown;
  if (typeof reference !== 'string') return node as Json;
  return resolve(
    reference
      .slice(2)
      .split('/')
      .reduce((inner, name) => inner[name] as Json, document),
  );
}

function at(...names: (string | number)[]): Json {
  return names.reduce<Json>((node, name) => resolve(node[name]), document);
}

const OPERATIONS = {
  listPartnerProperties: {
    place: ['/v1/properties', 'get'],
    scope: 'properties:read',
    success: [200, 'PartnerPropertyList', 'private, max-age=60'],
  },
  getPartnerProperty: {
    place: ['/v1/properties/{propertyId}', 'get'],
    scope: 'properties:read',
    success: [200, 'PartnerPropertySummary', 'private, max-age=60'],
  },
  getPartnerPropertyAvailability: {
    place: ['/v1/properties/{propertyId}/availability', 'get'],
    scope: 'availability:read',
    success: [200, 'PartnerAvailability', 'no-store'],
  },
  createPartnerQuote: {
    place: ['/v1/quotes', 'post'],
    scope: 'quotes:write',
    success: [201, 'PartnerQuote', 'no-store'],
  },
} as const;

const LIMITS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
/** Headers beside X-Correlation-ID and Cache-Control, which every answer has. */
const MORE_HEADERS: Record<number, string[]> = {
  200: LIMITS,
  201: [...LIMITS, 'Location'],
  400: LIMITS,
  401: ['WWW-Authenticate'],
  403: [...LIMITS, 'WWW-Authenticate'],
  404: LIMITS,
  409: LIMITS,
  413: [],
  429: [...LIMITS, 'Retry-After'],
  500: LIMITS,
  503: ['Retry-After'],
};

for (const [operationId, { place, scope, success }] of Object.entries(OPERATIONS)) {
  const problems = specStatusesOf(operationId as OperationId);
  const operation = at('paths', ...place);
  const [successStatus, schemaName, cacheControl] = success;
  const responseAt = (status: number | string) => resolve(resolve(operation['responses'])[status]);

  describe(operationId, () => {
    it('the operation has its name, its scope and the bearer token', () => {
      assert.equal(operation['operationId'], operationId);
      assert.deepEqual(operation['security'], [{ partnerToken: [scope] }]);
      assert.ok(String(operation['description']).includes(scope));
    });

    it('documents exactly the statuses of SPEC 4', () => {
      const statuses = [String(successStatus), ...Object.keys(problems)].sort();
      assert.deepEqual(Object.keys(operation['responses'] ?? {}).sort(), statuses);
    });

    it('answers a success with its schema, its cache policy and an example', () => {
      const response = responseAt(successStatus);
      assert.deepEqual(Object.keys(response['content'] as object), ['application/json']);
      const media = (response['content'] as Json)['application/json'] as Json;
      assert.deepEqual(media['schema'], { $ref: `#/components/schemas/${schemaName}` });
      assert.ok(Object.keys(media['examples'] as object).length > 0);
      assert.equal(
        resolve((response['headers'] as Json)['Cache-Control'])['schema']?.['const'],
        cacheControl,
      );
    });

    for (const [status, codes] of Object.entries(problems)) {
      it(`gives an example of every code of ${status}`, () => {
        const content = responseAt(status)['content'] as Json;
        assert.deepEqual(Object.keys(content), ['application/problem+json']);
        const examples = resolve(content['application/problem+json'])['examples'] as Json;
        assert.deepEqual(Object.keys(examples).sort(), [...codes].sort());
        for (const [code, example] of Object.entries(examples)) {
          const value = example['value'] as Json;
          assert.equal(value['code'], code);
          assert.equal(value['status'], Number(status));
          assert.equal((value['errors'] === undefined) === (code === 'VALIDATION_ERROR'), false);
        }
      });
    }

    for (const status of [successStatus, ...Object.keys(problems).map(Number)]) {
      it(`lists the headers of ${status}`, () => {
        const headers = responseAt(status)['headers'] as Json;
        const expected = [
          'X-Correlation-ID',
          'Cache-Control',
          ...(MORE_HEADERS[status] ?? ['unknown status']),
        ];
        assert.deepEqual(Object.keys(headers).sort(), expected.sort());
        for (const header of Object.values(headers)) assert.ok(resolve(header)['schema'] !== undefined);
        if (status >= 400) assert.equal(resolve(headers['Cache-Control'])['schema']?.['const'], 'no-store');
      });
    }
  });
}

describe('parameters', () => {
  const date = { type: 'string', format: 'date', pattern: String.raw`^\d{4}-\d{2}-\d{2}$` };
  const anyGuests = { type: 'integer', minimum: 1, maximum: 30, format: 'int32' };
  const guests = { ...anyGuests, default: 2 };
  const locale = { type: 'string', enum: ['it-IT', 'en-GB'], default: 'it-IT' };
  const propertyId = { type: 'string', minLength: 1, maxLength: 160, pattern: '^[A-Za-z0-9._~-]+$' };
  const expected: Record<string, Record<string, object>> = {
    listPartnerProperties: {
      'query city required': { type: 'string', minLength: 1, maxLength: 120 },
      'query country': { type: 'string', pattern: '^[A-Z]{2}$' },
      'query checkIn': date,
      'query checkOut': date,
      // Without a default: without dates, nothing is filtered unless the client asks.
      'query guests': anyGuests,
      'query page': {
        type: 'integer',
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        format: 'int64',
        default: 1,
      },
      'query pageSize': { type: 'integer', minimum: 1, maximum: 50, format: 'int32', default: 20 },
      'query locale': locale,
    },
    getPartnerProperty: { 'path propertyId required': propertyId, 'query locale': locale },
    getPartnerPropertyAvailability: {
      'path propertyId required': propertyId,
      'query checkIn required': date,
      'query checkOut required': date,
      'query guests': guests,
    },
  };
  for (const [operationId, parameters] of Object.entries(expected)) {
    it(`of ${operationId} are those of SPEC 4`, () => {
      const { place } = OPERATIONS[operationId as keyof typeof OPERATIONS];
      const listed = Object.values(at('paths', ...place, 'parameters')).map((parameter) => {
        const { in: where, name, required, schema } = parameter as Record<string, unknown>;
        return [`${String(where)} ${String(name)}${required === true ? ' required' : ''}`, schema];
      });
      assert.deepEqual(Object.fromEntries(listed), parameters);
    });
  }

  it('of createPartnerQuote are none; its body is required', () => {
    const operation = at('paths', '/v1/quotes', 'post');
    assert.equal(operation['parameters'], undefined);
    assert.equal((operation['requestBody'] as Json)['required'], true);
  });
});

describe('schemas', () => {
  const schemas = at('components', 'schemas');

  it('require every field and name no other', () => {
    for (const [name, schema] of Object.entries(schemas)) {
      if ((schema['type'] as unknown) !== 'object') continue;
      assert.deepEqual(schema['required'], Object.keys(schema['properties'] as object), name);
    }
  });

  it('are closed where SPEC 2 says so', () => {
    const closed = Object.keys(schemas).filter(
      (name) => schemas[name]?.['additionalProperties'] === (false as never),
    );
    assert.deepEqual(closed.sort(), [
      'CreatePartnerQuoteRequest',
      'ForbiddenProblem',
      'InternalErrorProblem',
      'InvalidJsonProblem',
      'PartnerLocation',
      'PartnerPricing',
      'PartnerPropertySummary',
      'PartnerQuote',
      'PayloadTooLargeProblem',
      'PropertyNotFoundProblem',
      'QuoteConflictProblem',
      'QuoteStayRequest',
      'RateLimitProblem',
      'Stay',
      'UnauthorizedProblem',
      'UnavailableProblem',
      'ValidationProblem',
    ]);
  });

  it('write what can be null as OpenAPI 3.1 does', () => {
    const text = JSON.stringify(document);
    assert.ok(!text.includes('"nullable"'));
    const property = at('components', 'schemas', 'PartnerPropertySummary', 'properties');
    assert.deepEqual(property['description']?.['type'], ['string', 'null']);
    assert.deepEqual(property['startingPrice']?.['anyOf'], [
      { $ref: '#/components/schemas/DecimalMoney' },
      { type: 'null' },
    ]);
    assert.deepEqual(property['rating']?.['anyOf'], [
      { $ref: '#/components/schemas/PartnerRating' },
      { type: 'null' },
    ]);
    assert.deepEqual(at('components', 'schemas', 'PartnerLocation', 'properties', 'area')['type'], [
      'string',
      'null',
    ]);
  });

  it('give every scalar of SPEC 2 its name, and every body refers to it', () => {
    for (const name of ['PropertyId', 'LocalDate', 'DecimalMoney', 'Currency', 'Locale', 'CountryCode'])
      assert.equal(schemas[name]?.['type'], 'string');
    const { properties } = at('components', 'schemas', 'CreatePartnerQuoteRequest') as unknown as {
      properties: Record<string, { $ref: string }>;
    };
    assert.equal(properties['locale']?.$ref, '#/components/schemas/Locale');
    assert.equal(properties['propertyId']?.$ref, '#/components/schemas/PropertyId');
  });

  it('bound every list that the contract bounds', () => {
    const bounds = [
      ['PartnerPropertyList', 'items', 50],
      ['PartnerAvailability', 'days', 60],
      ['ValidationProblem', 'errors', 50],
    ] as const;
    for (const [schema, field, maxItems] of bounds)
      assert.equal(at('components', 'schemas', schema, 'properties', field)['maxItems'], maxItems);
  });

  it('say how wide every integer is', () => {
    const narrow: string[] = [];
    JSON.stringify(document, (key, value: unknown) => {
      const { type, format, const: constant } = (value ?? {}) as Record<string, unknown>;
      if (type === 'integer' && constant === undefined && format === undefined) narrow.push(key);
      return value;
    });
    assert.deepEqual(narrow, []);
  });
});

describe('problems', () => {
  const schemas = at('components', 'schemas') as unknown as Record<string, ProblemShape>;
  interface ProblemShape {
    readonly properties?: {
      readonly status: { readonly const: number };
      readonly code: { readonly const?: string; readonly enum?: readonly string[] };
    };
  }
  const codesByName = Object.entries(schemas)
    .filter(([name, { properties }]) => name.endsWith('Problem') && properties !== undefined)
    .map(([name, { properties }]) => {
      const { status, code } = properties!;
      return [name, [status.const, ...(code.enum ?? [code.const])]];
    });

  it('of one status have one schema with its own codes', () => {
    const spec: Record<string, (number | string)[]> = {};
    const isOfContract = (id: string): boolean => id in OPERATIONS;
    for (const [code, { status, schema, of }] of Object.entries(SPEC_PROBLEMS))
      if (schema !== undefined && (of === 'every operation' || of.some(isOfContract)))
        (spec[schema] ??= [status]).push(code);
    assert.deepEqual(Object.fromEntries(codesByName), spec);
  });

  it('are never put together by allOf, which generators read differently', () => {
    assert.ok(!JSON.stringify(document).includes('"allOf"'));
  });

  it('of a quote that is not valid are distinguished by code', () => {
    assert.deepEqual(at('components', 'schemas', 'QuoteBadRequestProblem')['discriminator'], {
      propertyName: 'code',
      mapping: {
        VALIDATION_ERROR: '#/components/schemas/ValidationProblem',
        INVALID_JSON: '#/components/schemas/InvalidJsonProblem',
      },
    });
  });
});

describe('examples', () => {
  const examplesAt = (path: string, method: string, status: number) =>
    resolve(at('paths', path, method, 'responses', status)['content'])['application/json']?.[
      'examples'
    ] as unknown as Record<string, { value: Record<string, unknown> }>;

  it('of lists and availability are named for the case that they show', () => {
    assert.deepEqual(Object.keys(examplesAt('/v1/properties', 'get', 200)), [
      'dated-search',
      'with-nulls',
      'last-page',
    ]);
    const availability = examplesAt('/v1/properties/{propertyId}/availability', 'get', 200);
    assert.deepEqual(Object.keys(availability), ['free', 'partly-booked']);
  });

  it('are far ahead in the committed document', () => {
    const dates = [...JSON.stringify(document).matchAll(/"(20\d\d)-\d\d-\d\d/g)].map(([, year]) =>
      Number(year),
    );
    assert.ok(dates.length > 10 && dates.every((year) => year >= 2035), String(Math.min(...dates)));
  });

  it('of a used-up limit leave no request', () => {
    const remaining = at('components', 'responses', 'TooManyRequests', 'headers', 'X-RateLimit-Remaining');
    assert.equal(remaining['example'], 0);
  });
});

describe('links', () => {
  it('lead from each answer to operations that exist', () => {
    const names = new Set(Object.keys(OPERATIONS));
    const links = [...JSON.stringify(document).matchAll(/"links":(\{.*?\}\}\}?)/g)];
    assert.equal(links.length, 3);
    for (const [text] of links)
      for (const [, operationId = ''] of text.matchAll(/"operationId":"(\w+)"/g))
        assert.ok(names.has(operationId));
  });
});

describe('the token', () => {
  it('is asked for by the document as a whole', () => {
    assert.deepEqual(document['security'], [{ partnerToken: [] }]);
  });

  it('is a bearer token whose scopes are described', () => {
    const scheme = at('components', 'securitySchemes', 'partnerToken');
    assert.deepEqual([scheme['type'], scheme['scheme']], ['http', 'bearer']);
    for (const { scope } of Object.values(OPERATIONS))
      assert.ok(String(scheme['description']).includes(scope));
  });
});
