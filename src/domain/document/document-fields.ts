/**
 * Reads fields of a parsed JSON document. `Findings` notes each mistake, and reading continues with a stand-in, so that
 * readers stay straight; the caller drops everything after a finding.
 */
import { parseLocalDate, type EpochDay } from '../local-date.ts';
import { ID_LENGTH_MAX } from '../property.ts';
import { type Told, Wrong } from '../wrong.ts';

export interface Finding {
  /** Dotted path, such as `inventoryTypes[0].calendar[2].dateTo`; empty for the document itself. */
  readonly field: string;
  /** The mistake and its fix. */
  readonly reason: Told;
}

/** The kind of mistake, for programs. */
export type FindingCode = 'FIELD_INVALID' | 'FIELD_REQUIRED' | 'FIELD_UNKNOWN' | 'DATE_INVALID';

/** Why a value that is taken may not be meant, for programs. */
export type WarningCode = 'UNITS_BELOW_ZERO' | 'RATE_ZERO' | 'VALUE_HIDDEN';

export interface DocumentWarning extends Finding {
  readonly code: WarningCode;
}

/** Mistakes, and warnings, that one document lists; further ones are dropped. */
export const FINDINGS_MAX = 50;

/** Mistakes found, and what is taken with a warning. */
export class Findings {
  readonly mistakes: Finding[] = [];
  readonly warnings: DocumentWarning[] = [];
  /** Kind of the first mistake. */
  code: FindingCode = 'FIELD_INVALID';

  get first(): Finding | undefined {
    return this.mistakes[0];
  }

  get isFull(): boolean {
    return this.mistakes.length >= FINDINGS_MAX;
  }

  report(field: string, reason: Wrong, code: FindingCode = 'FIELD_INVALID'): void {
    if (this.isFull) return;
    if (this.mistakes.length === 0) this.code = code;
    this.mistakes.push({ field, reason });
  }

  warn(field: string, reason: Wrong, code: WarningCode): void {
    if (this.warnings.length < FINDINGS_MAX) this.warnings.push({ field, reason, code });
  }
}

/** A form of ids (SPEC 2, PropertyId). */
export const NOT_ID = new Wrong('notId', { max: ID_LENGTH_MAX, characters: 'A-Z a-z 0-9 . _ ~ -' });

export type JsonObject = Readonly<Record<string, unknown>>;

/** The path of a value; a function where paths are many and seldom needed (calendar entries). */
export type Path = string | (() => string);

const SHOWN_LENGTH_MAX = 60;

/** Characters without width; in a refusal that quotes them they would look like nothing. */
export const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

