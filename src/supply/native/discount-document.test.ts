import { inEnglish } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatPropertyDocument } from './format-property-document.ts';
import { parsePropertyDocument } from './property-document.ts';

type Json = Readonly<Record<string, unknown>>;

const WEEKLY: Json = { code: 'weekly', percent: '10' };

/** A document with two inventory types and these discounts. */
function withDiscounts(discounts: unknown): Json {
  return {
    propertyId: 'hotel-ponte',
    name: 'Hotel Ponte',
    propertyType: 'hotel',
    location: { city: 'Venezia', country: 'IT' },
    bathrooms: 1.5,
    currency: 'EUR',
    timezone: 'Europe/Rome',
    discounts,
    inventoryTypes: ['double', 'suite'].map((id) => ({ inventoryTypeId: id, name: id, guestsMax: 2 })),
  };
}

/** The discounts as they were read, and as they are printed again. */
function read(discounts: unknown): unknown {
  const result = parsePropertyDocument(withDiscounts(discounts));
  assert.ok(result.ok, JSON.stringify(result));
  const printed = formatPropertyDocument(result.property, result.entries);
  assert.deepEqual(printed['discounts'], result.property.discounts ?? []);
  const again = parsePropertyDocument(JSON.parse(JSON.stringify(printed)));
  assert.ok(again.ok, JSON.stringify(again));
  assert.deepEqual(again.property, result.property);
  return result.property.discounts;
}

describe('The discounts of a property document', () => {
  it('are none when they are missing or empty', () => {
    assert.equal(read([]), undefined);
    const { discounts: _discounts, ...without } = withDiscounts([]);
    const result = parsePropertyDocument(without);
    assert.ok(result.ok && !Object.hasOwn(result.property, 'discounts'));
  });

  it('are read and printed as they were written, in their order', () => {
    const discounts = [
      {
        code: 'early-bird',
        name: { 'it-IT': 'Prenota prima', 'en-GB': 'Early bird' },
        percent: '12.50',
        minNights: 2,
        maxNights: 60,
        minAdvanceDays: 60,
        maxAdvanceDays: 730,
        stayFrom: '2026-12-01',
        stayTo: '2027-03-31',
        bookFrom: '2026-10-01',
        bookTo: '2026-11-30',
        inventoryTypeIds: ['suite', 'double'],
      },
      { ...WEEKLY, minNights: 7 },
      { code: 'last-minute', name: 'Last minute', percent: '0.01', maxAdvanceDays: 0 },
    ];
    assert.deepEqual(read(discounts), discounts);
  });

  it('take null for what may be missing', () => {
    const bounds = ['minNights', 'maxNights', 'minAdvanceDays', 'maxAdvanceDays', 'stayFrom', 'stayTo'];
    const nulls = Object.fromEntries(
      [...bounds, 'name', 'bookFrom', 'bookTo', 'inventoryTypeIds'].map((name) => [name, null]),
    );
    assert.deepEqual(read([{ ...WEEKLY, ...nulls }]), [WEEKLY]);
  });

  it('may have bounds that are equal, and be 50', () => {
    const equal = { minNights: 7, maxNights: 7, minAdvanceDays: 0, maxAdvanceDays: 0 };
    const dates = {
      stayFrom: '2026-12-01',
      stayTo: '2026-12-01',
      bookFrom: '2026-11-01',
      bookTo: '2026-11-01',
    };
    const most = Array.from({ length: 50 }, (_, index) => ({
      ...WEEKLY,
      code: `d${index}`,
      ...equal,
      ...dates,
    }));
    assert.deepEqual(read(most), most);
  });

  for (const percent of ['0.01', '0.1', '1', '5.5', '99.99', '100', '100.0', '100.00'])
    it(`take ${percent} per cent`, () =>
      assert.deepEqual(read([{ ...WEEKLY, percent }]), [{ ...WEEKLY, percent }]));
});

