import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { EN_GB } from './en-gb.ts';
import { IT_IT } from './it-it.ts';

interface SampleProperty {
  readonly propertyType: string;
  readonly amenities: readonly string[];
  readonly taxes?: readonly { readonly code: string }[];
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
        for (const { code } of taxes) assert.ok(messages.taxName(code), code);
      }
      // In English a code reads as the word that it is.
      for (const code of amenities) assert.ok(IT_IT.amenityName(code), code);
    });
});

describe("the texts of the traveller's page", () => {
  const folder = join(import.meta.dirname, '..');
  const code = globSync('*.ts', { cwd: folder })
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

  for (const name of Object.keys(EN_GB))
    it(`has ${name} in each language, and shows it somewhere`, () => {
      assert.ok(name in IT_IT, 'src/web/traveller/messages/it-it.ts');
      const uses = new RegExp(
        `\\bmessages\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\} = (?:view\\.)?messages`,
      );
      assert.match(code, uses, 'no file of src/web/traveller uses it');
    });
});
