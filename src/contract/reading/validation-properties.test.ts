/** Properties of validation over generated requests: valid ones from the published schemas, and arbitrary ones. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import type { TSchema } from 'typebox';
import { parseLocalDate } from '../../domain/local-date.ts';
import { formatMoney } from '../../domain/money.ts';
import type { StayFilters } from '../../domain/stay-filters.ts';
import { ISSUE_CODES } from '../partner/issue-codes.ts';
import { STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { ISSUES_MAX } from '../partner/limits.ts';
import { ALL_OPERATIONS, priceStays } from '../partner/extra-operations.ts';
import { createPartnerQuote, type Operation } from '../partner/operations.ts';
import type { Parameter } from '../partner/parameters.ts';
import { ValidationIssueSchema } from '../partner/problem-schemas.ts';
import { CreatePartnerQuoteRequestSchema } from '../partner/quote-schemas.ts';
import { type Validated, validateBody, validatePath, validateQuery } from './validation.ts';

const SEED = 20261120;
const isIssue = new Ajv2020().compile({ ...ValidationIssueSchema, additionalProperties: false });

function assertWellFormed(validated: Validated<unknown>): void {
  if (validated.ok) return;
  const { issues } = validated;
  assert.ok(issues.length >= 1 && issues.length <= ISSUES_MAX);
  for (const issue of issues) {
    assert.ok(isIssue(issue), JSON.stringify(issue));
    assert.ok(issue.code in ISSUE_CODES && issue.field !== '' && issue.detail !== '');
    assert.ok(issue.field.isWellFormed() && issue.field.length <= 140);
  }
  const fields = issues.map(({ field }) => field);
  assert.equal(new Set(fields).size, fields.length, `a field has two issues: ${fields.join(' ')}`);
}

const dateText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const stayDates = fc
  .tuple(fc.integer({ min: -700_000, max: 2_900_000 }), fc.integer({ min: 1, max: STAY_NIGHTS_MAX }))
  .filter(([day]) => dateText(day).length === 10)
  .map(([day, nights]) => ({ checkIn: dateText(day), checkOut: dateText(day + nights) }));

interface ScalarSchema {
  readonly type: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly multipleOf?: number;
  readonly items?: TSchema;
  readonly maxItems?: number;
}

/** Values that a scalar schema admits; those of a list are joined by commas. */
function scalarArbitrary(schema: TSchema): fc.Arbitrary<string | number | boolean> {
  const {
    type,
    minimum = 1,
    maximum,
    multipleOf = 1,
    items,
    maxItems,
    minLength = 1,
    maxLength,
    pattern,
    format,
    enum: choices,
  } = schema as ScalarSchema;
  if (type === 'boolean') return fc.boolean();
  if (type === 'number') {
    const steps = Math.round(1 / multipleOf);
    return fc.integer({ min: minimum * steps, max: maximum! * steps }).map((count) => count / steps);
  }
  if (items !== undefined) {
    const entry = scalarArbitrary(items).filter((value) => !String(value).includes(','));
    return fc.array(entry, { minLength: 1, maxLength: maxItems! }).map((entries) => entries.join(','));
  }
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum ?? Number.MAX_SAFE_INTEGER });
  if (choices !== undefined) return fc.constantFrom(...choices);
  if (format === 'date') return stayDates.map(({ checkIn }) => checkIn);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), maxLength ? { maxLength } : {});
  return fc
    .string({ unit: 'grapheme', minLength, maxLength: 40 })
    .filter((text) => text.trim() === text && text !== '' && !/\p{Cc}/u.test(text));
}

type NamedText = readonly [name: string, text: string];

/** A valid query of the operation, with its parameters in any order. */
function validQuery(operation: Operation): fc.Arbitrary<NamedText[]> {
  const others = operation.query.parameters.filter(({ name }) => name !== 'checkIn' && name !== 'checkOut');
  const arbitraries = others.map((parameter) => optionalPair(parameter));
  const dates = stayDates.map(
    ({ checkIn, checkOut }) =>
      [
        ['checkIn', checkIn],
        ['checkOut', checkOut],
      ] as const,
  );
  const stay = operation.stayRule === 'required' ? dates : fc.option(dates, { nil: [] });
  return fc
    .tuple(operation.stayRule === 'none' ? fc.constant([]) : stay, ...arbitraries)
    .map((parts) => agreeing(parts.flat() as NamedText[]))
    .chain((pairs) => fc.shuffledSubarray(pairs, { minLength: pairs.length, maxLength: pairs.length }));
}

