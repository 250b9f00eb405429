/**
 * Turns the raw path, query and body of a request into typed values, or into all their issues (SPEC 4).
 *
 * Dates become days since 1970-01-01. Issues come in the order of the table of operations, then unknown names, at most
 * ISSUES_MAX. Never throws, whatever the input.
 */
import type { ValidationIssue } from '../partner/issue-codes.ts';
import { ALL_OPERATIONS } from '../partner/extra-operations.ts';
import type { Operation, OperationId } from '../partner/operations.ts';
import type { BodyValues, PathValues, QueryValues } from '../partner/request-values.ts';
import {
  applyStayRule,
  buildScalarRule,
  findStayPlace,
  isNumberList,
  presentIssue,
  presentName,
  Refusal,
  requirePresence,
  type ScalarRule,
  type ScalarValue,
  type Slot,
  type StayPositions,
  tooManyNumbers,
  trimmed,
} from './field-rules.ts';
import { ISSUES_MAX } from '../partner/limits.ts';
import { AGES_RULES, type Parameter, type SentValues, type TogetherRule } from '../partner/parameters.ts';
import type { TSchema } from 'typebox';
import { guessText } from './name-guess.ts';

export type Validated<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

interface RequestRules {
  readonly path: PathRule;
  readonly query: QueryRule;
  readonly body: BodyRule;
}

const RULES: ReadonlyMap<OperationId, RequestRules> = new Map(
  ALL_OPERATIONS.map((operation) => [
    operation.operationId,
    {
      path: buildPathRule(operation),
      query: buildQueryRule(operation),
      body: buildBodyRule(operation.bodySchema),
    },
  ]),
);

/**
 * `rawQuery` is the text after the first `?`, undecoded; empty without one. Operations other than GET ignore their
 * query (SPEC 4).
 */
export function validateQuery<Id extends OperationId>(
  operation: Operation<Id>,
  rawQuery: string,
): Validated<QueryValues[Id]> {
  const issues: ValidationIssue[] = [];
  const value = rulesOf(operation).query(rawQuery, issues);
  return issues.length === 0 ? { ok: true, value: value as QueryValues[Id] } : { ok: false, issues };
}

/** `rawSegments` are the undecoded path segments by parameter name. */
export function validatePath<Id extends OperationId>(
  operation: Operation<Id>,
  rawSegments: Readonly<Record<string, string>>,
): Validated<PathValues[Id]> {
  const issues: ValidationIssue[] = [];
  const value = rulesOf(operation).path(rawSegments, issues);
  return issues.length === 0 ? { ok: true, value: value as PathValues[Id] } : { ok: false, issues };
}

/** `body` comes from JSON.parse (`parseJsonBody`). An operation without a body ignores it. */
export function validateBody<Id extends OperationId>(
  operation: Operation<Id>,
  body: unknown,
): Validated<BodyValues[Id]> {
  const issues: ValidationIssue[] = [];
  const value = rulesOf(operation).body(body, issues);
  return issues.length === 0 ? { ok: true, value: value as BodyValues[Id] } : { ok: false, issues };
}

function rulesOf(operation: Operation): RequestRules {
  const rules = RULES.get(operation.operationId);
  if (rules === undefined) throw new TypeError(`no such operation: ${operation.operationId}`);
  return rules;
}

// Reads the parameters of a query, and those of a path.

/** The query of the operation; undefined after adding to `issues`. */
type QueryRule = (rawQuery: string, issues: ValidationIssue[]) => QueryValues[OperationId] | undefined;

function buildQueryRule(operation: Operation): QueryRule {
  if (operation.ignoresQuery === true) return () => ({});
  const { parameters, present, together } = operation.query;
  const names = parameters.map(({ name }) => name);
  const rules = parameters.map(parameterRule);
  const indexByName = new Map(names.map((name, index) => [name, index]));
  const stayPlace = findStayPlace(operation.stayRule, names);
  const fallbacks = parameters.map(({ fallback }) => fallback);
  return (rawQuery, issues) => {
    const { values: slots, unknownNames } = readQueryText(rawQuery, indexByName, ISSUES_MAX);
    readSlots(slots, rules);
    requirePresence(slots, parameters);
    applyStayRule(slots, stayPlace);
    if (together.length > 0) applyTogether(slots, indexByName, together);
    reportSlots(slots, names, issues);
    if (unknownNames !== NO_NAMES) reportUnknown(unknownNames, issues);
    return issues.length === 0 ? present(fillIn(slots, fallbacks)) : undefined;
  };
}

