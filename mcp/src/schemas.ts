/**
 * The schemas of the tools: those of the partner contract and of what stands beside it, read from openapi.json and
 * openapi-extras.json, so that they can't differ.
 */
import { readFileSync } from 'node:fs';

interface JsonSchema {
  readonly [keyword: string]: unknown;
}

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Body {
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const DOCUMENT = readDocument('openapi.json');
const EXTRAS = readDocument('openapi-extras.json');
const SCHEMAS = { ...EXTRAS.components.schemas, ...DOCUMENT.components.schemas };

function readDocument(name: string): OpenApi {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')) as OpenApi;
}

/** Path and query parameters of an operation as one object, or the schema of its body. */
export function inputSchemaOf(operationId: string): JsonSchema {
  const { parameters, requestBody } = operationOf(operationId);
  if (requestBody !== undefined) return bodySchemaOf(requestBody);
  return {
    type: 'object',
    properties: Object.fromEntries((parameters ?? []).map(propertyOf)),
    required: (parameters ?? []).filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** One parameter of an operation, described for its place in another tool. */
export function parameterSchemaOf(operationId: string, name: string, description?: string): JsonSchema {
  const parameter = operationOf(operationId).parameters?.find((candidate) => candidate.name === name);
  if (parameter === undefined) throw new Error(`${operationId} has no parameter ${name}`);
  return propertyOf({ ...parameter, ...(description === undefined ? {} : { description }) })[1];
}

/** One field of a schema of the contract, such as `nights` of `Stay`. */
export function fieldSchemaOf(schemaName: string, field: string): JsonSchema {
  const properties = DOCUMENT.components.schemas[schemaName]?.['properties'] as Record<string, JsonSchema>;
  const schema = properties[field];
  if (schema === undefined) throw new Error(`${schemaName} has no field ${field}`);
  return resolved(schema);
}

/** A schema beside the contract. */
export function extraSchemaOf(schemaName: string): JsonSchema {
  const schema = EXTRAS.components.schemas[schemaName];
  if (schema === undefined) throw new Error(`openapi-extras.json has no schema ${schemaName}`);
  return resolved(schema);
}

/** What each code of a choice by `code` means: the description of its alternative. */
export function meaningsOf(schemaName: string): ReadonlyMap<string, string> {
  interface Alternative {
    readonly description: string;
    readonly properties: { readonly code: { readonly const: string } };
  }
  const { anyOf } = extraSchemaOf(schemaName) as unknown as { readonly anyOf: readonly Alternative[] };
  return new Map(anyOf.map(({ description, properties }) => [properties.code.const, description]));
}

/** The body of the answer that is not a problem. */
export function outputSchemaOf(operationId: string): JsonSchema {
  const { responses } = operationOf(operationId);
  const success = responses['200'] ?? responses['201'];
  if (success === undefined) throw new Error(`${operationId} has no success`);
  return bodySchemaOf(success);
}

function operationOf(operationId: string): Operation {
  const paths = { ...EXTRAS.paths, ...DOCUMENT.paths };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const operation = operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(`no document has an operation ${operationId}`);
  return operation;
}

function bodySchemaOf({ content }: Body): JsonSchema {
  const schema = content['application/json']?.schema;
  if (schema === undefined) throw new Error('an operation without a JSON body');
  return resolved(schema);
}

function propertyOf({ name, description, schema }: Parameter): [string, JsonSchema] {
  return [name, resolved({ ...schema, ...(description === undefined ? {} : { description }) })];
}

/** Without references: assistants get each tool's schema alone. The contract's schemas do not refer to themselves. */
function resolved(value: JsonSchema): JsonSchema {
  return resolve(value) as JsonSchema;
}

function resolve(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...own } = value as { $ref?: string };
  const named = $ref === undefined ? {} : (SCHEMAS[$ref.replace(/^.*\//, '')] ?? {});
  const entries = Object.entries({ ...named, ...own }).filter(
    ([keyword]) => !NOT_FOR_ASSISTANTS.has(keyword),
  );
  return Object.fromEntries(entries.map(([keyword, item]) => [keyword, resolve(item)]));
}

/** Examples carry dates of their own, and assistants copy them; `int32` is a hint for code generators. */
const NOT_FOR_ASSISTANTS = new Set(['example', 'examples', 'format']);
