/**
 * Real files of seven years, cut down to a few listings (`test/fixtures/inside-airbnb/README.md`). What no real file
 * at hand has, such as rows that repeat, is made from their rows.
 */
import { said } from '../../../test/kit/said.ts';
import { inEnglish } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { dayOf } from '../../../test/kit/property-fixtures.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import type { Calendar } from '../../domain/calendar.ts';
import type { CalendarField } from '../../domain/calendar-fields.ts';
import { valueAt } from '../../domain/night-runs.ts';
import type { Property } from '../../domain/property.ts';
import { runImport, type ImportOptions, type ImportResult } from '../run/import-run.ts';
import type { Rejection } from '../run/supply-item.ts';
import { openInsideAirbnb, type InsideAirbnbOptions } from './inside-airbnb.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/inside-airbnb');
const CITY = {
  city: 'Seattle',
  cityAliases: ['Emerald City'],
  country: 'US',
  timezone: 'America/Los_Angeles',
  currency: 'USD',
  idPrefix: 'ia-',
};

interface Outcome extends ImportResult {
  readonly nights: number;
  readonly rejections: readonly Rejection[];
  readonly notices: readonly string[];
}

interface Files {
  readonly listings: string | Buffer;
  readonly calendar: string | Buffer;
}

let folder: string;
let temporary: TemporaryStorage;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stayport-test-'));
  temporary = await openTemporaryStorage();
});
afterEach(async () => {
  await temporary.close();
  await rm(folder, { recursive: true, force: true });
});

async function importFixture(
  name: string,
  options: Partial<InsideAirbnbOptions & ImportOptions> = {},
): Promise<Outcome> {
  const supply = openInsideAirbnb({
    ...CITY,
    listings: join(FIXTURES, name, 'listings.csv.gz'),
    calendar: join(FIXTURES, name, 'calendar.csv.gz'),
    ...options,
  });
  const rejections: Rejection[] = [];
  const notices: string[] = [];
  const result = await runImport(supply, {
    storage: temporary.storage,
    clock: () => 0,
    source: 'inside-airbnb:Seattle',
    horizonNights: 730,
    onRejection: (rejection) => rejections.push(rejection),
    onNotice: (notice) => notices.push(inEnglish(notice)),
    ...options,
  });
  return { ...result, nights: supply.nightCount(), rejections, notices };
}

/** Files made by a test. */
async function importFiles(
  { listings, calendar }: Files,
  options: Partial<InsideAirbnbOptions & ImportOptions> = {},
): Promise<Outcome> {
  const files = { listings: join(folder, 'listings.csv'), calendar: join(folder, 'calendar.csv') };
  await writeFile(files.listings, listings);
  await writeFile(files.calendar, calendar);
  return importFixture('', { ...files, ...options });
}

async function textsOf(name: string): Promise<{ listings: string; calendar: string }> {
  const read = async (file: string): Promise<string> =>
    gunzipSync(await readFile(join(FIXTURES, name, file))).toString();
  return { listings: await read('listings.csv.gz'), calendar: await read('calendar.csv.gz') };
}

async function propertyOf(propertyId: string): Promise<Property> {
  return (await temporary.storage.findProperty(propertyId))!.property;
}

async function descriptionOf(propertyId: string): Promise<string> {
  const { description } = await propertyOf(propertyId);
  return typeof description === 'string' ? description : '';
}

async function calendarOf(propertyId: string): Promise<Calendar> {
  const { nights, rates } = (await temporary.storage.findProperty(propertyId))!.calendars[0]!;
  return decodeCalendar(nights, rates);
}

/** Fields of one night, in the order asked for. */
function night(calendar: Calendar, date: string, ...fields: CalendarField[]): (number | undefined)[] {
  return fields.map((field) => valueAt(calendar[field], dayOf(date)));
}

const ALL = ['availability', 'rate', 'minStayArrival', 'maxStay'] as const;

/** All but 0 and the seconds. */
function counts({ summary }: ImportResult): Record<string, number> {
  return Object.fromEntries(
    Object.entries(summary).filter(([name, count]) => name !== 'seconds' && count !== 0),
  );
}

