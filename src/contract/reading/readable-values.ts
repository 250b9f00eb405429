/** Reads the valid fields of a refused request, for the operator's log. */
import type { TSchema } from 'typebox';
import { ALL_OPERATIONS } from '../partner/extra-operations.ts';
import type { Operation, OperationId } from '../partner/operations.ts';
import { buildScalarRule, Refusal, type ScalarValue } from './field-rules.ts';
import { decodePathSegment, parameterRule, readQueryText } from './validation.ts';

export interface RefusedRequest {
  /** Undecoded path segments and query. */
  readonly rawSegments: Readonly<Record<string, string>>;
  readonly rawQuery: string;
  /** The parsed JSON, whatever it is. */
  readonly body: unknown;
}

export type ReadableValues = Readonly<Record<string, ScalarValue>>;

type Reading = ScalarValue | Refusal | undefined;

/** The fields of one part of a request: value, refusal, or undefined when missing. */
type PartReader = (request: RefusedRequest) => Iterable<readonly [name: string, value: Reading]>;

const READERS: ReadonlyMap<OperationId, readonly PartReader[]> = new Map(
  ALL_OPERATIONS.map((operation) => [
    operation.operationId,
    [
      bodyReader(operation),
      ...(operation.method === 'GET' ? [queryReader(operation)] : []),
      pathReader(operation),
    ],
  ]),
);

/**
 * Each valid field by name; dates as days since 1970-01-01. Missing and contradictory fields are ignored. Never throws.
 */
export function readableValues({ operationId }: Operation, request: RefusedRequest): ReadableValues {
  const values: Record<string, ScalarValue> = {};
  for (const readPart of READERS.get(operationId) ?? [])
    for (const [name, value] of readPart(request))
      if (value !== undefined && !(value instanceof Refusal)) values[name] = value;
  return values;
}

function pathReader({ pathParameters }: Operation): PartReader {
  const fields = pathParameters.map(({ name, schema }) => ({ name, rule: buildScalarRule(schema) }));
  return ({ rawSegments }) =>
    fields.map(({ name, rule }) => {
      const text = decodePathSegment(rawSegments[name] ?? '');
      return [name, text === undefined ? undefined : rule.readText(text)];
    });
}

function queryReader({ query: { parameters } }: Operation): PartReader {
  const fields = parameters.map((parameter) => ({ name: parameter.name, rule: parameterRule(parameter) }));
  const indexByName = new Map(fields.map(({ name }, index) => [name, index]));
  return ({ rawQuery }) => {
    const { values } = readQueryText(rawQuery, indexByName, 0);
    return fields.map(({ name, rule }, index) => {
      const text = values[index];
      return [name, typeof text === 'string' ? rule.readText(text) : text];
    });
  };
}

function bodyReader({ bodySchema }: Operation): PartReader {
  const fields = bodySchema === undefined ? [] : bodyFields(bodySchema, (body) => body);
  return ({ body }) => fields.map(({ name, read }) => [name, read(body)]);
}

interface BodyField {
  readonly name: string;
  readonly read: (body: unknown) => Reading;
}

/** The scalars of a body and of its objects, without lists. */
function bodyFields(schema: TSchema, find: (body: unknown) => unknown): readonly BodyField[] {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, TSchema>> };
  return Object.entries(properties).flatMap(([name, property]) => {
    const findField = (body: unknown): unknown => ownField(find(body), name);
    const { type } = property as { readonly type?: unknown };
    if (type === 'object') return bodyFields(property, findField);
    if (type === 'array') return [];
    const rule = buildScalarRule(property);
    return [{ name, read: (body) => rule.readJson(findField(body)) }];
  });
}

function ownField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
