/** The answers of an operation as the OpenAPI document describes them. */
import { EXAMPLE_CORRELATION_ID, ISSUE_EXAMPLES, SUCCESS_EXAMPLES } from './openapi-examples.ts';
import { buildResponseHeaders } from './openapi-headers.ts';
import { presentSchema } from './openapi-schemas.ts';
import type { Operation } from '../partner/operations.ts';
import { ProblemSchema, ValidationProblemSchema } from '../partner/problem-schemas.ts';
import { buildProblem, PROBLEM_CODES, type ProblemCode, PROBLEMS } from '../partner/problems.ts';

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

/** `components.responses`. */
export function buildResponseComponents(
  operations: readonly Operation[],
  problemsBaseUrl: string,
): Record<string, unknown> {
  const components: Record<string, unknown> = {};
  for (const [status, { name, description }] of Object.entries(SHARED_RESPONSES)) {
    const operation = operations.find((candidate) => codesOfStatus(candidate, Number(status)).length > 0);
    if (operation === undefined) continue;
    components[name] = { description, ...problemAnswer(operation, Number(status), problemsBaseUrl) };
  }
  return components;
}

/** `responses` of an operation: its success, then its problems by status. */
export function buildResponses(operation: Operation, problemsBaseUrl: string): Record<string, unknown> {
  const responses: Record<string, unknown> = { [operation.successStatus]: successResponse(operation) };
  for (const status of problemStatuses(operation)) {
    const shared = SHARED_RESPONSES[status];
    responses[status] =
      shared === undefined
        ? { description: OWN_DESCRIPTIONS[status], ...problemAnswer(operation, status, problemsBaseUrl) }
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

function successResponse(operation: Operation): object {
  return {
    description: operation.successDescription,
    headers: buildResponseHeaders(operation.successStatus, operation.cacheControl),
    content: {
      'application/json': {
        schema: presentSchema(operation.successSchema),
        example: SUCCESS_EXAMPLES[operation.operationId],
      },
    },
  };
}

function problemAnswer(operation: Operation, status: number, problemsBaseUrl: string): object {
  const codes = codesOfStatus(operation, status);
  const examples = codes.map((code) => {
    const errors = code === 'VALIDATION_ERROR' ? ISSUE_EXAMPLES[operation.operationId] : undefined;
    const value = buildProblem(code, { problemsBaseUrl, correlationId: EXAMPLE_CORRELATION_ID, errors });
    return [code, { summary: PROBLEMS[code].title, value }];
  });
  return {
    headers: buildResponseHeaders(status),
    content: {
      'application/problem+json': { schema: problemSchema(codes), examples: Object.fromEntries(examples) },
    },
  };
}

/** Neither schema admits the other's bodies: one has `errors`, the other has no room for them. */
function problemSchema(codes: readonly ProblemCode[]): unknown {
  const others = codes.some((code) => code !== 'VALIDATION_ERROR');
  if (!codes.includes('VALIDATION_ERROR')) return presentSchema(ProblemSchema);
  if (!others) return presentSchema(ValidationProblemSchema);
  return { oneOf: [presentSchema(ValidationProblemSchema), presentSchema(ProblemSchema)] };
}
