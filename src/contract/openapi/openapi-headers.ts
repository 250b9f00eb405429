/** Descriptions of response headers in the OpenAPI document. */
import { type HeaderName, headersOfStatus } from '../partner/answer-headers.ts';
import { HTTPS_URL_PATTERN } from '../partner/limits.ts';
import { PROBLEM_CACHE_CONTROL } from '../partner/operations.ts';
import { EXAMPLE_CORRELATION_ID, EXAMPLE_HANDOFF_URL } from '../partner/examples.ts';

type HeaderObject = Readonly<Record<string, unknown>>;

/** Seconds until the examples' window ends. */
const EXAMPLE_RETRY_AFTER = 12;
const EXAMPLE_QUOTA = 120;

function presentHeaders(answeredAtMs: number): { readonly [Name in HeaderName]?: HeaderObject } {
  return {
    'X-Correlation-ID': {
      description: 'Opaque identifier of the request, for support and tracing.',
      schema: { type: 'string' },
      example: EXAMPLE_CORRELATION_ID,
    },
    'X-RateLimit-Limit': {
      description:
        'Requests that the credential may make in a 60-second window. On a 429 of the limit per source address, ' +
        'that limit; Remaining and Reset belong to the same limit.',
      schema: { type: 'integer', format: 'int32' },
      example: EXAMPLE_QUOTA,
    },
    'X-RateLimit-Remaining': {
      description: 'Requests left in the window.',
      schema: { type: 'integer', format: 'int32', minimum: 0 },
      example: EXAMPLE_QUOTA - 1,
    },
    'X-RateLimit-Reset': {
      description: 'When the window ends, in Unix seconds.',
      schema: { type: 'integer', format: 'int64' },
      example: answeredAtMs / 1000 + EXAMPLE_RETRY_AFTER,
    },
    'Retry-After': {
      description:
        'Seconds to wait before the next request. A request made after that is counted in a new window.',
      schema: { type: 'integer', format: 'int32', minimum: 1 },
      example: EXAMPLE_RETRY_AFTER,
    },
    Location: {
      description: 'The absolute handoff URL, the same as `handoffUrl`.',
      schema: { type: 'string', format: 'uri', pattern: HTTPS_URL_PATTERN },
      example: EXAMPLE_HANDOFF_URL,
    },
    'WWW-Authenticate': {
      description: 'Challenge of RFC 6750: which credential or scope is missing.',
      schema: { type: 'string' },
      example: 'Bearer realm="stayport"',
    },
  };
}

/** `components.headers`: each is on every answer that refers to it. */
export function buildHeaderComponents(answeredAtMs: number): Record<string, HeaderObject> {
  const described = presentHeaders(answeredAtMs);
  return Object.fromEntries(
    Object.entries(described).map(([name, header]) => [name, { ...header, required: true }]),
  );
}

/** `headers` of a response. `cacheControl` is that of a success; problems are never stored. */
export function buildResponseHeaders(
  status: number,
  { answeredAtMs, cacheControl = PROBLEM_CACHE_CONTROL }: ResponseHeaderParts,
): Record<string, unknown> {
  const described = presentHeaders(answeredAtMs);
  const headers: Record<string, unknown> = {};
  for (const [name, presence] of headersOfStatus(status)) {
    if (name === 'Cache-Control') headers[name] = cacheControlHeader(cacheControl);
    else if (status === 429 && name === 'X-RateLimit-Remaining')
      headers[name] = { ...described[name], required: true, example: 0 };
    else if (status === 503 && name === 'Retry-After')
      headers[name] = { ...described[name], required: false, example: 1 };
    else if (presence === 'always') headers[name] = { $ref: `#/components/headers/${name}` };
    else headers[name] = { ...described[name], required: false };
  }
  return headers;
}

/** On a success that supports `If-None-Match`. */
export const ETAG_HEADER: HeaderObject = {
  description:
    'Changes with the answer. Send it as `If-None-Match`: an answer that is still the same is a 304.',
  required: true,
  schema: { type: 'string' },
  example: '"n4bQgYhMfWWaL-qgxVrQFa"',
};

interface ResponseHeaderParts {
  /** Time of the example's answer, Unix ms. */
  readonly answeredAtMs: number;
  readonly cacheControl?: string;
}

function cacheControlHeader(value: string): HeaderObject {
  return {
    description: 'How long the answer may be kept.',
    required: true,
    schema: { type: 'string', const: value },
  };
}
