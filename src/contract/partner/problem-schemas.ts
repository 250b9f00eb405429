/**
 * Problems on the wire (SPEC 2, RFC 9457). Each status has a schema of its own with its own codes, written out
 * without `allOf`, so that the code that a client tests decides which members a generated type has.
 */
import { Type, type Static, type TSchema } from 'typebox';
import { ISSUES_MAX } from '../limits.ts';
import { PROBLEM_CODES, type ProblemCode, PROBLEMS } from './problems.ts';

const CODE_DESCRIPTION = 'Stable name of the problem. Branch on this, never on title or detail.';

const ProblemCodeSchema = Type.Unsafe<ProblemCode>({
  type: 'string',
  enum: [...PROBLEM_CODES],
  description: CODE_DESCRIPTION,
});

const problemMembers = {
  type: Type.String({ format: 'uri', description: 'Identifies the kind of problem; its page explains it.' }),
  title: Type.String({ description: 'The same for every problem of the kind.' }),
  detail: Type.String({ description: 'For people. The wording may change.' }),
  correlationId: Type.String({
    description: 'Opaque; the same as the header X-Correlation-ID. Give it to support.',
  }),
};

/**
 * Any problem: what the contract calls Problem. It is not in the document, where each status has its own; two codes
 * belong to no operation.
 */
export const ProblemSchema = Type.Object(
  {
    ...problemMembers,
    status: Type.Integer({ minimum: 400, maximum: 599, format: 'int32' }),
    code: ProblemCodeSchema,
  },
  { additionalProperties: false, description: 'RFC 9457 problem details with a stable code.' },
);
export type Problem = Static<typeof ProblemSchema>;

export const ValidationIssueSchema = Type.Object(
  {
    field: Type.String({
      description:
        'The parameter, header or body field at fault; body fields as a dotted path such as stay.checkOut.',
    }),
    code: Type.String({
      pattern: '^[A-Z][A-Z0-9_]+$',
      description: 'Stable name of what is wrong with the field.',
    }),
    detail: Type.String({ description: 'For people. The wording may change.' }),
  },
  { description: 'One field of the request and what is wrong with it.' },
);

export const ValidationProblemSchema = Type.Object(
  {
    ...problemMembers,
    ...statusAndCode(['VALIDATION_ERROR']),
    errors: Type.Array(ValidationIssueSchema, {
      minItems: 1,
      maxItems: ISSUES_MAX,
      description: `Every issue of the request at once, ${ISSUES_MAX} at most.`,
    }),
  },
  { additionalProperties: false, description: 'A problem that names each field at fault.' },
);
export type ValidationProblem = Static<typeof ValidationProblemSchema>;

/** The problems of one status that have no members of their own, by their name in the document. */
export const PROBLEM_SCHEMAS = {
  InvalidJsonProblem: problemOf(['INVALID_JSON'], 'The body of the request is not JSON.'),
  UnauthorizedProblem: problemOf(
    ['PARTNER_AUTH_REQUIRED', 'INVALID_PARTNER_CREDENTIAL', 'PARTNER_ACCESS_REVOKED'],
    'The credential is missing, not valid, or revoked.',
  ),
  ForbiddenProblem: problemOf(
    ['PARTNER_SCOPE_INSUFFICIENT', 'ORIGIN_NOT_ALLOWED'],
    'The credential lacks the scope, or the browser origin is not authorised.',
  ),
  PropertyNotFoundProblem: problemOf(['PROPERTY_NOT_FOUND'], 'The property is unknown to this partner.'),
  QuoteConflictProblem: problemOf(
    ['STAY_UNAVAILABLE', 'QUOTE_UNAVAILABLE'],
    'The stay is not available, or no quote can be made for it.',
  ),
  PayloadTooLargeProblem: problemOf(['PAYLOAD_TOO_LARGE'], 'The body of the request is too large.'),
  RateLimitProblem: problemOf(['RATE_LIMIT_EXCEEDED'], 'A request limit is used up.'),
  InternalErrorProblem: problemOf(['INTERNAL_ERROR'], 'Unexpected error; internal details are never shown.'),
  UnavailableProblem: problemOf(['PARTNER_API_UNAVAILABLE'], 'The service is temporarily unavailable.'),
} as const satisfies Record<string, TSchema>;

/** A 400 of the quote operation: the code says which of the two it is. */
export const QuoteBadRequestProblemSchema = Type.Unsafe<ValidationProblem | Problem>({
  description: 'The request has fields at fault, or its body is not JSON at all.',
  oneOf: [ValidationProblemSchema, PROBLEM_SCHEMAS.InvalidJsonProblem],
  discriminator: {
    propertyName: 'code',
    mapping: {
      VALIDATION_ERROR: '#/components/schemas/ValidationProblem',
      INVALID_JSON: '#/components/schemas/InvalidJsonProblem',
    },
  },
});

/** The schema of the problems with exactly these codes. Throws when there is none: that is a bug in the table. */
export function problemSchemaOf(codes: readonly ProblemCode[]): TSchema {
  const schema = SCHEMAS_BY_CODES.get(codes.toSorted().join());
  if (schema === undefined) throw new TypeError(`no schema for ${codes.join()}`);
  return schema;
}

const SCHEMAS_BY_CODES: ReadonlyMap<string, TSchema> = new Map(
  [
    [ValidationProblemSchema, ['VALIDATION_ERROR']] as const,
    [QuoteBadRequestProblemSchema, ['VALIDATION_ERROR', 'INVALID_JSON']] as const,
    ...Object.values(PROBLEM_SCHEMAS).map((schema) => [schema, codesOf(schema)] as const),
  ].map(([schema, codes]) => [codes.toSorted().join(), schema]),
);

function codesOf({ properties }: { readonly properties: { readonly code: object } }): readonly string[] {
  const { enum: codes, const: code = '' } = properties.code as CodeKeywords;
  return codes ?? [code];
}

interface CodeKeywords {
  readonly enum?: readonly string[];
  readonly const?: string;
}

function problemOf<const Codes extends readonly [ProblemCode, ...ProblemCode[]]>(
  codes: Codes,
  description: string,
) {
  return Type.Object(
    { ...problemMembers, ...statusAndCode(codes) },
    { additionalProperties: false, description },
  );
}

/** Codes of one status. One code is a constant, several are a list. */
function statusAndCode<const Codes extends readonly [ProblemCode, ...ProblemCode[]]>(codes: Codes) {
  const status = PROBLEMS[codes[0]].status;
  const code = codes.length === 1 ? { const: codes[0] } : { enum: [...codes] };
  return {
    status: Type.Unsafe<(typeof PROBLEMS)[Codes[number]]['status']>({ type: 'integer', const: status }),
    code: Type.Unsafe<Codes[number]>({ type: 'string', ...code, description: CODE_DESCRIPTION }),
  };
}
