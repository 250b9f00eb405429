import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { LOCALES } from '../../../domain/property.ts';
import { EN_GB } from './en-gb.ts';
import { MESSAGES } from './messages.ts';

/** `partner.credentials`, in their order. */
function pathsOf(messages: object, above = ''): string[] {
  return Object.entries(messages).flatMap(([name, value]) =>
    typeof value === 'object' ? pathsOf(value as object, `${above}${name}.`) : [`${above}${name}`],
  );
}

describe('the texts of the console', () => {
  for (const locale of LOCALES)
    it(`every text of the console is there in ${locale}`, () => {
      assert.deepEqual(pathsOf(MESSAGES[locale]).toSorted(), pathsOf(EN_GB).toSorted());
      assert.equal(MESSAGES[locale].locale, locale);
    });

  it('are each shown somewhere', () => {
    const folder = join(import.meta.dirname, '..', '..', '..');
    const files = [
      'back-office/{web,console,pages/*,http,acts,activity}/*.ts',
      'contract/partner/problems.ts',
      'storage/attribution/*.ts',
      'storage/webhooks/*.ts',
    ];
    const code = globSync([...files, 'domain/*.ts', 'supply/*/*.ts'], { cwd: folder })
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    const names = new Set(pathsOf(EN_GB).flatMap((path) => path.split('.')));
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