/** The reader of a query parameter's text. */
export function parameterRule(parameter: Parameter): ScalarRule {
  const rule = buildScalarRule(parameter.schema);
  return parameter.trimmed === true ? trimmed(rule) : rule;
}

/** Replaces each text by its value or its refusal. */
function readSlots(slots: Slot[], rules: readonly ScalarRule[]): void {
  for (let index = 0; index < rules.length; index += 1) {
    const text = slots[index];
    if (typeof text === 'string') slots[index] = rules[index]?.readText(text);
  }
}

/** Marks parameters that contradict others. */
function applyTogether(
  slots: Slot[],
  indexByName: ReadonlyMap<string, number>,
  rules: readonly TogetherRule[],
): void {
  const slotOf = (name: string): Slot => slots[indexByName.get(name)!];
  const sent: SentValues = {
    number(name) {
      const slot = slotOf(name);
      return typeof slot === 'number' ? slot : undefined;
    },
    isSent: (name) => slotOf(name) !== undefined,
    count(name) {
      const slot = slotOf(name);
      return Array.isArray(slot) ? slot.length : 0;
    },
  };
  for (const rule of rules) {
    const issue = rule(sent);
    if (issue !== undefined) slots[indexByName.get(issue.field)!] = new Refusal(issue.code, issue.detail);
  }
}

function reportSlots(slots: readonly Slot[], names: readonly string[], issues: ValidationIssue[]): void {
  for (let index = 0; index < names.length; index += 1) {
    const slot = slots[index];
    if (slot instanceof Refusal) issues.push(presentIssue(names[index] ?? '', slot));
  }
}

function reportUnknown(unknownNames: QueryText['unknownNames'], issues: ValidationIssue[]): void {
  for (const [name, refusal] of unknownNames) {
    if (issues.length < ISSUES_MAX) issues.push(presentIssue(presentName(name), refusal));
  }
}

/** Fills in defaults of absent parameters; the values are already valid. */
function fillIn(slots: unknown[], fallbacks: readonly unknown[]): unknown[] {
  for (let index = 0; index < slots.length; index += 1) slots[index] ??= fallbacks[index];
  return slots;
}

/** Values by name; mistakes are added to `issues`. */
type PathRule = (
  rawSegments: Readonly<Record<string, string>>,
  issues: ValidationIssue[],
) => Record<string, ScalarValue>;

function buildPathRule(operation: Operation): PathRule {
  const fields = operation.pathParameters.map(({ name, schema }) => ({
    name,
    rule: buildScalarRule(schema),
  }));
  return (rawSegments, issues) => {
    const values: Record<string, ScalarValue> = {};
    for (const { name, rule } of fields) {
      const text = decodePathSegment(rawSegments[name] ?? '');
      const read = text === undefined ? malformed : rule.readText(text);
      if (read instanceof Refusal) issues.push(presentIssue(name, read));
      else values[name] = read;
    }
    return values;
  };
}

// The text of a query and of a path, taken apart strictly: RFC 3986 escapes, and in a query `+` as a blank.

const malformed = new Refusal('FORMAT_INVALID', 'Must be percent-encoded UTF-8.');

interface QueryText {
  /** By index of the known name: the decoded text, undefined when absent, or a refusal. */
  readonly values: (string | Refusal | undefined)[];
  /** Unknown names, decoded if possible; each once, in order. Usually NO_NAMES. */
  readonly unknownNames: ReadonlyMap<string, Refusal>;
}

const duplicate = new Refusal('DUPLICATE_PARAMETER', 'Must be given once.');

/** Adds a guess of the intended name. */
function unknown(name: string, knownNames: Iterable<string>): Refusal {
  const guess = guessText(name, knownNames);
  return new Refusal('UNKNOWN_PARAMETER', `The operation has no query parameter of this name.${guess}`);
}