describe('Seattle, January 2016: four calendar columns, {a,b} amenities, scores of 100', () => {
  it('is imported', async () => {
    const result = await importFixture('seattle-2016-01');
    assert.deepEqual(counts(result), { read: 3, created: 3 });
    assert.deepEqual([result.nights, result.notices], [1_095, []]);
    const { description, ...property } = await propertyOf('ia-241032');
    assert.deepEqual(property, {
      propertyId: 'ia-241032',
      name: 'Stylish Queen Anne Apartment',
      propertyType: 'Apartment',
      location: { city: 'Seattle', country: 'US', area: 'West Queen Anne' },
      cityAliases: ['Emerald City'],
      bathrooms: 1,
      amenities: [
        'TV',
        'Cable TV',
        'Internet',
        'Wireless Internet',
        'Air Conditioning',
        'Kitchen',
        'Heating',
        'Family/Kid Friendly',
        'Washer',
        'Dryer',
      ],
      rating: { score: 4.75, count: 207 },
      currency: 'USD',
      timezone: 'America/Los_Angeles',
      visibleTo: 'all',
      quoting: true,
      cleaningFee: null,
      taxes: [],
      inventoryTypes: [
        {
          inventoryTypeId: 'listing',
          name: 'Entire home/apt',
          guestsMax: 4,
          includedGuests: 2,
          extraGuestRate: '5.00',
        },
      ],
    });
    assert.match(JSON.stringify(description), /^"Make your self at home/);
  });

  it('takes lengths of stay from the listing, and no rate where a night has no price', async () => {
    await importFixture('seattle-2016-01');
    const calendar = await calendarOf('ia-241032');
    assert.deepEqual(night(calendar, '2016-01-05', ...ALL), [1, 8_500, 1, 365]);
    assert.deepEqual(night(calendar, '2016-01-06', ...ALL), [0, undefined, 1, 365]);
    assert.deepEqual(night(calendar, '2017-01-03', ...ALL), [undefined, undefined, undefined, undefined]);
  });

  it('takes the room for a missing type, no score as no rating, and the cleaning fee', async () => {
    await importFixture('seattle-2016-01');
    const property = await propertyOf('ia-3335');
    assert.equal(property.propertyType, 'Entire home/apt');
    assert.equal(property.rating, null);
    assert.equal(property.cleaningFee, '75.00');
  });

  it('takes 0 included guests for 1: the host never set them', async () => {
    await importFixture('seattle-2016-01');
    const [type] = (await propertyOf('ia-6576006')).inventoryTypes;
    assert.deepEqual([type?.includedGuests, type?.extraGuestRate], [1, '10.00']);
  });

  it('stores no address and no coordinates', async () => {
    await importFixture('seattle-2016-01');
    const { listings } = await textsOf('seattle-2016-01');
    const header = listings.slice(0, listings.indexOf('\n')).split(',');
    assert.ok(header.includes('latitude') && header.includes('smart_location'));
    const stored = await temporary.storage.findProperty('ia-241032');
    assert.ok(listings.includes('47.636'));
    assert.doesNotMatch(JSON.stringify(stored?.property), /47\.6|-122\.|latitude|street/i);
  });
});

describe('Jersey City, April 2019: rows of a listing scattered over the file', () => {
  it('is imported whole', async () => {
    const result = await importFixture('jersey-city-2019-04');
    assert.deepEqual(counts(result), { read: 4, created: 4 });
    assert.equal(result.nights, 1_460);
    const { calendar: text } = await textsOf('jersey-city-2019-04');
    for (const propertyId of ['6860', '215768']) {
      const calendar = await calendarOf(`ia-${propertyId}`);
      const rows = text.split('\n').filter((row) => row.startsWith(`${propertyId},`));
      assert.equal(rows.length, 365);
      for (const row of rows) {
        const [, date, available, price, , least, most] = row.split(',');
        const rate = Number(price?.slice(1)) * 100;
        const expected = [available === 't' ? 1 : 0, rate, Number(least), Number(most)];
        assert.deepEqual(night(calendar, date!, ...ALL), expected, row);
      }
    }
  });

  it('prefers price to adjusted_price', async () => {
    await importFixture('jersey-city-2019-04');
    const { calendar } = await textsOf('jersey-city-2019-04');
    const row = calendar
      .split('\n')
      .find((line) => line.startsWith('30726328,') && line.split(',')[3] !== line.split(',')[4]);
    const [, date, , price] = row!.split(',');
    assert.deepEqual(night(await calendarOf('ia-30726328'), date!, 'rate'), [Number(price!.slice(1)) * 100]);
  });
});

describe('Quebec, April 2021: scores of 100, a row without lengths of stay', () => {
  it('is imported', async () => {
    assert.deepEqual(counts(await importFixture('quebec-2021-04')), { read: 4, created: 4 });
    const { rating, name } = await propertyOf('ia-4530244');
    assert.deepEqual(rating, { score: 4.65, count: 32 });
    assert.equal(name, 'Bel appartement centre-ville 🧼🧽 respecte normes 🌈👌🏻');
  });

  it('takes the lengths of the listing where a row has none', async () => {
    const { calendar: text } = await textsOf('quebec-2021-04');
    const row = text.split('\n').find((line) => line.startsWith('198548,') && line.endsWith(',,'))!;
    await importFixture('quebec-2021-04');
    assert.deepEqual(
      night(await calendarOf('ia-198548'), row.split(',')[1]!, 'minStayArrival', 'maxStay'),
      [30, 1_125],
    );
  });
});

describe('Singapore, September 2023: stays of 92 nights, quoted prices, ids above 2^53', () => {
  it('is imported', async () => {
    const result = await importFixture('singapore-2023-09', { currency: 'SGD' });
    assert.deepEqual(counts(result), { read: 6, created: 6 });
    assert.equal(result.nights, 5 * 365 + 344);
    assert.deepEqual(night(await calendarOf('ia-71609'), '2023-09-25', ...ALL), [1, 15_000, 92, 1_125]);
    assert.equal((await propertyOf('ia-932325448513127523')).bathrooms, 1);
    assert.equal((await propertyOf('ia-9105592')).rating, null);
  });

  it('keeps the digits of an id that no double has', async () => {
    await importFixture('singapore-2023-09', { idPrefix: '' });
    assert.notEqual(String(Number('932325448513127523')), '932325448513127523');
    assert.equal((await propertyOf('932325448513127523')).propertyId, '932325448513127523');
  });

  it('takes a price of $109,999.00', async () => {
    await importFixture('singapore-2023-09');
    const { calendar } = await textsOf('singapore-2023-09');
    const [listingId, date] = calendar
      .split('\n')
      .find((line) => line.includes('109,999'))!
      .split(',');
    assert.deepEqual(night(await calendarOf(`ia-${listingId}`), date!, 'rate'), [10_999_900]);
  });

  it('makes plain text of HTML', async () => {
    await importFixture('singapore-2023-09');
    const description = await descriptionOf('ia-71609');
    assert.match(description, /^For 3 rooms\.Book room 1&2 and room 4\n\nThe space\nLanded Homestay/);
  });
});

describe('Menorca, September 2025: an empty price column, entities', () => {
  it('is imported without rates', async () => {
    const result = await importFixture('menorca-2025-09');
    assert.deepEqual(counts(result), { read: 4, created: 4 });
    for (const id of ['ia-372756', 'ia-48693340', 'ia-1434119073091233382', 'ia-15081904']) {
      assert.deepEqual((await calendarOf(id)).rate, []);
    }
    assert.equal((await propertyOf('ia-1434119073091233382')).bathrooms, 0.5);
    assert.doesNotMatch(await descriptionOf('ia-48693340'), /&#|<br/);
  });
});

describe('Albany, the same city twice', () => {
  it('changes what changed and withdraws what is gone', async () => {
    assert.deepEqual(counts(await importFixture('albany-2024-01')), { read: 3, created: 3 });
    assert.deepEqual(counts(await importFixture('albany-2024-01')), { read: 3, unchanged: 3 });
    assert.deepEqual((await propertyOf('ia-13711253')).amenities, []);
    assert.equal((await propertyOf('ia-13711253')).bathrooms, 1.5);
    const dry = await importFixture('albany-2024-11', { replace: true, dryRun: true });
    const result = await importFixture('albany-2024-11', { replace: true });
    assert.deepEqual(counts(result), { read: 3, created: 1, changed: 2, withdrawn: 1 });
    assert.deepEqual(dry.summary, result.summary);
    assert.equal(await temporary.storage.findProperty('ia-13711253'), undefined);
  });
});

describe('--start-on', () => {
  it('moves all dates by the same number of days, the first night of the file to that date', async () => {
    await importFixture('albany-2024-11', { startOn: dayOf('2027-03-01') });
    const { calendar: text } = await textsOf('albany-2024-11');
    const first = Math.min(
      ...text
        .split('\n')
        .slice(1, -1)
        .map((row) => dayOf(row.split(',')[1]!)),
    );
    const runs = await Promise.all(
      ['ia-47828453', 'ia-588298411730694861', 'ia-1279846646046615122'].map(
        async (id) => (await calendarOf(id)).availability,
      ),
    );
    assert.equal(Math.min(...runs.flat().map(({ from }) => from)), dayOf('2027-03-01'));
    const [, date, , price] = text.split('\n')[1]!.split(',');
    const moved = dayOf(date!) - first + dayOf('2027-03-01');
    assert.equal(valueAt((await calendarOf('ia-47828453')).rate, moved), Number(price!.slice(1)) * 100);
  });

  it('refuses a date that would end after the year 9999', async () => {
    const result = await importFixture('albany-2024-11', { startOn: dayOf('9999-12-01') });
    assert.match(said(result.failure), /calendar\.csv\.gz can't start on 9999-12-01/);
    assert.deepEqual(counts(result), {});
  });
});

describe('Files that no year at hand has, made from real rows', () => {
  it('have five calendar columns, without prices', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    const five = calendar.replaceAll(/^([^,]*,[^,]*,[^,]*),[^,]*,[^,]*,/gm, '$1,');
    assert.match(five, /^listing_id,date,available,minimum_nights,maximum_nights\n/);
    assert.deepEqual(counts(await importFiles({ listings, calendar: five })), { read: 3, created: 3 });
    assert.deepEqual(night(await calendarOf('ia-47828453'), '2024-02-01', ...ALL)[1], undefined);
  });

  it('have columns in another order', async () => {
    const { listings, calendar } = await textsOf('seattle-2016-01');
    const turned = calendar.replaceAll(/^([^,\n]*),([^,\n]*),([^,\n]*),([^,\n]*)$/gm, '$4,$3,$2,$1');
    await importFiles({ listings, calendar: turned });
    assert.deepEqual(night(await calendarOf('ia-241032'), '2016-01-05', 'availability', 'rate'), [1, 8_500]);
  });

  it('have descending dates, CR LF and a byte-order mark', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    const [header, ...rows] = calendar.trimEnd().split('\n');
    await importFiles({ listings, calendar });
    const revision = await temporary.storage.readRevision();
    const turned = `\u{feff}${[header, ...rows.toReversed()].join('\r\n')}\r\n`;
    const result = await importFiles({
      listings: `\u{feff}${listings.replaceAll('\n', '\r\n')}`,
      calendar: turned,
    });
    assert.deepEqual(counts(result), { read: 3, unchanged: 3 });
    assert.equal(await temporary.storage.readRevision(), revision);
  });

  it('repeat a listing and date: the last row counts', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    const repeated = '47828453,2024-02-01,t,$999.00,,9,2147483647\n47828453,2024-02-01,t,,,,\n';
    const result = await importFiles({ listings, calendar: calendar + repeated });
    assert.equal(result.nights, 1_095);
    assert.match(result.notices[0] ?? '', /calendar\.csv: 2 rows repeat a listing and date/);
    assert.deepEqual(night(await calendarOf('ia-47828453'), '2024-02-01', ...ALL), [1, undefined, 4, 1_125]);
  });

  it('allow stays of 2147483647 nights', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    await importFiles({ listings, calendar: calendar.replaceAll(/,1125$/gm, ',2147483647') });
    assert.deepEqual(night(await calendarOf('ia-47828453'), '2024-02-01', 'maxStay'), [2_147_483_647]);
  });

  it('have $0.00 as price', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    await importFiles({ listings, calendar: calendar.replaceAll(/\$[\d.]+,/g, '$0.00,') });
    assert.deepEqual((await calendarOf('ia-47828453')).rate, []);
  });

  it('have only adjusted prices', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    const [, rate] = night(
      await importFiles({ listings, calendar }).then(() => calendarOf('ia-47828453')),
      '2024-02-01',
      ...ALL,
    );
    const adjusted = calendar.replaceAll(/(\$[\d.]+),,/g, ',$1,');
    assert.deepEqual(counts(await importFiles({ listings, calendar: adjusted })), { read: 3, unchanged: 3 });
    assert.ok(rate !== undefined && rate > 0);
  });

  it('have a listing for 0 guests: rejected, and its rows are known', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    const none = listings.replace(
      ',Entire rental unit,Entire home/apt,4,',
      ',Entire rental unit,Entire home/apt,0,',
    );
    const result = await importFiles({ listings: none, calendar });
    assert.deepEqual(counts(result), { read: 3, created: 2, rejected: 1 });
    assert.deepEqual(
      result.rejections.map(({ line, field, reason }) => [line, field, inEnglish(reason)]),
      [[2, 'accommodates', 'must be a number of guests from 1 on, not "0"']],
    );
    assert.deepEqual(result.notices, []);
  });

  it('keep a property whose listing is rejected, with --replace', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    await importFiles({ listings, calendar });
    const none = listings.replace(
      ',Entire rental unit,Entire home/apt,4,',
      ',Entire rental unit,Entire home/apt,0,',
    );
    const result = await importFiles({ listings: none, calendar }, { replace: true });
    assert.deepEqual(counts(result), { read: 3, unchanged: 2, rejected: 1 });
  });

  it('name a listing without a name by its type', async () => {
    const { listings, calendar } = await textsOf('seattle-2016-01');
    await importFiles({ listings: listings.replace('Stylish Queen Anne Apartment', ''), calendar });
    assert.equal((await propertyOf('ia-241032')).name, 'Apartment');
  });

  it('have line breaks and quotes inside fields', async () => {
    const { listings, calendar } = await textsOf('seattle-2016-01');
    const broken = listings.replace('Stylish Queen Anne Apartment', '"Stylish ""Queen""\r\n\r\nAnne, 🏠"');
    assert.deepEqual(counts(await importFiles({ listings: broken, calendar })), { read: 3, created: 3 });
    assert.equal((await propertyOf('ia-241032')).name, 'Stylish "Queen"\n\nAnne, 🏠');
  });

  it('have rows of listings that are not listed: named, not imported', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    const result = await importFiles({ listings, calendar: `${calendar}4711,2024-02-01,t,$1.00,,1,2\n` });
    assert.deepEqual(counts(result), { read: 3, created: 3 });
    assert.equal(result.nights, 1_096);
    assert.match(
      result.notices[0] ?? '',
      /1 nights of 1 listings that the listings file does not have: 4711/,
    );
  });

  it('list a listing twice: the first one counts', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    const again = listings.trimEnd().split('\n').at(-1)!;
    const result = await importFiles({ listings: `${listings}${again}\n`, calendar });
    assert.deepEqual(counts(result), { read: 4, created: 3, rejected: 1 });
    assert.deepEqual([result.rejections[0]?.line, result.rejections[0]?.field], [5, 'propertyId']);
  });
});

