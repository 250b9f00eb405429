/** Checks the head of a request, and reads its target and token. */
import type { IncomingMessage } from 'node:http';
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';

// Requests that node's parser lets through although their framing is ambiguous or not of our protocol are refused
// before anything else looks at them.

/**
 * Header lines of one request. Node would silently drop further ones, Authorization among them. Clients send 10 to 30;
 * 2,000 short ones would hold ten times their bytes before the sender is known.
 */
export const HEADER_COUNT_MAX = 200;

/** Header fields with one value; a proxy in front may have used another one. */
const SINGLE_HEADERS = ['host', 'authorization', 'origin', 'content-type'] as const;
/** Their lengths are distinct. */
const SINGLE_HEADER_BY_LENGTH: (string | undefined)[] = [];
for (const name of SINGLE_HEADERS) SINGLE_HEADER_BY_LENGTH[name.length] = name;

/** reg-name, IPv4 or bracketed IPv6, and a port (RFC 3986 3.2.2); may be empty (RFC 9110 7.2). */
const HOST_VALUE = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-fA-F:.]+\])(?::\d*)?$/;

/** The mistake in the request as a message; undefined without one. */
export function findMalformation(request: IncomingMessage): ValidationIssue | undefined {
  const { rawHeaders, httpVersionMajor, httpVersionMinor } = request;
  if (httpVersionMajor !== 1 || httpVersionMinor > 1) {
    return issue('request.version', 'NOT_ALLOWED', 'Must be HTTP/1.1 or HTTP/1.0.');
  }
  if (rawHeaders.length > HEADER_COUNT_MAX * 2) {
    return issue('request.headers', 'OUT_OF_RANGE', `At most ${HEADER_COUNT_MAX} header lines are accepted.`);
  }
  const repeated = findRepeated(rawHeaders);
  if (repeated !== undefined) {
    return issue(`request.header.${repeated}`, 'DUPLICATE_PARAMETER', 'Must be given once.');
  }
  const { host } = request.headers;
  if (host === undefined && httpVersionMinor === 1) {
    return issue('request.header.host', 'REQUIRED', 'HTTP/1.1 requires it.');
  }
  if (host !== undefined && !HOST_VALUE.test(host)) {
    return issue('request.header.host', 'FORMAT_INVALID', 'Must be a host name or address, and a port.');
  }
  if (request.url?.includes('#') === true) {
    return issue('request.target', 'FORMAT_INVALID', 'Must not have a fragment.');
  }
  return undefined;
}

/** `Expect` other than `100-continue`. */
export const UNKNOWN_EXPECTATION: ValidationIssue = issue(
  'request.header.expect',
  'NOT_ALLOWED',
  'Only 100-continue can be expected.',
);

/** The first repeated single-valued header. Runs for every request without allocating. */
function findRepeated(rawHeaders: readonly string[]): string | undefined {
  let seenLengths = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const single = SINGLE_HEADER_BY_LENGTH[name.length];
    if (single === undefined || !isLowerCaseOf(single, name)) continue;
    const bit = 1 << name.length;
    if ((seenLengths & bit) !== 0) return single;
    seenLengths |= bit;
  }
  return undefined;
}

/** For equally long names, of which `name` has the letters, digits and hyphens of a header. */
function isLowerCaseOf(lowerCase: string, name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if ((name.charCodeAt(index) | CASE_BIT) !== lowerCase.charCodeAt(index)) return false;
  }
  return true;
}

/** Bit between the two cases of an ASCII letter; a hyphen has it too. */
const CASE_BIT = 0x20;

function issue(field: string, code: ValidationIssue['code'], detail: string): ValidationIssue {
  return { field, code, detail };
}

// The target (RFC 9112 3.2), taken apart without decoding anything.

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** Path and query, undecoded. `*` and other targets without a path become a path without an operation. */
export function originFormOf(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(ABSOLUTE_FORM, '');
  if (rest === target) return `/${target}`;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The text before the first `?`, as the router sees it. */
export function rawPathOf(url: string): string {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? url : url.slice(0, queryAt);
}

/** The text after the first `?`, undecoded; empty without one. */
export function rawQueryOf(url: string): string {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? '' : url.slice(queryAt + 1);
}

// The token of an Authorization header (RFC 6750 2.1). A token anywhere else, as in the query, is none.

const SCHEME = 'bearer ';

/** Undefined without a header, with another scheme, or without a token: a missing credential, not a wrong one. */
export function findBearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length <= SCHEME.length) return undefined;
  if (authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
  const token = authorization.slice(SCHEME.length).trim();
  return token === '' ? undefined : token;
}

/** The host of a `Host` header, without port, brackets and final dot. */
export function hostnameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(host);
  if (bracketed !== null) return bracketed[1] ?? '';
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
