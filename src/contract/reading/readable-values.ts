/** What can be read of a request that is refused: the operator's log says with it what was asked. */
import type { TSchema } from 'typebox';
import { ALL_OPERATIONS } from '../partner/extra-operations.ts';
import type { Operation, OperationId } from '../partner/operations.ts';
import { buildScalarRule, Refusal, type ScalarValue, trimmed } from './field-rules.ts';
import { decodePathSegment, readQueryText } from './validation.ts';

export interface RefusedRequest {
  /** Path segments and query as they came, percent escapes and all. */
  readonly rawSegments: Readonly<Record<string, string>>;
  readonly rawQuery: string;
  /** The parsed JSON, whatever it is. */
  readonly body: unknown;
}

export type ReadableValues = Readonly<Record<string, ScalarValue>>;

interface Field {
  readonly name: string;
  /** A refusal or undefined where the field cannot be read. */
  readonly read: (request: RefusedRequest) => ScalarValue | Refusal | undefined;
}

const FIELDS: ReadonlyMap<OperationId, readonly Field[]> = new Map(
  ALL_OPERATIONS.map((operation) => [
    operation.operationId,
    [
      ...(operation.bodySchema === undefined ? [] : bodyFields(operation.bodySchema, ({ body }) => body)),
      ...(operation.method === 'GET' ? queryFields(operation) : []),
      ...pathFields(operation),
    ],
  ]),
);

/**
 * Each field that its own rule admits, by name; dates as days since 1970-01-01. Nothing is said of what is missing, or
 * of fields that contradict each other. Never throws.
 */
export function readableValues({ operationId }: Operation, request: RefusedRequest): ReadableValues {
  const values: Record<string, ScalarValue> = {};
  for (const { name, read } of FIELDS.get(operationId) ?? []) {
    const value = read(request);
    if (value !== undefined && !(value instanceof Refusal)) values[name] = value;
  }
  return values;
}

function pathFields({ pathParameters }: Operation): readonly Field[] {
  return pathParameters.map(({ name, schema }) => {
    const rule = buildScalarRule(schema);
    return {
      name,
      read: ({ rawSegments }) => {
        const text = decodePathSegment(rawSegments[name] ?? '');
        return text === undefined ? undefined : rule.readText(text);
      },
    };
  });
}

function queryFields({ query: { parameters } }: Operation): readonly Field[] {
  return parameters.map((parameter) => {
    const { name, schema } = parameter;
    const scalar = buildScalarRule(schema);
    const rule = parameter.trimmed === true ? trimmed(scalar) : scalar;
    const place = new Map([[name, 0]]);
    return {
      name,
      read: ({ rawQuery }) => {
        const [text] = readQueryText(rawQuery, place, 0).values;
        return typeof text === 'string' ? rule.readText(text) : text;
      },
    };
  });
}

/** The scalars of a body and of the objects in it; lists are left out. */
function bodyFields(schema: TSchema, find: (request: RefusedRequest) => unknown): readonly Field[] {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, TSchema>> };
  return Object.entries(properties).flatMap(([name, property]) => {
    const findField = (request: RefusedRequest): unknown => ownField(find(request), name);
    const { type } = property as { readonly type?: unknown };
    if (type === 'object') return bodyFields(property, findField);
    if (type === 'array') return [];
    const rule = buildScalarRule(property);
    return [{ name, read: (request) => rule.readJson(findField(request)) }];
  });
}

function ownField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
