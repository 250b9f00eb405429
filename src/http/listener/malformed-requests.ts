/**
 * Requests that node's parser lets through although their framing is ambiguous or not of our protocol. They are
 * refused before anything else looks at them.
 */
import type { IncomingMessage } from 'node:http';
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';

/**
 * Header lines of one request. Node would drop further ones without a word, Authorization among them. Clients send 10
 * to 30; 2,000 short ones would hold ten times their bytes, before anything is known of who sends them.
 */
export const HEADER_COUNT_MAX = 200;

/** Header fields that have one value; a proxy in front may have judged by another one than we would. */
const SINGLE_HEADERS: ReadonlySet<string> = new Set(['host', 'authorization', 'origin', 'content-type']);
const SINGLE_HEADER_LENGTHS: ReadonlySet<number> = new Set([...SINGLE_HEADERS].map((name) => name.length));

/** reg-name, IPv4 or bracketed IPv6, and a port (RFC 3986 3.2.2); may be empty (RFC 9110 7.2). */
const HOST_VALUE = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-fA-F:.]+\])(?::\d*)?$/;

/** What is wrong with the request as a message; undefined when nothing is. */
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

/** `Expect` with anything but `100-continue`. */
export const UNKNOWN_EXPECTATION: ValidationIssue = issue(
  'request.header.expect',
  'NOT_ALLOWED',
  'Only 100-continue can be expected.',
);

/** The first single-valued header that comes twice. Called for every request: no allocation unless a name fits. */
function findRepeated(rawHeaders: readonly string[]): string | undefined {
  let seen = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (!SINGLE_HEADER_LENGTHS.has(name.length)) continue;
    const lowerCase = name.toLowerCase();
    if (!SINGLE_HEADERS.has(lowerCase)) continue;
    if (seen.includes(lowerCase)) return lowerCase;
    seen += lowerCase;
  }
  return undefined;
}

function issue(field: string, code: ValidationIssue['code'], detail: string): ValidationIssue {
  return { field, code, detail };
}
