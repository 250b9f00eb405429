/**
 * Schemas as plain objects, with TypeBox's types. TypeBox itself would load 373 modules in each serving thread for a
 * dozen functions, a quarter of its start; `json-schema.test.ts` compares the two.
 */
import type { Type as TypeBox } from 'typebox';

type Options = Readonly<Record<string, unknown>>;

/** Optional fields: a JSON Schema lists them at the object, not at the field. */
const optional = new WeakSet<object>();

const FACTORIES = {
  Array: (items: object, options?: Options) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Options) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: values, ...options }),
  Integer: (options?: Options) => ({ type: 'integer', ...options }),
  Literal: (value: unknown, options?: Options) => ({ type: typeof value, const: value, ...options }),
  Null: (options?: Options) => ({ type: 'null', ...options }),
  Number: (options?: Options) => ({ type: 'number', ...options }),
  Object(properties: Readonly<Record<string, object>>, options?: Options) {
    const required = Object.keys(properties).filter((name) => !optional.has(properties[name]!));
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
  Optional(schema: object) {
    const copy = { ...schema };
    optional.add(copy);
    return copy;
  },
  String: (options?: Options) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly object[], options?: Options) => ({ anyOf, ...options }),
  Unknown: (options?: Options) => ({ ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
};

/** Each makes a new schema. `Unsafe` copies one and gives it a type. */
export const Type = FACTORIES as unknown as Pick<typeof TypeBox, keyof typeof FACTORIES>;
