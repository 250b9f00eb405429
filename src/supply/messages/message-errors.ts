/** What is wrong with a message, by its place (RFC 6901): all of it is counted, a bounded part is named. */
import type { Findings } from '../native/document-fields.ts';
import { MESSAGE_ERRORS_MAX } from './message-limits.ts';

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
