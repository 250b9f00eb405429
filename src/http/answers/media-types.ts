/** The exact types that are sent (SPEC 1): no parameters. */
export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';
