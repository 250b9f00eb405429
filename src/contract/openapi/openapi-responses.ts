/** Descriptions of an operation's answers in the OpenAPI document. */
import { buildResponseHeaders, ETAG_HEADER } from './openapi-headers.ts';
import { presentSchema } from './openapi-schemas.ts';
import type { Operation, OperationId } from '../partner/operations.ts';
import type { ExampleDates } from '../partner/example-dates.ts';
import { buildProblemExample } from './problem-examples.ts';
import { type ProblemAnswer, problemAnswerOf } from '../partner/problem-schemas.ts';
import { PROBLEM_CODES, PROBLEM_FAMILIES, type ProblemCode, PROBLEMS } from '../partner/problems.ts';

interface ResponseParts {
  readonly problemsBaseUrl: string;
  readonly dates: ExampleDates;
}

export function buildResponseComponents(
  operations: readonly Operation[],
  parts: ResponseParts,
): Record<string, unknown> {
  const answers = operations.flatMap((operation) => answersOf(operation));
  const shared = Object.keys(PROBLEM_FAMILIES).flatMap((family) => {
    const answer = answers.find(({ name }) => name === family);
    const component = answer?.row.component;
    return component === undefined ? [] : [[component, presentAnswer(answer!, parts)] as const];
  });
  return Object.fromEntries(shared);
}

/** `responses` of an operation: its success, then its problems by status. */
export function buildResponses(operation: Operation, parts: ResponseParts): Record<string, unknown> {
  const responses: Record<string, unknown> = {
    [operation.successStatus]: successResponse(operation, parts.dates),
    ...(operation.hasEtag === true ? { 304: unchangedResponse(operation, parts.dates) } : {}),
  };
  for (const answer of answersOf(operation)) {
    const { component } = answer.row;
    responses[answer.status] =
      component === undefined
        ? presentAnswer(answer, parts)
        : { $ref: `#/components/responses/${component}` };
  }
  return responses;
}

interface OperationAnswer extends ProblemAnswer {
  readonly operation: Operation;
  readonly status: number;
  /** In the order of SPEC 7. */
  readonly codes: readonly ProblemCode[];
}

/** By status. */
function answersOf(operation: Operation): readonly OperationAnswer[] {
  const all = PROBLEM_CODES.filter((code) => operation.problemCodes.includes(code));
  return [...Map.groupBy(all, (code) => PROBLEMS[code].status)]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => ({
      ...problemAnswerOf(operation.operationId, codes),
      operation,
      status,
      codes,
    }));
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

function presentAnswer(
  { operation, status, codes, row, schema }: OperationAnswer,
  { problemsBaseUrl, dates }: ResponseParts,
): object {
  const examples = codes.map((code) => {
    const value = buildProblemExample(code, { operation, problemsBaseUrl, dates });
    return [code, { summary: PROBLEMS[code].title, value }];
  });
  return {
    description: row.answer ?? row.description,
    headers: buildResponseHeaders(status, dates),
    content: {
      'application/problem+json': {
        schema: presentSchema(schema),
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
