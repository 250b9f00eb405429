/** What to look at when a problem comes, for its page: the most likely cause first. */
import type { ProblemCode } from '../../contract/partner/problems.ts';

interface Advice {
  readonly checks: readonly string[];
  readonly retry: string;
}

const UNCHANGED = 'Not unchanged: the same request gets the same answer.';

export const ADVICE: Readonly<Record<ProblemCode, Advice>> = {
  VALIDATION_ERROR: {
    checks: [
      'Read `errors`: each entry names a field, a code and what is expected.',
      'Compare the names of parameters and fields letter by letter; `checkIn` is not `checkin`.',
      'Are `checkIn` and `checkOut` both there, as `YYYY-MM-DD`, the second after the first?',
      'A `field` that begins with `header.` or `request` is about the HTTP message itself.',
    ],
    retry: UNCHANGED,
  },
  INVALID_JSON: {
    checks: [
      'Is the body there, complete, and in UTF-8 without a byte-order mark?',
      'Is it written by a JSON library? Single quotes, comments and trailing commas are not JSON.',
      'In a shell, are the quotes of the body kept together?',
    ],
    retry: UNCHANGED,
  },
  PARTNER_AUTH_REQUIRED: {
    checks: [
      'Is the header `Authorization` sent, and does a proxy of yours let it through?',
      'Does it begin with the scheme, `Bearer`, and a blank?',
      'Is the variable that should hold the token empty?',
    ],
    retry: UNCHANGED,
  },
  INVALID_PARTNER_CREDENTIAL: {
    checks: [
      'Is the whole token sent, without a line break at its end?',
      'Is it a token of this service, and not of another environment?',
      'Has it expired? The operator knows, and can issue another.',
    ],
    retry: UNCHANGED,
  },
  PARTNER_ACCESS_REVOKED: {
    checks: ['Was the token replaced by a newer one? Use that.', 'Otherwise ask the operator.'],
    retry: UNCHANGED,
  },
  PARTNER_SCOPE_INSUFFICIENT: {
    checks: ['The header `WWW-Authenticate` names the scope that is missing. Ask the operator for it.'],
    retry: UNCHANGED,
  },
  ORIGIN_NOT_ALLOWED: {
    checks: [
      'Do you call from a browser? Call from your server instead: a token in a browser is a token lost.',
      'Does your server pass the header `Origin` of somebody else on? Leave it out.',
    ],
    retry: UNCHANGED,
  },
  PROPERTY_NOT_FOUND: {
    checks: [
      'Is the identifier exactly as a search gave it? Upper and lower case differ.',
      'Does a search with the same token still show it? It may have been withdrawn.',
    ],
    retry: 'Not soon: search again instead.',
  },
  PARTNER_OPERATION_NOT_FOUND: {
    checks: [
      'Does the path begin with `/v1/`, behind the whole base address?',
      'Is there a slash at its end, or an empty part in it?',
      'On 405, the header `Allow` names the methods that the path has.',
    ],
    retry: UNCHANGED,
  },
  STAY_UNAVAILABLE: {
    checks: [
      'Ask for the availability of the same stay: `days` shows which nights are open.',
      'Is the stay in the past, or too far ahead? Then `detail` says so.',
      'Would other dates, more nights or fewer guests do? Operators set shortest and longest stays.',
    ],
    retry: 'Only when the traveller asks again: a room can come free.',
  },
  QUOTE_UNAVAILABLE: {
    checks: [
      'The stay is free, but has no price here: some operators quote on request only.',
      'Show the property without a price, or choose another one.',
    ],
    retry: 'Not soon: what is missing is a rate, or the operator gives none.',
  },
  PAYLOAD_TOO_LARGE: {
    checks: ['A quote request has three fields and some 150 bytes. What else do you send?'],
    retry: UNCHANGED,
  },
  RATE_LIMIT_EXCEEDED: {
    checks: [
      'Wait as many seconds as `Retry-After` says; it is authoritative.',
      'Do several of your processes share one token, or one address? They share its limit.',
      'Keep catalogue answers for their 60 seconds instead of asking again.',
      'Is your traffic really higher than your quota? Ask the operator for another quota.',
    ],
    retry: 'Yes, after `Retry-After`.',
  },
  INTERNAL_ERROR: {
    checks: ['Nothing of yours. Give the `correlationId` to the operator when it stays.'],
    retry: 'Yes, after 1, 2, 4 and 8 seconds, then give up.',
  },
  PARTNER_API_UNAVAILABLE: {
    checks: ['Nothing of yours: the service starts, stops, or waits for its database.'],
    retry: 'Yes, after `Retry-After`, or else after 1, 2, 4 and 8 seconds.',
  },
  HANDOFF_INVALID: {
    checks: [
      'No operation for partners gives this problem; it is what a traveller with a damaged link leads to.',
      'Is the whole `handoffUrl` passed on, unchanged, not shortened and not encoded twice?',
    ],
    retry: 'With a new quote.',
  },
};
