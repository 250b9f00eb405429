import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';

import { LOCALES, type LocalizedText, textFor } from '../../../domain/property.ts';
import { sampleArb } from '../../../../test/kit/catalogue-samples.ts';
import { nameInSummary, presentSummaries, withStartingPrice } from './summary.ts';
import type { TextRange } from './piece-chunks.ts';

function rangeOf(summary: string): TextRange {
  const bytes = Buffer.from(`behind${summary}before`);
  return { bytes, start: 6, end: bytes.length - 6 };
}

it('read their name alone, whatever it holds', () => {
  for (const name of [
    '',
    '"',
    ',"description":',
    '\\",\\"name\\":',
    'Caffè 漢字 \\',
    ',"name":"x","description":null',
  ]) {
    const property = { ...fc.sample(sampleArb, { numRuns: 1, seed: 1 })[0]!.property, name };
    for (const summary of presentSummaries(property, null)) {
      assert.equal(nameInSummary(rangeOf(summary)), name);
    }
  }
});

const textArb: fc.Arbitrary<LocalizedText> = fc.oneof(
  fc.string(),
  fc.record({ 'it-IT': fc.string(), 'en-GB': fc.string() }),
  fc.record({ 'en-GB': fc.string() }),
);

describe('the summaries of a property', () => {
  it('have every text in their own locale, whichever of the texts are localized', () => {
    fc.assert(
      fc.property(
        sampleArb,
        textArb,
        fc.option(textArb),
        textArb,
        fc.option(textArb),
        ({ property }, name, description, city, area) => {
          const location = { ...property.location, city, area };
          const summaries = presentSummaries({ ...property, name, description, location }, '90.00');
          LOCALES.forEach((locale, index) => {
            const summary = JSON.parse(summaries[index]!) as Record<string, unknown>;
            assert.equal(summary['name'], textFor(name, locale));
            const range = rangeOf(summaries[index]!);
            const changed = withStartingPrice(range, null);
            assert.deepEqual(JSON.parse(changed.bytes.toString()), { ...summary, startingPrice: null });
            for (const text of [range, changed]) {
              assert.equal(nameInSummary(text), Buffer.from(textFor(name, locale)).toString());
            }
            assert.equal(summary['description'], description === null ? null : textFor(description, locale));
            assert.deepEqual(summary['location'], {
              city: textFor(city, locale),
              country: location.country,
              area: area === null ? null : textFor(area, locale),
            });
          });
        },
      ),
    );
  });
});
