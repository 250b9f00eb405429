import { inEnglish } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { detailsArbitrary, worldArbitrary } from '../../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../../test/kit/seeds.ts';
import { dayOf } from '../../../test/kit/property-fixtures.ts';
import { NO_DETAILS } from '../../domain/property-details.ts';
import { CITY_LENGTH_MAX } from '../../domain/property.ts';
import { CALENDAR_ENTRIES_MAX } from '../../domain/document/document-limits.ts';
import { formatPropertyDocument } from './format-property-document.ts';
import { parsePropertyDocument } from './property-document.ts';

type Json = Record<string, unknown>;

const ENTRY = { dateFrom: '2026-12-01', dateTo: '2026-12-24', availability: 3, rate: '120.00' };
const TYPE = { inventoryTypeId: 'double', name: 'Double', guestsMax: 2 };
const TAX = { code: 'city-tax', kind: 'city_tax', logic: 'per_person_per_night', amount: '4.00' };
const LEAST = {
  propertyId: 'hotel-ponte',
  name: 'Hotel Ponte',
  propertyType: 'hotel',
  location: { city: 'Venezia', country: 'IT' },
  bathrooms: 1.5,
  currency: 'EUR',
  timezone: 'Europe/Rome',
  inventoryTypes: [TYPE],
};

function withType(overrides: Json): Json {
  return { ...LEAST, inventoryTypes: [{ ...TYPE, ...overrides }] };
}

function withEntry(overrides: Json): Json {
  return withType({ calendar: [ENTRY, { ...ENTRY, ...overrides }] });
}

const TIERS = [
  { from: '0.00', amount: '1.50' },
  { from: '70.00', amount: '3.00' },
];

const TAX_AGES = [{ untilAge: 15, amount: '1.75' }];
const COT = { untilAge: 2, occupies: false };
const BAND = { untilAge: 12, rate: '15.00' };

function withBands(ageBands: readonly Json[]): Json {
  return { ...LEAST, ageBands };
}

function withTax(overrides: Json): Json {
  return { ...LEAST, taxes: [{ ...TAX, ...overrides }] };
}

function without(document: Json, field: string): Json {
  return Object.fromEntries(Object.entries(document).filter(([name]) => name !== field));
}

function read(document: Json): Extract<ReturnType<typeof parsePropertyDocument>, { ok: true }> {
  const result = parsePropertyDocument(document);
  assert.ok(result.ok, JSON.stringify(result));
  return result;
}

describe('Children in a property document', () => {
  it('are kept as they are written, of the property and of a type', () => {
    const bands = [{ ...COT, max: 2 }, BAND, { untilAge: 17 }];
    const { property } = read({ ...withBands(bands), inventoryTypes: [{ ...TYPE, ageBands: [] }] });
    assert.deepEqual([property.ageBands, property.inventoryTypes[0]!.ageBands], [bands, []]);
  });

  it('no bands of the property are none at all', () => {
    assert.equal('ageBands' in read(withBands([])).property, false);
  });

  it('may be exempt from a tax by price, and from a percentage with a cap', () => {
    const ofPrice = read(withTax({ amount: null, tiers: TIERS, exemptUntilAge: 13 }));
    const capped = {
      logic: 'percent',
      amount: null,
      percent: '5',
      capPerGuestNight: '4.60',
      exemptUntilAge: 17,
    };
    assert.equal(ofPrice.property.taxes[0]!.exemptUntilAge, 13);
    assert.equal(read(withTax(capped)).property.taxes[0]!.exemptUntilAge, 17);
  });
});

