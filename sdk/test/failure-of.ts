import assert from 'node:assert/strict';
import { isStayportError, type StayportError } from '../src/index.ts';

/** The error that a call ends with; fails when it works, or ends with one that is not the SDK's. */
export async function failureOf(call: Promise<unknown>): Promise<StayportError> {
  const error = await call.then(
    () => assert.fail('it worked'),
    (reason: unknown) => reason,
  );
  if (!isStayportError(error)) throw error;
  return error;
}
