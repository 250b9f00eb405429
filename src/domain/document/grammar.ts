/**
 * A grammar of JSON documents, composed of small parts. One tree gives the reader (with path and reason of a mistake),
 * the JSON schema, the TypeScript type, the stored order of fields, and the list of fields for a form or a spreadsheet.
 *
 * Reading goes on after a mistake, so that all are named. The caller drops the result, so a part may answer anything
 * then; a part that needs others is left out if one of them is wrong.
 */
import { LOCALES, type LocalizedText } from '../property.ts';
import { Wrong } from '../wrong.ts';
import {
  unknownFieldReason,
  Fields,
  type FindingCode,
  Findings,
  type JsonObject,
  noMinusZero,
  notGiven,
  pathStep,
  readText,
  shown,
} from './document-fields.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;
/** Fields of the same object that were read before the ruled one. */
type Owner = Readonly<Record<string, unknown>>;
/** A mistake; with a path within the part unless it concerns the whole. */
export type Mistake = Wrong | { readonly at: string; readonly reason: Wrong };

/** The widget of a form, or the column of a spreadsheet. */
export type Kind =
  | 'text'
  | 'localized'
  | 'whole'
  | 'number'
  | 'flag'
  | 'choice'
  | 'decimal'
  | 'date'
  | 'time'
  | 'list'
  | 'object';

export interface Grammar<T> {
  readonly kind: Kind;
  readonly schema: JsonSchema;
  /** `name`: the field's name, or the index in a list. */
  read(value: unknown, name: string | number, reader: Reader, owner: Owner): T;
  /** The value with only its known fields, in the stored order; itself unless given. */
  arrange?(value: T): unknown;
  /** Fields of an object, or of the items of a list. */
  readonly fields?: Readonly<Record<string, Field<unknown>>>;
}

export type ValueOf<Part> = Part extends Grammar<infer T> ? T : never;

/** The position of the reading, and the mistakes. */
export class Reader {
  readonly findings = new Findings();
  readonly #steps: (string | number)[] = [];

  get isWrong(): boolean {
    return this.mistakeCount > 0;
  }

  get mistakeCount(): number {
    return this.findings.mistakes.length;
  }

  enter(name: string | number): void {
    this.#steps.push(name);
  }

  leave(): void {
    this.#steps.pop();
  }

