/** No exact address and no coordinate is stored, and none leaves (SPEC 1.7), whatever an import is given. */
import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ByteSource } from '../../../src/supply/text/byte-source.ts';
import { openInsideAirbnb } from '../../../src/supply/inside-airbnb/inside-airbnb.ts';
import { readListings } from '../../../src/supply/inside-airbnb/listings-file.ts';
import { until } from '../../kit/command-line.ts';
import { hotel, inCity, type Line } from '../../kit/catalogue-lines.ts';
import { type Imported, type Installation, openInstallation, type Served } from '../../kit/installation.ts';
import { PartnerClient, quoteBody } from '../../kit/partner-client.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'inside-airbnb');

/** Columns of a listings file that say where exactly a listing is, or who lives there. */
const SECRET_COLUMNS = {
  street: 'Rue Canary 4711, 2000 Antwerp',
  latitude: '51.21967134711',
  longitude: '4.40026644711',
  neighbourhood: 'Canaryneighbourhood 4711',
  smart_location: 'Canarysmart 4711',
  zipcode: 'CANARY-2018',
  host_location: 'Canaryhostlocation 4711',
  listing_url: 'https://www.airbnb.com/rooms/canary4711',
  directions: 'Second canary on the left',
};
const COLUMNS = {
  id: '4711',
  name: 'Loft',
  description: 'Near the river',
  neighbourhood_cleansed: 'Sint-Andries',
  property_type: 'Loft',
  accommodates: '2',
  bathrooms: '1.0',
  amenities: '["Wifi"]',
  ...SECRET_COLUMNS,
};
const AREA = 'Sint-Andries';

/** Fields that a document could say it with; none of them exists. */
const REFUSED_LINES: readonly (readonly [field: string, line: Line])[] = [
  ['latitude', hotel('refused-1', { latitude: 45.4371234711 })],
  ['longitude', hotel('refused-2', { longitude: '12.3326874711' })],
  ['address', hotel('refused-3', { address: 'Fondamenta Canary 4711' })],
  ['geo', hotel('refused-4', { geo: { lat: 45.4371234711, lng: 12.3326874711 } })],
  [
    'location.street',
    hotel('refused-5', { location: { city: 'Venezia', country: 'IT', street: 'Fondamenta Canary 4711' } }),
  ],
  [
    'location.coordinates',
    hotel('refused-6', {
      location: { city: 'Venezia', country: 'IT', coordinates: [45.4371234711, 12.3326874711] },
    }),
  ],
  [
    'location.postalCode',
    hotel('refused-7', { location: { city: 'V', country: 'IT', postalCode: 'CANARY-1' } }),
  ],
  [
    'inventoryTypes[0].address',
    hotel('refused-8', {
      inventoryTypes: [{ inventoryTypeId: 'a', name: 'A', guestsMax: 2, address: 'Fondamenta Canary 4711' }],
    }),
  ],
];
const REFUSED_VALUES = ['45.4371234711', '12.3326874711', 'Fondamenta Canary', 'CANARY-1', 'refused-'];

let installation: Installation;
let service: Served;
let partner: PartnerClient;
let native: Imported;
const realSecrets = new Set<string>();

before(async () => {
  installation = await openInstallation();
  await importCanary();
  for (const folder of ['seattle-2016-01', 'jersey-city-2019-04']) await importReal(folder);
  native = await installation.importLines([
    ...REFUSED_LINES.map(([, line]) => line),
    hotel('accepted', inCity('Venezia')),
  ]);
  const { token } = await installation.issue();
  service = await installation.serve();
  partner = new PartnerClient(service.partnerUrl, token);
});
after(() => installation.close());

async function importCanary(): Promise<void> {
  const listings = join(installation.folder, 'listings.csv');
  const calendar = join(installation.folder, 'calendar.csv');
  const quoted = Object.values(COLUMNS).map((value) => `"${value.replaceAll('"', '""')}"`);
  writeFileSync(listings, `${Object.keys(COLUMNS).join(',')}\n${quoted.join(',')}\n`);
  writeFileSync(calendar, 'listing_id,date,available,price\n4711,2026-12-01,t,$99.00\n');
  const imported = await installation.importSupply(
    openInsideAirbnb({
      listings,
      calendar,
      city: 'Antwerp',
      cityAliases: [],
      country: 'BE',
      timezone: 'Europe/Brussels',
      currency: 'EUR',
      idPrefix: 'canary-',
    }),
    'inside-airbnb:Antwerp',
  );
  assert.equal(imported.summary.created, 1);
}

