/** A list of fields with their rules, and what holds between them: presence, and the dates of a stay. */
import type { EpochDay } from '../../domain/local-date.ts';
import type { ValidationIssue } from '../partner/issue-codes.ts';
import { STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { ECHOED_NAME_LENGTH_MAX } from '../partner/limits.ts';
import type { StayRule } from '../partner/operations.ts';
import { Refusal, type ScalarValue } from './scalar-rules.ts';

/** What was found for one field: its value, why it is refused, or undefined when it is absent. */
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
export interface StayPlace {
  readonly rule: StayRule;
  readonly checkIn: number;
  readonly checkOut: number;
}

export function findStayPlace(rule: StayRule, names: readonly string[]): StayPlace {
  return { rule, checkIn: names.indexOf('checkIn'), checkOut: names.indexOf('checkOut') };
}

/** SPEC 4.1: both dates or none, checkOut after checkIn, at most 60 nights. A refused date is not judged again. */
export function applyStayRule(slots: Slot[], place: StayPlace): void {
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

/** `field` must be safe to echo: a name of ours, or one from `presentName`. */
export function presentIssue(field: string, { code, detail }: Refusal): ValidationIssue {
  return { field, code, detail };
}

/** A name that the caller chose, as an issue shows it: bounded, well-formed, never empty. */
export function presentName(name: string): string {
  if (name === '') return '""';
  // A code point has at most two units: what lies behind twice the limit is never shown.
  const codePoints = Array.from(name.slice(0, 2 * ECHOED_NAME_LENGTH_MAX + 2).toWellFormed());
  return codePoints.length > ECHOED_NAME_LENGTH_MAX
    ? `${codePoints.slice(0, ECHOED_NAME_LENGTH_MAX).join('')}…`
    : codePoints.join('');
}