describe('A property document that has only what is required', () => {
  it('gets the default of every other field', () => {
    assert.deepEqual(read(LEAST), {
      ok: true,
      property: {
        propertyId: 'hotel-ponte',
        name: 'Hotel Ponte',
        description: null,
        propertyType: 'hotel',
        location: { city: 'Venezia', country: 'IT', area: null },
        cityAliases: [],
        bathrooms: 1.5,
        amenities: [],
        rating: null,
        currency: 'EUR',
        timezone: 'Europe/Rome',
        visibleTo: 'all',
        quoting: true,
        cleaningFee: null,
        taxes: [],
        inventoryTypes: [{ ...TYPE, includedGuests: 2, extraGuestRate: '0.00' }],
      },
      entries: [[]],
      keptTypeIds: [TYPE.inventoryTypeId],
      details: NO_DETAILS,
      warnings: [],
    });
  });

  for (const field of Object.keys(LEAST)) {
    it(`is rejected without ${field}`, () => {
      const result = parsePropertyDocument(without(LEAST, field));
      assert.ok(!result.ok);
      assert.deepEqual([result.field, inEnglish(result.reason)], [field, 'is required']);
    });
  }

  for (const field of ['inventoryTypeId', 'name', 'guestsMax']) {
    it(`is rejected when its inventory type has no ${field}`, () => {
      const result = parsePropertyDocument({ ...LEAST, inventoryTypes: [without(TYPE, field)] });
      assert.ok(!result.ok);
      assert.deepEqual(
        [result.field, inEnglish(result.reason)],
        [`inventoryTypes[0].${field}`, 'is required'],
      );
    });
  }

  for (const field of ['city', 'country']) {
    it(`is rejected without location.${field}`, () => {
      const result = parsePropertyDocument({ ...LEAST, location: without(LEAST.location, field) });
      assert.ok(!result.ok);
      assert.equal(result.field, `location.${field}`);
    });
  }
});

describe('A property document', () => {
  it('keeps texts by locale', () => {
    const name = { 'it-IT': 'Ponte', 'en-GB': 'Bridge' };
    const { property } = read({ ...LEAST, name, description: { 'en-GB': 'By the canal.' } });
    assert.deepEqual(property.name, name);
    assert.deepEqual(property.description, { 'en-GB': 'By the canal.' });
  });

  it('takes null for the fields whose default is null', () => {
    const { property } = read({
      ...LEAST,
      description: null,
      rating: null,
      cleaningFee: null,
      location: { ...LEAST.location, area: null },
      taxes: [{ ...TAX, percent: null, maxNights: null, validFrom: null, validTo: null }],
    });
    assert.deepEqual([property.description, property.rating, property.cleaningFee], [null, null, null]);
    assert.equal(property.taxes[0]?.maxNights, null);
  });

  it('takes calendar entries as nights, both ends included, rates in minor units', () => {
    const { entries } = read(
      withType({
        calendar: [
          ENTRY,
          {
            dateFrom: '2026-12-20',
            dateTo: '2026-12-20',
            minStayArrival: 3,
            stopSell: true,
            closedToArrival: false,
          },
          {
            dateFrom: '2026-12-21',
            dateTo: '2026-12-22',
            rate: null,
            maxStay: null,
            closedToDeparture: null,
          },
        ],
      }),
    );
    assert.deepEqual(entries, [
      [
        { from: dayOf('2026-12-01'), to: dayOf('2026-12-24'), set: { availability: 3, rate: 12_000 } },
        {
          from: dayOf('2026-12-20'),
          to: dayOf('2026-12-20'),
          set: { minStayArrival: 3, stopSell: 1, closedToArrival: 0 },
        },
        {
          from: dayOf('2026-12-21'),
          to: dayOf('2026-12-22'),
          set: { rate: null, maxStay: null, closedToDeparture: null },
        },
      ],
    ]);
  });

  it('takes rates by guests, and advance days', () => {
    const { property, entries } = read(
      withType({
        minAdvanceDays: 0,
        maxAdvanceDays: 730,
        calendar: [
          { dateFrom: '2026-12-01', dateTo: '2026-12-02', ratesByGuests: { '10': '150.5', '2': '120.00' } },
          { dateFrom: '2026-12-02', dateTo: '2026-12-02', ratesByGuests: null },
        ],
      }),
    );
    assert.deepEqual(
      entries[0]!.map(({ set }) => set),
      [
        {
          ratesByGuests: [
            { guests: 2, rate: 12_000 },
            { guests: 10, rate: 15_050 },
          ],
        },
        { ratesByGuests: null },
      ],
    );
    const { minAdvanceDays, maxAdvanceDays } = property.inventoryTypes[0]!;
    assert.deepEqual([minAdvanceDays, maxAdvanceDays], [0, 730]);
    const unlimited = read(withType({ minAdvanceDays: null, maxAdvanceDays: null })).property;
    assert.deepEqual(unlimited, read(LEAST).property);
  });

  it('takes the nights of named weekdays only', () => {
    const { entries } = read(
      withType({
        calendar: [
          { dateFrom: '2026-12-01', dateTo: '2026-12-13', weekdays: ['sat', 'fri'], rate: '150.00' },
          { dateFrom: '2026-12-01', dateTo: '2026-12-02', weekdays: ['sun'], rate: '90.00' },
        ],
      }),
    );
    const set = { rate: 15_000 };
    assert.deepEqual(entries, [
      [
        { from: dayOf('2026-12-04'), to: dayOf('2026-12-05'), set },
        { from: dayOf('2026-12-11'), to: dayOf('2026-12-12'), set },
      ],
    ]);
  });

  it('fills in the defaults of a tax rule', () => {
    assert.deepEqual(read(withTax({})).property.taxes, [
      {
        ...TAX,
        percent: null,
        maxNights: null,
        skipNights: 0,
        validFrom: null,
        validTo: null,
        inclusive: false,
        base: ['accommodation'],
        order: 0,
      },
    ]);
  });

  it('takes a base that names rules which run before, in any order of writing', () => {
    const { property } = read({
      ...LEAST,
      taxes: [
        { ...TAX, code: 'vat', order: 1, base: ['fee', 'cleaningFee', 'fee'] },
        { ...TAX, code: 'fee' },
      ],
    });
    assert.deepEqual(property.taxes[0]?.base, ['cleaningFee', 'fee']);
  });

  it('takes numbers up to 2^53 - 1 and a day of the year 9999', () => {
    const { entries } = read(
      withEntry({ maxStay: Number.MAX_SAFE_INTEGER, dateFrom: '9999-12-31', dateTo: '9999-12-31' }),
    );
    assert.equal(entries[0]?.[1]?.set.maxStay, Number.MAX_SAFE_INTEGER);
  });

  it('takes -0 for 0, so that the same document stays the same', () => {
    assert.ok(Object.is(read({ ...LEAST, bathrooms: -0 }).property.bathrooms, 0));
  });

  it('takes emoji, HTML and line breaks in a text as they are', () => {
    const description = 'Vista 🌊\r\n<b>"mare"</b>';
    assert.equal(read({ ...LEAST, description }).property.description, description);
  });
});

