/** Response headers as the OpenAPI document describes them. */
import { type HeaderName, headersOfStatus } from '../partner/answer-headers.ts';
import { PROBLEM_CACHE_CONTROL } from '../partner/operations.ts';

type HeaderObject = Readonly<Record<string, unknown>>;

const HEADERS: { readonly [Name in HeaderName]?: HeaderObject } = {
  'X-Correlation-ID': {
    description: 'Opaque identifier of the request, for support and tracing.',
    schema: { type: 'string' },
    example: '01JF3Q8W6Z5N4V2K7T9C0A1B3D',
  },
  'X-RateLimit-Limit': {
    description:
      'Requests that the credential may make in a 60-second window. On a 429 of the limit per source address, that ' +
      'limit; Remaining and Reset belong to the same limit.',
    schema: { type: 'integer' },
    example: 120,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the window.',
    schema: { type: 'integer', minimum: 0 },
    example: 119,
  },
  'X-RateLimit-Reset': {
    description: 'When the window ends, in Unix seconds.',
    schema: { type: 'integer', format: 'int64' },
    example: 1796126400,
  },
  'Retry-After': {
    description:
      'Seconds to wait before the next request. A request made after that is counted in a new window.',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  Location: {
    description: 'The absolute handoff URL, the same as `handoffUrl`.',
    schema: { type: 'string', format: 'uri', pattern: '^https://' },
    example: 'https://stay.example/handoff?handoff=eyJhbGciOiJkaXIifQ',
  },
  'WWW-Authenticate': {
    description: 'Challenge of RFC 6750: which credential or scope is missing.',
    schema: { type: 'string' },
    example: 'Bearer realm="stayport"',
  },
};

/** `components.headers`: each is there on every answer that refers to it. */
export function buildHeaderComponents(): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, header]) => [name, { ...header, required: true }]),
  );
}

/** `headers` of a response. `cacheControl` is that of a success; a problem is never stored. */
export function buildResponseHeaders(
  status: number,
  cacheControl = PROBLEM_CACHE_CONTROL,
): Record<string, unknown> {
  const headers: Record<string, unknown> = {};
  for (const [name, presence] of headersOfStatus(status)) {
    if (name === 'Cache-Control') headers[name] = cacheControlHeader(cacheControl);
    else if (presence === 'always') headers[name] = { $ref: `#/components/headers/${name}` };
    else headers[name] = { ...HEADERS[name], required: false };
  }
  return headers;
}

function cacheControlHeader(value: string): HeaderObject {
  return {
    description: 'How long the answer may be kept.',
    required: true,
    schema: { type: 'string', const: value },
  };
}
