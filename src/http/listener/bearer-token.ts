/** The token of an Authorization header (RFC 6750 2.1). A token anywhere else, as in the query, is none. */

const SCHEME = 'bearer ';

/** Undefined when there is no header, another scheme, or nothing behind it: a missing credential, not a wrong one. */
export function findBearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length <= SCHEME.length) return undefined;
  if (authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
  const token = authorization.slice(SCHEME.length).trim();
  return token === '' ? undefined : token;
}