  path(name: string | number): string {
    let path = '';
    for (const step of [...this.#steps, name]) {
      if (typeof step === 'number') path += `[${step}]`;
      else path += path === '' ? pathStep(step) : `.${pathStep(step)}`;
    }
    return path;
  }

  refuse(name: string | number, mistake: Mistake): void {
    if (mistake instanceof Wrong) this.findings.report(this.path(name), mistake);
    else this.findings.report(`${this.path(name)}${mistake.at}`, mistake.reason);
  }

  /** Notes the mistake; the type is that of the unreadable part. */
  wrong(name: string | number, reason: Wrong, code?: FindingCode): never {
    this.findings.report(this.path(name), reason, code);
    return undefined as never;
  }
}

// Fields of objects.

export interface Field<T> {
  readonly part: Grammar<unknown>;
  /** Whether it must be there, may be missing, may be missing or null, or is read by its part even when missing. */
  readonly presence: 'required' | 'optional' | 'nullable' | 'dependent';
  /** Meaning of a missing field; undefined: the object then lacks the field. */
  readonly fallback: T | undefined;
  /** Added to the part's schema: meaning, and bounds of its rules. */
  readonly notes: JsonSchema;
}

export function required<T>(part: Grammar<T>, description?: string, more?: JsonSchema): Field<T> {
  return { part, presence: 'required', fallback: undefined, notes: notesOf(description, more) };
}

/** May be missing, but not null. */
export function optional<T, Fallback extends T | undefined>(
  part: Grammar<T>,
  fallback: Fallback,
  description?: string,
  more?: JsonSchema,
): Field<T | Fallback> {
  return { part, presence: 'optional', fallback, notes: notesOf(description, more) };
}

/** May be missing or null; both mean the same. */
export function nullable<T, Fallback>(
  part: Grammar<T>,
  fallback: Fallback,
  description?: string,
  more?: JsonSchema,
): Field<T | Fallback> {
  return { part, presence: 'nullable', fallback, notes: notesOf(description, more) };
}

/** Its allowed values depend on fields that are read before it. */
export function dependent<T>(part: Grammar<T>, description?: string): Field<T> {
  return { part, presence: 'dependent', fallback: undefined, notes: notesOf(description) };
}

function notesOf(description: string | undefined, more: JsonSchema = {}): JsonSchema {
  return description === undefined ? more : { ...more, description };
}

type FieldMap = Readonly<Record<string, Field<unknown>>>;
type FieldValue<F> = F extends Field<infer T> ? T : never;
type Absentable<Map extends FieldMap> = {
  [Name in keyof Map]: undefined extends FieldValue<Map[Name]> ? Name : never;
}[keyof Map];
export type ObjectOf<Map extends FieldMap> = {
  readonly [Name in Exclude<keyof Map, Absentable<Map>>]: FieldValue<Map[Name]>;
} & { readonly [Name in Absentable<Map>]?: Exclude<FieldValue<Map[Name]>, undefined> };

/** `first` and `last`: fields that others depend on, and dependent fields. */
export function object<Map extends FieldMap>(
  fields: Map,
  { first = [], last = [] }: { readonly first?: readonly string[]; readonly last?: readonly string[] } = {},
): Grammar<ObjectOf<Map>> & { readonly fields: Map } {
  const names = Object.keys(fields);
  const known = new Set(names);
  const inOrder = names.map((name) => ({ name, part: fields[name]!.part }));
  const between = names.filter((name) => !first.includes(name) && !last.includes(name));
  const inReadingOrder = [...first, ...between, ...last].map((name) => ({ name, ...fields[name]! }));
  const isRequired = (name: string): boolean => fields[name]!.presence === 'required';
  return {
    kind: 'object',
    fields,
    schema: {
      type: 'object',
      required: names.filter(isRequired),
      properties: Object.fromEntries(names.map((name) => [name, fieldSchema(fields[name]!)])),
      additionalProperties: false,
    },
    read(value, name, reader) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return reader.wrong(name, notGiven(new Wrong('notObject'), value));
      reader.enter(name);
      const before = reader.mistakeCount;
      for (const given of Object.keys(value))
        if (!known.has(given)) reader.wrong(given, unknownFieldReason(given, known), 'FIELD_UNKNOWN');
      const read: Record<string, unknown> = {};
      for (const field of inReadingOrder) {
        if (field.presence === 'dependent' && reader.mistakeCount > before) continue;
        const beforeField = reader.mistakeCount;
        const isGiven = Object.hasOwn(value, field.name);
        const own = isGiven ? (value as JsonObject)[field.name] : undefined;
        const isNothing = field.presence === 'nullable' ? own === undefined || own === null : !isGiven;
        const result =
          isNothing && field.presence !== 'dependent'
            ? readNothing(field, reader)
            : field.part.read(own, field.name, reader, read);
        if (result !== undefined && reader.mistakeCount === beforeField) read[field.name] = result;
      }
      reader.leave();
      return read as ObjectOf<Map>;
    },
    arrange(value) {
      const given = value as Owner;
      const arranged: Record<string, unknown> = {};
      for (const { name, part } of inOrder) {
        const own = Object.hasOwn(given, name) ? given[name] : undefined;
        if (own !== undefined)
          arranged[name] = own === null || part.arrange === undefined ? own : part.arrange(own);
      }
      return arranged;
    },
  };
}

function readNothing(
  { name, presence, fallback }: Field<unknown> & { readonly name: string },
  reader: Reader,
): unknown {
  return presence === 'required' ? reader.wrong(name, new Wrong('required'), 'FIELD_REQUIRED') : fallback;
}

function fieldSchema({ part: { schema }, presence, fallback, notes }: Field<unknown>): JsonSchema {
  const isPlain = typeof fallback === 'number' || typeof fallback === 'boolean';
  const own = { ...schema, ...notes, ...(isPlain && { default: fallback }) };
  if (presence === 'required' || presence === 'optional') return own;
  if (schema['enum'] !== undefined) return { ...own, enum: [...(schema['enum'] as unknown[]), null] };
  return { ...own, type: [schema['type'], 'null'].flat() };
}

