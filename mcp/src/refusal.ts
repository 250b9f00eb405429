/** A call that did not work, as a result that an assistant can act on: the problem, and one line what to try. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isStayportError, type StayportError } from '../../sdk/src/index.ts';

export async function orRefusal(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!isStayportError(error)) throw error;
    return refusalOf(error);
  }
}

/** The problem as JSON, then what to try. */
export function refusalOf(error: StayportError): CallToolResult {
  const problem =
    'problem' in error
      ? error.problem
      : { code: error.code, detail: error.message, field: 'field' in error ? error.field : undefined };
  return {
    isError: true,
    content: [
      { type: 'text', text: JSON.stringify(problem) },
      { type: 'text', text: `Try: ${whatToTry(error)}` },
    ],
  };
}

const NO_TOKEN =
  'tell the user that the partner token is missing, unknown or revoked; the operator issues a new one.';
const NOT_ALLOWED = 'tell the user that this token may not do this; the operator grants scopes.';
const CORRECT = 'correct the named fields and call again.';
const LATER = 'call again in a minute; tell the user if it lasts.';

/** Codes that a call can do something about; of the others the problem itself says what is wrong. */
const TO_TRY: Readonly<Partial<Record<StayportError['code'], string>>> = {
  VALIDATION_ERROR: CORRECT,
  INVALID_ARGUMENT: CORRECT,
  STAY_UNAVAILABLE: 'find_open_stays for the same property gives dates that are possible.',
  QUOTE_UNAVAILABLE: 'this property gives no prices; choose another one from search_properties.',
  PROPERTY_NOT_FOUND: 'take the propertyId from search_properties; ids are never guessed.',
  PARTNER_AUTH_REQUIRED: NO_TOKEN,
  INVALID_PARTNER_CREDENTIAL: NO_TOKEN,
  PARTNER_ACCESS_REVOKED: NO_TOKEN,
  PARTNER_SCOPE_INSUFFICIENT: NOT_ALLOWED,
  ORIGIN_NOT_ALLOWED: NOT_ALLOWED,
  PARTNER_API_UNAVAILABLE: LATER,
  INTERNAL_ERROR: LATER,
  CONNECTION_FAILED: LATER,
  TIMEOUT: LATER,
};

/** The token may not ask this, or the service is of a release that does not know the operation. */
export function isBeyondToken(error: unknown): boolean {
  if (!isStayportError(error)) return false;
  return error.code === 'PARTNER_SCOPE_INSUFFICIENT' || error.code === 'PARTNER_OPERATION_NOT_FOUND';
}

function whatToTry(error: StayportError): string {
  const known = TO_TRY[error.code];
  if (known !== undefined) return known;
  const waitMs = 'retryAfterMs' in error ? error.retryAfterMs : undefined;
  const ms = waitMs ?? (error.code === 'RATE_LIMIT_EXCEEDED' ? 60_000 : undefined);
  return ms === undefined
    ? 'tell the user what the problem says.'
    : `wait ${Math.ceil(ms / 1000)} seconds, then call again.`;
}