const NO_NAMES: ReadonlyMap<string, Refusal> = new Map();

/** Splits a query into the values of known parameters. Keeps at most `unknownMax` unknown names. */
export function readQueryText(
  rawQuery: string,
  indexByName: ReadonlyMap<string, number>,
  unknownMax: number,
): QueryText {
  // Most queries have no escape at all: one check for the whole instead of one per part.
  const decode = NEEDS_DECODING.test(rawQuery) ? decodeQueryPart : asItIs;
  const values: (string | Refusal | undefined)[] = [];
  for (let index = 0; index < indexByName.size; index += 1) values.push(undefined);
  let unknownNames: Map<string, Refusal> | undefined;
  let start = 0;
  while (start < rawQuery.length) {
    const from = start;
    const end = indexOrEnd(rawQuery, '&', from);
    start = end + 1;
    if (end === from) continue;
    const pair = rawQuery.slice(from, end);
    const equals = indexOrEnd(pair, '=');
    const rawName = pair.slice(0, equals);
    const name = decode(rawName);
    const index = name === undefined ? undefined : indexByName.get(name);
    if (index === undefined) {
      unknownNames ??= new Map();
      if (unknownNames.size < unknownMax)
        unknownNames.set(name ?? rawName, name === undefined ? malformed : unknown(name, indexByName.keys()));
    } else if (values[index] === undefined) {
      values[index] = equals === pair.length ? '' : (decode(pair.slice(equals + 1)) ?? malformed);
    } else {
      values[index] = duplicate;
    }
  }
  return { values, unknownNames: unknownNames ?? NO_NAMES };
}

/** The index of the character from `start` on, else the end. */
function indexOrEnd(text: string, character: string, start = 0): number {
  const index = text.indexOf(character, start);
  return index === -1 ? text.length : index;
}

/** Anything except visible ASCII that stands for itself. */
const NEEDS_DECODING = /[^!-$&-*,-~]/;
/** Characters that no request target may have (RFC 3986 2). */
const NOT_URI_TEXT = /[^!-~]/;

const asItIs = (raw: string): string => raw;

/** Decodes a name or value of a query, where `+` is a blank; undefined when malformed. */
function decodeQueryPart(raw: string): string | undefined {
  return NEEDS_DECODING.test(raw) ? decodeEscapes(raw.replaceAll('+', ' '), raw) : raw;
}

/** Decodes a path segment, where `+` is itself; undefined when malformed. */
export function decodePathSegment(raw: string): string | undefined {
  return NEEDS_DECODING.test(raw) ? decodeEscapes(raw, raw) : raw;
}

function decodeEscapes(text: string, raw: string): string | undefined {
  if (NOT_URI_TEXT.test(raw)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

// Reads a JSON body against its schema: objects of scalars and of further objects, no field unknown.

/** The body with dates as days; undefined after adding to `issues`. */
type BodyRule = (body: unknown, issues: ValidationIssue[]) => unknown;

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly rule: ScalarRule | ObjectRule | ListRule;
}

/** A list of scalars. */
interface ListRule {
  readonly item: ScalarRule;
  readonly countMin: number;
  readonly countMax: number;
  readonly wrongCount: Refusal;
}

interface ObjectRule {
  readonly fields: readonly Field[];
  readonly names: ReadonlySet<string>;
  readonly stayPlace: StayPositions;
  /** Rules between its fields. */
  readonly together: readonly TogetherRule[];
}

interface ObjectKeywords {
  readonly properties?: Readonly<Record<string, TSchema & { readonly type?: unknown }>>;
  readonly required?: readonly string[];
}

const notObject = new Refusal('TYPE_INVALID', 'Must be a JSON object.');

/** Without a schema no body is read. */
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
    rule: buildFieldRule(property),
  }));
  const names = fields.map(({ name }) => name);
  const hasStay = names.includes('checkIn') && names.includes('checkOut');
  const stayPlace = findStayPlace(hasStay ? 'required' : 'none', names);
  return {
    fields,
    names: new Set(names),
    stayPlace,
    together: names.includes('childAges') ? AGES_RULES : [],
  };
}

