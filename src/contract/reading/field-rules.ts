/**
 * Compiles the schema of one scalar field into readers for text (query, path) and JSON (body), and checks rules between
 * fields: presence, and the dates of a stay. It reads only JSON Schema keywords, so the published rules are the checked
 * ones.
 */
import type { TSchema } from 'typebox';
import { type EpochDay, LOCAL_DATE_FORM, parseLocalDate } from '../../domain/local-date.ts';
import type { IssueCode, ValidationIssue } from '../partner/issue-codes.ts';
import { STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { ECHOED_NAME_LENGTH_MAX } from '../partner/limits.ts';
import type { StayRule } from '../partner/operations.ts';

/** An issue without its field. */
export class Refusal {
  readonly code: IssueCode;
  readonly detail: string;
  constructor(code: IssueCode, detail: string) {
    this.code = code;
    this.detail = detail;
  }
}

/** Text, a number, the day number of a date, a flag, or a list in a query: texts or whole numbers. */
export type ScalarValue = string | number | boolean | readonly string[] | readonly number[];

export interface ScalarRule {
  readonly readText: (text: string) => ScalarValue | Refusal;
  readonly readJson: (value: unknown) => ScalarValue | Refusal;
}

/** The parts of a scalar's JSON schema that reading goes by. */
export interface ScalarKeywords {
  readonly type?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: TSchema;
  readonly maxItems?: number;
}

/** Throws on a schema outside the contract's scalars, which is a bug in the table of operations. */
export function buildScalarRule(schema: TSchema): ScalarRule {
  const keywords: ScalarKeywords = schema;
  if (keywords.type === 'integer') return integerRule(keywords);
  if (keywords.type === 'number') return inQuery(numberReader(keywords));
  if (keywords.type === 'boolean') return flagRule();
  if (keywords.type === 'array')
    return inQuery(isNumberList(keywords) ? numbersReader(keywords) : listReader(keywords));
  if (keywords.type !== 'string') throw new TypeError(`no rule for ${JSON.stringify(schema)}`);
  if (keywords.enum !== undefined) return fromText(choiceReader(keywords.enum));
  if (keywords.format === 'date') return fromText(readDate);
  return fromText(textReader(keywords));
}

function fromText(readText: ScalarRule['readText']): ScalarRule {
  const notText = new Refusal('TYPE_INVALID', 'Must be a string.');
  return { readText, readJson: (value) => (typeof value === 'string' ? readText(value) : notText) };
}

/** As JSON writes integers: no plus sign, leading zero, blank, fraction or exponent. */
const INTEGER_TEXT = /^-?(?:0|[1-9][0-9]*)$/;

function integerRule({ minimum, maximum }: ScalarKeywords): ScalarRule {
  const least = minimum ?? Number.MIN_SAFE_INTEGER;
  const most = maximum ?? Number.MAX_SAFE_INTEGER;
  const detail = `Must be an integer from ${least} to ${most}.`;
  const notInteger = new Refusal('TYPE_INVALID', detail);
  const outOfRange = new Refusal('OUT_OF_RANGE', detail);
  // Digits beyond 2^53 lose their last places, but never come out below it; 1e400 is Infinity.
  const checkRange = (value: number) => (value >= least && value <= most ? value : outOfRange);
  return {
    readText: (text) => (INTEGER_TEXT.test(text) ? checkRange(Number(text)) : notInteger),
    readJson: (value) =>
      typeof value === 'number' && (Number.isInteger(value) || Math.abs(value) === Infinity)
        ? checkRange(value)
        : notInteger,
  };
}

/** No body has a field of these types. */
function inQuery(readText: ScalarRule['readText']): ScalarRule {
  const notText = new Refusal('TYPE_INVALID', 'Is a parameter of a query.');
  return { readText, readJson: () => notText };
}

/** With at most one decimal: no step is finer than a tenth. */
const NUMBER_TEXT = /^-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?$/;
const TENTHS = 10;

function numberReader({
  minimum = -Infinity,
  maximum = Infinity,
  multipleOf = 1,
}: ScalarKeywords): ScalarRule['readText'] {
  const detail = `Must be a number from ${minimum} to ${maximum} in steps of ${multipleOf}.`;
  const notNumber = new Refusal('TYPE_INVALID', detail);
  const outOfRange = new Refusal('OUT_OF_RANGE', detail);
  const betweenSteps = new Refusal('NOT_ALLOWED', detail);
  return (text) => {
    const match = NUMBER_TEXT.exec(text);
    if (match === null) return notNumber;
    const value = Number(text);
    if (value < minimum || value > maximum) return outOfRange;
    const isStep =
      (match[1] ?? '').length <= 1 && Math.round(value * TENTHS) % Math.round(multipleOf * TENTHS) === 0;
    return isStep ? value : betweenSteps;
  };
}

const notFlag = new Refusal('NOT_ALLOWED', 'Must be one of true, false.');

function flagRule(): ScalarRule {
  const notBoolean = new Refusal('TYPE_INVALID', 'Must be true or false.');
  return { readText: readFlag, readJson: (value) => (typeof value === 'boolean' ? value : notBoolean) };
}

function readFlag(text: string): ScalarValue | Refusal {
  return text === 'true' || text === 'false' ? text === 'true' : notFlag;
}

/** Texts between commas; blanks around each are dropped. */
function listReader({ items, maxItems = Infinity }: ScalarKeywords): ScalarRule['readText'] {
  const { readText } = trimmed(buildScalarRule(items!));
  const wrongLength = new Refusal('LENGTH_INVALID', `Must have 1 to ${maxItems} entries.`);
  return (text) => {
    const entries: string[] = [];
    for (const entry of text.split(',', maxItems + 1)) {
      const read = readText(entry);
      if (read instanceof Refusal) return new Refusal(read.code, `Each entry: ${read.detail}`);
      entries.push(read as string);
    }
    return entries.length > maxItems ? wrongLength : entries;
  };
}

/** Whether the items are whole numbers. */
export function isNumberList({ items }: Pick<ScalarKeywords, 'items'>): boolean {
  const item: ScalarKeywords | undefined = items;
  return item?.type === 'integer';
}

/** Whole numbers between commas, and nothing else. */
function numbersReader({ items, maxItems = Infinity }: ScalarKeywords): ScalarRule['readText'] {
  const { minimum = 0, maximum = Infinity } = items as ScalarKeywords;
  const notNumbers = new Refusal('FORMAT_INVALID', 'Must be whole numbers with commas between them.');
  const outOfRange = new Refusal('OUT_OF_RANGE', `Each entry must be from ${minimum} to ${maximum}.`);
  const tooMany = tooManyNumbers(maxItems);
  return (text) => {
    const numbers: number[] = [];
    for (const entry of text.split(',', maxItems + 1)) {
      if (entry.startsWith('-') || !INTEGER_TEXT.test(entry)) return notNumbers;
      numbers.push(Number(entry));
    }
    if (numbers.some((value) => value < minimum || value > maximum)) return outOfRange;
    return numbers.length > maxItems ? tooMany : numbers;
  };
}

export function tooManyNumbers(maxItems: number): Refusal {
  return new Refusal('OUT_OF_RANGE', `Must have at most ${maxItems} entries.`);
}

function choiceReader(choices: readonly string[]): ScalarRule['readText'] {
  const allowed = new Set(choices);
  const notAllowed = new Refusal('NOT_ALLOWED', `Must be one of ${choices.join(', ')}.`);
  return (text) => (allowed.has(text) ? text : notAllowed);
}

const dateForm = new Refusal('FORMAT_INVALID', 'Must be a date of the form YYYY-MM-DD.');
const noDate = new Refusal(
  'DATE_INVALID',
  'Must be a date that the calendar has, in the years 0001 to 9999.',
);

function readDate(text: string): ScalarValue | Refusal {
  return parseLocalDate(text) ?? (LOCAL_DATE_FORM.test(text) ? noDate : dateForm);
}

/** Characters that harm XML, logs, terminals or databases. */
const CONTROL_CHARACTERS = /\p{Cc}/u;
const control = new Refusal('FORMAT_INVALID', 'Must be well-formed text without control characters.');

function textReader({
  pattern,
  minLength = 0,
  maxLength = Infinity,
}: ScalarKeywords): ScalarRule['readText'] {
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const wrongLength = new Refusal('LENGTH_INVALID', `Must have ${minLength} to ${maxLength} characters.`);
  const wrongForm = new Refusal('FORMAT_INVALID', `Must match ${pattern}.`);
  return (text) => {
    if (text.length < minLength || isLongerThan(text, maxLength)) return wrongLength;
    if (form !== undefined) return form.test(text) ? text : wrongForm;
    return isCleanText(text) ? text : control;
  };
}

/** Ignores surrounding blanks. A surrounding tab or newline is a control character. */
export function trimmed(rule: ScalarRule): ScalarRule {
  return {
    readText: (text) => (isCleanText(text) ? rule.readText(text.trim()) : control),
    readJson: rule.readJson,
  };
}

function isCleanText(text: string): boolean {
  return !CONTROL_CHARACTERS.test(text) && text.isWellFormed();
}

/** Counts code points only when the number of UTF-16 units leaves a doubt. */
function isLongerThan(text: string, codePointsMax: number): boolean {
  if (text.length <= codePointsMax) return false;
  if (text.length > 2 * codePointsMax) return true;
  let codePoints = 0;
  for (const _ of text) codePoints += 1;
  return codePoints > codePointsMax;
}

/** The result for one field: its value, a refusal, or undefined when it is absent. */
export type Slot = ScalarValue | Refusal | undefined;

const required = new Refusal('REQUIRED', 'Is required.');
const checkInMissing = new Refusal('DATE_PAIR_REQUIRED', 'Is required when checkOut is given.');
const checkOutMissing = new Refusal('DATE_PAIR_REQUIRED', 'Is required when checkIn is given.');
const wrongOrder = new Refusal('DATE_ORDER_INVALID', 'Must be after checkIn.');
const tooLong = new Refusal('STAY_TOO_LONG', `Must be at most ${STAY_NIGHTS_MAX} nights after checkIn.`);

/** Marks the required fields that are absent. */
export function requirePresence(slots: Slot[], fields: readonly { readonly required: boolean }[]): void {
  for (let index = 0; index < fields.length; index += 1) {
    if (slots[index] === undefined && fields[index]?.required === true) slots[index] = required;
  }
}

/** The positions of a stay's dates among the fields. */
export interface StayPositions {
  readonly rule: StayRule;
  readonly checkIn: number;
  readonly checkOut: number;
}

export function findStayPlace(rule: StayRule, names: readonly string[]): StayPositions {
  return { rule, checkIn: names.indexOf('checkIn'), checkOut: names.indexOf('checkOut') };
}

/** SPEC 4.1: both dates or none, checkOut after checkIn, at most 60 nights. Refused dates are skipped. */
export function applyStayRule(slots: Slot[], place: StayPositions): void {
  if (place.rule === 'none') return;
  const checkIn = slots[place.checkIn];
  const checkOut = slots[place.checkOut];
  if (checkIn === undefined || checkOut === undefined) {
    if (checkOut !== undefined) slots[place.checkIn] = checkInMissing;
    if (checkIn !== undefined) slots[place.checkOut] = checkOutMissing;
  } else if (typeof checkIn === 'number' && typeof checkOut === 'number') {
    const refusal = judgeStay(checkIn, checkOut);
    if (refusal !== undefined) slots[place.checkOut] = refusal;
  }
}

function judgeStay(checkIn: EpochDay, checkOut: EpochDay): Refusal | undefined {
  if (checkOut <= checkIn) return wrongOrder;
  return checkOut - checkIn > STAY_NIGHTS_MAX ? tooLong : undefined;
}

/** `field` must be safe to echo: one of our names, or from `presentName`. */
export function presentIssue(field: string, { code, detail }: Refusal): ValidationIssue {
  return { field, code, detail };
}

/** Makes a caller's name safe for an issue: bounded, well-formed, never empty. */
export function presentName(name: string): string {
  if (name === '') return '""';
  // A code point has at most two units: what lies behind twice the limit is never shown.
  const codePoints = Array.from(name.slice(0, 2 * ECHOED_NAME_LENGTH_MAX + 2).toWellFormed());
  return codePoints.length > ECHOED_NAME_LENGTH_MAX
    ? `${codePoints.slice(0, ECHOED_NAME_LENGTH_MAX).join('')}…`
    : codePoints.join('');
}
