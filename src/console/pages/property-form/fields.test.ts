import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import * as fc from 'fast-check';
import { DETAILS, LEAST_DOCUMENT } from '../../../../test/kit/property-details.ts';
import { FIXED_SEED } from '../../../../test/kit/property-arbitraries.ts';
import { documentFields, type Field, type Grammar } from '../../../domain/document/grammar.ts';
import { PROPERTY_DOCUMENT } from '../../../domain/document/property-grammar.ts';
import type { JsonObject } from '../../../domain/document/document-fields.ts';
import { parsePropertyDocument } from '../../../supply/native/property-document.ts';
import { compactRows, drawFields, fieldsOf, type FormFields, readFields, shownFields } from './fields.ts';

/** The fields as a browser would send them. */
function sent(fields: FormFields): FormFields {
  const lines = [...fields].map(([name, text]) => [name, text.replaceAll('\n', '\r\n')] as const);
  return fieldsOf(new URLSearchParams(new URLSearchParams(lines.map((row) => [...row])).toString()));
}

/** Any value that a field may have, valid or not: the form carries both. */
const word = fc.constantFrom('a', 'due righe\ne una', 'x;y|z', ' b ', '<&"\'>', 'è', '0', 'true', '');
function valueFor({ kind, schema, fields }: Grammar<unknown>): fc.Arbitrary<unknown> {
  switch (kind) {
    case 'object':
      return documentFor({ fields: fields ?? {} });
    case 'list': {
      if (fields === undefined) return fc.array(word, { maxLength: 3 });
      return fc.array(documentFor({ fields }), { maxLength: 3 });
    }
    case 'localized':
      return fc.oneof(word, fc.record({ 'it-IT': word, 'en-GB': word }, { requiredKeys: [] }));
    case 'whole':
      return fc.integer({ min: -3, max: 400 });
    case 'number':
      return fc.constantFrom(0, 1.5, -2, 4.25);
    case 'flag':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...((schema['enum'] ?? ['x']) as readonly string[]));
    case 'text':
    case 'decimal':
    case 'date':
    case 'time':
      return word;
  }
}

