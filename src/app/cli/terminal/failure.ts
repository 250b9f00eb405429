import { inEnglish } from '../../../domain/wrong.ts';
import type { Outcome } from '../../../domain/outcome.ts';

/**
 * An expected end of a command: one line for the person who typed it, exit code 1. Bad usage (exit code 2) is
 * commander's own error, so that it reads the same whether commander or a command found it.
 */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** The value of an outcome, or the command fails with its problem. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new CommandFailure(inEnglish(outcome.problem));
  return outcome.value;
}
