/** The rights that an operator token can carry. */

/** The operations that each scope allows, in words. */
export const OPERATOR_SCOPES = {
  'handoff:resolve': 'Resolve the handoff value of a link, and report bookings.',
  'supply:read': 'Read stored properties, their calendars and what was sent.',
  'supply:write': 'Send properties, availability and prices.',
} as const;
export type OperatorScope = keyof typeof OPERATOR_SCOPES;
export const OPERATOR_SCOPE_NAMES = Object.keys(OPERATOR_SCOPES) as readonly OperatorScope[];
