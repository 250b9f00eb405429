/**
 * Random values of a grammar of documents, derived from its fields: a new field is drawn without a line here. They have
 * the form in which a document is read: a field that is left out has its meaning, or is absent.
 */
import * as fc from 'fast-check';
import type { Field, Grammar, JsonSchema } from '../../src/domain/document/grammar.ts';
import { LOCALES } from '../../src/domain/property.ts';

/** How values are drawn where the rules of a grammar are not in its schema, by paths as in `documentFields`. */
export interface Drawing {
  /** Values of every field that is a date. */
  readonly dates: fc.Arbitrary<string>;
  /** Values of a field whose form the schema does not tell, or that bite more often than any value would. */
  readonly values: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** Makes an object or a list valid whose parts were drawn apart. `taxes[]` is each item; the empty path the whole. */
  readonly fits: Readonly<Record<string, (drawn: never) => unknown>>;
}

const TEXTS = fc.constantFrom('a', 'b c', "l'è", 'tè ☕', '<b>', '"x"');
const TIMES = fc.constantFrom('00:00', '10:30', '15:00', '23:59');
const DECIMALS = '0 0.00 0.01 1.1 4.00 7.25 10 22 33.33 99.99 100 0.335 0.005 12.3456789'.split(' ');
/** Numbers of this size bite stays of a few nights. */
const ABOVE_LEAST = [0, 1, 2, 5, 30];
const ITEMS_MAX = 4;
/** A single value is mostly left out: many bounds at once would let nothing through. Lists are mostly there. */
const LEFT_OUT = { single: { absent: 3, given: 1 }, many: { absent: 1, given: 3 } };

/** Draws values that the grammar reads. Throws for a field of which neither schema nor `values` tell the form. */
export function arbitraryOf<T>(part: Grammar<T>, drawing: Drawing): fc.Arbitrary<T> {
  return valuesOf(part, '', drawing) as fc.Arbitrary<T>;
}

function valuesOf(part: Grammar<unknown>, path: string, drawing: Drawing): fc.Arbitrary<unknown> {
  const drawn = drawing.values[path] ?? derivedValues(part, path, drawing);
  const fit = drawing.fits[path];
  return fit === undefined ? drawn : drawn.map((value) => fit(value as never));
}

function derivedValues(part: Grammar<unknown>, path: string, drawing: Drawing): fc.Arbitrary<unknown> {
  const { kind, schema, fields = {} } = part;
  switch (kind) {
    case 'object':
      return objectsOf(fields, path, drawing);
    case 'list':
      return fc.array(itemsOf(part, path, drawing), {
        minLength: Number(schema['minItems'] ?? 0),
        maxLength: ITEMS_MAX,
      });
    case 'text':
      return textsOf(schema, path);
    case 'localized':
      return localizedTexts;
    case 'flag':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...(schema['enum'] as readonly string[]));
    case 'whole':
    case 'number':
      return fc.constantFrom(...numbersOf(schema));
    case 'decimal':
      return decimalsOf(schema, path);
    case 'date':
      return drawing.dates;
    case 'time':
      return TIMES;
  }
}

function objectsOf(
  fields: Readonly<Record<string, Field<unknown>>>,
  path: string,
  drawing: Drawing,
): fc.Arbitrary<object> {
  const values = Object.entries(fields).map(
    ([name, field]) => [name, fieldValues(field, path === '' ? name : `${path}.${name}`, drawing)] as const,
  );
  return fc
    .record(Object.fromEntries(values))
    .map((drawn) => Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined)));
}

function fieldValues(
  { part, presence, fallback, notes }: Field<unknown>,
  path: string,
  drawing: Drawing,
): fc.Arbitrary<unknown> {
  const values = valuesOf({ ...part, schema: { ...part.schema, ...notes } }, path, drawing);
  if (presence === 'required' || presence === 'dependent') return values;
  const { absent, given } = LEFT_OUT[part.fields !== undefined || part.kind === 'list' ? 'many' : 'single'];
  // A flag has one value besides its meaning when it is left out.
  const others = typeof fallback === 'boolean' ? fc.constant(!fallback) : values;
  return fc.oneof({ weight: absent, arbitrary: fc.constant(fallback) }, { weight: given, arbitrary: others });
}

function itemsOf(
  { fields, schema }: Grammar<unknown>,
  path: string,
  drawing: Drawing,
): fc.Arbitrary<unknown> {
  const items = (schema['items'] ?? {}) as JsonSchema;
  const item = { kind: fields === undefined ? 'text' : 'object', schema: items, fields };
  return valuesOf(item as Grammar<unknown>, `${path}[]`, drawing);
}

const localizedTexts: fc.Arbitrary<unknown> = fc.oneof(
  TEXTS,
  ...[[LOCALES[0]], [LOCALES[1]], LOCALES].map((locales) =>
    fc.record(Object.fromEntries(locales.map((locale) => [locale, TEXTS])), { noNullPrototype: true }),
  ),
);

function textsOf({ type, pattern }: JsonSchema, path: string): fc.Arbitrary<string> {
  return type === 'string' && pattern === undefined ? TEXTS : tellForm(path);
}

function decimalsOf({ pattern }: JsonSchema, path: string): fc.Arbitrary<string> {
  const fitting = DECIMALS.filter((text) => new RegExp(String(pattern)).test(text));
  return fitting.length === 0 ? tellForm(path) : fc.constantFrom(...fitting);
}

function numbersOf({ minimum, maximum }: JsonSchema): number[] {
  const least = Math.max(Number(minimum), 0);
  return ABOVE_LEAST.map((above) => least + above).filter((number) => number <= Number(maximum));
}

function tellForm(path: string): never {
  throw new Error(`the schema does not tell the form of ${path}: name some of its values`);
}