function buildFieldRule(schema: TSchema & { readonly type?: unknown }): Field['rule'] {
  if (schema.type === 'object') return buildObjectRule(schema);
  if (schema.type !== 'array') return buildScalarRule(schema);
  const { items, minItems = 0, maxItems = 0 } = schema as ListKeywords;
  if (items === undefined) throw new TypeError(`no rule for ${JSON.stringify(schema)}`);
  const wrongCount = isNumberList(schema as ListKeywords)
    ? tooManyNumbers(maxItems)
    : new Refusal('LENGTH_INVALID', `Must have ${minItems} to ${maxItems} entries.`);
  return { item: buildScalarRule(items), countMin: minItems, countMax: maxItems, wrongCount };
}

interface ListKeywords {
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Findings {
  /** Path of the object with a final dot; empty for the body. */
  readonly prefix: string;
  readonly issues: ValidationIssue[];
  /** Unknown fields, kept separately so that they never crowd out known ones. */
  readonly unknownFields: ValidationIssue[];
}

function readObject(rule: ObjectRule, object: JsonObject, findings: Findings): Record<string, unknown> {
  const { prefix, issues } = findings;
  const slots = rule.fields.map((field) => readSlot(field, object));
  requirePresence(slots, rule.fields);
  applyStayRule(slots, rule.stayPlace);
  applyTogetherInBody(rule, slots, object);
  const values: Record<string, unknown> = {};
  for (const [index, field] of rule.fields.entries()) {
    const slot = slots[index];
    const nested = object[field.name];
    if (slot instanceof Refusal) {
      issues.push(presentIssue(prefix + field.name, slot));
    } else if ('item' in field.rule && Array.isArray(nested)) {
      values[field.name] = readList(field.rule, nested, { ...findings, prefix: `${prefix}${field.name}.` });
    } else if ('fields' in field.rule && isJsonObject(nested)) {
      values[field.name] = readObject(field.rule, nested, { ...findings, prefix: `${prefix}${field.name}.` });
    } else {
      values[field.name] = slot;
    }
  }
  collectUnknownFields(rule, object, findings);
  return values;
}

/** Marks fields that contradict others. */
function applyTogetherInBody({ fields, together }: ObjectRule, slots: Slot[], object: JsonObject): void {
  if (together.length === 0) return;
  const indexOf = (name: string): number => fields.findIndex((field) => field.name === name);
  const sent: SentValues = {
    number(name) {
      const slot = slots[indexOf(name)];
      return typeof slot === 'number' ? slot : undefined;
    },
    isSent: (name) => slots[indexOf(name)] !== undefined,
    count(name) {
      const value = slots[indexOf(name)] instanceof Refusal ? undefined : object[name];
      return Array.isArray(value) ? value.length : 0;
    },
  };
  for (const rule of together) {
    const issue = rule(sent);
    if (issue !== undefined) slots[indexOf(issue.field)] = new Refusal(issue.code, issue.detail);
  }
}

/** Only own fields: a body may name a field `__proto__`, and must not inherit `toString`. */
function readSlot({ name, rule }: Field, object: JsonObject): Slot {
  if (!Object.hasOwn(object, name)) return undefined;
  const value = object[name];
  if ('readJson' in rule) return rule.readJson(value);
  if ('item' in rule) return checkList(rule, value);
  return isJsonObject(value) ? NESTED : notObject;
}

const notList = new Refusal('TYPE_INVALID', 'Must be a list.');

function checkList({ countMin, countMax, wrongCount }: ListRule, value: unknown): Slot {
  if (!Array.isArray(value)) return notList;
  if (value.length >= countMin && value.length <= countMax) return NESTED;
  return wrongCount;
}

/** Names entries by index: `propertyIds.3`. */
function readList({ item }: ListRule, list: readonly unknown[], { prefix, issues }: Findings): unknown[] {
  return list.map((value, index) => {
    const read = item.readJson(value);
    if (read instanceof Refusal && issues.length < ISSUES_MAX)
      issues.push(presentIssue(`${prefix}${index}`, read));
    return read;
  });
}

/** Marks the slot of an object or list that is read separately. */
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
