import assert from 'node:assert/strict';

/** An outcome as commands give it: a value, or what is wrong. */
type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** The value of an outcome that is one; fails with its problem otherwise. */
export function valueOf<T>(outcome: Outcome<T>): T {
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.problem);
  return outcome.value;
}
