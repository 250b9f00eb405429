/** Descriptions of an operation's answers in the OpenAPI document. */
import { buildResponseHeaders, ETAG_HEADER } from './openapi-headers.ts';
import { presentSchema } from './openapi-schemas.ts';
import type { Operation, OperationId } from '../partner/operations.ts';
import type { ExampleDates } from '../partner/example-dates.ts';
import { buildProblemExample } from './problem-examples.ts';
import { problemSchemaOf } from '../partner/problem-schemas.ts';
import { PROBLEM_ANSWERS, PROBLEM_CODES, type ProblemCode, PROBLEMS } from '../partner/problems.ts';

const ANSWERS = Object.entries(PROBLEM_ANSWERS).map(([status, answer]) => ({
  status: Number(status),
  ...answer,
}));

interface ResponseParts {
  readonly problemsBaseUrl: string;
  readonly dates: ExampleDates;
}

export function buildResponseComponents(
  operations: readonly Operation[],
  parts: ResponseParts,
): Record<string, unknown> {
  const components: Record<string, unknown> = {};
  for (const { status, component, description } of ANSWERS) {
    const operation = operations.find((candidate) => codesOfStatus(candidate, status).length > 0);
    if (operation === undefined || component === undefined) continue;
    components[component] = { description, ...problemAnswer(operation, status, parts) };
  }
  return components;
}

/** `responses` of an operation: its success, then its problems by status. */
export function buildResponses(operation: Operation, parts: ResponseParts): Record<string, unknown> {
  const responses: Record<string, unknown> = {
    [operation.successStatus]: successResponse(operation, parts.dates),
    ...(operation.hasEtag === true ? { 304: unchangedResponse(operation, parts.dates) } : {}),
  };
  for (const status of problemStatuses(operation)) {
    const { component, description } = PROBLEM_ANSWERS[status];
    responses[status] =
      component === undefined
        ? { description, ...problemAnswer(operation, status, parts) }
        : { $ref: `#/components/responses/${component}` };
  }
  return responses;
}

function problemStatuses({ problemCodes }: Operation): readonly (keyof typeof PROBLEM_ANSWERS)[] {
  return [...new Set(problemCodes.map((code) => PROBLEMS[code].status))].sort((a, b) => a - b);
}

/** In the order of SPEC 7. */
function codesOfStatus({ problemCodes }: Operation, status: number): readonly ProblemCode[] {
  return PROBLEM_CODES.filter((code) => problemCodes.includes(code) && PROBLEMS[code].status === status);
}

function successResponse(operation: Operation, dates: ExampleDates): object {
  const { successStatus, successDescription, successSchema, examples } = operation;
  const links = buildLinks(operation);
  return {
    description: successDescription,
    headers: successHeaders(operation, successStatus, dates),
    content: {
      'application/json': {
        schema: presentSchema(successSchema),
        examples: examples(dates).successes,
      },
    },
    ...(links === undefined ? {} : { links }),
  };
}

function unchangedResponse(operation: Operation, dates: ExampleDates): object {
  return {
    description: 'The answer is the one that `If-None-Match` names.',
    headers: successHeaders(operation, 304, dates),
  };
}

function successHeaders(
  { cacheControl, hasEtag }: Operation,
  status: number,
  { answeredAtMs }: ExampleDates,
): Record<string, unknown> {
  const headers = buildResponseHeaders(status, { answeredAtMs, cacheControl });
  return hasEtag === true ? { ...headers, ETag: ETAG_HEADER } : headers;
}

function problemAnswer(
  operation: Operation,
  status: number,
  { problemsBaseUrl, dates }: ResponseParts,
): object {
  const codes = codesOfStatus(operation, status);
  const examples = codes.map((code) => {
    const value = buildProblemExample(code, { operation, problemsBaseUrl, dates });
    return [code, { summary: PROBLEMS[code].title, value }];
  });
  return {
    headers: buildResponseHeaders(status, dates),
    content: {
      'application/problem+json': {
        schema: presentSchema(problemSchemaOf(operation.operationId, codes)),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

// A client's next calls after an answer, as OpenAPI links.

interface Link {
  readonly operationId: OperationId;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly requestBody?: object;
}

const FIRST_ITEM = '$response.body#/items/0/propertyId';
const PROPERTY = '$response.body#/propertyId';

const LINKS: { readonly [Id in OperationId]?: Readonly<Record<string, Link>> } = {
  listPartnerProperties: {
    readProperty: {
      operationId: 'getPartnerProperty',
      description: 'Read a property of the page.',
      parameters: { propertyId: FIRST_ITEM },
    },
    checkAvailability: {
      operationId: 'getPartnerPropertyAvailability',
      description: 'Check a stay at a property of the page.',
      parameters: { propertyId: FIRST_ITEM },
    },
  },
  getPartnerProperty: {
    checkAvailability: {
      operationId: 'getPartnerPropertyAvailability',
      description: 'Check a stay at this property.',
      parameters: { propertyId: PROPERTY },
    },
  },
  getPartnerPropertyAvailability: {
    createQuote: {
      operationId: 'createPartnerQuote',
      description: 'Quote the stay that was checked. `locale` is yours to choose.',
      requestBody: {
        propertyId: PROPERTY,
        stay: {
          checkIn: '$response.body#/stay/checkIn',
          checkOut: '$response.body#/stay/checkOut',
          guests: '$response.body#/stay/guests',
        },
        locale: 'it-IT',
      },
    },
  },
};

/** `links` of a success; undefined without a follow-up. */
function buildLinks({ operationId }: Operation): Readonly<Record<string, Link>> | undefined {
  return LINKS[operationId];
}
