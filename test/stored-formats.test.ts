/** The table of stored formats says what the codecs write. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { STORED_PROPERTY } from '../src/domain/document/property-grammar.ts';
import { STORED_FORMATS } from '../src/domain/stored-formats.ts';
import { formatStoredBreakdown, type QuoteBreakdown } from '../src/partner/quotes/present-quote.ts';

const BREAKDOWN: QuoteBreakdown = {
  discount: { code: 'weekly', percent: '12.5', amount: '30.00' },
  nights: [{ date: '2026-12-10', rate: '120.00', extraGuests: '0.00', price: '105.00' }],
  taxes: [],
};

it('the table names the fields that the codecs write', () => {
  const { fields } = STORED_FORMATS.property;
  const written = Object.keys(STORED_PROPERTY.fields ?? {});
  assert.deepEqual(
    written.filter((name) => fields.some((field) => field === name)),
    fields,
  );
  const { v, ...compact } = JSON.parse(formatStoredBreakdown(BREAKDOWN, 'Inn')) as Record<string, unknown>;
  assert.deepEqual(['v', ...Object.keys(compact)], STORED_FORMATS.breakdown.fields);
  assert.equal(v, STORED_FORMATS.breakdown.version);
});
