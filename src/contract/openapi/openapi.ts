/** The OpenAPI 3.1 document of the four operations, built from the table of operations. */
import { EXAMPLE_QUOTE_REQUEST } from './openapi-examples.ts';
import { buildHeaderComponents } from './openapi-headers.ts';
import { buildResponseComponents, buildResponses } from './openapi-responses.ts';
import { buildSchemaComponents, presentSchema } from './openapi-schemas.ts';
import { API_DESCRIPTION, TAG_DESCRIPTIONS, TOKEN_DESCRIPTION } from './openapi-text.ts';
import { OPERATIONS, type Operation } from '../partner/operations.ts';
import type { Parameter } from '../partner/parameters.ts';

/** Version of the contract (SPEC 9). */
const CONTRACT_VERSION = '1.0.0-beta.1';

const SECURITY_SCHEME = 'partnerToken';

export interface OpenApiSettings {
  /** Where partners reach the service, without a slash at its end. */
  readonly publicUrl: string;
  /** Base of every problem `type`, without a slash at its end. */
  readonly problemsBaseUrl: string;
}

/** What `openapi.json` is written for: a service with the settings that it starts with. */
export const COMMITTED_SETTINGS: OpenApiSettings = {
  publicUrl: 'http://127.0.0.1:8080',
  problemsBaseUrl: 'http://127.0.0.1:8080/problems',
};

export function buildOpenApi({ publicUrl, problemsBaseUrl }: OpenApiSettings): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stayport partner API',
      version: CONTRACT_VERSION,
      summary: 'Property search, availability and indicative quotes for lodging partners.',
      description: API_DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl, description: 'This service.' }],
    tags: Object.entries(TAG_DESCRIPTIONS).map(([name, description]) => ({ name, description })),
    paths: buildPaths(problemsBaseUrl),
    components: {
      securitySchemes: {
        [SECURITY_SCHEME]: { type: 'http', scheme: 'bearer', description: TOKEN_DESCRIPTION },
      },
      headers: buildHeaderComponents(),
      responses: buildResponseComponents(OPERATIONS, problemsBaseUrl),
      schemas: buildSchemaComponents(),
    },
  };
}

/** The document as it is committed and served. */
export function formatOpenApi(document: Record<string, unknown>): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function buildPaths(problemsBaseUrl: string): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS) {
    const pathItem = (paths[operation.path] ??= {});
    pathItem[operation.method.toLowerCase()] = presentOperation(operation, problemsBaseUrl);
  }
  return paths;
}

function presentOperation(operation: Operation, problemsBaseUrl: string): object {
  const parameters = [
    ...operation.pathParameters.map((parameter) => presentParameter(parameter, 'path')),
    ...operation.queryParameters.map((parameter) => presentParameter(parameter, 'query')),
  ];
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${operation.description}\n\nNeeds the scope \`${operation.scope}\`.`,
    security: [{ [SECURITY_SCHEME]: [operation.scope] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.bodySchema === undefined ? {} : { requestBody: presentRequestBody(operation.bodySchema) }),
    responses: buildResponses(operation, problemsBaseUrl),
  };
}

/** Description and example stand beside the schema, where documentation tools look for them. */
function presentParameter({ name, required, schema }: Parameter, place: 'path' | 'query'): object {
  const { description, examples, ...rest }: { description?: string; examples?: readonly unknown[] } = schema;
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    schema: presentSchema(rest),
    ...(examples === undefined ? {} : { example: examples[0] }),
  };
}

function presentRequestBody(bodySchema: unknown): object {
  return {
    required: true,
    content: { 'application/json': { schema: presentSchema(bodySchema), example: EXAMPLE_QUOTE_REQUEST } },
  };
}
