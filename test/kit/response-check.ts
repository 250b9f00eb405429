/**
 * Compares what a server sent with what the OpenAPI document says, for tests over real HTTP. The document is the
 * only source for statuses, media types, headers, schemas and problem codes.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  buildExtrasOpenApi,
  buildOpenApi,
  COMMITTED_SETTINGS,
  type OpenApiSettings,
} from '../../src/contract/openapi/openapi.ts';
import { ALL_OPERATIONS } from '../../src/contract/partner/extra-operations.ts';
import type { OperationId } from '../../src/contract/partner/operations.ts';
import { ProblemSchema, ValidationProblemSchema } from '../../src/contract/partner/problem-schemas.ts';
import { checkProblemBody, checkSuccessBody } from './response-body-check.ts';
import { addContractFormats } from './response-formats.ts';

export interface SentAnswer {
  /** Null when the request was for none of the four operations, or could not be read at all. */
  readonly operationId: OperationId | null;
  readonly status: number;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

export interface CheckOptions {
  readonly settings?: OpenApiSettings;
}

interface HeaderDescription {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly schema?: { readonly type?: string; readonly [keyword: string]: unknown };
}
interface MediaDescription {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, unknown>>;
}
interface ResponseDescription {
  readonly $ref?: string;
  readonly headers: Readonly<Record<string, HeaderDescription>>;
  readonly content: Readonly<Record<string, MediaDescription>>;
}
interface Document {
  readonly paths: Readonly<
    Record<string, Record<string, { readonly responses: Readonly<Record<string, ResponseDescription>> }>>
  >;
  readonly components: {
    readonly headers: Readonly<Record<string, HeaderDescription>>;
    readonly responses: Readonly<Record<string, ResponseDescription>>;
    readonly schemas: object;
  };
}

/** Headers that must not be there unless the document lists them for the status. */
const CONTRACT_HEADERS = [
  'X-Correlation-ID',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Cache-Control',
  'Retry-After',
  'Location',
  'WWW-Authenticate',
];

/** Statuses that a request for no operation, or one that can't be read, may get, with their codes. */
const CODES_OUTSIDE_OPERATIONS: Readonly<Record<number, readonly string[]>> = {
  400: ['VALIDATION_ERROR'],
  403: ['ORIGIN_NOT_ALLOWED'],
  404: ['PARTNER_OPERATION_NOT_FOUND'],
  405: ['PARTNER_OPERATION_NOT_FOUND'],
  429: ['RATE_LIMIT_EXCEEDED'],
  500: ['INTERNAL_ERROR'],
  503: ['PARTNER_API_UNAVAILABLE'],
};

/** Every way in which the answer differs from the document, as sentences; empty when it conforms. */
export function checkAnswer(
  answer: SentAnswer,
  { settings = COMMITTED_SETTINGS }: CheckOptions = {},
): string[] {
  const checker = checkerFor(settings);
  const violations: string[] = [];
  const described =
    answer.operationId === null ? undefined : checker.responseOf(answer.operationId, answer.status);
  if (answer.operationId !== null && described === undefined) {
    return [`${answer.operationId} documents no status ${answer.status}`];
  }
  const mediaType = answer.status >= 400 ? 'application/problem+json' : 'application/json';
  const sentType = headerOf(answer, 'content-type');
  if (sentType !== mediaType) violations.push(`content-type is ${sentType}, not exactly ${mediaType}`);
  violations.push(...checkLength(answer), ...checker.checkHeaders(answer, described));

  const body = parseStrictly(answer.body);
  if (body === undefined) return [...violations, 'the body is not JSON in UTF-8 without a byte-order mark'];
  const media = described?.content[mediaType];
  const schemaViolations = checker.checkSchema(media?.schema ?? problemSchemaOf(body.value), body.value);
  // The meaning of members is checked only if their types are right.
  if (schemaViolations.length > 0) return [...violations, ...schemaViolations];
  const facts = { status: answer.status, body: body.value, header: (name: string) => headerOf(answer, name) };
  if (answer.status < 400) return [...violations, ...checkSuccessBody(facts)];
  const codes =
    media === undefined ? CODES_OUTSIDE_OPERATIONS[answer.status] : Object.keys(media.examples ?? {});
  return [...violations, ...checkProblemBody(facts, codes ?? [], settings.problemsBaseUrl)];
}

type Checker = ReturnType<typeof buildChecker>;
const checkers = new Map<string, Checker>();

function checkerFor(settings: OpenApiSettings): Checker {
  const key = JSON.stringify(settings);
  const known = checkers.get(key) ?? buildChecker(settings);
  checkers.set(key, known);
  return known;
}