describe('Bad rows', () => {
  it('are rejected with file and line, and the rest is imported', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    const bad = [
      '47828453,2024-02-30,t,$1.00,,1,2',
      '47828453,2024-02-01,yes,$1.00,,1,2',
      '47828453,2024-02-01,t,one,,1,2',
      '47828453,2024-02-01,t,$1.00,,soon,2',
      '47828453,2024-02-01,t',
      '4.78e7,2024-02-01,t,$1.00,,1,2',
      '47828453,2024-02-01,t,"$1.00,,1,2',
    ];
    const result = await importFiles({ listings, calendar: `${calendar}${bad.join('\n')}\n` });
    assert.deepEqual(counts(result), { read: 3, created: 3, rejected: 7 });
    assert.equal(result.failure, undefined);
    assert.ok(result.rejections.every(({ file }) => file.endsWith('calendar.csv')));
    assert.deepEqual(
      result.rejections.map(({ line, field }) => [line - 1_097, field]),
      [
        [0, 'date'],
        [1, 'available'],
        [2, 'price'],
        [3, 'minimum_nights'],
        [4, ''],
        [5, 'listing_id'],
        [6, ''],
      ],
    );
    assert.notDeepEqual(night(await calendarOf('ia-47828453'), '2024-02-01', 'rate'), [100]);
  });

  it('may be no UTF-8', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    const bytes = Buffer.from(listings);
    bytes[bytes.indexOf('THIRD WARD')] = 0xcd;
    const calendarBytes = Buffer.concat([Buffer.from(calendar), Buffer.from([0xff, 0x0a])]);
    const result = await importFiles({ listings: bytes, calendar: calendarBytes });
    assert.deepEqual(counts(result), { read: 3, created: 2, rejected: 2 });
    assert.deepEqual(
      result.rejections.map(({ line, reason }) => [line, /UTF-8/.test(inEnglish(reason))]),
      [
        [1_097, true],
        [2, true],
      ],
    );
  });

  it('are fatal with --strict, before anything is written', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    const result = await importFiles({ listings, calendar: `${calendar}x\n` }, { strict: true });
    assert.deepEqual(counts(result), { read: 3, rejected: 1 });
    assert.match(said(result.failure), /nothing was written/);
    assert.deepEqual(await temporary.storage.listPropertyIds('inside-airbnb:Seattle', '', 9), []);
    const good = await importFiles({ listings, calendar }, { strict: true });
    assert.deepEqual(counts(good), { read: 3, created: 3 });
    assert.equal(good.nights, 1_095);
  });
});

