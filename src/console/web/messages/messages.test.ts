import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { LOCALES } from '../../../domain/property.ts';
import { MESSAGES } from './messages.ts';
import type { Said } from './said.ts';

const SOURCE = join(import.meta.dirname, '..', '..', '..');

/** Every table of texts: the shared one, and those of the pages. */
async function readTables(): Promise<Said<object>[]> {
  const files = globSync('console/pages/*/messages.ts', { cwd: SOURCE });
  assert.ok(files.length > 10);
  const modules = await Promise.all(
    files.map((name) => import(pathToFileURL(join(SOURCE, name)).href) as Promise<Record<string, Said<object>>>),
  );
  return [MESSAGES, ...modules.flatMap((module) => Object.values(module))];
}

/** `partner.credentials`, in their order. */
function pathsOf(messages: object, above = ''): string[] {
  return Object.entries(messages).flatMap(([name, value]) =>
    typeof value === 'object' ? pathsOf(value as object, `${above}${name}.`) : [`${above}${name}`],
  );
}

describe('the texts of the console', () => {
  for (const locale of LOCALES)
    it(`each text of the console is picked in ${locale}`, async () => {
      assert.equal(MESSAGES[locale].locale, locale);
      for (const table of await readTables()) assert.deepEqual(pathsOf(table[locale]), pathsOf(table['en-GB']));
    });

  it('are each shown somewhere', async () => {
    const files = [
      'supply/connections/kinds/**/*.ts',
      'console/{web,reading,pages/*,http}/*.ts',
      'operator/{acts,activity}/*.ts',
      'console/web/*.js',
      'contract/partner/{problems,scopes}.ts',
      'app/cli/commands/database-commands.ts',
      'app/doctor/*-check{,s}.ts',
      'app/settings/settings-table.ts',
      'storage/attribution/*.ts',
      'storage/webhooks/*.ts',
    ];
    const code = globSync([...files, 'domain/*.ts', 'supply/*/*.ts'], {
      cwd: SOURCE,
      exclude: ['**/{messages,document-labels}.ts'],
    })
      .map((name) => readFileSync(join(SOURCE, name), 'utf8'))
      .join('\n');
    const tables = await readTables();
    const names = new Set(tables.flatMap((table) => pathsOf(table['en-GB'])).flatMap((path) => path.split('.')));
    assert.ok(names.size > 200);
    assert.deepEqual(
      [...names].filter((name) => !new RegExp(`\\b${name}(?:At|Id)?\\b`).test(code)),
      [],
    );
  });

  it('count with the plural forms of their language', () => {
    const { 'en-GB': english, 'it-IT': italian } = MESSAGES;
    assert.deepEqual([1, 2].map(english.nights), ['1\u00A0night', '2\u00A0nights']);
    assert.deepEqual([1, 2].map(italian.guests), ['1\u00A0ospite', '2\u00A0ospiti']);
  });
});
