/** The OpenAPI 3.1 document of operator operations, built from their rows. */
import { Type } from '../partner/json-schema.ts';
import type { Parameter } from '../partner/parameters.ts';
import { makeProblem, type ProblemIssue } from '../problem-body.ts';
import { type OperatorOperation, type OperatorSuccess, problemCodesOf } from '../operator/operation.ts';
import { OPERATOR_PROBLEMS, type OperatorProblemCode } from '../operator/problems.ts';

const SECURITY_SCHEME = 'operatorToken';
const PROBLEM_SCHEMA = 'Problem';

export interface OperatorOpenApiSettings {
  readonly title: string;
  readonly description: string;
  /** Base of every problem `type`, without a final slash. */
  readonly problemsBaseUrl: string;
}

export function buildOperatorOpenApi(
  operations: readonly OperatorOperation[],
  { title, description, problemsBaseUrl }: OperatorOpenApiSettings,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const pathItem = (paths[operation.path] ??= {});
    pathItem[operation.method.toLowerCase()] = presentOperation(operation, problemsBaseUrl);
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1.0.0-beta.1', description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'The listener that serves this document.' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        [SECURITY_SCHEME]: {
          type: 'http',
          scheme: 'bearer',
          description: 'An operator token, as `operator-token issue` prints it.',
        },
      },
      schemas: { [PROBLEM_SCHEMA]: plain(problemSchema(operations)) },
    },
  };
}

function presentOperation(operation: OperatorOperation, problemsBaseUrl: string): object {
  const { operationId, tag, summary, description, scope, body } = operation;
  const parameters = [
    ...(operation.pathParameters ?? []).map((parameter) => presentParameter(parameter, 'path')),
    ...(operation.queryParameters ?? []).map((parameter) => presentParameter(parameter, 'query')),
    ...(operation.headerParameters ?? []).map((parameter) => presentParameter(parameter, 'header')),
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    description: scope === undefined ? description : `${description}\n\nNeeds the scope \`${scope}\`.`,
    security: scope === undefined ? [] : [{ [SECURITY_SCHEME]: [scope] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              body.mediaTypes.map((mediaType) => [mediaType, { schema: plain(body.schema ?? {}) }]),
            ),
          },
        }),
    responses: {
      ...Object.fromEntries(operation.successes.map((success) => [success.status, presentSuccess(success)])),
      ...presentProblems(operation, problemsBaseUrl),
    },
  };
}

function presentParameter({ name, required, schema }: Parameter, place: 'path' | 'query' | 'header'): object {
  return { name, in: place, required, schema: plain(schema) };
}

function presentSuccess({ description, mediaType, schema }: OperatorSuccess): object {
  if (mediaType === undefined) return { description };
  return { description, content: { [mediaType]: schema === undefined ? {} : { schema: plain(schema) } } };
}

/** By status, each with one example per code. */
function presentProblems(operation: OperatorOperation, problemsBaseUrl: string): Record<string, object> {
  const codesByStatus = Map.groupBy(problemCodesOf(operation), (code) => OPERATOR_PROBLEMS[code].status);
  const sorted = [...codesByStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    sorted.map(([status, codes]) => [status, presentProblemStatus(codes, problemsBaseUrl)]),
  );
}

function presentProblemStatus(codes: readonly OperatorProblemCode[], problemsBaseUrl: string): object {
  const examples = codes.map((code) => [code, { value: exampleOf(code, problemsBaseUrl) }]);
  return {
    description: codes.map((code) => OPERATOR_PROBLEMS[code].title).join('; '),
    content: {
      'application/problem+json': {
        schema: { $ref: `#/components/schemas/${PROBLEM_SCHEMA}` },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function exampleOf(code: OperatorProblemCode, problemsBaseUrl: string): unknown {
  const hasErrors = 'hasErrors' in OPERATOR_PROBLEMS[code];
  const errors = hasErrors ? [exampleIssue(code)] : undefined;
  return makeProblem(code, { problemsBaseUrl, correlationId: 'TqF0XyN2c1eG-1', errors });
}

function exampleIssue(code: OperatorProblemCode): ProblemIssue {
  if (code === 'VALIDATION_ERROR') {
    const issue = { field: 'body', code: 'REQUIRED', detail: 'The field is missing.' };
    return issue;
  }
  const issue = { pointer: '/entries/3/dateTo', code: 'DATE_INVALID', detail: 'Must be a real date.' };
  return issue;
}

function problemSchema(operations: readonly OperatorOperation[]) {
  const codes = [...new Set(operations.flatMap((operation) => problemCodesOf(operation)))];
  return Type.Object(
    {
      type: Type.String({ format: 'uri' }),
      title: Type.String(),
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      detail: Type.String({ description: 'For people. The wording may change.' }),
      code: Type.Unsafe<string>({ type: 'string', enum: codes }),
      correlationId: Type.String({ description: 'The same as the header X-Correlation-ID.' }),
      errors: Type.Optional(
        Type.Array(Type.Object({ code: Type.String(), detail: Type.String() }), { minItems: 1 }),
      ),
    },
    { description: 'RFC 9457 problem details with a stable code.' },
  );
}

/** Drops TypeBox's markers, which are not enumerable. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema));
}
