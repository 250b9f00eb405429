/** Security headers of every answer to a browser. */

/** No sniffing, no frames, no referrer. */
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

/** A page loads, runs and sends nothing unless its policy allows it. */
const CLOSED: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The Content-Security-Policy of a page: closed, except for these directives. */
export function contentSecurityPolicy(allowed: Readonly<Record<string, string>>): string {
  return Object.entries({ ...CLOSED, ...allowed })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