describe('Discounts are refused with field and reason', () => {
  const refused: readonly [name: string, discounts: unknown, field: string, reason: RegExp][] = [
    ['that are an object', WEEKLY, 'discounts', /must be a list, not an object/],
    ['that are null', null, 'discounts', /must be a list, not null/],
    [
      'of which there are 51',
      Array.from({ length: 51 }, (_, index) => ({ ...WEEKLY, code: `d${index}` })),
      'discounts',
      /at most 50 entries, not 51/,
    ],
    ['that are texts', ['weekly'], 'discounts[0]', /must be a JSON object, not "weekly"/],
    ['without code', [{ percent: '10' }], 'discounts[0].code', /is required/],
    ['with a blank code', [{ ...WEEKLY, code: ' ' }], 'discounts[0].code', /must not be blank/],
    [
      'with a long code',
      [{ ...WEEKLY, code: 'x'.repeat(201) }],
      'discounts[0].code',
      /at most 200 characters/,
    ],
    [
      'with a code twice',
      [WEEKLY, { ...WEEKLY, percent: '20' }],
      'discounts[1].code',
      /"weekly" is already a discount/,
    ],
    [
      'with an unknown field',
      [{ ...WEEKLY, nights: 7 }],
      'discounts[0].nights',
      /not a known field.*minNights/,
    ],
    [
      'with another spelling',
      [{ ...WEEKLY, minnights: 7 }],
      'discounts[0].minnights',
      /did you mean minNights/,
    ],
    ['with a blank name', [{ ...WEEKLY, name: '' }], 'discounts[0].name', /must not be blank/],
    [
      'with a name in no language',
      [{ ...WEEKLY, name: {} }],
      'discounts[0].name',
      /must have a text for it-IT/,
    ],
    [
      'with a name in another one',
      [{ ...WEEKLY, name: { fr: 'x' } }],
      'discounts[0].name.fr',
      /not a known field/,
    ],
    ['without percent', [{ code: 'weekly' }], 'discounts[0].percent', /is required/],
    ['of 0 nights', [{ ...WEEKLY, minNights: 0 }], 'discounts[0].minNights', /whole number from 1/],
    ['of half a night', [{ ...WEEKLY, maxNights: 1.5 }], 'discounts[0].maxNights', /whole number/],
    [
      'of nights in a text',
      [{ ...WEEKLY, minNights: '7' }],
      'discounts[0].minNights',
      /whole number.*not "7"/,
    ],
    ['of -1 days', [{ ...WEEKLY, minAdvanceDays: -1 }], 'discounts[0].minAdvanceDays', /from 0 to 730/],
    ['of 731 days', [{ ...WEEKLY, maxAdvanceDays: 731 }], 'discounts[0].maxAdvanceDays', /from 0 to 730/],
    [
      'with a date that is none',
      [{ ...WEEKLY, stayFrom: '2026-02-29' }],
      'discounts[0].stayFrom',
      /real date/,
    ],
    ['with a date and time', [{ ...WEEKLY, bookTo: '2026-02-28T10:00' }], 'discounts[0].bookTo', /real date/],
    [
      'with a date that is a number',
      [{ ...WEEKLY, bookFrom: 20261101 }],
      'discounts[0].bookFrom',
      /real date/,
    ],
    ['of no type', [{ ...WEEKLY, inventoryTypeIds: [] }], 'discounts[0].inventoryTypeIds', /at least one/],
    [
      'of a type in a text',
      [{ ...WEEKLY, inventoryTypeIds: 'double' }],
      'discounts[0].inventoryTypeIds',
      /must be a list/,
    ],
    [
      'of a type that the document lacks',
      [WEEKLY, { code: 'b', percent: '5', inventoryTypeIds: ['double', 'loft'] }],
      'discounts[1].inventoryTypeIds[1]',
      /must be an inventory type of this property, not "loft"/,
    ],
    [
      'whose longest stay is shorter than its shortest',
      [{ ...WEEKLY, minNights: 7, maxNights: 6 }],
      'discounts[0].maxNights',
      /must not be below minNights \(7\)/,
    ],
    [
      'whose days in advance are reversed',
      [{ ...WEEKLY, minAdvanceDays: 1, maxAdvanceDays: 0 }],
      'discounts[0].maxAdvanceDays',
      /must not be below minAdvanceDays \(1\)/,
    ],
    [
      'whose stays end before they begin',
      [{ ...WEEKLY, stayFrom: '2026-12-02', stayTo: '2026-12-01' }],
      'discounts[0].stayTo',
      /must not be before stayFrom \(2026-12-02\)/,
    ],
    [
      'that can be booked until before they can be booked',
      [{ ...WEEKLY, bookFrom: '2026-12-02', bookTo: '2026-12-01' }],
      'discounts[0].bookTo',
      /must not be before bookFrom \(2026-12-02\)/,
    ],
  ];
  for (const [name, discounts, field, reason] of refused) {
    it(name, () => {
      const result = parsePropertyDocument(withDiscounts(discounts));
      assert.ok(!result.ok, 'they were taken');
      assert.equal(result.field, field);
      assert.match(inEnglish(result.reason), reason);
    });
  }

  for (const percent of [
    '0',
    '0.00',
    '0.001',
    '100.01',
    '100.001',
    '101',
    '-5',
    '+5',
    '05',
    '5,5',
    '5.',
    '.5',
    '5 %',
    '1e1',
    '',
    5,
    null,
  ]) {
    it(`of ${JSON.stringify(percent)} per cent`, () => {
      const result = parsePropertyDocument(withDiscounts([{ ...WEEKLY, percent }]));
      assert.ok(!result.ok, 'it was taken');
      assert.equal(result.field, 'discounts[0].percent');
      assert.match(
        inEnglish(result.reason),
        /above 0 and at most 100, with at most two decimals, in a string such as "12\.5"/,
      );
    });
  }
});
