/**
 * The arguments of a tool, as assistants send them: null for what they leave out, digits in a string for a number. What
 * a tool does not take is named, so that the assistant can send the call again.
 */
import { fromJsonSchema } from '@modelcontextprotocol/server';

type JsonObject = Readonly<Record<string, unknown>>;

/** Unknown names that a refusal repeats, and letters of each. */
const NAMES_MAX = 5;
const NAME_LENGTH_MAX = 60;
const DIGITS = /^-?\d{1,15}(?:\.\d{1,6})?$/;

export function argumentsSchema<Input>(schema: JsonObject) {
  const whole = fromJsonSchema<Input>(schema);
  const { validate } = whole['~standard'];
  return {
    '~standard': {
      ...whole['~standard'],
      validate: (given: unknown) => {
        const unknown = unknownNames(schema, given);
        return unknown.length > 0
          ? { issues: [{ message: describeUnknown(unknown, schema) }] }
          : validate(settled(schema, given));
      },
    },
  } satisfies typeof whole;
}

function settled(schema: JsonObject, given: unknown): unknown {
  if (schema['type'] === 'object' && isObject(given)) {
    const required = (schema['required'] ?? []) as readonly string[];
    const kept = Object.entries(given).filter(([name, value]) => value !== null || required.includes(name));
    return Object.fromEntries(
      kept.map(([name, value]) => [name, settled(fieldOf(schema, name) ?? {}, value)]),
    );
  }
  if (schema['type'] === 'array' && Array.isArray(given))
    return given.map((item) => settled((schema['items'] ?? {}) as JsonObject, item));
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
  return isNumber && typeof given === 'string' && DIGITS.test(given) ? Number(given) : given;
}

/** With the path of those within an object, such as `stay.guest`. */
function unknownNames(schema: JsonObject, given: unknown): readonly string[] {
  if (schema['additionalProperties'] !== false || !isObject(given)) return [];
  return Object.entries(given).flatMap(([name, value]) => {
    const field = fieldOf(schema, name);
    return field === undefined ? [name] : unknownNames(field, value).map((inner) => `${name}.${inner}`);
  });
}

function describeUnknown(unknown: readonly string[], schema: JsonObject): string {
  const named = unknown.slice(0, NAMES_MAX).map((name) => name.slice(0, NAME_LENGTH_MAX));
  return `unknown: ${named.join(', ')}; known: ${Object.keys(schema['properties'] as JsonObject).join(', ')}`;
}

function fieldOf(schema: JsonObject, name: string): JsonObject | undefined {
  const fields = (schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>;
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function isObject(given: unknown): given is JsonObject {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
