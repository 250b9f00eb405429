/**
 * Problems on the wire (SPEC 2, RFC 9457). Each status has a schema with its own codes, written out without `allOf`, so
 * that a tested code decides the members of a generated type.
 */
import type { Static, TSchema } from 'typebox';
import { Type } from './json-schema.ts';
import { ISSUES_MAX } from './limits.ts';
import { whyMembers } from './price-schemas.ts';
import {
  PROBLEM_CODES,
  PROBLEM_FAMILIES,
  type ProblemCode,
  type ProblemFamily,
  type ProblemSchemaRow,
  PROBLEM_UNIONS,
  PROBLEM_VARIANTS,
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
  { additionalProperties: false, description: PROBLEM_FAMILIES.ValidationProblem.description },
);
export type ValidationProblem = Static<typeof ValidationProblemSchema>;

const FAMILIES = Object.entries(PROBLEM_FAMILIES).map(([name, row]) => ({
  name: name as ProblemFamily,
  row: row as ProblemSchemaRow,
  schema:
    name === 'ValidationProblem'
      ? ValidationProblemSchema
      : problemOf(name as ProblemFamily, row.description),
}));

const UNIONS = Object.entries(PROBLEM_UNIONS).map(([name, row]) => ({
  name,
  row: row as ProblemSchemaRow,
  families: row.families as readonly ProblemFamily[],
  schema: unionOf(row),
}));

export const StayConflictProblemSchema = Type.Object(
  {
    ...problemMembers,
    ...statusAndCode(['STAY_UNAVAILABLE', 'QUOTE_UNAVAILABLE']),
    ...whyMembers(),
  },
  { additionalProperties: false, description: PROBLEM_VARIANTS.StayConflictProblem.description },
);
export type StayConflictProblem = Static<typeof StayConflictProblemSchema>;

const VARIANTS = Object.entries(PROBLEM_VARIANTS).map(([name, row]) => ({
  name,
  row,
  schema: StayConflictProblemSchema,
}));

/** By name in the document. */
export const PROBLEM_SCHEMAS: Readonly<Record<string, TSchema>> = Object.fromEntries(
  [...UNIONS, ...FAMILIES, ...VARIANTS].map(({ name, schema }) => [name, schema]),
);

function unionOf({ families, description }: (typeof PROBLEM_UNIONS)[keyof typeof PROBLEM_UNIONS]) {
  const mapping = families.flatMap((family) =>
    codesOfFamily(family).map((code) => [code, `#/components/schemas/${family}`]),
  );
  return Type.Unsafe<ValidationProblem | Problem>({
    description,
    oneOf: FAMILIES.filter(({ name }) => families.some((family) => family === name)).map(
      ({ schema }) => schema,
    ),
    discriminator: { propertyName: 'code', mapping: Object.fromEntries(mapping) },
  });
}

export interface ProblemAnswer {
  /** The schema's name in the document. */
  readonly name: string;
  readonly row: ProblemSchemaRow;
  readonly schema: TSchema;
}

/** An operation's answer with one status. Throws if no schema has exactly these codes, and names the rows. */
export function problemAnswerOf(operationId: string, codes: readonly ProblemCode[]): ProblemAnswer {
  const wanted = new Set(codes.map((code) => rowOfProblem(code).family));
  const whole = PROBLEM_CODES.filter((code) => wanted.has(rowOfProblem(code).family));
  const families = FAMILIES.filter(({ name }) => wanted.has(name));
  const names = families.map(({ name }) => name).join();
  const answer =
    families.length === 1 ? families[0] : UNIONS.find((union) => union.families.join() === names);
  if (answer !== undefined && whole.length === codes.length)
    return VARIANTS.find(({ row }) => row.operation === operationId && row.family === names) ?? answer;
  const found = whole.map((code) => `${code} (family ${rowOfProblem(code).family})`).join(', ');
  throw new TypeError(
    `src/contract/partner/problems.ts: ${operationId} answers ${PROBLEMS[codes[0]!].status} with ${codes.join(', ')}, ` +
      `and there is not one schema for exactly these: ${found}. Give their rows one family of PROBLEM_FAMILIES, and ` +
      'the same operations; or a family each, and a row in PROBLEM_UNIONS.',
  );
}

function problemOf(family: ProblemFamily, description: string) {
  const [first, ...others] = codesOfFamily(family);
  if (first === undefined)
    throw new TypeError(`src/contract/partner/problems.ts: no row has the family ${family}`);
  return Type.Object(
    { ...problemMembers, ...statusAndCode([first, ...others]) },
    { additionalProperties: false, description },
  );
}

function codesOfFamily(family: ProblemFamily): readonly ProblemCode[] {
  return PROBLEM_CODES.filter((code) => rowOfProblem(code).family === family);
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
