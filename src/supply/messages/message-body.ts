/**
 * The body of a message: its JSON, and its errors by place (RFC 6901). All errors are counted; a bounded number is
 * listed.
 */
import { sayDetail, type Told, Wrong } from '../../domain/wrong.ts';
import { hash } from 'node:crypto';
import { type DocumentWarning, Fields, Findings, notGiven } from '../../domain/document/document-fields.ts';
import { MESSAGE_ENTRIES_MAX, MESSAGE_ERRORS_MAX } from './message-limits.ts';
import { readJsonText } from '../native/json-text.ts';
import type { CalendarEntry } from '../../domain/calendar.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { formatPropertyChange } from '../../domain/ledger/property-change.ts';
import { ENTRIES_KEPT_BYTES_MAX, type TypeChange } from '../../domain/ledger/message.ts';
import { formatEntry } from '../native/format-property-document.ts';

export interface MessageError {
  /** JSON pointer into the body, such as `/entries/3/dateTo`; empty for the body itself. */
  readonly pointer: string;
  readonly code: string;
  /** In English. */
  readonly detail: string;
}

/** With the detail as a code with values, as it is stored beside the English. */
export interface CodedError extends MessageError {
  readonly wrong: Told;
}

export function makeCodedError(pointer: string, code: string, wrong: Told): CodedError {
  return { pointer, code, detail: sayDetail(wrong, 'en-GB'), wrong };
}

/** As systems get it. */
export function presentErrors({
  named,
}: {
  readonly named: readonly MessageError[];
}): readonly MessageError[] {
  return named.map(({ pointer, code, detail }) => ({ pointer, code, detail }));
}

export interface Mistakes {
  readonly count: number;
  readonly named: readonly CodedError[];
}

export const NO_MISTAKES: Mistakes = { count: 0, named: [] };

export class MessageErrors implements Mistakes {
  count = 0;
  readonly named: CodedError[] = [];

  add(pointer: string, code: string, wrong: Told): void {
    this.count++;
    if (this.named.length < MESSAGE_ERRORS_MAX) this.named.push(makeCodedError(pointer, code, wrong));
  }

  /** Adds what a reader took and warned of. */
  addWarnings(warnings: readonly DocumentWarning[]): void {
    for (const { field, reason, code } of warnings) this.add(toPointer(field), code, reason);
  }

  /** Adds the first mistake of a reader; returns whether there was one. */
  addFinding(findings: Findings): boolean {
    const { first, code } = findings;
    if (first === undefined) return false;
    this.add(toPointer(first.field), code, first.reason);
    return true;
  }
}

/** `inventoryTypes[0].calendar[2].dateTo` as a pointer. */
export function toPointer(field: string): string {
  if (field === '') return '';
  const steps = field.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('[', '.').replaceAll(']', '');
  return `/${steps.replaceAll('.', '/')}`;
}

