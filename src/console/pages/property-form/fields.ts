/**
 * A property document as the fields of a form, and back. The fields are those of the document's grammar, named by their
 * place in it: `taxes[0].code`. Values are read like cells of a spreadsheet and not validated here: text that is not a
 * number stays text, and the reader of documents refuses it in its own words.
 */
import type { Field, Grammar } from '../../../domain/document/grammar.ts';
import type { JsonObject } from '../../../domain/document/document-fields.ts';
import { PROPERTY_DOCUMENT } from '../../../domain/document/property-grammar.ts';
import { LOCALES } from '../../../domain/property.ts';
import { withoutInvisible } from '../../../supply/sheet/written-values.ts';
import { formatRule, readRule, readScalar, rulesOf, toPlain } from '../../../supply/spreadsheet/cell.ts';

/** By name. */
export type FormFields = ReadonlyMap<string, string>;

/** Calendars stay unchanged: other forms change nights. */
const NOT_SHOWN: ReadonlySet<string> = new Set(['calendar']);
/** The value of an empty list's field, if an empty list differs from no list. */
export const EMPTY_LIST = '[]';

type NamedField = readonly [name: string, field: Field<unknown>];

/** The fields of an object that the form shows. */
export function shownFields({ fields = {} }: Grammar<unknown>): readonly NamedField[] {
  return Object.entries(fields).filter(([name]) => !NOT_SHOWN.has(name));
}

/** A list of objects is a row of fields for each; any other list is one field, with a line for each item. */
export function isRows({ kind, fields }: Grammar<unknown>): boolean {
  return kind === 'list' && fields !== undefined;
}

/** Whether an empty list has a meaning: no step of cancellation differs from no answer. */
export function saysEmpty({ part, presence, fallback, notes }: Field<unknown>): boolean {
  return isRows(part) && presence === 'nullable' && fallback === null && notes['minItems'] === undefined;
}

export const rowPath = (path: string, index: number): string => `${path}[${index}]`;

// Drawing.

/** The fields of a document; all empty for an empty document. */
export function drawFields(document: JsonObject): FormFields {
  const drawn = new Map<string, string>();
  drawObject(drawn, '', PROPERTY_DOCUMENT, document);
  return drawn;
}

function drawObject(
  drawn: Map<string, string>,
  prefix: string,
  part: Grammar<unknown>,
  value: unknown,
): void {
  const object = (value ?? {}) as JsonObject;
  for (const [name, field] of shownFields(part))
    drawField(drawn, `${prefix}${name}`, field, Object.hasOwn(object, name) ? object[name] : undefined);
}

function drawField(drawn: Map<string, string>, path: string, field: Field<unknown>, value: unknown): void {
  const { part } = field;
  if (part.kind === 'object') drawObject(drawn, `${path}.`, part, value);
  else if (isRows(part)) {
    const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
    drawn.set(path, saysEmpty(field) && Array.isArray(value) && items.length === 0 ? EMPTY_LIST : '');
    for (const [index, item] of items.entries()) drawObject(drawn, `${rowPath(path, index)}.`, part, item);
  } else for (const [name, text] of drawLeaf(path, part, value)) drawn.set(name, text);
}

/** A text for all languages fills the field of each. */
function drawLeaf(
  path: string,
  { kind }: Grammar<unknown>,
  value: unknown,
): readonly (readonly [string, string])[] {
  if (kind === 'localized')
    return LOCALES.map((locale) => {
      const text = typeof value === 'string' ? value : (value as JsonObject | null | undefined)?.[locale];
      return [`${path}.${locale}`, typeof text === 'string' ? withLineEnds(text) : ''];
    });
  return [[path, drawText(value)]];
}

function drawText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return withLineEnds(value.map(drawLine).join('\n'));
  return typeof value === 'string' ? withLineEnds(value) : JSON.stringify(value);
}

