/**
 * Problems on the wire (SPEC 2, RFC 9457). Each status has a schema with its own codes, written out without `allOf`, so
 * that a tested code decides the members of a generated type.
 */
import type { Static, TSchema } from 'typebox';
import { Type } from './json-schema.ts';
import { ISSUES_MAX } from './limits.ts';
import {
  PROBLEM_CODES,
  PROBLEM_FAMILIES,
  type ProblemCode,
  type ProblemFamily,
  PROBLEMS,
  rowOfProblem,
} from './problems.ts';

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
 * Any problem (the contract's Problem). The document has one for each status instead; two codes belong to no operation.
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

/** Problems of one status without members of their own, by their name in the document. */
export const PROBLEM_SCHEMAS = Object.fromEntries(
  Object.entries(PROBLEM_FAMILIES).map(([family, description]) => [
    family,
    problemOf(codesOfFamily(family as ProblemFamily), description),
  ]),
) as Readonly<Record<ProblemFamily, ReturnType<typeof problemOf>>>;

/** A 400 of the quote operation: the code says which of the two it is. */
export const QuoteBadRequestProblemSchema = Type.Unsafe<ValidationProblem | Problem>({
  description: 'The request has fields at fault, or its body is not JSON at all.',
  oneOf: [ValidationProblemSchema, PROBLEM_SCHEMAS.InvalidJsonProblem],
  discriminator: {
    propertyName: 'code',
    mapping: {
      VALIDATION_ERROR: '#/components/schemas/ValidationProblem',
      ...Object.fromEntries(
        codesOfFamily('InvalidJsonProblem').map((code) => [code, '#/components/schemas/InvalidJsonProblem']),
      ),
    },
  },
});

/** The schema of one status's problems of an operation. Throws for an unknown set of codes, and names the rows. */
export function problemSchemaOf(operationId: string, codes: readonly ProblemCode[]): TSchema {
  const families = new Set(codes.map((code) => rowOfProblem(code).family));
  const schema = SCHEMAS_BY_FAMILIES[FAMILIES.filter((family) => families.has(family)).join()];
  const whole = PROBLEM_CODES.filter((code) => families.has(rowOfProblem(code).family));
  if (schema !== undefined && whole.length === codes.length) return schema;
  const found = whole.map((code) => `${code} (family ${rowOfProblem(code).family})`).join(', ');
  throw new TypeError(
    `src/contract/partner/problems.ts: ${operationId} answers ${PROBLEMS[codes[0]!].status} with ${codes.join(', ')}, ` +
      `and there is not one schema for exactly these: ${found}. Give their rows one family of PROBLEM_FAMILIES, and ` +
      'the same operations.',
  );
}

const FAMILIES = ['ValidationProblem', ...Object.keys(PROBLEM_FAMILIES)] as readonly (
  | 'ValidationProblem'
  | ProblemFamily
)[];

/** By the families of an operation's codes of one status, in the order of FAMILIES. */
const SCHEMAS_BY_FAMILIES: Readonly<Record<string, TSchema>> = {
  ...PROBLEM_SCHEMAS,
  ValidationProblem: ValidationProblemSchema,
  'ValidationProblem,InvalidJsonProblem': QuoteBadRequestProblemSchema,
};

function problemOf(codes: readonly [ProblemCode, ...ProblemCode[]], description: string) {
  return Type.Object(
    { ...problemMembers, ...statusAndCode(codes) },
    { additionalProperties: false, description },
  );
}

function codesOfFamily(family: ProblemFamily): readonly [ProblemCode, ...ProblemCode[]] {
  const [first, ...others] = PROBLEM_CODES.filter((code) => rowOfProblem(code).family === family);
  if (first === undefined)
    throw new TypeError(`src/contract/partner/problems.ts: no row has the family ${family}`);
  return [first, ...others];
}

/** Codes of one status: a constant, or a list. */
function statusAndCode<const Codes extends readonly [ProblemCode, ...ProblemCode[]]>(codes: Codes) {
  const status = PROBLEMS[codes[0]].status;
  const code = codes.length === 1 ? { const: codes[0] } : { enum: [...codes] };
  return {
    status: Type.Unsafe<(typeof PROBLEMS)[Codes[number]]['status']>({ type: 'integer', const: status }),
    code: Type.Unsafe<Codes[number]>({ type: 'string', ...code, description: CODE_DESCRIPTION }),
  };
}
