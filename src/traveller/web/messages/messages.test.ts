import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { findTaxName } from '../../../domain/charges.ts';
import type { TaxKind } from '../../../domain/property.ts';
import { EN_GB } from './en-gb.ts';
import { IT_IT } from './it-it.ts';

interface SampleProperty {
  readonly propertyType: string;
  readonly amenities: readonly string[];
  readonly taxes?: readonly { readonly code: string; readonly kind: TaxKind }[];
}

describe('the words of the sample', () => {
  const file = join(import.meta.dirname, '..', '..', '..', '..', 'sample', 'italy.ndjson');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  for (const { propertyType, amenities, taxes = [] } of lines.map(
    (line) => JSON.parse(line) as SampleProperty,
  ))
    it(`have names in each language: ${[propertyType, ...amenities].join(', ')}`, () => {
      for (const messages of [EN_GB, IT_IT]) {
        assert.ok(messages.propertyType(propertyType.replaceAll('_', '-')), propertyType);
        for (const tax of taxes) assert.ok(findTaxName(tax, messages.locale), tax.code);
      }
      // In English a code reads as the word that it is.
      for (const code of amenities) assert.ok(IT_IT.amenityName(code), code);
    });
});

describe('the words of the listings of Antwerp', () => {
  const path = 'inside-airbnb/antwerp-2024-06/listings.csv.gz';
  const file = join(import.meta.dirname, '..', '..', '..', '..', 'sample', path);
  const listings = parse<Record<'property_type' | 'amenities', string>>(gunzipSync(readFileSync(file)), {
    columns: true,
  });
  const codeOf = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, '-');
  /** A word of fewer listings may stay in English. */
  const FREQUENT = 30;

  it('have names in Italian: every type, and the amenities of thirty listings and more', () => {
    const counts = new Map<string, number>();
    for (const { amenities } of listings)
      for (const amenity of JSON.parse(amenities) as string[])
        counts.set(amenity, (counts.get(amenity) ?? 0) + 1);
    const types = new Set(listings.map((listing) => listing.property_type));
    const frequent = [...counts].filter(([, count]) => count >= FREQUENT).map(([amenity]) => amenity);
    assert.ok(types.size > 20 && frequent.length > 30);
    assert.deepEqual(
      [...types].filter((type) => IT_IT.propertyType(codeOf(type)) === undefined),
      [],
    );
    assert.deepEqual(
      frequent.filter((amenity) => IT_IT.amenityName(codeOf(amenity)) === undefined),
      [],
    );
  });
});

describe("the texts of the traveller's page", () => {
  const folder = join(import.meta.dirname, '..');
  const code = globSync('*.ts', { cwd: folder })
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

  for (const name of Object.keys(EN_GB))
    it(`has ${name} in each language, and shows it somewhere`, () => {
      assert.ok(name in IT_IT, 'src/traveller/web/messages/it-it.ts');
      const uses = new RegExp(
        `\\bmessages\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\} = (?:view\\.)?messages`,
      );
      assert.match(code, uses, 'no file of src/traveller/web uses it');
    });
});