/** Picks the fields that the part knows, unchanged. */
export function pick<T>({ fields = {} }: Grammar<T>, from: Readonly<Record<string, unknown>>): T {
  const picked: Record<string, unknown> = {};
  for (const name in fields)
    if (Object.hasOwn(from, name) && from[name] !== undefined) picked[name] = from[name];
  return picked as T;
}

/** The stored order of a value; see `Grammar.arrange`. */
export function arrange<T>(part: Grammar<T>, value: T): unknown {
  return value === null || part.arrange === undefined ? value : part.arrange(value);
}

export interface DocumentField {
  /** `taxes[].code`: also the key of its label. */
  readonly path: string;
  readonly kind: Kind;
  readonly isRequired: boolean;
  /** Its bounds, choices and meaning. */
  readonly schema: JsonSchema;
}

/** Every field; those of nested objects and lists follow the field that holds them. */
export function documentFields(part: Grammar<unknown>, prefix = ''): readonly DocumentField[] {
  return Object.entries(part.fields ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const { kind } = field.part;
    const row = { path, kind, isRequired: field.presence === 'required', schema: fieldSchema(field) };
    return [row, ...documentFields(field.part, `${path}${kind === 'list' ? '[]' : ''}.`)];
  });
}

// Lists.

interface ListRules<T> {
  readonly most: number;
  /** Makes a check for the items of one list, from the fields that were read before it. */
  readonly each?: (owner: Owner) => (item: T) => Mistake | undefined;
}

export function list<T>(item: Grammar<T>, { most, each }: ListRules<T>): Grammar<readonly T[]> {
  return {
    kind: 'list',
    ...(item.fields === undefined ? {} : { fields: item.fields }),
    schema: { type: 'array', items: item.schema, maxItems: most },
    read(value, name, reader, owner) {
      if (!Array.isArray(value)) return reader.wrong(name, notGiven(new Wrong('notList'), value));
      if (value.length > most)
        return reader.wrong(name, notGiven(new Wrong('listLong', { max: most }), value.length));
      const look = each?.(owner);
      const items: T[] = [];
      reader.enter(name);
      for (let index = 0; index < value.length; index += 1) {
        const before = reader.mistakeCount;
        const read = item.read(value[index], index, reader, owner);
        if (reader.mistakeCount > before) continue;
        const wrong = look?.(read);
        if (wrong === undefined) items.push(read);
        else reader.refuse(index, wrong);
        if (reader.findings.isFull) break;
      }
      reader.leave();
      return items;
    },
    arrange: (items) => (item.arrange === undefined ? items : items.map((one) => arrange(item, one))),
  };
}

/** A list within the items of another one: a form writes each of its items in a line, as a spreadsheet does. */
export function lines<T>(part: Grammar<readonly T[]>): Grammar<readonly T[]> {
  const { fields: _inItems, ...line } = part;
  return line;
}

// Rules and words.

export function ruled<T>(
  part: Grammar<T>,
  rule: (value: T, owner: Owner) => Mistake | undefined,
): Grammar<T> {
  return {
    ...part,
    read(value, name, reader, owner) {
      const before = reader.mistakeCount;
      const read = part.read(value, name, reader, owner);
      if (reader.mistakeCount > before) return read;
      const wrong = rule(read, owner);
      if (wrong !== undefined) reader.refuse(name, wrong);
      return read;
    },
  };
}

// Values. Each takes what is valid; the reason begins a sentence that goes on with the value.

function checked<T>(
  kind: Kind,
  schema: JsonSchema,
  isValid: (given: unknown) => boolean,
  reason: Wrong,
): Grammar<T> {
  return {
    kind,
    schema,
    read: (given, name, reader) =>
      isValid(given) ? (given as T) : reader.wrong(name, notGiven(reason, given)),
  };
}

export function word(
  kind: Kind,
  schema: JsonSchema,
  isValid: (text: string) => boolean,
  reason: Wrong,
): Grammar<string> {
  return {
    kind,
    schema: { type: 'string', ...schema },
    read: (given, name, reader) =>
      typeof given === 'string' && isValid(given) ? given : reader.wrong(name, notGiven(reason, given)),
  };
}

