/** Finding properties: city and country, languages, order and pages, guests without dates (SPEC 4.1). */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PartnerPropertyList } from '../../../src/contract/partner/property-schemas.ts';
import { double, hotel, hotelWith, inCity, type Line, nights } from '../../kit/catalogue-lines.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';
import type { Query } from '../../kit/partner-client.ts';

/** Byte order: digits, upper case, lower case, `~`; and one id that begins like another. */
const IDS_IN_ORDER = ['-a', '.a', '0', '10', '9', 'A', 'Z', '_', 'a', 'a-', 'a.', 'a0', 'aa', 'b', 'z', '~'];
const PAGED_COUNT = 57;

const PLACES: readonly Line[] = [
  hotel('padova', inCity({ 'it-IT': 'Padova', 'en-GB': 'Padua' })),
  hotel('zuerich', { ...inCity('Zürich', 'CH'), cityAliases: ['Zurigo', '  Züri   West '] }),
  hotel('sao-paulo', inCity('São Paulo', 'BR')),
  hotel('giessen', inCity('Gießen', 'DE')),
  hotel('istanbul', inCity('İstanbul', 'TR')),
  hotel('lodz', inCity('Łódź', 'PL')),
  hotel('plus', inCity('A+B City')),
  hotel('tokyo', inCity('東京', 'JP')),
  hotel('paris-fr', inCity('Paris', 'FR')),
  hotel('paris-us', inCity('Paris', 'US')),
];
const LANGUAGES: readonly Line[] = [
  hotel('both', {
    name: { 'it-IT': 'Casa', 'en-GB': 'House' },
    description: { 'it-IT': 'Bella.', 'en-GB': 'Nice.' },
    location: {
      city: { 'it-IT': 'Firenze', 'en-GB': 'Florence' },
      country: 'IT',
      area: { 'it-IT': 'Centro', 'en-GB': 'Centre' },
    },
  }),
  hotel('italian', {
    name: { 'it-IT': 'Casa sola' },
    description: { 'it-IT': 'Solo italiano.' },
    ...inCity({ 'it-IT': 'Firenze' }),
  }),
  hotel('english', {
    name: { 'en-GB': 'Lonely house' },
    description: { 'en-GB': 'English only.' },
    ...inCity({ 'en-GB': 'Florence' }),
  }),
  hotel('same', { name: 'Same everywhere', ...inCity('Firenze') }),
];
const CAPACITIES: readonly Line[] = [
  hotel('for-1', { ...inCity('Capacity'), inventoryTypes: [double({ guestsMax: 1 })] }),
  hotel('for-2', inCity('Capacity')),
  hotel('for-4', {
    ...inCity('Capacity'),
    inventoryTypes: [double(), double({ inventoryTypeId: 'family', guestsMax: 4, calendar: [] })],
  }),
  hotel('for-30', { ...inCity('Capacity'), inventoryTypes: [double({ guestsMax: 30, calendar: [] })] }),
];
const PRICES: readonly Line[] = [
  hotelWith('unpriced', [nights('2026-12-01', '2026-12-31', { availability: 1 })], inCity('Prices')),
  hotelWith('sold-out', [nights('2026-12-01', '2026-12-31', { rate: '50.00' })], inCity('Prices')),
  hotelWith(
    'from-today',
    [
      nights('2026-11-01', '2026-11-30', { availability: 1, rate: '90.00' }),
      nights('2026-11-01', '2026-11-19', { rate: '10.00' }),
      nights('2026-11-25', '2026-11-25', { rate: '20.00', stopSell: true }),
      nights('2026-11-26', '2026-11-26', { rate: '80.50', minStayArrival: 7, closedToArrival: true }),
      nights('2029-01-01', '2029-01-01', { availability: 1, rate: '1.00' }),
    ],
    inCity('Prices'),
  ),
  hotel('two-types', {
    ...inCity('Prices'),
    inventoryTypes: [
      double(),
      double({
        inventoryTypeId: 'attic',
        guestsMax: 1,
        calendar: [nights('2026-12-05', '2026-12-05', { availability: 1, rate: '0.00' })],
      }),
    ],
  }),
];
/** Not in the order of their ids. */
const MANY: readonly Line[] = Array.from({ length: PAGED_COUNT }, (_, index) =>
  hotel(`many-${String((index * 23) % PAGED_COUNT).padStart(2, '0')}`, {
    ...inCity(index % 3 === 0 ? 'Many' : { 'it-IT': 'Many', 'en-GB': 'Lots' }, index % 2 === 0 ? 'IT' : 'FR'),
  }),
);

let running: Running;
before(async () => {
  running = await startInstallation([
    ...PLACES,
    ...LANGUAGES,
    ...CAPACITIES,
    ...PRICES,
    ...MANY,
    ...IDS_IN_ORDER.toReversed().map((propertyId) => hotel(propertyId, inCity('Order'))),
  ]);
});
after(() => running.installation.close());

