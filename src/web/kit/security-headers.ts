/** What every answer to a browser carries, so that a page does only what it was made for. */

/** Taken as what it says it is, shown in no frame, telling nobody where the reader came from. */
export const SECURITY_HEADERS = [
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
] as const;

/** Nothing is loaded, nothing runs, nothing is sent, unless a page names it. */
const CLOSED: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The Content-Security-Policy of a page: closed, but for the directives given. */
export function contentSecurityPolicy(allowed: Readonly<Record<string, string>>): string {
  return Object.entries({ ...CLOSED, ...allowed })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
