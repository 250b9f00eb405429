/**
 * Reasons to refuse a field of a request. A field has at most one issue; all issues come in one answer (SPEC 2,
 * ValidationIssue).
 */
export const ISSUE_CODES = {
  REQUIRED: 'The field is missing.',
  UNKNOWN_PARAMETER: 'The operation has no query parameter of this name.',
  UNKNOWN_FIELD: 'The body has no field of this name at this place.',
  DUPLICATE_PARAMETER: 'The query parameter is given more than once.',
  TYPE_INVALID: 'The value is of another type than the field.',
  FORMAT_INVALID: 'The text does not have the form of the field.',
  OUT_OF_RANGE: 'The number is below the minimum or above the maximum.',
  LENGTH_INVALID: 'The text is too short or too long.',
  NOT_ALLOWED: 'The value is none of those that the field takes.',
  DATE_INVALID: 'The date has the right form, but is not in the calendar.',
  DATE_PAIR_REQUIRED: 'checkIn and checkOut go together: this one is missing.',
  DATE_ORDER_INVALID: 'checkOut is not after checkIn.',
  STAY_TOO_LONG: 'The stay has more nights than one stay may have.',
} as const;

export type IssueCode = keyof typeof ISSUE_CODES;

/** A field of a request and its mistake (SPEC 2). */
export interface ValidationIssue {
  /** A parameter, a body field as a dotted path (`stay.checkOut`), `body` for the body as a whole, or `header.…`. */
  readonly field: string;
  readonly code: IssueCode;
  /** For people. Never repeats the value. */
  readonly detail: string;
}
