/**
 * One value of a property document as the cell of a spreadsheet.
 *
 * An empty cell is an absent value. Lists of texts are `wifi|lift`, rules `code=vat;kind=tax;logic=percent;percent=10`,
 * separated by `|`; other values are JSON. A text that a spreadsheet would run as a formula gets a leading apostrophe,
 * which reading removes again.
 */
import { Wrong } from '../../domain/wrong.ts';
import {
  readFlag,
  withoutGroups,
  withoutInvisible,
  withPoint,
  withYearFirst,
} from '../sheet/written-values.ts';
import type { CatalogueColumn } from './catalogue-columns.ts';

type JsonObject = Readonly<Record<string, unknown>>;
type Read = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: Wrong };

/** Beginnings that spreadsheets run as a formula, and the apostrophe that prevents it. */
const RUNS_IN_A_SPREADSHEET = /^\s*[=+\-@＝＋－＠]|^[\t\r']/;
const ITEMS = '|';
const PARTS = ';';

// Writing.

/** Undefined and null are empty cells. */
export function formatCell({ kind, schema }: CatalogueColumn, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (kind === 'list') return guard(formatList(schema, value));
  if (typeof value !== 'string') return JSON.stringify(value);
  return value === '' ? "'" : guard(value);
}

function guard(text: string): string {
  return RUNS_IN_A_SPREADSHEET.test(text) ? `'${text}` : text;
}

function formatList(schema: JsonObject, value: unknown): string {
  if (typeof value === 'string') return value;
  const items = value as readonly unknown[];
  const short = items.map((item) => (typeof item === 'string' ? item : formatRule(item as JsonObject)));
  const text = short.join(ITEMS);
  const back = text === '' ? undefined : readList(schema, text);
  const isSame = back?.ok === true && JSON.stringify(back.value) === JSON.stringify(items.map(withoutNulls));
  return isSame ? text : JSON.stringify(items.map(withoutNulls));
}

/** `code=vat;kind=tax`: in the order of the document, without absent fields. */
export function formatRule(rule: JsonObject): string {
  return Object.entries(withoutNulls(rule) as JsonObject)
    .map(([name, value]) => `${name}=${formatPart(value)}`)
    .join(PARTS);
}

function formatPart(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** In a rule, null means absent. */
function withoutNulls(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

// Reading.

/** The value of a cell that is not empty; `european` as `isEuropean` tells of the sheet. */
export function readCell({ kind, schema }: CatalogueColumn, cell: string, european = false): Read {
  const own = cell.startsWith("'") ? cell.slice(1) : cell;
  const text = isProse(kind, schema) ? own : withoutInvisible(own);
  if (kind === 'list') return readList(schema, text.trim(), european);
  if (kind === 'text' || kind === 'localized') return { ok: true, value: text };
  return { ok: true, value: readScalar(kind, toPlain(schema, text.trim(), european)) };
}

/** In texts for people, characters without width have a meaning: they join and divide letters. */
function isProse(kind: CatalogueColumn['kind'], { pattern }: JsonObject): boolean {
  return kind === 'localized' || kind === 'list' || (kind === 'text' && pattern === undefined);
}

/** Amounts and dates as the grammar expects them. */
export function toPlain(schema: JsonObject, text: string, european: boolean): string {
  if (schema['format'] === 'date') return withYearFirst(text, european);
  const isNumber = numberTest(schema);
  if (isNumber === undefined) return text;
  const plain = european ? withPoint(text) : withoutGroups(text);
  return isNumber(plain) ? plain : text;
}

const NUMBER = /^-?\d{1,20}(?:\.\d{1,20})?$/;

/** Whether a text is such a number; undefined where the field is none. A decimal is a text with a pattern in JSON. */
function numberTest({ type, pattern }: JsonObject): ((text: string) => boolean) | undefined {
  if ([type].flat().some((one) => one === 'number' || one === 'integer')) return (text) => NUMBER.test(text);
  if (typeof pattern !== 'string') return undefined;
  const form = new RegExp(pattern);
  return form.test('0.5') && !form.test('a') ? (text) => form.test(text) : undefined;
}

/** Text that is neither a number nor true or false stays a text; the document's grammar then reports it. */
export function readScalar(kind: unknown, text: string): unknown {
  const isNumber = kind === 'whole' || kind === 'number' || kind === 'integer';
  if (isNumber && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return kind === 'flag' || kind === 'boolean' ? (readFlag(text) ?? text) : text;
}

function readList(schema: JsonObject, text: string, european = false): Read {
  if (text.startsWith('[')) return readJson(text);
  if (schema['anyOf'] !== undefined && text === 'all') return { ok: true, value: text };
  const properties = rulesOf(schema);
  const items = text.split(ITEMS).map((item) => item.trim());
  if (properties === undefined) return { ok: true, value: items };
  const rules: JsonObject[] = [];
  for (const item of items) {
    const rule = readRule(properties, item, european);
    if (!rule.ok) return rule;
    rules.push(rule.value as JsonObject);
  }
  return { ok: true, value: rules };
}

/** The fields of a list of objects; undefined for a list of texts. */
export function rulesOf({ items }: JsonObject): Readonly<Record<string, JsonObject>> | undefined {
  return (items as JsonObject | undefined)?.['properties'] as
    | Readonly<Record<string, JsonObject>>
    | undefined;
}

export function readRule(
  properties: Readonly<Record<string, JsonObject>>,
  item: string,
  european = false,
): Read {
  const rule: Record<string, unknown> = {};
  for (const part of item.split(PARTS)) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    if (at < 1)
      return { ok: false, reason: new Wrong('notRule', { form: 'code=...;...', given: part.slice(0, 40) }) };
    if (Object.hasOwn(rule, name)) return { ok: false, reason: new Wrong('namedTwice', { name }) };
    const type = [properties[name]?.['type']].flat()[0];
    const text = part.slice(at + 1).trim();
    const plain = toPlain(properties[name] ?? {}, text, european);
    rule[name] = type === 'array' ? text.split(',') : readScalar(type, plain);
  }
  return { ok: true, value: rule };
}

function readJson(text: string): Read {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false, reason: new Wrong('notJsonCell') };
  }
}
