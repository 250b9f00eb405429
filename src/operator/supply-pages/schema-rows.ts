/** A schema of the contract as rows of a table: one per field, nested fields as dotted paths. */
import type { ScalarKeywords } from '../../contract/reading/field-rules.ts';

/** The parts of a JSON schema that the tables show. */
export interface ShownSchema extends Omit<ScalarKeywords, 'type' | 'enum'> {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly ShownSchema[];
  readonly items?: ShownSchema;
  readonly properties?: Readonly<Record<string, ShownSchema>>;
  readonly required?: readonly string[];
  readonly multipleOf?: number;
  readonly default?: string | number | boolean;
  readonly description?: string;
}

export interface SchemaRow {
  readonly field: string;
  readonly type: string;
  readonly description: string;
}

/** `items[].location.city` for a field of an object in a list. */
export function schemaRows(schema: ShownSchema, prefix = ''): readonly SchemaRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field = prefix + name;
    const row = { field, type: typeText(property), description: property.description ?? '' };
    return [row, ...nestedRows(property, field)];
  });
}

function nestedRows(schema: ShownSchema, field: string): readonly SchemaRow[] {
  const inner = innerSchema(schema);
  if (inner.type === 'array' && inner.items !== undefined) return schemaRows(inner.items, `${field}[].`);
  return schemaRows(inner, `${field}.`);
}

/** Required fields: `propertyId`, `entries[].dateFrom`. */
export function requiredFields(schema: ShownSchema, prefix = ''): readonly string[] {
  const { required = [], properties = {} } = schema;
  const nested = Object.entries(properties).flatMap(([name, property]) => {
    const inner = innerSchema(property);
    return inner.items === undefined
      ? requiredFields(inner, `${prefix}${name}.`)
      : requiredFields(inner.items, `${prefix}${name}[].`);
  });
  return [...required.map((name) => prefix + name), ...nested];
}

/** `X or null` is shown as X. */
function innerSchema(schema: ShownSchema): ShownSchema {
  return schema.anyOf?.find((choice) => choice.type !== 'null') ?? schema;
}

/** The type with its bounds, such as `integer, 1 to 30, default 2`. */
export function typeText(schema: ShownSchema): string {
  const inner = innerSchema(schema);
  const types = [inner.type ?? []].flat();
  const isNullable = inner !== schema || types.includes('null');
  const parts = [
    types.filter((type) => type !== 'null').join(' or '),
    ...boundsOf(inner),
    ...(isNullable ? ['may be null'] : []),
    ...(schema.default === undefined ? [] : [`default ${schema.default}`]),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function boundsOf(schema: ShownSchema): readonly string[] {
  const parts: string[] = [];
  if (schema.const !== undefined) parts.push(`always ${JSON.stringify(schema.const)}`);
  if (schema.enum !== undefined) parts.push(schema.enum.map(String).join(' or '));
  if (schema.format !== undefined) parts.push(schema.format);
  else if (schema.pattern !== undefined) parts.push(`pattern ${schema.pattern}`);
  parts.push(rangeText(schema.minimum, schema.maximum, ''));
  parts.push(rangeText(schema.minLength, schema.maxLength, ' characters'));
  if (schema.multipleOf !== undefined) parts.push(`in steps of ${schema.multipleOf}`);
  return parts;
}

function rangeText(minimum: number | undefined, maximum: number | undefined, unit: string): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}${unit}`;
  if (minimum !== undefined) return `at least ${minimum}${unit}`;
  return maximum === undefined ? '' : `at most ${maximum}${unit}`;
}
