/**
 * The audit trail of programs: a program notes its changes, and their author signs the program. The entry is part of
 * the same transaction, so neither exists without the other.
 */
import { DAY_MS } from '../../domain/local-date.ts';
import { randomBase62, systemRandom } from '../../runtime/random.ts';
import type { Clock } from '../../runtime/clock.ts';
import {
  type AuditChange,
  type AuditedState,
  type Author,
  change,
  type Program,
  type Value,
} from './program.ts';

/** An author at one moment; ids sort by time. */
export interface Signature extends Author {
  readonly atMs: number;
  readonly entryId: string;
}

const TIME_DIGITS = 9;
const COUNT_DIGITS = 4;
const RADIX = 32;
/** Enough that processes on the same database never choose the same id. */
const RANDOM_LENGTH = 10;
let lastMs = 0;
let count = 0;

/** A signature for this moment. Signatures of one millisecond are numbered, so they keep their order. */
export function sign(author: Author, clock: Clock): Signature {
  const atMs = clock();
  count = atMs === lastMs ? count + 1 : 0;
  lastMs = atMs;
  const order = digits(atMs, TIME_DIGITS) + digits(count, COUNT_DIGITS);
  return { ...author, atMs, entryId: `au_${order}${randomBase62(RANDOM_LENGTH, systemRandom)}` };
}

function digits(value: number, length: number): string {
  return Math.max(0, Math.floor(value)).toString(RADIX).padStart(length, '0');
}

/** Sorts before every entry of this instant and after all earlier ones. */
export function firstEntryIdAt(ms: number): string {
  return `au_${digits(ms, TIME_DIGITS)}`;
}

/** New entries delete entries older than this. */
export const AUDIT_DAYS_MAX = 400;
/** Old entries that a new one deletes. Few are ever due, because every new entry deletes more than one. */
const DELETED_WITH_EACH = 20;

/**
 * Runs the program and stores its notes. Without a signature, as for the service's own writes, the notes are dropped.
 */
export function* signed<T>(program: Program<T>, signature: Signature | undefined): Program<T> {
  let position = 0;
  let step = program.next();
  while (step.done !== true) {
    if (step.value.kind !== 'note') {
      step = program.next(yield step.value);
      continue;
    }
    if (signature !== undefined) {
      yield* insertEntry({ ...signature, ...step.value.author }, position, step.value.change);
      position += 1;
    }
    step = program.next(signature?.entryId);
  }
  return step.value;
}

export function* insertEntry(
  { entryId, atMs, person, role, act }: Signature,
  position: number,
  { on, from, to }: AuditChange,
): Program<void> {
  if (position === 0)
    yield* change(
      `DELETE FROM audit_log WHERE (entry_id, position) IN (
         SELECT entry_id, position FROM audit_log ORDER BY entry_id, position LIMIT ${DELETED_WITH_EACH}
       ) AND at_ms < ?`,
      [atMs - AUDIT_DAYS_MAX * DAY_MS],
    );
  yield* change(
    `INSERT INTO audit_log (entry_id, position, at_ms, person, role, act, subject, before, after)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [entryId, position, atMs, person, role, act, on, stateText(from), stateText(to)],
  );
}

export function stateText(state: AuditedState): Value {
  return state === null ? null : JSON.stringify(state);
}
