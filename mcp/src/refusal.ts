/** A call that did not work, as a result that an assistant can act on: the problem, and one line what to try. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isStayportError, type StayportError } from '../../sdk/src/index.ts';

export async function orRefusal(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!isStayportError(error)) throw error;
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
}

function whatToTry(error: StayportError): string {
  switch (error.code) {
    case 'VALIDATION_ERROR':
    case 'INVALID_ARGUMENT':
      return 'correct the named fields and call again.';
    case 'STAY_UNAVAILABLE':
      return 'find_open_stays for the same property gives dates that are possible.';
    case 'QUOTE_UNAVAILABLE':
      return 'this property gives no prices; choose another one from search_properties.';
    case 'PROPERTY_NOT_FOUND':
      return 'take the propertyId from search_properties; ids are never guessed.';
    case 'RATE_LIMIT_EXCEEDED':
      return `wait ${Math.ceil((error.retryAfterMs ?? 60_000) / 1000)} seconds, then call again.`;
    case 'PARTNER_AUTH_REQUIRED':
    case 'INVALID_PARTNER_CREDENTIAL':
    case 'PARTNER_ACCESS_REVOKED':
      return 'tell the user that the partner token is missing, unknown or revoked; the operator issues a new one.';
    case 'PARTNER_SCOPE_INSUFFICIENT':
    case 'ORIGIN_NOT_ALLOWED':
      return 'tell the user that this token may not do this; the operator grants scopes.';
    case 'PARTNER_API_UNAVAILABLE':
    case 'INTERNAL_ERROR':
    case 'CONNECTION_FAILED':
    case 'TIMEOUT':
      return 'call again in a minute; tell the user if it lasts.';
    case 'INVALID_RESPONSE':
      return error.retryAfterMs === undefined
        ? 'tell the user what the problem says.'
        : `wait ${Math.ceil(error.retryAfterMs / 1000)} seconds, then call again.`;
    case 'BROWSER_NOT_SUPPORTED':
    case 'PARTNER_OPERATION_NOT_FOUND':
    case 'PAYLOAD_TOO_LARGE':
    case 'INVALID_JSON':
    case 'HANDOFF_INVALID':
    case 'ABORTED':
      return 'tell the user what the problem says.';
  }
}
