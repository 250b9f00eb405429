/**
 * Requests that node's parser lets through although their framing is ambiguous or not of our protocol. They are
 * refused before anything else looks at them.
 */
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import type { ListenerRequest } from '../answers/listener-request.ts';

/** Header lines of one request. Node would drop further ones without a word, Authorization among them. */
export const HEADER_COUNT_MAX = 2000;

/** reg-name, IPv4 or bracketed IPv6, and a port (RFC 3986 3.2.2); may be empty (RFC 9110 7.2). */
const HOST_VALUE = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-fA-F:.]+\])(?::\d*)?$/;

/** What is wrong with the request as a message; undefined when nothing is. */
export function findOddity(request: ListenerRequest): ValidationIssue | undefined {
  const { rawHeaders, httpVersionMajor, httpVersionMinor, host, repeatedHeader } = request;
  if (httpVersionMajor !== 1 || httpVersionMinor > 1) {
    return issue('request.version', 'NOT_ALLOWED', 'Must be HTTP/1.1 or HTTP/1.0.');
  }
  if (rawHeaders.length > HEADER_COUNT_MAX * 2) {
    return issue('request.headers', 'OUT_OF_RANGE', `At most ${HEADER_COUNT_MAX} header lines are accepted.`);
  }
  if (repeatedHeader !== undefined) {
    return issue(`request.header.${repeatedHeader}`, 'DUPLICATE_PARAMETER', 'Must be given once.');
  }
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

function issue(field: string, code: ValidationIssue['code'], detail: string): ValidationIssue {
  return { field, code, detail };
}