function drawLine(item: unknown): string {
  return typeof item === 'object' && item !== null ? formatRule(item as JsonObject) : String(item);
}

/** Line ends as LF: browsers send CR LF, and documents may have either. */
function withLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

// Reading: numbers and dates as in sheets whose commas are decimal commas.

/** The fields that were sent. The last of equal names wins, because a ticked box follows its empty field. */
export function fieldsOf(form: URLSearchParams): FormFields {
  const fields = new Map<string, string>();
  for (const [name, text] of form) fields.set(name, withLineEnds(text));
  return fields;
}

/**
 * The document that the fields describe. Unchanged values keep their form in `base`, as do values that the form did not
 * show.
 */
export function readFields(fields: FormFields, base: JsonObject = {}): JsonObject {
  return readObject(fields, '', PROPERTY_DOCUMENT, base);
}

function readObject(
  fields: FormFields,
  prefix: string,
  part: Grammar<unknown>,
  base: unknown,
): Record<string, unknown> {
  const kept = (typeof base === 'object' && base !== null ? base : {}) as JsonObject;
  const read: Record<string, unknown> = {};
  for (const [name, field] of shownFields(part)) {
    const own = Object.hasOwn(kept, name) ? kept[name] : undefined;
    const value = readField(fields, `${prefix}${name}`, field, own);
    if (value !== undefined) read[name] = value;
  }
  return read;
}

function readField(fields: FormFields, path: string, field: Field<unknown>, base: unknown): unknown {
  const { part, presence } = field;
  if (part.kind === 'object') {
    const object = readObject(fields, `${path}.`, part, base);
    const isNothing = presence !== 'required' && Object.keys(object).length === 0;
    return isNothing ? undefined : object;
  }
  if (isRows(part)) return readRows(fields, path, field, base);
  const before = drawLeaf(path, part, base);
  // Not in the form, or unchanged.
  if (before.every(([name, text]) => (fields.get(name) ?? text) === text)) return base ?? undefined;
  return part.kind === 'localized' ? readLocalized(fields, path) : readLeaf(fields.get(path) ?? '', part);
}

function readRows(fields: FormFields, path: string, field: Field<unknown>, base: unknown): unknown {
  const indexes = rowsIn(fields, path);
  if (indexes.length === 0 && !fields.has(path)) return base ?? undefined;
  const before = Array.isArray(base) ? (base as readonly unknown[]) : [];
  if (indexes.length > 0)
    return indexes.map((index) => readObject(fields, `${rowPath(path, index)}.`, field.part, before[index]));
  if (saysEmpty(field)) return fields.get(path) === EMPTY_LIST ? [] : undefined;
  // All rows were removed, or there were none.
  if (before.length === 0) return base ?? undefined;
  return field.presence === 'nullable' ? undefined : [];
}

function readLocalized(fields: FormFields, path: string): unknown {
  const texts = LOCALES.map((locale) => [locale, fields.get(`${path}.${locale}`) ?? ''] as const);
  const given = texts.filter(([, text]) => text !== '');
  if (given.length === 0) return undefined;
  const isOne = given.length === LOCALES.length && new Set(given.map(([, text]) => text)).size === 1;
  return isOne ? given[0]![1] : Object.fromEntries(given);
}

function readLeaf(text: string, { kind, schema }: Grammar<unknown>): unknown {
  if (kind === 'text') return text === '' ? undefined : text;
  const trimmed = text.trim();
  if (kind === 'list') return readLines(trimmed, schema);
  return trimmed === '' ? undefined : readScalar(kind, toPlain(schema, withoutInvisible(trimmed), true));
}

/** An empty list of ids means visible to nobody, unlike an absent field. */
function readLines(text: string, schema: JsonObject): unknown {
  const hasWord = schema['anyOf'] !== undefined;
  if (hasWord && text === 'all') return text;
  if (text === '') return hasWord ? [] : undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const properties = rulesOf(schema);
  return lines.filter((line) => line !== '').map((line) => (properties ? readLine(line, properties) : line));
}

