/**
 * The body of a message: its JSON, and what is wrong with it by its place (RFC 6901): all of it is counted, a
 * bounded part is named.
 */
import { Fields, Findings, shown } from '../native/document-fields.ts';
import { MESSAGE_ENTRIES_MAX, MESSAGE_ERRORS_MAX } from './message-limits.ts';
import { readJsonText } from '../native/json-text.ts';

export interface MessageError {
  /** JSON pointer into the body, such as `/entries/3/dateTo`; empty for the body itself. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface Mistakes {
  readonly count: number;
  readonly named: readonly MessageError[];
}

export const NO_MISTAKES: Mistakes = { count: 0, named: [] };

export class MessageErrors implements Mistakes {
  count = 0;
  readonly named: MessageError[] = [];

  add(pointer: string, code: string, detail: string): void {
    this.count++;
    if (this.named.length < MESSAGE_ERRORS_MAX) this.named.push({ pointer, code, detail });
  }

  /** Adds what reading found, if it found anything. */
  addFinding(findings: Findings): boolean {
    const { first, code } = findings;
    if (first === undefined) return false;
    this.add(toPointer(first.field), code, asSentence(first.reason));
    return true;
  }
}

/** `inventoryTypes[0].calendar[2].dateTo` as a pointer. */
export function toPointer(field: string): string {
  if (field === '') return '';
  const steps = field.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('[', '.').replaceAll(']', '');
  return `/${steps.replaceAll('.', '/')}`;
}

/** `must be a date` is `Must be a date.` */
export function asSentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/** Undefined, and the mistake named, where the body is not JSON, nested too deeply, or says a key twice. */
export function readJson(body: Uint8Array, errors: MessageErrors): { readonly value: unknown } | undefined {
  const text = decode(body);
  if (text === undefined) {
    errors.add('', 'JSON_INVALID', 'The body is not valid UTF-8.');
    return undefined;
  }
  const json = readJsonText(text);
  if (json.ok) return json;
  const { code, field, reason } = json;
  errors.add(toPointer(field), code, code === 'FIELD_REPEATED' ? asSentence(reason) : `The body ${reason}.`);
  return undefined;
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** The items of the one list that the body is to have. */
export function readItems(body: Uint8Array, name: string, errors: MessageErrors): readonly unknown[] {
  const json = readJson(body, errors);
  if (json === undefined) return [];
  const findings = new Findings();
  const fields = Fields.of(json.value, '', new Set([name]), findings);
  fields.isPresent(name);
  const items = fields.value(name);
  if (findings.first === undefined && !Array.isArray(items)) {
    findings.report(name, `must be a list, not ${shown(items)}`);
  }
  if (errors.addFinding(findings) || !Array.isArray(items)) return [];
  if (items.length <= MESSAGE_ENTRIES_MAX) return items;
  errors.add(
    `/${name}`,
    'TOO_MANY',
    `A message has at most ${MESSAGE_ENTRIES_MAX} entries; send several messages.`,
  );
  return [];
}
