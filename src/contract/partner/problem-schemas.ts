/** Problem and ValidationProblem (SPEC 2, RFC 9457). */
import { Type, type Static } from 'typebox';
import { PROBLEM_CODES, type ProblemCode } from './problems.ts';

export const ProblemCodeSchema = Type.Unsafe<ProblemCode>({
  type: 'string',
  enum: [...PROBLEM_CODES],
  description: 'Stable name of the problem. Branch on this, never on title or detail.',
});

const problemMembers = {
  type: Type.String({ format: 'uri', description: 'Identifies the kind of problem; its page explains it.' }),
  title: Type.String({ description: 'The same for every problem of the kind.' }),
  detail: Type.String({ description: 'For people. The wording may change.' }),
  correlationId: Type.String({
    description: 'Opaque; the same as the header X-Correlation-ID. Give it to support.',
  }),
};

export const ProblemSchema = Type.Object(
  {
    ...problemMembers,
    status: Type.Integer({ minimum: 400, maximum: 599 }),
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
    status: Type.Unsafe<400>({ type: 'integer', const: 400 }),
    code: Type.Literal('VALIDATION_ERROR'),
    errors: Type.Array(ValidationIssueSchema, {
      minItems: 1,
      description: 'Every issue of the request at once.',
    }),
  },
  { additionalProperties: false, description: 'A problem that names each field at fault.' },
);
export type ValidationProblem = Static<typeof ValidationProblemSchema>;