const search = async (query: Query): Promise<PartnerPropertyList> =>
  (await running.partner.search(query)).success;
const idsOf = ({ items }: PartnerPropertyList) => items.map(({ propertyId }) => propertyId);
const find = async (query: Query) => idsOf(await search(query));

describe('a city', () => {
  const rows: readonly (readonly [name: string, rawCity: string, ...propertyIds: string[]])[] = [
    ['in its own name', 'Padova', 'padova'],
    ['in the name of the other language', 'Padua', 'padova'],
    ['in small letters', 'padova', 'padova'],
    ['in capitals', 'PADOVA', 'padova'],
    ['with a diacritic', 'Z%C3%BCrich', 'zuerich'],
    ['without its diacritic', 'zurich', 'zuerich'],
    ['with a decomposed diacritic', 'Zu%CC%88rich', 'zuerich'],
    ['by its alias', 'zurigo', 'zuerich'],
    ['by an alias with odd blanks', '%20zuri+west', 'zuerich'],
    ['with + as a blank', 'S%C3%A3o+Paulo', 'sao-paulo'],
    ['with %20 as a blank', 's%C3%A3o%20paulo', 'sao-paulo'],
    ['with repeated blanks', '++sao++%20PAULO+', 'sao-paulo'],
    ['with %2B as a plus', 'a%2Bb+city', 'plus'],
    ['with ß', 'gie%C3%9Fen', 'giessen'],
    ['with ß as SS', 'GIESSEN', 'giessen'],
    ['with a dotted capital', '%C4%B0STANBUL', 'istanbul'],
    ['without the dot', 'istanbul', 'istanbul'],
    ['with a stroke left out', 'lodz', 'lodz'],
    ['in another script', '%E6%9D%B1%E4%BA%AC', 'tokyo'],
    ['in several countries', 'Paris', 'paris-fr', 'paris-us'],
    ['by a part of its name', 'Pado'],
    ['with a name of more words', 'Padova Nord'.replace(' ', '+')],
    ['with a dash', 'sao-paulo', 'sao-paulo'],
    ['by the id of a property', 'plus'],
    ['by a wildcard', '*'],
  ];
  for (const [name, rawCity, ...propertyIds] of rows) {
    it(`${name} (${decodeURIComponent(rawCity)}) finds ${propertyIds.join(' and ') || 'nothing'}`, async () => {
      assert.deepEqual(await find(`city=${rawCity}`), propertyIds);
    });
  }
});

describe('a country', () => {
  it('keeps the properties that are in it', async () => {
    assert.deepEqual(await find({ city: 'Paris', country: 'US' }), ['paris-us']);
    assert.deepEqual(await find({ city: 'Paris', country: 'FR' }), ['paris-fr']);
  });

  it('leaves nothing where the city is not in it', async () => {
    const page = await search({ city: 'Paris', country: 'IT' });
    assert.deepEqual(page.pagination, { page: 1, pageSize: 20, total: 0, hasMore: false });
  });
});

describe('a locale', () => {
  const texts = async (propertyId: string, locale?: string) => {
    const { name, description, location } = (await running.partner.property(propertyId, { locale })).success;
    return [name, description, location.city, location.area];
  };

  it('chooses the texts in that language', async () => {
    assert.deepEqual(await texts('both', 'it-IT'), ['Casa', 'Bella.', 'Firenze', 'Centro']);
    assert.deepEqual(await texts('both', 'en-GB'), ['House', 'Nice.', 'Florence', 'Centre']);
  });

  it('is Italian unless another is asked for', async () => {
    assert.deepEqual(await texts('both'), await texts('both', 'it-IT'));
  });

  it('falls back to Italian', async () => {
    assert.deepEqual(await texts('italian', 'en-GB'), ['Casa sola', 'Solo italiano.', 'Firenze', null]);
  });

  it('falls back to any language where there is no Italian', async () => {
    assert.deepEqual(await texts('english', 'it-IT'), ['Lonely house', 'English only.', 'Florence', null]);
  });

  it('changes nothing in a text that is the same for all', async () => {
    assert.deepEqual(await texts('same', 'en-GB'), await texts('same', 'it-IT'));
  });

  it('chooses the texts of a list and not what it finds', async () => {
    const query = { city: 'florence', pageSize: 50 };
    const italian = await search({ ...query, locale: 'it-IT' });
    const english = await search({ ...query, locale: 'en-GB' });
    assert.deepEqual(idsOf(italian), ['both', 'english']);
    assert.deepEqual(idsOf(english), idsOf(italian));
    assert.deepEqual(
      english.items.map(({ name }) => name),
      ['House', 'Lonely house'],
    );
  });

  it('shows in a list exactly what the property itself shows', async () => {
    for (const locale of ['it-IT', 'en-GB']) {
      for (const item of (await search({ city: 'Firenze', locale })).items) {
        assert.deepEqual((await running.partner.property(item.propertyId, { locale })).success, item);
      }
    }
  });
});