/** Changed so that no parameter contradicts another one. */
function agreeing(pairs: readonly NamedText[]): NamedText[] {
  const texts = new Map(pairs);
  if (texts.has('maxTotal') !== texts.has('currency'))
    for (const name of ['maxTotal', 'currency']) texts.delete(name);
  const ages = texts.get('childAges')?.split(',') ?? [];
  const most = Number(texts.get('guests') ?? 2) - 1;
  // Answers have them ascending.
  const ascending = ages.slice(0, most).sort((one, other) => Number(one) - Number(other));
  if (ascending.length > 0) texts.set('childAges', ascending.join(','));
  else texts.delete('childAges');
  const from = texts.get('checkInFrom');
  if (from !== undefined && texts.has('checkInUntil'))
    texts.set('checkInUntil', dateText(parseLocalDate(from)! + (from.charCodeAt(9) % 92)));
  if (texts.has('maxNights'))
    texts.set(
      'maxNights',
      String(Math.min(30, Number(texts.get('nights') ?? 1) + (Number(texts.get('maxNights')) % 7))),
    );
  return [...texts];
}

function optionalPair({ name, required, schema }: Parameter): fc.Arbitrary<NamedText[]> {
  const pair = scalarArbitrary(schema).map((value): NamedText[] => [[name, String(value)]]);
  return required ? pair : fc.oneof(pair, fc.constant<NamedText[]>([]));
}

const encoders = [
  (text: string) => encodeURIComponent(text),
  (text: string) => encodeURIComponent(text).replaceAll('%20', '+'),
  (text: string) => new URLSearchParams({ x: text }).toString().slice(2),
  (text: string) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&'),
];

const gets = ALL_OPERATIONS.filter(({ method }) => method === 'GET');
const rawQueries = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(
      fc.tuple(
        fc.constantFrom(
          'city',
          'checkIn',
          'checkOut',
          'guests',
          'page',
          'pageSize',
          'locale',
          'country',
          '',
          '%',
          'x',
          'c%69ty',
        ),
        fc.constantFrom('=', '', '==', '=%', '&'),
        fc.oneof(
          fc.constantFrom(
            '',
            '2',
            '2026-12-01',
            '2026-12-05',
            '2026-02-30',
            '%zz',
            '%ff',
            '%00',
            '+',
            '-1',
            '1e1',
            'it-IT',
            'IT',
          ),
          fc.string({ unit: 'binary', maxLength: 12 }),
        ),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.map((part) => part.join('')).join('&')),
);

