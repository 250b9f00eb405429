/** The answers of an operation as the OpenAPI document describes them. */
import { buildResponseHeaders } from './openapi-headers.ts';
import { presentSchema } from './openapi-schemas.ts';
import type { Operation } from '../partner/operations.ts';
import { buildLinks } from './openapi-links.ts';
import { type ExampleDates } from '../partner/example-dates.ts';
import { buildProblemExample } from './problem-examples.ts';
import { problemSchemaOf } from '../partner/problem-schemas.ts';
import { PROBLEM_CODES, type ProblemCode, PROBLEMS } from '../partner/problems.ts';

/** Answers that are the same for every operation, by status: name and text of the component. */
const SHARED_RESPONSES: Readonly<Record<number, { readonly name: string; readonly description: string }>> = {
  401: { name: 'Unauthorized', description: 'The credential is missing, not valid, or revoked.' },
  403: {
    name: 'Forbidden',
    description: 'The credential lacks the scope, or the browser origin is not authorised.',
  },
  404: {
    name: 'PropertyNotFound',
    description: 'The property does not exist or is not offered to this partner.',
  },
  429: {
    name: 'TooManyRequests',
    description: 'A request limit is used up. Wait as long as Retry-After says.',
  },
  500: { name: 'InternalError', description: 'Unexpected error. Internal details are never shown.' },
  503: { name: 'Unavailable', description: 'The service is temporarily unavailable.' },
};

const OWN_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  409: 'The stay is not available, or no quote can be made for it.',
  413: 'The body is larger than the service accepts.',
};

interface ResponseParts {
  readonly problemsBaseUrl: string;
  readonly dates: ExampleDates;
}

/** `components.responses`. */
export function buildResponseComponents(
  operations: readonly Operation[],
  parts: ResponseParts,
): Record<string, unknown> {
  const components: Record<string, unknown> = {};
  for (const [status, { name, description }] of Object.entries(SHARED_RESPONSES)) {
    const operation = operations.find((candidate) => codesOfStatus(candidate, Number(status)).length > 0);
    if (operation === undefined) continue;
    components[name] = { description, ...problemAnswer(operation, Number(status), parts) };
  }
  return components;
}

/** `responses` of an operation: its success, then its problems by status. */
export function buildResponses(operation: Operation, parts: ResponseParts): Record<string, unknown> {
  const responses: Record<string, unknown> = {
    [operation.successStatus]: successResponse(operation, parts.dates),
  };
  for (const status of problemStatuses(operation)) {
    const shared = SHARED_RESPONSES[status];
    responses[status] =
      shared === undefined
        ? { description: OWN_DESCRIPTIONS[status], ...problemAnswer(operation, status, parts) }
        : { $ref: `#/components/responses/${shared.name}` };
  }
  return responses;
}

function problemStatuses({ problemCodes }: Operation): readonly number[] {
  return [...new Set(problemCodes.map((code) => PROBLEMS[code].status))].sort((a, b) => a - b);
}

/** In the order of SPEC 7. */
function codesOfStatus({ problemCodes }: Operation, status: number): readonly ProblemCode[] {
  return PROBLEM_CODES.filter((code) => problemCodes.includes(code) && PROBLEMS[code].status === status);
}

function successResponse(operation: Operation, dates: ExampleDates): object {
  const { successStatus, successDescription, cacheControl, successSchema, examples } = operation;
  const links = buildLinks(operation);
  return {
    description: successDescription,
    headers: buildResponseHeaders(successStatus, { answeredAtMs: dates.answeredAtMs, cacheControl }),
    content: {
      'application/json': {
        schema: presentSchema(successSchema),
        examples: examples(dates).successes,
      },
    },
    ...(links === undefined ? {} : { links }),
  };
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
        schema: presentSchema(problemSchemaOf(codes)),
        examples: Object.fromEntries(examples),
      },
    },
  };
}