describe('Files that cannot be used', () => {
  it('lack a required column', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    const noDate = await importFiles({ listings, calendar: calendar.replace('date', 'day') });
    assert.match(
      said(noDate.failure),
      /calendar\.csv line 1 has no column date; it has listing_id, day, available/,
    );
    const noGuests = await importFiles({ listings: listings.replace('accommodates', 'guests'), calendar });
    assert.match(said(noGuests.failure), /listings\.csv line 1 has no column accommodates; it has id, /);
    assert.deepEqual(await temporary.storage.listPropertyIds('inside-airbnb:Seattle', '', 9), []);
  });

  it('are empty or missing', async () => {
    const { listings, calendar } = await textsOf('albany-2024-01');
    assert.match(said((await importFiles({ listings: '', calendar })).failure), /listings\.csv is empty/);
    assert.match(said((await importFiles({ listings, calendar: '' })).failure), /calendar\.csv is empty/);
    const missing = await importFixture('albany-2024-01', { listings: join(folder, 'none.csv') });
    assert.match(said(missing.failure), /none\.csv does not exist/);
  });

  it('break off in the calendar: listings that are whole are kept, nothing is withdrawn', async () => {
    const { listings, calendar } = await textsOf('singapore-2023-09');
    await importFixture('albany-2024-01');
    const zipped = gzipSync(calendar);
    const cut = zipped.subarray(0, Math.floor(zipped.length * 0.6));
    const result = await importFiles({ listings, calendar: cut }, { replace: true });
    assert.match(said(result.failure), /calendar\.csv is cut off/);
    assert.equal(result.summary.withdrawn, 0);
    const { created } = result.summary;
    assert.ok(created > 0 && created < 6, `${created} created`);
    for (const id of await temporary.storage.listPropertyIds('inside-airbnb:Seattle', '', 20)) {
      const nights = (await calendarOf(id)).availability;
      assert.equal(
        nights.reduce((sum, { from, until }) => sum + until - from, 0),
        365,
      );
    }
    assert.match(result.notices.at(-1) ?? '', /listings are left as they were/);
  });

  it('break off in the listings: whole records are kept', async () => {
    const { listings, calendar } = await textsOf('singapore-2023-09');
    const zipped = gzipSync(listings);
    const cut = zipped.subarray(0, Math.floor(zipped.length * 0.8));
    const result = await importFiles({ listings: cut, calendar });
    assert.match(said(result.failure), /listings\.csv is cut off/);
    const { created, rejected } = result.summary;
    assert.ok(created > 0 && created < 6 && rejected === 0, JSON.stringify(result.summary));
  });
});