/** Real listings; what their files say of the place is remembered. */
async function importReal(folder: string): Promise<void> {
  const listings = join(FIXTURES, folder, 'listings.csv.gz');
  for await (const listing of readListings(new ByteSource(listings))) {
    assert.ok('field' in listing);
    for (const column of ['latitude', 'longitude', 'street', 'smart_location', 'zipcode']) {
      const value = listing.field(column) ?? '';
      if (value.length >= 5) realSecrets.add(value);
    }
  }
  const imported = await installation.importSupply(
    openInsideAirbnb({
      listings,
      calendar: join(FIXTURES, folder, 'calendar.csv.gz'),
      city: 'Somewhere',
      cityAliases: [],
      country: 'US',
      timezone: 'America/New_York',
      currency: 'USD',
      idPrefix: `${folder}-`,
    }),
    folder,
  );
  assert.ok(imported.summary.created > 0);
}

/** Every byte that the database has written, its log included. */
function storedBytes(): Buffer {
  const files = globSync(`${installation.databasePath.replaceAll('\\', '/')}*`);
  assert.ok(files.length >= 2, 'the file and its log');
  return Buffer.concat(files.map((file) => readFileSync(file)));
}

describe('an Inside Airbnb import', () => {
  it('stores what partners are shown: the search below would find it', () => {
    assert.ok(storedBytes().includes(AREA));
  });

  for (const [column, value] of Object.entries(SECRET_COLUMNS)) {
    it(`stores nothing of the column ${column}`, () => assert.ok(!storedBytes().includes(value)));
  }

  it('stores no coordinate and no street of real listings', () => {
    const bytes = storedBytes();
    assert.ok(realSecrets.size > 10, `${realSecrets.size} values to look for`);
    for (const value of realSecrets) assert.ok(!bytes.includes(value), value);
  });
});

describe('a catalogue line', () => {
  for (const [index, [field]] of REFUSED_LINES.entries()) {
    it(`with ${field} is refused by that name`, () => {
      const rejection = native.rejections[index];
      assert.deepEqual([rejection?.line, rejection?.field], [index + 1, field]);
    });
  }

  it('that is refused leaves the others alone and nothing of itself behind', () => {
    assert.equal(native.summary.created, 1);
    assert.equal(native.rejections.length, REFUSED_LINES.length);
    const bytes = storedBytes();
    assert.ok(bytes.includes('accepted'));
    for (const value of REFUSED_VALUES) assert.ok(!bytes.includes(value), value);
  });
});

describe('an answer', () => {
  // To import and to search all bytes holds up the service, which is in this process: it sheds load for a moment.
  before(() => until(async () => (await partner.search({ city: 'Antwerp' })).status === 200));

  it('says nothing of it, on any operation, in any language', async () => {
    const texts: string[] = [];
    for (const locale of ['it-IT', 'en-GB']) {
      for (const city of ['Antwerp', 'Somewhere', 'Venezia']) {
        const list = await partner.search({ city, locale, pageSize: 50 });
        assert.ok(list.success.items.length > 0, city);
        texts.push(list.text);
        for (const { propertyId } of list.success.items) {
          const stay = { checkIn: '2026-12-01', checkOut: '2026-12-02' };
          texts.push((await partner.property(propertyId, { locale })).text);
          texts.push((await partner.availability(propertyId, stay)).text);
        }
      }
    }
    texts.push((await partner.quote(quoteBody('canary-4711', '2026-12-01', '2026-12-02', 1))).text);
    const sent = texts.join('\n');
    assert.ok(sent.includes(AREA));
    const secrets = [...Object.values(SECRET_COLUMNS), ...realSecrets, ...REFUSED_VALUES];
    for (const value of secrets) assert.ok(!sent.includes(value), value);
  });

  it('does not find a property by its street', async () => {
    const { success } = await partner.search({ city: SECRET_COLUMNS.neighbourhood });
    assert.equal(success.pagination.total, 0);
  });
});