function escapeSign(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Quotes a value in a reason: short and on one line. Nested values are only named: they may be deep. */
export function shown(value: string): string;
export function shown(value: unknown): string | Wrong;
export function shown(value: unknown): string | Wrong {
  if (Array.isArray(value)) return new Wrong('aList');
  if (typeof value === 'object' && value !== null) return new Wrong('anObject');
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return new Wrong('nothing');
  const json = text.replaceAll(INVISIBLE, escapeSign);
  return json.length <= SHOWN_LENGTH_MAX ? json : `${json.slice(0, SHOWN_LENGTH_MAX)}...`;
}

/** The reason, and what was given instead. */
export function notGiven(wrong: Wrong, given: unknown): Wrong {
  return new Wrong('notGiven', { wrong, given: shown(given) });
}

export function pathStep(name: string): string {
  return name.length <= SHOWN_LENGTH_MAX ? name : `${name.slice(0, SHOWN_LENGTH_MAX)}...`;
}

/** One object of a document: its fields by name, and its path. */
export class Fields {
  readonly #values: JsonObject;
  readonly #path: Path;
  readonly findings: Findings;

  private constructor(values: JsonObject, path: Path, findings: Findings) {
    this.#values = values;
    this.#path = path;
    this.findings = findings;
  }

  /** An object that has only `known` fields. */
  static of(value: unknown, path: Path, known: ReadonlySet<string>, findings: Findings): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      findings.report(written(path), notGiven(new Wrong('notObject'), value));
      return new Fields({}, path, findings);
    }
    const fields = new Fields(value as JsonObject, path, findings);
    for (const name of Object.keys(value)) {
      if (!known.has(name))
        findings.report(fields.path(name), unknownFieldReason(name, known), 'FIELD_UNKNOWN');
    }
    return fields;
  }

  path(name: string): string {
    const step = pathStep(name);
    const path = written(this.#path);
    return path === '' ? step : `${path}.${step}`;
  }

  /** Names of the fields that are there, known or not. */
  names(): readonly string[] {
    return Object.keys(this.#values);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  /** The raw value; undefined when the field is missing. */
  value(name: string): unknown {
    return this.has(name) ? this.#values[name] : undefined;
  }

  /** Whether the field is missing or null; for fields whose default is null. */
  isNull(name: string): boolean {
    return this.value(name) === undefined || this.value(name) === null;
  }

  report(name: string, reason: Wrong): void {
    this.findings.report(this.path(name), reason);
  }

  warn(name: string, reason: Wrong, code: WarningCode): void {
    this.findings.warn(this.path(name), reason, code);
  }

  /** Reports a missing field; true when the field is there. */
  isPresent(name: string): boolean {
    if (this.has(name)) return true;
    this.findings.report(this.path(name), new Wrong('required'), 'FIELD_REQUIRED');
    return false;
  }

  text(name: string, lengthMax: number): string {
    if (!this.isPresent(name)) return '';
    return readText(this.value(name), this.path(name), { lengthMax }, this.findings);
  }

  /** A required id (SPEC 2, PropertyId). */
  id(name: string, pattern: RegExp): string {
    if (!this.isPresent(name)) return '';
    const value = this.value(name);
    if (typeof value === 'string' && pattern.test(value)) return value;
    this.report(name, notGiven(NOT_ID, value));
    return '';
  }

  boolean(name: string, standard: boolean): boolean {
    if (!this.has(name)) return standard;
    const value = this.value(name);
    if (typeof value === 'boolean') return value;
    this.report(name, notGiven(new Wrong('notFlag'), value));
    return standard;
  }

  integer(name: string, least: number, most: number): number {
    const value = this.value(name);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most)
      return noMinusZero(value);
    this.report(name, notGiven(new Wrong('notWhole', { min: least, max: most }), value));
    return least;
  }

  /** Units to sell. An overbooked night has none. */
  units(name: string): number {
    const units = this.integer(name, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    if (units >= 0) return units;
    this.warn(name, new Wrong('unitsBelowZero', { units }), 'UNITS_BELOW_ZERO');
    return 0;
  }

  date(name: string): EpochDay {
    if (!this.isPresent(name)) return 0;
    const value = this.value(name);
    const day = typeof value === 'string' ? parseLocalDate(value) : undefined;
    if (day !== undefined) return day;
    this.findings.report(this.path(name), notGiven(new Wrong('notDate'), value), 'DATE_INVALID');
    return 0;
  }

  /** The items of a list with their paths; empty for any other value. */
  list(name: string, most: number): readonly { readonly value: unknown; readonly path: string }[] {
    if (!this.has(name)) return [];
    const value = this.value(name);
    if (!Array.isArray(value)) {
      this.report(name, notGiven(new Wrong('notList'), value));
      return [];
    }
    if (value.length > most) {
      this.report(name, notGiven(new Wrong('listLong', { max: most }), value.length));
      return [];
    }
    return value.map((item: unknown, index) => ({ value: item, path: `${this.path(name)}[${index}]` }));
  }
}

export interface TextRules {
  readonly lengthMax: number;
  readonly mayBeBlank?: boolean;
}

/** A string that can be stored and sent: not blank, not too long, whole Unicode characters, no NUL. */
export function readText(
  value: unknown,
  path: string,
  { lengthMax, mayBeBlank = false }: TextRules,
  findings: Findings,
): string {
  if (typeof value !== 'string') findings.report(path, notGiven(new Wrong('notString'), value));
  else if (!mayBeBlank && value.trim() === '') findings.report(path, new Wrong('blank'));
  else if (value.length > lengthMax && [...value].length > lengthMax) {
    findings.report(path, new Wrong('textLong', { max: lengthMax }));
  } else if (!value.isWellFormed()) findings.report(path, new Wrong('halfCharacter'));
  else if (value.includes('\0')) findings.report(path, new Wrong('nulCharacter'));
  else return value;
  return '';
}

/** JSON can write -0; it would come back as 0, and an unchanged document would look changed. */
export function noMinusZero(value: number): number {
  return value === 0 ? 0 : value;
}

function written(path: Path): string {
  return typeof path === 'string' ? path : path();
}

/** Says why a field is refused that the object does not have. */
export function unknownFieldReason(name: string, known: ReadonlySet<string>): Wrong {
  const meant = [...known].find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  if (meant !== undefined) return new Wrong('misspeltField', { meant });
  return new Wrong('unknownField', { known: [...known].join(', ') });
}
