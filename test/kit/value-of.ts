import { inEnglish } from '../../src/domain/wrong.ts';
import assert from 'node:assert/strict';
import type { Outcome } from '../../src/domain/outcome.ts';

/** The value of an outcome that is one; fails with its problem otherwise. */
export function valueOf<T>(outcome: Outcome<T>): T {
  assert.ok(outcome.ok, outcome.ok ? '' : inEnglish(outcome.problem));
  return outcome.value;
}
