import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { EN_GB } from './en-gb.ts';
import { IT_IT } from './it-it.ts';

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