/** A line that can't be read stays a text; the document's grammar then reports it. */
function readLine(line: string, properties: Readonly<Record<string, JsonObject>>): unknown {
  const rule = readRule(properties, line, true);
  return rule.ok ? rule.value : line;
}

// Rows.

/** Digits of the index of a row: more rows than any list may have. */
const ROW = /^\[(\d{1,5})\]\./;

/** The indexes of the rows that a list has in the form, ascending. */
export function rowsIn(fields: FormFields, path: string): number[] {
  return [...groupRows(fields, path).keys()].toSorted((a, b) => a - b);
}

/** Rows of a form beyond those of a document: what a person added last is refused beside its field, and not lost. */
export const SPARE_ROWS_MAX = 1;

/** Whether a list has more rows than any document, and the spare one. */
export function hasMoreRows(fields: FormFields): boolean {
  return shownFields(PROPERTY_DOCUMENT).some(
    ([path, { part }]) => isRows(part) && groupRows(fields, path).size > mostRows(part) + SPARE_ROWS_MAX,
  );
}

/** Whether a list of a document that was sent along has more items than any document. */
export function hasMoreItems(document: JsonObject): boolean {
  return shownFields(PROPERTY_DOCUMENT).some(([name, { part }]) => {
    const value = Object.hasOwn(document, name) ? document[name] : undefined;
    return isRows(part) && Array.isArray(value) && value.length > mostRows(part);
  });
}

function mostRows({ schema }: Grammar<unknown>): number {
  return schema['maxItems'] as number;
}

/** The fields of each row, by their names within the row. */
function groupRows(fields: FormFields, path: string): Map<number, Map<string, string>> {
  const rows = new Map<number, Map<string, string>>();
  for (const [name, text] of fields) {
    const row = name.startsWith(path) ? ROW.exec(name.slice(path.length)) : null;
    if (row === null) continue;
    const index = Number(row[1]);
    const texts = rows.get(index) ?? new Map<string, string>();
    rows.set(index, texts.set(name.slice(path.length + row[0].length), text));
  }
  return rows;
}

/** Changes to rows that a button makes instead of saving: `taxes[1]` is one row, `taxes` the list. */
export interface RowChange {
  readonly remove?: string | undefined;
  /** Moves the row before the one above it. */
  readonly raise?: string | undefined;
}

/** Renumbers rows without gaps; drops empty rows and the one to remove. */
export function compactRows(fields: FormFields, { remove, raise }: RowChange = {}): FormFields {
  const compact = new Map(fields);
  for (const [path, field] of shownFields(PROPERTY_DOCUMENT)) {
    if (!isRows(field.part)) continue;
    const all = [...groupRows(fields, path)].toSorted(([a], [b]) => a - b);
    for (const [index, texts] of all)
      for (const name of texts.keys()) compact.delete(`${rowPath(path, index)}.${name}`);
    const rows = all.filter(
      ([index, texts]) => rowPath(path, index) !== remove && !isEmptyRow(field.part, texts),
    );
    const at = rows.findIndex(([index]) => rowPath(path, index) === raise);
    if (at > 0) rows.splice(at - 1, 0, ...rows.splice(at, 1));
    for (const [index, [, texts]] of rows.entries())
      for (const [name, text] of texts) compact.set(`${rowPath(path, index)}.${name}`, text);
  }
  return compact;
}

/** A new row has its yes-or-no fields already chosen. */
function isEmptyRow({ fields = {} }: Grammar<unknown>, texts: ReadonlyMap<string, string>): boolean {
  // Anybody may send a name that every object inherits.
  const isFlag = (name: string) => Object.hasOwn(fields, name) && fields[name]?.part.kind === 'flag';
  return [...texts].every(([name, text]) => text.trim() === '' || isFlag(name));
}