const REJECTED: readonly (readonly [name: string, document: unknown, field: string, reason: RegExp])[] = [
  ['no object', [LEAST], '', /must be a JSON object/],
  ['null', null, '', /must be a JSON object/],
  ['an unknown field', { ...LEAST, stars: 4 }, 'stars', /not a known field; remove it/],
  [
    'a field in other letters',
    { ...LEAST, cleaningfee: '1.00' },
    'cleaningfee',
    /did you mean cleaningFee\?/,
  ],
  ['__proto__', JSON.parse('{"__proto__":{}}'), '__proto__', /not a known field/],
  ['a street', { ...LEAST, location: { ...LEAST.location, street: 'x' } }, 'location.street', /not a known/],
  ['an id with a slash', { ...LEAST, propertyId: 'a/b' }, 'propertyId', /1 to 160 of the characters/],
  ['the folder as an id', { ...LEAST, propertyId: '.' }, 'propertyId', /not \. or \.\./],
  ['the folder above as an id', { ...LEAST, propertyId: '..' }, 'propertyId', /not \. or \.\./],
  [
    'a type with the folder as its id',
    withType({ inventoryTypeId: '.' }),
    'inventoryTypes[0].inventoryTypeId',
    /1 to 160/,
  ],
  [
    'a type with the folder above',
    withType({ inventoryTypeId: '..' }),
    'inventoryTypes[0].inventoryTypeId',
    /1 to 160/,
  ],
  ['an id with a line break', { ...LEAST, propertyId: 'ab\n' }, 'propertyId', /1 to 160/],
  ['an id that is a number', { ...LEAST, propertyId: 7 }, 'propertyId', /1 to 160/],
  ['an id of 161 characters', { ...LEAST, propertyId: 'x'.repeat(161) }, 'propertyId', /1 to 160/],
  ['a blank name', { ...LEAST, name: '  ' }, 'name', /must not be blank/],
  [
    'a name for an unknown locale',
    { ...LEAST, name: { 'fr-FR': 'Pont' } },
    'name.fr-FR',
    /not a known field/,
  ],
  ['a name without a locale', { ...LEAST, name: {} }, 'name', /must have a text for it-IT or en-GB/],
  ['a name with half a character', { ...LEAST, name: 'a\ud83d' }, 'name', /surrogate/],
  ['a name with NUL', { ...LEAST, name: 'a\0' }, 'name', /NUL/],
  ['a list as description', { ...LEAST, description: [] }, 'description', /must be a string, or an object/],
  [
    'a city too long to be asked for',
    { ...LEAST, location: { city: '🏙'.repeat(CITY_LENGTH_MAX + 1), country: 'IT' } },
    'location.city',
    /at most 120/,
  ],
  [
    'a country that is not a code',
    { ...LEAST, location: { city: 'X', country: 'XX' } },
    'location.country',
    /ISO 3166/,
  ],
  [
    'a country in small letters',
    { ...LEAST, location: { city: 'X', country: 'it' } },
    'location.country',
    /ISO/,
  ],
  [
    'a region that is not a country',
    { ...LEAST, location: { city: 'X', country: 'EU' } },
    'location.country',
    /ISO/,
  ],
  ['a currency that is not a code', { ...LEAST, currency: 'EUX' }, 'currency', /ISO 4217/],
  ['a currency of the past', { ...LEAST, currency: 'ITL' }, 'currency', /ISO 4217/],
  ['an offset as timezone', { ...LEAST, timezone: '+01:00' }, 'timezone', /IANA zone .* not "\+01:00"/],
  ['a timezone that is none', { ...LEAST, timezone: 'Europe/Venice' }, 'timezone', /IANA zone/],
  ['a timezone that is not text', { ...LEAST, timezone: 1 }, 'timezone', /IANA zone/],
  ['a third of a bathroom', { ...LEAST, bathrooms: 0.3 }, 'bathrooms', /multiple of 0.5/],
  ['negative bathrooms', { ...LEAST, bathrooms: -0.5 }, 'bathrooms', /from 0 to/],
  ['bathrooms with a comma', { ...LEAST, bathrooms: '1,5' }, 'bathrooms', /not "1,5": write 1\.5$/],
  ['bathrooms in a string', { ...LEAST, bathrooms: '1' }, 'bathrooms', /must be a number/],
  [
    'infinitely many bathrooms',
    JSON.parse(JSON.stringify(LEAST).replace('1.5', '1e999')),
    'bathrooms',
    /number/,
  ],
  [
    'a rating above 5',
    { ...LEAST, rating: { score: 5.1, count: 1 } },
    'rating.score',
    /from 0 to 5, not 5.1/,
  ],
  ['a rating below 0', { ...LEAST, rating: { score: -1, count: 1 } }, 'rating.score', /from 0 to 5/],
  ['a rating without count', { ...LEAST, rating: { score: 4 } }, 'rating.count', /is required/],
  ['half a review', { ...LEAST, rating: { score: 4, count: 0.5 } }, 'rating.count', /whole number/],
  ['amenities that are not list', { ...LEAST, amenities: 'wifi' }, 'amenities', /must be a list/],
  ['an amenity that is not text', { ...LEAST, amenities: ['wifi', 1] }, 'amenities[1]', /must be a string/],
  ['a blank alias', { ...LEAST, cityAliases: [' '] }, 'cityAliases[0]', /blank/],
  ['a supply age of no hours', { ...LEAST, maxSupplyAgeHours: 0 }, 'maxSupplyAgeHours', /from 1 to 8760/],
  ['quoting that is not a boolean', { ...LEAST, quoting: 'yes' }, 'quoting', /true or false/],
  ['visibleTo with another word', { ...LEAST, visibleTo: 'none' }, 'visibleTo', /"all" or a list/],
  ['visibleTo with no id', { ...LEAST, visibleTo: ['a', ''] }, 'visibleTo[1]', /partner id/],
  ['a negative fee', { ...LEAST, cleaningFee: '-1.00' }, 'cleaningFee', /non-negative/],
  ['a fee of three decimals', { ...LEAST, cleaningFee: '1.005' }, 'cleaningFee', /at most two decimals/],
  ['a fee that is a number', { ...LEAST, cleaningFee: 40 }, 'cleaningFee', /in a string/],
  ['no inventory type', { ...LEAST, inventoryTypes: [] }, 'inventoryTypes', /at least one/],
  [
    'an inventory type that is null',
    { ...LEAST, inventoryTypes: [null] },
    'inventoryTypes[0]',
    /JSON object/,
  ],
  [
    'two inventory types with one id',
    { ...LEAST, inventoryTypes: [TYPE, { ...TYPE, name: 'Other' }] },
    'inventoryTypes[1].inventoryTypeId',
    /already an inventory type/,
  ],
  ['nobody as guestsMax', withType({ guestsMax: 0 }), 'inventoryTypes[0].guestsMax', /from 1 to/],
  ['half a guest', withType({ guestsMax: 1.5 }), 'inventoryTypes[0].guestsMax', /whole number/],
  [
    'a negative extra rate',
    withType({ extraGuestRate: '-5' }),
    'inventoryTypes[0].extraGuestRate',
    /non-negative/,
  ],
  ['an unknown field of a type', withType({ rooms: 3 }), 'inventoryTypes[0].rooms', /not a known field/],
  [
    'a calendar that is not a list',
    withType({ calendar: {} }),
    'inventoryTypes[0].calendar',
    /must be a list/,
  ],
  [
    'too many calendar entries',
    withType({ calendar: Array.from({ length: CALENDAR_ENTRIES_MAX + 1 }, () => ENTRY) }),
    'inventoryTypes[0].calendar',
    /at most 100000 entries/,
  ],
  [
    'weekdays of more nights than a calendar can have',
    withType({ calendar: [{ dateFrom: '0001-01-01', dateTo: '9999-12-31', weekdays: ['mon'] }] }),
    'inventoryTypes[0].calendar[0].weekdays',
    /more than 100000 stretches/,
  ],
  [
    'weekdays of many types that together make more nights than a document can have',
    {
      ...LEAST,
      inventoryTypes: Array.from({ length: 1_000 }, (_, index) => ({
        ...TYPE,
        inventoryTypeId: `t${index}`,
        calendar: [{ dateFrom: '0001-01-01', dateTo: '1801-01-01', weekdays: ['mon'] }],
      })),
    },
    'inventoryTypes[2].calendar',
    /above 200000 stretches of nights/,
  ],
  [
    'so many tax rules for so many types that a quote would hold the service up',
    {
      ...LEAST,
      taxes: Array.from({ length: 100 }, (_, index) => ({ ...TAX, code: `t${index}` })),
      inventoryTypes: Array.from({ length: 31 }, (_, index) => ({ ...TYPE, inventoryTypeId: `t${index}` })),
    },
    'taxes',
    /100 rules for 31 inventory types are more than 3000 together/,
  ],
  ['no weekday', withEntry({ weekdays: [] }), 'inventoryTypes[0].calendar[1].weekdays', /at least one/],
  [
    'weekdays that are not list',
    withEntry({ weekdays: 'mon' }),
    'inventoryTypes[0].calendar[1].weekdays',
    /list/,
  ],
  [
    'a weekday in full',
    withEntry({ weekdays: ['mon', 'Tuesday'] }),
    'inventoryTypes[0].calendar[1].weekdays[1]',
    /one of mon, tue/,
  ],
  [
    'rates by guests for nobody',
    withEntry({ ratesByGuests: { '0': '1.00' } }),
    'inventoryTypes[0].calendar[1].ratesByGuests.0',
    /not a known field/,
  ],
  [
    'rates for more guests than travel together',
    withEntry({ ratesByGuests: { '31': '1.00' } }),
    'inventoryTypes[0].calendar[1].ratesByGuests.31',
    /not a known field/,
  ],
  [
    'a rate by guests that is not money',
    withEntry({ ratesByGuests: { '1': 80 } }),
    'inventoryTypes[0].calendar[1].ratesByGuests.1',
    /in a string/,
  ],
  [
    'rates by guests without any',
    withEntry({ ratesByGuests: {} }),
    'inventoryTypes[0].calendar[1].ratesByGuests',
    /at least one amount/,
  ],
  [
    'a rate by guests that is null',
    withEntry({ ratesByGuests: { '2': null } }),
    'inventoryTypes[0].calendar[1].ratesByGuests.2',
    /non-negative/,
  ],
  [
    'days ahead below 0',
    withType({ minAdvanceDays: -1 }),
    'inventoryTypes[0].minAdvanceDays',
    /from 0 to 730/,
  ],
  [
    'days ahead above 730',
    withType({ maxAdvanceDays: 731 }),
    'inventoryTypes[0].maxAdvanceDays',
    /from 0 to 730/,
  ],
  [
    'a window of advance days that ends before it begins',
    withType({ minAdvanceDays: 7, maxAdvanceDays: 6 }),
    'inventoryTypes[0].maxAdvanceDays',
    /must not be below minAdvanceDays \(7\)/,
  ],
  [
    'an entry without dateTo',
    withType({ calendar: [ENTRY, without(ENTRY, 'dateTo')] }),
    'inventoryTypes[0].calendar[1].dateTo',
    /is required/,
  ],
  [
    'dateTo before dateFrom',
    withEntry({ dateTo: '2026-11-30' }),
    'inventoryTypes[0].calendar[1].dateTo',
    /before/,
  ],
  [
    '30 February',
    withEntry({ dateFrom: '2026-02-30' }),
    'inventoryTypes[0].calendar[1].dateFrom',
    /real date/,
  ],
  [
    '29 February 2026',
    withEntry({ dateFrom: '2026-02-29' }),
    'inventoryTypes[0].calendar[1].dateFrom',
    /real/,
  ],
  [
    'the year 0',
    withEntry({ dateFrom: '0000-01-01' }),
    'inventoryTypes[0].calendar[1].dateFrom',
    /real date/,
  ],
  [
    'a date and time',
    withEntry({ dateTo: '2026-12-24T00:00' }),
    'inventoryTypes[0].calendar[1].dateTo',
    /real/,
  ],
  ['a negative rate', withEntry({ rate: '-1.00' }), 'inventoryTypes[0].calendar[1].rate', /non-negative/],
  [
    'a rate of three decimals',
    withEntry({ rate: '1.999' }),
    'inventoryTypes[0].calendar[1].rate',
    /two decimals/,
  ],
  ['a rate that is a number', withEntry({ rate: 120 }), 'inventoryTypes[0].calendar[1].rate', /in a string/],
  ['negative units', withEntry({ availability: -1 }), 'inventoryTypes[0].calendar[1].availability', /from 0/],
  [
    'a flag that is a number',
    withEntry({ stopSell: 1 }),
    'inventoryTypes[0].calendar[1].stopSell',
    /true or/,
  ],
  [
    'a stay of 0 nights',
    withEntry({ minStayArrival: 0 }),
    'inventoryTypes[0].calendar[1].minStayArrival',
    /from 1/,
  ],
  [
    'a maxStay above 2^53',
    withEntry({ maxStay: 2 ** 53 }),
    'inventoryTypes[0].calendar[1].maxStay',
    /whole number/,
  ],
  [
    'an unknown restriction',
    withEntry({ minStay: 2 }),
    'inventoryTypes[0].calendar[1].minStay',
    /not a known/,
  ],
  ['an unknown tax logic', withTax({ logic: 'per_week' }), 'taxes[0].logic', /must be one of percent, /],
  ['an unknown tax kind', withTax({ kind: 'vat' }), 'taxes[0].kind', /must be one of tax, fee, city_tax/],
  ['a tax without code', { ...LEAST, taxes: [without(TAX, 'code')] }, 'taxes[0].code', /is required/],
  [
    'a fixed tax without amount',
    { ...LEAST, taxes: [without(TAX, 'amount')] },
    'taxes[0].amount',
    /is required by/,
  ],
  ['a negative tax', withTax({ amount: '-1' }), 'taxes[0].amount', /non-negative decimal/],
  ['a tax amount that is a number', withTax({ amount: 4 }), 'taxes[0].amount', /in a string/],
  ['tiers beside an amount', withTax({ tiers: TIERS }), 'taxes[0].amount', /^must not stand beside tiers/],
  [
    'tiers of another logic',
    withTax({ logic: 'per_night', amount: null, tiers: TIERS }),
    'taxes[0].tiers',
    /^belong to the logic per_person_per_night/,
  ],
  [
    'tiers of a percentage',
    withTax({ logic: 'percent', amount: null, percent: '5', tiers: TIERS }),
    'taxes[0].tiers',
    /^belong to the logic/,
  ],
  ['tiers without a tier', withTax({ amount: null, tiers: [] }), 'taxes[0].tiers', /^must have at least one/],
  [
    'tiers in no order',
    withTax({ amount: null, tiers: TIERS.toReversed() }),
    'taxes[0].tiers[1].from',
    /^must be above the one before it$/,
  ],
  [
    'a tier twice',
    withTax({ amount: null, tiers: [TIERS[1], TIERS[1]] }),
    'taxes[0].tiers[1].from',
    /^must be above/,
  ],
  [
    'a tier of three decimals',
    withTax({ amount: null, tiers: [{ from: '1.555', amount: '1' }] }),
    'taxes[0].tiers[0].from',
    /1\.555/,
  ],
  [
    'a tier with a negative amount',
    withTax({ amount: null, tiers: [{ from: '1.00', amount: '-1' }] }),
    'taxes[0].tiers[0].amount',
    /^must be a non-negative decimal/,
  ],
  [
    'a tier that names where it ends',
    withTax({ amount: null, tiers: [{ upTo: '30.99', amount: '1' }] }),
    'taxes[0].tiers[0].upTo',
    /is not a known field/,
  ],
  [
    'a cap of another logic',
    withTax({ capPerGuestNight: '4.60' }),
    'taxes[0].capPerGuestNight',
    /^belongs to the logic percent/,
  ],
  [
    'a cap of a cumulative percentage',
    withTax({ logic: 'cumulative_percent', amount: null, percent: '5', capPerGuestNight: '4.60' }),
    'taxes[0].capPerGuestNight',
    /^belongs to the logic percent/,
  ],
  [
    'a cap of an inclusive percentage',
    withTax({ logic: 'percent', amount: null, percent: '5', inclusive: true, capPerGuestNight: '4.60' }),
    'taxes[0].capPerGuestNight',
    /^must not stand in an inclusive rule$/,
  ],
  [
    'an exemption of a tax by night',
    withTax({ logic: 'per_night', exemptUntilAge: 9 }),
    'taxes[0].exemptUntilAge',
    /^belongs to the logics by person, and to percent with capPerGuestNight/,
  ],
  [
    'an exemption of a percentage without a cap',
    withTax({ logic: 'percent', amount: null, percent: '5', exemptUntilAge: 9 }),
    'taxes[0].exemptUntilAge',
    /^belongs to the logics by person/,
  ],
  [
    'an exemption of an inclusive tax',
    withTax({ inclusive: true, exemptUntilAge: 9 }),
    'taxes[0].exemptUntilAge',
    /^must not stand in an inclusive rule$/,
  ],
  [
    'an exempt age above 17',
    withTax({ exemptUntilAge: 18 }),
    'taxes[0].exemptUntilAge',
    /from 0 to 17, not 18/,
  ],
  [
    'amounts by age of a tax by night',
    withTax({ logic: 'per_night', ages: TAX_AGES }),
    'taxes[0].ages',
    /^belong to the logics by person; remove them$/,
  ],
  [
    'amounts by age of an inclusive tax',
    withTax({ inclusive: true, ages: TAX_AGES }),
    'taxes[0].ages',
    /^must not stand in an inclusive rule$/,
  ],
  [
    'amounts by age beside tiers',
    withTax({ amount: null, tiers: TIERS, ages: TAX_AGES }),
    'taxes[0].ages',
    /^must not stand beside tiers/,
  ],
  ['amounts by age without an age', withTax({ ages: [] }), 'taxes[0].ages', /^must have at least one entry/],
  [
    'amounts by age in no order',
    withTax({ ages: [...TAX_AGES, { untilAge: 12, amount: '1.00' }] }),
    'taxes[0].ages[1].untilAge',
    /^must be above the one before it$/,
  ],
  [
    'an amount of an exempt age',
    withTax({ exemptUntilAge: 15, ages: TAX_AGES }),
    'taxes[0].ages[0].untilAge',
    /^must be above exemptUntilAge$/,
  ],
  [
    'seven amounts by age',
    withTax({ ages: Array.from({ length: 7 }, (_, untilAge) => ({ untilAge, amount: '1.00' })) }),
    'taxes[0].ages',
    /^must have at most 6 entries, not 7/,
  ],
  ['bands in no order', withBands([BAND, COT]), 'ageBands[1].untilAge', /^must be above the one before it$/],
  ['a band twice', withBands([BAND, BAND]), 'ageBands[1].untilAge', /^must be above the one before it$/],
  ['a band above 17', withBands([{ untilAge: 18 }]), 'ageBands[0].untilAge', /from 0 to 17, not 18/],
  ['a band of half a year', withBands([{ untilAge: 0.5 }]), 'ageBands[0].untilAge', /whole number/],
  ['a band as text', withBands([{ untilAge: '12' }]), 'ageBands[0].untilAge', /whole number/],
  ['a band without its age', withBands([{ rate: '15.00' }]), 'ageBands[0].untilAge', /is required/],
  ['a band of three decimals', withBands([{ ...BAND, rate: '1.555' }]), 'ageBands[0].rate', /two decimals/],
  [
    'cots of a band with beds',
    withBands([{ ...BAND, max: 2 }]),
    'ageBands[0].max',
    /^belongs to a band with/,
  ],
  ['no cot', withBands([{ ...COT, max: 0 }]), 'ageBands[0].max', /from 1 to 29, not 0/],
  [
    'seven bands',
    withBands(Array.from({ length: 7 }, (_, untilAge) => ({ untilAge }))),
    'ageBands',
    /^must have at most 6 entries, not 7/,
  ],
  [
    'bands of a type in no order',
    withType({ ageBands: [BAND, COT] }),
    'inventoryTypes[0].ageBands[1].untilAge',
    /^must be above the one before it$/,
  ],
  [
    'an inclusive tax with its own due',
    withTax({ logic: 'percent', amount: null, percent: '5', inclusive: true, due: 'booking' }),
    'taxes[0].due',
    /^must not stand in an inclusive rule$/,
  ],
  [
    'a tax due at another time',
    withTax({ due: 'departure' }),
    'taxes[0].due',
    /^must be one of booking, arrival/,
  ],
  [
    'a fixed tax with percent',
    withTax({ percent: '10' }),
    'taxes[0].percent',
    /does not belong to the logic/,
  ],
  [
    'a percentage without percent',
    withTax({ logic: 'percent', amount: null }),
    'taxes[0].percent',
    /is required by/,
  ],
  [
    'a base that names a rule which runs later',
    {
      ...LEAST,
      taxes: [
        { ...TAX, code: 'vat', base: ['fee'] },
        { ...TAX, code: 'fee' },
      ],
    },
    'taxes[0].base[0]',
    /code of a rule that runs before, not "fee"/,
  ],
  [
    'a base that names its own rule',
    withTax({ order: 3, base: ['accommodation', TAX.code] }),
    'taxes[0].base[1]',
    /runs before/,
  ],
  ['an unknown base', withTax({ base: ['accommodation', 'total'] }), 'taxes[0].base[1]', /must be one of/],
  ['a negative cap', withTax({ maxNights: -1 }), 'taxes[0].maxNights', /whole number/],
  ['a tax date that is none', withTax({ validFrom: 'soon' }), 'taxes[0].validFrom', /real date/],
  [
    'a validity that ends before it begins',
    withTax({ validFrom: '2026-02-01', validTo: '2026-01-31' }),
    'taxes[0].validTo',
    /before validFrom/,
  ],
  ['an order that is not a number', withTax({ order: 'first' }), 'taxes[0].order', /whole number/],
];