function documentFor({
  fields,
}: {
  readonly fields: Readonly<Record<string, Field<unknown>>>;
}): fc.Arbitrary<JsonObject> {
  const shown = Object.entries(fields).filter(([name]) => name !== 'calendar');
  const values = shown.map(([name, { part }]) => [name, fc.option(valueFor(part), { nil: null })] as const);
  return fc.record(Object.fromEntries(values), { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

/** Null and an empty object mean the same as an absent field. */
function told(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => told(item) ?? {});
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const entries = Object.entries(value)
    .map(([name, own]) => [name, told(own)] as const)
    .filter(([, own]) => own !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const FULL = {
  ...LEAST_DOCUMENT,
  ...DETAILS,
  name: { 'it-IT': 'Albergo', 'en-GB': 'Hotel' },
  description: 'Due\nrighe',
  amenities: ['wifi', 'lift'],
  visibleTo: ['acme'],
  quoting: false,
  rating: { score: 4.5, count: 12 },
  cleaningFee: '40.00',
  taxes: [
    { code: 'vat', kind: 'tax', logic: 'percent', percent: '10', base: ['accommodation', 'cleaningFee'] },
    {
      code: 'city-tax',
      kind: 'city_tax',
      logic: 'per_person_per_night',
      tiers: [
        { from: '0.00', amount: '1.50' },
        { from: '70.00', amount: '3.00' },
      ],
    },
  ],
  ageBands: [{ untilAge: 2, occupies: false, rate: '5.00', max: 2 }],
  discounts: [{ code: 'week', percent: '12.5', minNights: 7, inventoryTypeIds: ['double'] }],
  bookingUrl: 'https://book.example/{propertyId}',
} as const;

describe('a document as the fields of a form', () => {
  it('a form that comes back unchanged gives the same document', () => {
    fc.assert(
      fc.property(documentFor(PROPERTY_DOCUMENT), (document) => {
        const back = readFields(sent(drawFields(document)), document);
        assert.deepEqual(told(back), told(document));
      }),
      { ...FIXED_SEED, numRuns: 500 },
    );
  });

  it('reads as the same property where nothing is known of the one before', () => {
    const back = parsePropertyDocument(readFields(sent(drawFields(FULL))));
    const given = parsePropertyDocument(FULL);
    assert.ok(back.ok && given.ok, JSON.stringify(back));
    assert.deepEqual(back.property, given.property);
    assert.deepEqual(back.details, given.details);
    assert.deepEqual(back.keptTypeIds, ['double']);
  });

  it('has a field for each of the grammar, but for calendars', () => {
    const drawn = new Set([...drawFields(FULL).keys()].map((name) => name.replaceAll(/\[\d+\]/g, '[]')));
    for (const { path, kind } of documentFields(PROPERTY_DOCUMENT)) {
      if (path.includes('calendar') || kind === 'object') continue;
      const names = kind === 'localized' ? [`${path}.it-IT`, `${path}.en-GB`] : [path];
      for (const name of names) assert.ok(drawn.has(name), name);
    }
  });

  it('writes a list within a row in lines, and says of a line that is none of it what is wrong', () => {
    const name = 'taxes[1].tiers';
    const fields = new Map(drawFields(FULL));
    assert.equal(fields.get(name), 'from=0.00;amount=1.50\nfrom=70.00;amount=3.00');
    const wrong = parsePropertyDocument(readFields(fields.set(name, 'from=0.00;amount=1.50\n70: 3'), FULL));
    assert.ok(!wrong.ok);
    assert.equal(wrong.field, 'taxes[1].tiers[1]');
  });

  it('keeps what the form did not show', () => {
    const read = readFields(new Map([['cleaningFee', '50.00']]), FULL);
    assert.deepEqual(told(read), told({ ...FULL, cleaningFee: '50.00' }));
  });

  it('tells no cancellation from a stay that is never refunded', () => {
    const read = (value: string) => readFields(new Map([['cancellation', value]]))['cancellation'];
    assert.deepEqual(read('[]'), []);
    assert.equal(read(''), undefined);
    assert.equal(drawFields({ cancellation: [] }).get('cancellation'), '[]');
    assert.equal(drawFields({ cancellation: null }).get('cancellation'), '');
  });

  it('shows a property to nobody, and not to all, when its partners are taken out', () => {
    assert.deepEqual(readFields(new Map([['visibleTo', '']]), FULL)['visibleTo'], []);
    assert.equal(readFields(new Map([['visibleTo', ' all ']]), FULL)['visibleTo'], 'all');
  });

  it('leaves other texts than numbers to the reader of documents', () => {
    const read = readFields(
      new Map([
        ['bathrooms', 'two'],
        ['maxSupplyAgeHours', ' 24 '],
      ]),
      LEAST_DOCUMENT,
    );
    assert.equal(read['bathrooms'], 'two');
    assert.equal(read['maxSupplyAgeHours'], 24);
  });
});

describe('rows of a form', () => {
  const rows = new Map([
    ['taxes', ''],
    ['taxes[0].code', 'a'],
    ['taxes[2].code', 'b'],
    ['taxes[3].code', ' '],
    ['taxes[3].inclusive', 'false'],
    ['taxes[10].code', 'c'],
  ]);
  const codes = (fields: FormFields) =>
    [...fields].filter(([name]) => name.endsWith('.code')).map((row) => row.join('='));

  it('have no hole, and none that says nothing', () => {
    assert.deepEqual(codes(compactRows(rows)), ['taxes[0].code=a', 'taxes[1].code=b', 'taxes[2].code=c']);
  });

  it('may have any names, those that every object inherits too', () => {
    for (const list of ['images', 'taxes', 'discounts', 'inventoryTypes'])
      for (const name of ['__proto__', 'constructor', 'toString', '__proto__.x']) {
        const sent = new Map([[`${list}[0].${name}`, 'x']]);
        assert.deepEqual([...compactRows(sent)], [...sent]);
        readFields(sent, LEAST_DOCUMENT);
      }
  });

  it('are removed and moved', () => {
    assert.deepEqual(codes(compactRows(rows, { remove: 'taxes[2]' })), [
      'taxes[0].code=a',
      'taxes[1].code=c',
    ]);
    assert.deepEqual(codes(compactRows(rows, { raise: 'taxes[10]' })), [
      'taxes[0].code=a',
      'taxes[1].code=c',
      'taxes[2].code=b',
    ]);
    assert.deepEqual(
      codes(compactRows(rows, { raise: 'taxes[0]', remove: 'nothing' })),
      codes(compactRows(rows)),
    );
  });

  it('are read in a few passes, however many there are', () => {
    const many = new Map(Array.from({ length: 1_000 }, (_none, index) => [`taxes[${index}].code`, 'x']));
    const compact = new Map(compactRows(many));
    const passes = [many, compact].map((fields) =>
      ([Symbol.iterator, 'entries', 'keys', 'forEach'] as const).map((pass) => mock.method(fields, pass)),
    );
    assert.equal((readFields(compact)['taxes'] as readonly unknown[]).length, 1_000);
    compactRows(many);
    for (const each of passes) {
      const count = each.reduce((sum, pass) => sum + pass.mock.callCount(), 0);
      assert.ok(count >= 2 && count <= 10, `${count} passes`);
    }
  });
});

it('shows every field of an object but its calendar', () => {
  assert.ok(shownFields(PROPERTY_DOCUMENT).length > 25);
});