describe('guests, with dates and without', () => {
  it('filter nothing without dates, when they are not given', async () => {
    assert.deepEqual(await find({ city: 'Capacity' }), ['for-1', 'for-2', 'for-30', 'for-4']);
  });

  it('are 2 with dates, when they are not given', async () => {
    const stay = { checkIn: '2026-12-01', checkOut: '2026-12-02' };
    assert.deepEqual(await find({ city: 'Capacity', ...stay }), ['for-2', 'for-4']);
    assert.deepEqual(await find({ city: 'Capacity', ...stay, guests: 1 }), ['for-1', 'for-2', 'for-4']);
  });

  it('keep without dates the properties with one inventory type for that many', async () => {
    assert.deepEqual(await find({ city: 'Capacity', guests: 2 }), ['for-2', 'for-30', 'for-4']);
    assert.deepEqual(await find({ city: 'Capacity', guests: 3 }), ['for-30', 'for-4']);
    assert.deepEqual(await find({ city: 'Capacity', guests: 5 }), ['for-30']);
    assert.deepEqual(await find({ city: 'Capacity', guests: 30 }), ['for-30']);
  });

  it('are compared with the largest type, which capacity shows', async () => {
    const { items } = await search({ city: 'Capacity' });
    assert.deepEqual(
      items.map(({ capacity }) => capacity.guests),
      [1, 2, 30, 4],
    );
  });
});

describe('startingPrice', () => {
  const rows: readonly (readonly [name: string, propertyId: string, startingPrice: string | null])[] = [
    ['is null without a rate', 'unpriced', null],
    ['is null without an open night', 'sold-out', null],
    ['is the lowest rate of an open night from today to the horizon', 'from-today', '80.50'],
    ['is that of any inventory type', 'two-types', '0.00'],
  ];
  for (const [name, propertyId, startingPrice] of rows) {
    it(name, async () => {
      assert.equal((await running.partner.property(propertyId)).success.startingPrice, startingPrice);
    });
  }

  it('startingPrice of a property is the same in a list', async () => {
    const { items } = await search({ city: 'Prices' });
    const prices = Object.fromEntries(items.map((item) => [item.propertyId, item.startingPrice]));
    assert.deepEqual(prices, Object.fromEntries(rows.map(([, ...priced]) => priced)));
  });
});

describe('the order of a list', () => {
  it('a list is ordered by propertyId, character by character', async () => {
    assert.deepEqual(await find({ city: 'Order', pageSize: 50 }), IDS_IN_ORDER);
  });

  it('a list over several countries is ordered by propertyId', async () => {
    const ids = await find({ city: 'Many', pageSize: 50 });
    assert.deepEqual(ids, ids.toSorted());
  });
});

describe('the pages of a list', () => {
  for (const pageSize of [1, 7, 19, 20, 50]) {
    it(`of ${pageSize} together are the whole list`, async () => {
      const pageCount = Math.ceil(PAGED_COUNT / pageSize);
      const found: string[] = [];
      for (let page = 1; page <= pageCount; page++) {
        const { items, pagination } = await search({ city: 'Many', page, pageSize });
        found.push(...items.map(({ propertyId }) => propertyId));
        assert.deepEqual(pagination, { page, pageSize, total: PAGED_COUNT, hasMore: page < pageCount });
      }
      assert.deepEqual(found, MANY.map(({ propertyId }) => String(propertyId)).toSorted());
    });
  }

  it('end where the list ends: 57 are three pages of 19, and the third has no more behind it', async () => {
    assert.equal((await search({ city: 'Many', page: 2, pageSize: 19 })).pagination.hasMore, true);
    assert.equal((await search({ city: 'Many', page: 3, pageSize: 19 })).pagination.hasMore, false);
  });

  it('beyond the end are empty, with the same total', async () => {
    for (const page of [4, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      const { items, pagination } = await search({ city: 'Many', page, pageSize: 20 });
      assert.deepEqual(items, []);
      assert.deepEqual(pagination, { page, pageSize: 20, total: PAGED_COUNT, hasMore: false });
    }
  });

  it('count within what the filters leave', async () => {
    const { pagination } = await search({ city: 'lots', country: 'IT', pageSize: 5 });
    const expected = MANY.filter((_, index) => index % 3 !== 0 && index % 2 === 0).length;
    assert.deepEqual(pagination, { page: 1, pageSize: 5, total: expected, hasMore: true });
  });
});
