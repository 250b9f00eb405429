/** The rights that an operator token can carry. */

/** What each scope lets the operator's own systems do on the operator listener. */
export const OPERATOR_SCOPES = {
  'handoff:resolve': 'Resolve the handoff value of a link, and report bookings.',
  'supply:read': 'Read stored properties, their calendars and what was sent.',
  'supply:write': 'Send properties, availability and prices.',
} as const;
export type OperatorScope = keyof typeof OPERATOR_SCOPES;
export const OPERATOR_SCOPE_NAMES = Object.keys(OPERATOR_SCOPES) as readonly OperatorScope[];
