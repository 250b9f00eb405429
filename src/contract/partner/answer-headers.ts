/** The headers of each operation's answers (SPEC 4), for documentation and for checks. */

/** `sometimes`: may be there. An unlisted header must not be there. */
export type HeaderPresence = 'always' | 'sometimes';

export type HeaderName =
  | 'X-Correlation-ID'
  | 'X-RateLimit-Limit'
  | 'X-RateLimit-Remaining'
  | 'X-RateLimit-Reset'
  | 'Cache-Control'
  | 'Retry-After'
  | 'Location'
  | 'WWW-Authenticate'
  | 'Allow';

const RATE_LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/** Headers that a browser script of an authorised origin may read (SPEC 4). */
export const EXPOSED_HEADERS = [
  'X-Correlation-ID',
  ...RATE_LIMIT_HEADERS,
  'Retry-After',
  'Location',
] as const satisfies readonly HeaderName[];

/** Statuses without headers of limits (SPEC 4). */
const WITHOUT_RATE_LIMIT = new Set([401, 413, 503]);
/** Answers that may precede the credential check: to an unreadable request, or after an error. */
const RATE_LIMIT_UNSURE = new Set([400, 500]);

/** The headers of an answer with this status to one of the four operations. */
export function headersOfStatus(status: number): ReadonlyMap<HeaderName, HeaderPresence> {
  const headers = new Map<HeaderName, HeaderPresence>([
    ['X-Correlation-ID', 'always'],
    ['Cache-Control', 'always'],
  ]);
  if (!WITHOUT_RATE_LIMIT.has(status)) {
    for (const name of RATE_LIMIT_HEADERS)
      headers.set(name, RATE_LIMIT_UNSURE.has(status) ? 'sometimes' : 'always');
  }
  if (status === 201) headers.set('Location', 'always');
  if (status === 401) headers.set('WWW-Authenticate', 'always');
  if (status === 403) headers.set('WWW-Authenticate', 'sometimes');
  if (status === 429) headers.set('Retry-After', 'always');
  if (status === 503) headers.set('Retry-After', 'sometimes');
  return headers;
}