describe('A property document is rejected with field and reason', () => {
  for (const [name, document, field, reason] of REJECTED) {
    it(`for ${name}`, () => {
      const result = parsePropertyDocument(document);
      assert.ok(!result.ok, 'it was taken');
      assert.equal(result.field, field);
      assert.match(inEnglish(result.reason), reason);
    });
  }

  it('naming the property when its id is good', () => {
    const result = parsePropertyDocument({ ...LEAST, bathrooms: 0.3 });
    assert.ok(!result.ok && result.propertyId === 'hotel-ponte');
  });

  it('naming none when its id is not', () => {
    const result = parsePropertyDocument({ ...LEAST, propertyId: 'no good' });
    assert.ok(!result.ok && result.propertyId === undefined);
  });
});

describe('Reading property documents', () => {
  it('never throws, whatever JSON it gets', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        parsePropertyDocument(value);
      }),
      RUN_SEED,
    );
  });

  it('never throws and always names a field when any one value of a good document is another one', () => {
    const discounts = [{ code: 'weekly', percent: '10', minNights: 7, inventoryTypeIds: ['double'] }];
    const terms = { taxes: [TAX], discounts, rating: { score: 4, count: 2 }, visibleTo: ['a'] };
    const good = read({ ...withEntry({}), ...terms });
    const text = JSON.stringify(formatPropertyDocument(good.property, good.entries));
    fc.assert(
      fc.property(fc.nat(), fc.jsonValue(), (seed, replacement) => {
        let at = 0;
        const total = countValues(JSON.parse(text));
        const document: unknown = JSON.parse(text, (_key, value: unknown) =>
          at++ === seed % total ? replacement : value,
        );
        const result = parsePropertyDocument(document);
        assert.ok(result.ok || inEnglish(result.reason) !== '');
      }),
      { ...RUN_SEED, numRuns: 500 },
    );
  });

  it('gives back what formatPropertyDocument wrote', () => {
    fc.assert(
      fc.property(worldArbitrary, detailsArbitrary, ({ property, entries }, details) => {
        const written: unknown = JSON.parse(
          JSON.stringify(formatPropertyDocument(property, entries, details)),
        );
        const result = parsePropertyDocument(written);
        assert.ok(result.ok, JSON.stringify(result));
        assert.deepEqual(result.property, property);
        assert.deepEqual(result.details, details);
        // Through JSON, because fast-check makes objects without a prototype.
        assert.deepEqual(result.entries, JSON.parse(JSON.stringify(entries)));
      }),
      { ...RUN_SEED, numRuns: 500 },
    );
  });
});

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + countValues(item), 1);
}
