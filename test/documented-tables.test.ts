import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DOCUMENTED_TABLES, withTables } from '../scripts/documented-tables.ts';
import { type Setting, SETTINGS } from '../src/app/settings/settings-table.ts';

describe('The tables in the docs', () => {
  for (const page of new Set(DOCUMENTED_TABLES.map((table) => table.page)))
    it(`of ${page} are those of the code: "npm run tables" writes them`, () => {
      const text = readFileSync(join(import.meta.dirname, '..', page), 'utf8');
      assert.ok(text === withTables(page, text), 'the rows in the code have changed');
    });

  it('of settings lead to sections that are there', () => {
    for (const { name, see } of Object.values<Setting>(SETTINGS)) {
      if (see === undefined) continue;
      const [page = '', section] = see.split('#');
      const text = readFileSync(join(import.meta.dirname, '..', 'docs', page), 'utf8');
      const sections = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      );
      assert.ok(section === undefined || sections.includes(section), `${name}: ${see}`);
    }
  });
});