/** Undefined, with an error added, if the body is not JSON, is nested too deeply, or repeats a key. */
export function readJson(body: Uint8Array, errors: MessageErrors): { readonly value: unknown } | undefined {
  const text = decode(body);
  if (text === undefined) {
    errors.add('', 'JSON_INVALID', new Wrong('bodyNotUtf8'));
    return undefined;
  }
  const json = readJsonText(text);
  if (json.ok) return json;
  const { code, field, reason } = json;
  errors.add(
    toPointer(field),
    code,
    code === 'FIELD_REPEATED' ? reason : new Wrong('ofBody', { wrong: reason }),
  );
  return undefined;
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

interface MessageItems<Name extends string> {
  readonly name: Name;
  readonly list: readonly unknown[];
}

/** The items of the one list that the body must have, by the first of its names unless another is there. */
export function readItems<const Name extends string>(
  body: Uint8Array,
  names: readonly [Name, ...Name[]],
  errors: MessageErrors,
): MessageItems<Name> {
  const json = readJson(body, errors);
  if (json === undefined) return { name: names[0], list: [] };
  const findings = new Findings();
  const fields = Fields.of(json.value, '', new Set(names), findings);
  const name = names.find((one) => fields.has(one)) ?? names[0];
  const others = names.filter((one) => one !== name && fields.has(one));
  for (const other of others) fields.report(other, new Wrong('otherListSent', { name }));
  fields.isPresent(name);
  const items = fields.value(name);
  if (findings.first === undefined && !Array.isArray(items)) {
    findings.report(name, notGiven(new Wrong('notList'), items));
  }
  if (errors.addFinding(findings) || !Array.isArray(items)) return { name, list: [] };
  if (items.length <= MESSAGE_ENTRIES_MAX) return { name, list: items };
  errors.add(`/${name}`, 'TOO_MANY', new Wrong('entriesMany', { max: MESSAGE_ENTRIES_MAX }));
  return { name, list: [] };
}

// The entries of a message, grouped by property and inventory type, and the first of them as their sender wrote them.

/** Both included. */
interface NightSpan {
  readonly from: EpochDay;
  readonly to: EpochDay;
}

interface TypeEntries {
  readonly inventoryTypeId: string;
  readonly replaces: false;
  /** The range of nights to replace: the message is then all that its source says about them. */
  clears?: NightSpan;
  readonly entries: CalendarEntry[];
  readonly positions: number[];
  currencies?: { readonly position: number; readonly currency: string }[];
}

/** Changes in the form that the storage applies (`SupplyWork`). */
export interface GroupedChanges {
  readonly changes: readonly Uint8Array[];
  readonly propertyIds: readonly string[];
}

export class EntryGroups {
  readonly #properties = new Map<string, Map<string, TypeEntries>>();

  /**
   * One entry of the message may become several of a calendar; `clears` is the range of nights to replace, `currency`
   * one that the entry names.
   */
  add(
    propertyId: string,
    inventoryTypeId: string,
    entries: readonly CalendarEntry[],
    position: number,
    {
      clears,
      currency,
    }: { readonly clears?: NightSpan | undefined; readonly currency?: string | undefined } = {},
  ): void {
    const types = this.#properties.get(propertyId) ?? new Map<string, TypeEntries>();
    this.#properties.set(propertyId, types);
    const type: TypeEntries = types.get(inventoryTypeId) ?? {
      inventoryTypeId,
      replaces: false,
      entries: [],
      positions: [],
    };
    types.set(inventoryTypeId, type);
    if (clears !== undefined) {
      const { from, to } = type.clears ?? clears;
      type.clears = { from: Math.min(from, clears.from), to: Math.max(to, clears.to) };
    }
    if (currency !== undefined) (type.currencies ??= []).push({ position, currency });
    for (const entry of entries) {
      type.entries.push(entry);
      type.positions.push(position);
    }
  }

  finish(): GroupedChanges {
    const changes = Array.from(this.#properties, ([propertyId, types]) =>
      formatPropertyChange({ propertyId, types: [...types.values()] }),
    );
    return { changes, propertyIds: [...this.#properties.keys()] };
  }
}

interface StoredEntries {
  readonly entries: readonly unknown[];
  /** Number of entries that were not stored. */
  readonly leftOut: number;
}

/** Bytes around the entries. */
const FRAME_BYTES = 64;

/** As many whole entries as fit into ENTRIES_KEPT_BYTES_MAX, as JSON text; undefined without entries. */
export function keepEntries(items: readonly unknown[]): string | undefined {
  if (items.length === 0) return undefined;
  const kept: string[] = [];
  let room = ENTRIES_KEPT_BYTES_MAX - FRAME_BYTES;
  for (const item of items) {
    const text = formatItem(item);
    if (text === undefined) break;
    room -= Buffer.byteLength(text) + 1;
    if (room < 0) break;
    kept.push(text);
  }
  return `{"entries":[${kept.join(',')}],"leftOut":${items.length - kept.length}}`;
}

/** As `keepEntries`, for changes that the service makes itself. */
export function keepChanges(propertyId: string, types: readonly TypeChange[]): string | undefined {
  return keepEntries(
    types.flatMap(({ inventoryTypeId, entries }) =>
      entries.map((entry) => ({ propertyId, inventoryTypeId, ...formatEntry(entry) })),
    ),
  );
}

/** Accepts only texts of `keepEntries`. */
export function parseStoredEntries(text: string): StoredEntries {
  return JSON.parse(text) as StoredEntries;
}

/** Undefined if the item is nested too deeply to be written again. */
function formatItem(item: unknown): string | undefined {
  try {
    return JSON.stringify(item);
  } catch {
    return undefined;
  }
}

/** SHA-256, hex; empty if not requested. */
export function hashOf({
  body,
  isHashed,
}: {
  readonly body: Uint8Array;
  readonly isHashed: boolean;
}): string {
  return isHashed ? hash('sha256', body, 'hex') : '';
}
