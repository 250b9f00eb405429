/**
 * Web origins: `scheme://host[:port]`, as browsers write them in the `Origin` header (RFC 6454, section 6.2).
 */

export const ORIGIN_LENGTH_MAX = 300;

/** A host as a browser sends it: lower case, letters beyond ASCII as punycode, IPv6 in brackets. No wildcards. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])$/;

/**
 * The origin that a browser sends for this text; undefined when it is not an origin: only http and https, no user, no
 * path except one slash, no query. `HTTPS://Shop.Example:443/` is `https://shop.example`.
 */
export function parseOrigin(text: string): string | undefined {
  if (text.length > ORIGIN_LENGTH_MAX || !/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text)) return undefined;
  const url = URL.parse(text);
  return url !== null && HOST.test(url.hostname) ? url.origin : undefined;
}
