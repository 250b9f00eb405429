/** Reads a JSON body against its schema: objects of scalars and of further objects, no field unknown. */
import type { TSchema } from 'typebox';
import {
  applyStayRule,
  findStayPlace,
  presentIssue,
  presentName,
  requirePresence,
  type Slot,
  type StayPlace,
} from './field-rules.ts';
import type { ValidationIssue } from '../partner/issue-codes.ts';
import { ISSUES_MAX } from '../partner/limits.ts';
import { guessText } from './name-guess.ts';
import { buildScalarRule, Refusal, type ScalarRule } from './scalar-rules.ts';

/** The body with its dates as days when nothing was added to `issues`. */
export type BodyRule = (body: unknown, issues: ValidationIssue[]) => unknown;

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly rule: ScalarRule | ObjectRule;
}

interface ObjectRule {
  readonly fields: readonly Field[];
  readonly names: ReadonlySet<string>;
  readonly stayPlace: StayPlace;
}

interface ObjectKeywords {
  readonly properties?: Readonly<Record<string, TSchema & { readonly type?: unknown }>>;
  readonly required?: readonly string[];
}

const notObject = new Refusal('TYPE_INVALID', 'Must be a JSON object.');

/** Without a schema there is no body to read. */
export function buildBodyRule(schema: TSchema | undefined): BodyRule {
  if (schema === undefined) return () => ({});
  const rule = buildObjectRule(schema);
  return (body, issues) => {
    if (!isJsonObject(body)) {
      issues.push(presentIssue('body', notObject));
      return undefined;
    }
    const unknownFields: ValidationIssue[] = [];
    const value = readObject(rule, body, { prefix: '', issues, unknownFields });
    issues.push(...unknownFields.slice(0, ISSUES_MAX - issues.length));
    return value;
  };
}

function buildObjectRule(schema: TSchema): ObjectRule {
  const { properties = {}, required = [] }: ObjectKeywords = schema;
  const fields = Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    rule: property.type === 'object' ? buildObjectRule(property) : buildScalarRule(property),
  }));
  const names = fields.map(({ name }) => name);
  const hasStay = names.includes('checkIn') && names.includes('checkOut');
  return { fields, names: new Set(names), stayPlace: findStayPlace(hasStay ? 'required' : 'none', names) };
}

interface Findings {
  /** Path of the object with a dot behind it; empty for the body. */
  readonly prefix: string;
  readonly issues: ValidationIssue[];
  /** The fields that do not exist, kept apart so that they never crowd out the known ones. */
  readonly unknownFields: ValidationIssue[];
}

function readObject(rule: ObjectRule, object: JsonObject, findings: Findings): Record<string, unknown> {
  const { prefix, issues } = findings;
  const slots = rule.fields.map((field) => readSlot(field, object));
  requirePresence(slots, rule.fields);
  applyStayRule(slots, rule.stayPlace);
  const values: Record<string, unknown> = {};
  for (const [index, field] of rule.fields.entries()) {
    const slot = slots[index];
    const nested = object[field.name];
    if (slot instanceof Refusal) {
      issues.push(presentIssue(prefix + field.name, slot));
    } else if ('fields' in field.rule && isJsonObject(nested)) {
      values[field.name] = readObject(field.rule, nested, { ...findings, prefix: `${prefix}${field.name}.` });
    } else {
      values[field.name] = slot;
    }
  }
  collectUnknownFields(rule, object, findings);
  return values;
}

/** Own fields only: a body may call a field `__proto__`, and must not get `toString` for nothing. */
function readSlot({ name, rule }: Field, object: JsonObject): Slot {
  if (!Object.hasOwn(object, name)) return undefined;
  const value = object[name];
  if ('readJson' in rule) return rule.readJson(value);
  return isJsonObject(value) ? NESTED : notObject;
}

/** Stands in a slot for an object that is read in its turn. */
const NESTED = 0;

function collectUnknownFields({ names }: ObjectRule, object: JsonObject, findings: Findings): void {
  const { prefix, unknownFields } = findings;
  for (const name of Object.keys(object)) {
    if (unknownFields.length >= ISSUES_MAX) return;
    if (names.has(name)) continue;
    const refusal = new Refusal('UNKNOWN_FIELD', `There is no such field.${guessText(name, names)}`);
    unknownFields.push(presentIssue(prefix + presentName(name), refusal));
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