function buildChecker(settings: OpenApiSettings) {
  const documents = [buildOpenApi, buildExtrasOpenApi].map((build) => build(settings) as unknown as Document);
  const document = together(documents);
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  // OpenAPI's own keyword: it names what the code already decides.
  ajv.addKeyword('discriminator');
  addContractFormats(ajv);
  ajv.addSchema({ $id: 'contract', $defs: closeObjects(document.components.schemas) });
  const compiled = new Map<string, ValidateFunction>();

  function checkSchema(schema: object, value: unknown): string[] {
    const text = JSON.stringify(closeObjects(schema));
    const validate =
      compiled.get(text) ?? ajv.compile(JSON.parse(text.replaceAll('"#/$defs/', '"contract#/$defs/')));
    compiled.set(text, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      return `body${instancePath} ${message} ${JSON.stringify(params)}`;
    });
  }

  function responseOf(operationId: OperationId, status: number): ResponseDescription | undefined {
    const operation = ALL_OPERATIONS.find((candidate) => candidate.operationId === operationId);
    if (operation === undefined) return undefined;
    const response = document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses[status];
    return response?.$ref === undefined
      ? response
      : document.components.responses[lastSegment(response.$ref)];
  }

  function checkHeaders(answer: SentAnswer, described: ResponseDescription | undefined): string[] {
    const violations: string[] = [];
    for (const name of CONTRACT_HEADERS) {
      const listed = described?.headers[name];
      const header =
        listed?.$ref === undefined ? listed : document.components.headers[lastSegment(listed.$ref)];
      const value = headerOf(answer, name);
      if (value === undefined) {
        if (header?.required === true) violations.push(`${name} is missing on ${answer.status}`);
      } else if (header !== undefined) {
        violations.push(...checkHeaderValue(name, value, header));
      } else if (described !== undefined) {
        violations.push(`${name} must not be on ${answer.status}`);
      }
    }
    return described === undefined ? [...violations, ...checkOutside(answer)] : violations;
  }

  function checkHeaderValue(name: string, text: string, header: HeaderDescription): string[] {
    const schema = header.schema ?? {};
    const value = schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
    return checkSchema(schema, value).map((violation) => `${name}: ${text}: ${violation}`);
  }

  return { checkSchema, responseOf, checkHeaders };
}

/** The documents as one. What both have is of the contract; problems that more operations answer with have more examples. */
function together(documents: readonly Document[]): Document {
  const merge = <Value>(pick: (document: Document) => Readonly<Record<string, Value>>) =>
    Object.assign({}, ...documents.toReversed().map(pick)) as Record<string, Value>;
  return {
    paths: merge(({ paths }) => paths),
    components: {
      headers: merge(({ components }) => components.headers),
      responses: merge(({ components }) => components.responses),
      schemas: merge(({ components }) => components.schemas as Record<string, unknown>),
    },
  };
}

/** Rules of an answer outside of the operations. */
function checkOutside(answer: SentAnswer): string[] {
  const violations: string[] = [];
  const needed = ['X-Correlation-ID', 'Cache-Control'];
  if (answer.status === 405) needed.push('Allow');
  if (answer.status === 429) needed.push('Retry-After');
  for (const name of needed) {
    if (headerOf(answer, name) === undefined) violations.push(`${name} is missing on ${answer.status}`);
  }
  const cacheControl = headerOf(answer, 'Cache-Control') ?? 'no-store';
  return cacheControl === 'no-store' ? violations : [...violations, `Cache-Control is ${cacheControl}`];
}

function checkLength(answer: SentAnswer): string[] {
  const length = headerOf(answer, 'content-length');
  if (length === undefined || Number(length) === answer.body.byteLength) return [];
  return [`content-length is ${length}, the body has ${answer.body.byteLength} bytes`];
}

/** Outside of the operations any problem may come; the document has a schema for each status of theirs only. */
function problemSchemaOf(body: unknown): object {
  const hasErrors = typeof body === 'object' && body !== null && 'errors' in body;
  return hasErrors ? ValidationProblemSchema : ProblemSchema;
}

/**
 * Nothing of ours sends a member that is not described, wherever the contract would admit one. References are
 * turned from the document's into those of the schema that ajv holds.
 */
function closeObjects(schema: object): object {
  const text = JSON.stringify(schema, (_key, value: unknown) => {
    const open = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value;
    return open ? { additionalProperties: false, ...value } : value;
  });
  return JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/'));
}

function headerOf({ headers }: SentAnswer, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const wanted = name.toLowerCase();
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === wanted);
  const values = found.flatMap(([, value]) => value ?? []);
  // Two values are shown together, and then fit no schema.
  return values.length === 0 ? undefined : values.join(', ');
}

function parseStrictly(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}

function lastSegment(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