describe('validation of any request', () => {
  for (const operation of gets) {
    it(`${operation.operationId} accepts every query that its schemas admit, however it is encoded`, () => {
      const encoded = fc.tuple(validQuery(operation), fc.constantFrom(...encoders));
      fc.assert(
        fc.property(encoded, ([pairs, encode]) => {
          const rawQuery = pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
          const validated = validateQuery(operation, rawQuery);
          assert.ok(validated.ok, `${rawQuery} ${inspect(validated)}`);
          assertReadBack(validated.value, new Map(pairs));
        }),
        { seed: SEED, numRuns: 500 },
      );
    });
  }

  it('refuses a query with reasons or accepts it, and never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ALL_OPERATIONS), rawQueries, (operation, rawQuery) => {
        assertWellFormed(validateQuery(operation, rawQuery));
      }),
      { seed: SEED, numRuns: 5000 },
    );
  });

  it('reads a path segment with reasons or accepts it, and never throws', () => {
    const segment = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^(?:%[0-9a-f]{2}|[a-z%])*$/));
    fc.assert(
      fc.property(fc.constantFrom(...ALL_OPERATIONS), segment, (operation, propertyId) => {
        assertWellFormed(validatePath(operation, { propertyId }));
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  it('judges any JSON as a body, and never throws', () => {
    const names = fc.constantFrom(
      'propertyId',
      'propertyIds',
      'stay',
      'locale',
      'checkIn',
      'checkOut',
      'guests',
      '__proto__',
      'x',
    );
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom('2026-12-01', '2026-12-05', 2, 'it-IT', 'a'));
    const object = fc.dictionary(names, fc.oneof(values, fc.dictionary(names, values)));
    fc.assert(
      fc.property(fc.oneof(object, fc.jsonValue(), fc.anything()), (body) => {
        for (const operation of [createPartnerQuote, priceStays])
          assertWellFormed(validateBody(operation, body));
      }),
      { seed: SEED, numRuns: 5000 },
    );
  });

  it('accepts a body exactly when its schema and the rules of a stay do', () => {
    const admits = new Ajv2020({ formats: { date: isDate, int32: true } }).compile(
      CreatePartnerQuoteRequestSchema,
    );
    const body = fc
      .tuple(stayDates, fc.integer({ min: 1, max: 30 }), fc.constantFrom('it-IT', 'en-GB'))
      .chain(([dates, guests, locale]) =>
        mutated({ propertyId: 'hotel-ponte', stay: { ...dates, guests }, locale }),
      );
    fc.assert(
      fc.property(body, (value) => {
        const expected = admits(value) && isStayAllowed((value as { stay: StayText }).stay);
        assert.equal(validateBody(createPartnerQuote, value).ok, expected, JSON.stringify(value));
      }),
      { seed: SEED, numRuns: 3000 },
    );
  });
});

interface StayText {
  readonly checkIn: string;
  readonly checkOut: string;
}

const isDate = (text: string) => typeof parseLocalDate(text) === 'number';

function isStayAllowed({ checkIn, checkOut }: StayText): boolean {
  const nights = (Date.parse(checkOut) - Date.parse(checkIn)) / 86_400_000;
  return nights >= 1 && nights <= STAY_NIGHTS_MAX;
}

/** Unchanged in half of the cases, else with one member replaced, added or removed. */
function mutated(body: { propertyId: string; stay: object; locale: string }): fc.Arbitrary<unknown> {
  const value = fc.oneof(
    fc.constantFrom(
      undefined,
      null,
      0,
      1,
      30,
      31,
      2.5,
      '2',
      '',
      'it-IT',
      '2026-12-01',
      '2027-02-01',
      '2026-02-29',
      {},
      [],
    ),
    fc.jsonValue(),
  );
  const root = fc.tuple(fc.constantFrom('propertyId', 'stay', 'locale', 'x'), value);
  const nested = fc.tuple(fc.constantFrom('checkIn', 'checkOut', 'guests', 'x'), value);
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(body) },
    root.map(([name, replaced]) => asSent({ ...body, [name]: replaced })),
    nested.map(([name, replaced]) => asSent({ ...body, stay: { ...body.stay, [name]: replaced } })),
  );
}

const asSent = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

/** Checks that the values read equal the written ones. */
function assertReadBack(value: unknown, pairs: ReadonlyMap<string, string>): void {
  const { stay, filters, checkIns, ...others } = value as Record<string, unknown>;
  const { maxTotal, ...lists } = (filters ?? {}) as StayFilters;
  const limit = maxTotal && { maxTotal: formatMoney(maxTotal.total), currency: maxTotal.currency };
  const scalars: Record<string, unknown> = { ...others, ...lists, ...limit };
  const dates = stay as { checkIn: number; checkOut: number } | undefined;
  for (const [name, text] of pairs) {
    if (name === 'checkIn') assert.equal(dateText(dates?.checkIn ?? 0), text);
    else if (name === 'checkOut') assert.equal(dateText(dates?.checkOut ?? 0), text);
    else if (name.startsWith('checkIn')) assert.ok(Array.isArray(checkIns));
    else if (name === 'from' || name === 'until') assert.equal(dateText(Number(scalars[name])), text);
    else assert.equal(String(scalars[name]), text);
  }
}