export function choice<const T extends string>(choices: readonly T[]): Grammar<T> {
  const isChoice = (given: unknown): boolean => choices.includes(given as T);
  return checked(
    'choice',
    { enum: choices },
    isChoice,
    new Wrong('notChoice', { choices: choices.join(', ') }),
  );
}

const isFlag = (given: unknown): boolean => typeof given === 'boolean';
export const flag: Grammar<boolean> = checked('flag', { type: 'boolean' }, isFlag, new Wrong('notFlag'));

export function whole(minimum: number, maximum: number): Grammar<number> {
  return {
    kind: 'whole',
    schema: { type: 'integer', minimum, maximum },
    read: (given, name, reader) =>
      Number.isSafeInteger(given) && (given as number) >= minimum && (given as number) <= maximum
        ? noMinusZero(given as number)
        : reader.wrong(name, notGiven(new Wrong('notWhole', { min: minimum, max: maximum }), given)),
  };
}

export function number(minimum: number, maximum: number): Grammar<number> {
  return {
    kind: 'number',
    schema: { type: 'number', minimum, maximum },
    read: (given, name, reader) =>
      typeof given === 'number' && given >= minimum && given <= maximum
        ? noMinusZero(given)
        : reader.wrong(name, notNumber(new Wrong('notNumber', { min: minimum, max: maximum }), given)),
  };
}

/** Half of Europe writes a comma. */
function notNumber(wrong: Wrong, given: unknown): Wrong {
  if (typeof given !== 'string' || !/^\d+,\d+$/.test(given)) return notGiven(wrong, given);
  return new Wrong('notGivenPoint', { wrong, given: shown(given), instead: given.replace(',', '.') });
}

const NOT_BLANK = { not: { type: 'string', pattern: '^\\s*$' } };

export function text(lengthMax: number): Grammar<string> {
  return {
    kind: 'text',
    schema: { type: 'string', maxLength: lengthMax, ...NOT_BLANK },
    read: (given, name, reader) =>
      typeof given === 'string' && isShortText(given, lengthMax)
        ? given
        : readText(given, reader.path(name), { lengthMax }, reader.findings),
  };
}

/** A fast check for most texts; only refused texts need a path. */
function isShortText(given: string, lengthMax: number): boolean {
  return given.length <= lengthMax && given.trim() !== '' && given.isWellFormed() && !given.includes('\0');
}

const LOCALE_PATTERN = `^(?:${LOCALES.join('|')})$`;
const LOCALE_NAMES: ReadonlySet<string> = new Set(LOCALES);

/** One text for all locales, or one per locale. */
export function localized(
  lengthMax: number,
  { mayBeBlank = false }: { readonly mayBeBlank?: boolean } = {},
): Grammar<LocalizedText> {
  const bounds = { maxLength: lengthMax, ...(mayBeBlank ? {} : NOT_BLANK) };
  const rules = { lengthMax, mayBeBlank };
  return {
    kind: 'localized',
    schema: {
      type: ['string', 'object'],
      ...bounds,
      patternProperties: { [LOCALE_PATTERN]: { type: 'string', ...bounds } },
      additionalProperties: false,
      minProperties: 1,
    },
    read(given, name, reader) {
      if (typeof given === 'string')
        return isShortText(given, lengthMax)
          ? given
          : readText(given, reader.path(name), rules, reader.findings);
      if (typeof given !== 'object' || given === null || Array.isArray(given))
        return reader.wrong(name, new Wrong('notLocalized', { locales: LOCALES.join(', ') }));
      const byLocale = Fields.of(given, reader.path(name), LOCALE_NAMES, reader.findings);
      const texts = LOCALES.filter((locale) => byLocale.has(locale)).map((locale) => [
        locale,
        readText(byLocale.value(locale), byLocale.path(locale), rules, reader.findings),
      ]);
      if (texts.length === 0)
        reader.wrong(name, new Wrong('noLocale', { first: LOCALES[0], second: LOCALES[1] }));
      return Object.fromEntries(texts) as LocalizedText;
    },
    arrange(texts) {
      if (typeof texts === 'string') return texts;
      return Object.fromEntries(
        LOCALES.flatMap((locale) => (texts[locale] === undefined ? [] : [[locale, texts[locale]]])),
      );
    },
  };
}
