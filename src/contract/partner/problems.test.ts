import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { SPEC_PROBLEMS } from '../../../test/kit/spec-problems.ts';
import {
  type Problem,
  problemAnswerOf,
  ProblemSchema,
  type ValidationProblem,
  ValidationProblemSchema,
} from './problem-schemas.ts';
import { makeProblem, formatProblem } from '../problem-body.ts';
import { METHOD_NOT_ALLOWED_STATUS, PROBLEM_CODES, PROBLEMS } from './problems.ts';

const parts = { problemsBaseUrl: 'https://api.example/problems', correlationId: 'c-1' };
const errors = [{ field: 'city', code: 'REQUIRED', detail: 'Is required.' }] as const;

describe('problems', () => {
  it('has the statuses and slugs of SPEC 7', () => {
    const table = PROBLEM_CODES.map((code) => [
      code,
      { status: PROBLEMS[code].status, slug: PROBLEMS[code].slug },
    ]);
    const spec = Object.entries(SPEC_PROBLEMS).map(([code, { status, slug }]) => [code, { status, slug }]);
    assert.deepEqual(Object.fromEntries(table), Object.fromEntries(spec));
  });

  it('names the file and the rows where the codes of a status have no schema', () => {
    assert.throws(
      () => problemAnswerOf('createPartnerQuote', ['STAY_UNAVAILABLE']),
      /problems\.ts: createPartnerQuote answers 409 with STAY_UNAVAILABLE.*QUOTE_UNAVAILABLE \(family Quote/,
    );
    assert.throws(
      () => problemAnswerOf('createPartnerQuote', ['HANDOFF_INVALID', 'INVALID_JSON']),
      /problems\.ts: .*HANDOFF_INVALID \(family null\)/,
    );
  });

  it('builds exactly the members of Problem', () => {
    assert.deepEqual(makeProblem('STAY_UNAVAILABLE', parts), {
      type: 'https://api.example/problems/stay-unavailable',
      title: PROBLEMS.STAY_UNAVAILABLE.title,
      status: 409,
      detail: PROBLEMS.STAY_UNAVAILABLE.detail,
      code: 'STAY_UNAVAILABLE',
      correlationId: 'c-1',
    });
  });

  it('fits the schema of each kind', () => {
    const ajv = new Ajv2020({ formats: { uri: (text) => URL.canParse(text), int32: true } });
    const isProblem = ajv.compile<Problem>(ProblemSchema);
    const isValidationProblem = ajv.compile<ValidationProblem>(ValidationProblemSchema);
    for (const code of PROBLEM_CODES) {
      const needsErrors = code === 'VALIDATION_ERROR';
      const problem = makeProblem(code, { ...parts, errors: needsErrors ? errors : undefined });
      assert.equal(isProblem(problem), !needsErrors, code);
      assert.equal(isValidationProblem(problem), needsErrors, code);
    }
  });

  it('adds errors to a VALIDATION_ERROR, and a detail where the sender knows more', () => {
    const problem = makeProblem('VALIDATION_ERROR', { ...parts, errors, detail: 'The city is missing.' });
    assert.deepEqual(problem.errors, errors);
    assert.equal(problem.detail, 'The city is missing.');
  });

  it('gives an unknown operation 404, or 405 where the path is known', () => {
    assert.equal(makeProblem('PARTNER_OPERATION_NOT_FOUND', parts).status, 404);
    const status = METHOD_NOT_ALLOWED_STATUS;
    assert.equal(makeProblem('PARTNER_OPERATION_NOT_FOUND', { ...parts, status }).status, 405);
  });

  it('a problem as text equals the same problem as an object', () => {
    const withErrors = { ...parts, errors };
    assert.deepEqual(JSON.parse(formatProblem('VALIDATION_ERROR', withErrors)), {
      ...makeProblem('VALIDATION_ERROR', withErrors),
    });
  });

  it('throws when errors and code do not fit together', () => {
    assert.throws(() => makeProblem('VALIDATION_ERROR', parts), TypeError);
    assert.throws(() => makeProblem('VALIDATION_ERROR', { ...parts, errors: [] }), TypeError);
    assert.throws(() => makeProblem('INTERNAL_ERROR', { ...parts, errors }), TypeError);
  });
});
