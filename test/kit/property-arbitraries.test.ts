import { Wrong } from '../../src/domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { ENTRY_FIELDS } from '../../src/domain/document/calendar-entry.ts';
import * as g from '../../src/domain/document/grammar.ts';
import { PROPERTY_DOCUMENT } from '../../src/domain/document/property-grammar.ts';
import { LOCALES } from '../../src/domain/property.ts';
import { arbitraryOf } from './grammar-arbitraries.ts';
import { calendarEntriesArbitrary, detailsArbitrary, propertyArbitrary } from './property-arbitraries.ts';
import { FIXED_SEED } from './seeds.ts';

const SAMPLE = { ...FIXED_SEED, numRuns: 1_000 };
const documents = fc
  .sample(fc.tuple(propertyArbitrary, detailsArbitrary), SAMPLE)
  .map(([property, details]) => ({ ...property, ...details }));

/** All values at a path such as `taxes[].code`; undefined where it is left out. */
function valuesAt(value: unknown, path: string): readonly unknown[] {
  if (path === '') return [value];
  if (path.startsWith('[]'))
    return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, path.slice(3))) : [];
  if (typeof value !== 'object' || value === null) return [];
  const [name = ''] = /^\w+/.exec(path) ?? [];
  return valuesAt((value as Record<string, unknown>)[name], path.slice(name.length).replace(/^\./, ''));
}

describe('Random property documents', () => {
  const fields = g.documentFields(PROPERTY_DOCUMENT).filter(({ path }) => !path.includes('calendar'));

  for (const { path, kind, schema } of fields)
    it(`have ${path}, and each of its choices`, () => {
      const values = documents.flatMap((document) => valuesAt(document, path));
      const given = new Set<unknown>(values.filter((value) => value !== undefined && value !== null));
      assert.ok(given.size > 0, 'it is never given');
      const choices = kind === 'flag' ? [true, false] : ((schema['enum'] ?? []) as readonly unknown[]);
      for (const choice of choices)
        if (choice !== null) assert.ok(given.has(choice), `${String(choice)} is never chosen`);
      if (kind === 'localized')
        for (const locale of LOCALES)
          assert.ok(
            [...given].some((text) => Object.keys(text as object).join() === locale),
            locale,
          );
    });

  it('have calendars with every field', () => {
    const entries = fc.sample(calendarEntriesArbitrary, SAMPLE).flat();
    const set = new Set(entries.flatMap((entry) => Object.keys(entry.set)));
    assert.deepEqual(
      [...ENTRY_FIELDS].filter(
        (name) => !['dateFrom', 'dateTo', 'weekdays'].includes(name) && !set.has(name),
      ),
      [],
    );
  });
});

describe('arbitraryOf', () => {
  const drawing = { dates: fc.constant('2026-12-01'), values: {}, fits: {} };

  it('draws both values of a flag that it was never told of, mostly its meaning when it is left out', () => {
    const part = g.object({ instant: g.optional(g.flag, false) });
    const drawn = fc.sample(arbitraryOf(part, drawing), SAMPLE);
    const count = drawn.filter(({ instant }) => instant).length;
    assert.ok(count > 150 && count < 400, `${count} of ${drawn.length}`);
  });

  it('draws values that the grammar reads', () => {
    const part = g.object({
      lines: g.required(g.list(g.object({ at: g.required(g.whole(3, 4)) }), { most: 9 }), undefined, {
        minItems: 1,
      }),
      share: g.nullable(g.number(0, 1), null),
    });
    const reader = new g.Reader();
    for (const drawn of fc.sample(arbitraryOf(part, drawing), SAMPLE))
      assert.deepEqual(part.read(drawn, '', reader, {}), drawn);
    assert.deepEqual(reader.findings.mistakes, []);
  });

  it('names the field whose form a schema does not tell', () => {
    const part = g.object({
      code: g.required(g.word('text', { pattern: '^x' }, () => true, new Wrong('empty'))),
    });
    assert.throws(() => arbitraryOf(part, drawing), /form of code/);
  });
});
