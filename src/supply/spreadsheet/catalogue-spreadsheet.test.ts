import { inEnglish } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { sourceOf } from '../../../test/kit/byte-sources.ts';
import { double, hotel, type Line } from '../../../test/kit/catalogue-lines.ts';
import { createRandom, MUTATIONS, mutate } from '../../../test/kit/mutations.ts';
import { RUN_SEED } from '../../../test/kit/seeds.ts';
import { DETAILS } from '../../../test/kit/property-details.ts';
import { formatPropertyDocument } from '../native/format-property-document.ts';
import { parsePropertyDocument, type ReadDocument } from '../native/property-document.ts';
import type { SupplyItem } from '../run/supply-item.ts';
import { CATALOGUE_COLUMNS } from './catalogue-columns.ts';
import { CatalogueSpreadsheet } from './read-catalogue.ts';
import { spreadsheetHeader, spreadsheetRows, spreadsheetTemplate } from './write-catalogue.ts';

/** Each is a file of its own. */
const MUTATED = MUTATIONS / 20;
const CALENDARS = { withCalendars: true };

async function read(text: string | Buffer): Promise<readonly SupplyItem[]> {
  return Array.fromAsync(new CatalogueSpreadsheet(sourceOf('properties.csv', text)).open());
}

async function readOne(text: string) {
  const items = await read(text);
  assert.equal(items.length, 1, JSON.stringify(items));
  const [item] = items;
  assert.ok(item?.kind === 'property', JSON.stringify(item));
  return item;
}

/** `line: field: reason` of what is wrong, or the reason why nothing is read. */
async function wrong(text: string | Buffer): Promise<readonly string[]> {
  return (await read(text)).flatMap((item) => {
    if (item.kind === 'rejected')
      return [item, ...(item.others ?? [])].map(
        ({ line = item.line, field, reason }) => `${line}: ${field}: ${inEnglish(reason)}`,
      );
    return item.kind === 'ended-badly' ? [inEnglish(item.reason)] : [];
  });
}

function parsed(document: Line): ReadDocument {
  const result = parsePropertyDocument(document);
  assert.ok(result.ok, JSON.stringify(result));
  return result;
}

function formatted({ property, entries, details }: ReadDocument) {
  return formatPropertyDocument(property, entries, details);
}

const LEAST =
  'propertyId,name,propertyType,city,country,bathrooms,currency,timezone,inventoryTypeId,typeName,guestsMax';
const row = (id: string, rest = 'double,Double,2'): string =>
  `${id},Ponte,hotel,Venezia,IT,1,EUR,Europe/Rome,${rest}\n`;

const FULL = hotel('hotel-ponte', {
  ...DETAILS,
  description: { 'it-IT': 'Sul canale;\n"bello", sì', 'en-GB': '' },
  cityAliases: ['Venise', 'a|b'],
  amenities: ['wifi', '=cmd|calc'],
  rating: { score: 4.6, count: 212 },
  visibleTo: [],
  quoting: false,
  cleaningFee: '40',
  maxSupplyAgeHours: 48,
  taxes: [
    {
      code: 'city',
      kind: 'city_tax',
      logic: 'per_person_per_night',
      amount: '4.00',
      maxNights: 5,
      exemptUntilAge: 8,
      ages: [{ untilAge: 15, amount: '2.00' }],
      order: -1,
    },
    {
      code: 'va;t',
      kind: 'tax',
      logic: 'percent',
      percent: '10',
      base: ['accommodation', 'cleaningFee', 'city'],
    },
  ],
  discounts: [{ code: 'weekly', name: { 'it-IT': 'Sconto' }, percent: '10', minNights: 7 }],
  ageBands: [
    { untilAge: 2, occupies: false, max: 2 },
    { untilAge: 12, rate: '15' },
  ],
  inventoryTypes: [
    double({ minAdvanceDays: 1, priceSource: 'pms', ageBands: [{ untilAge: 5 }] }),
    double({ inventoryTypeId: 'b', calendar: [], ageBands: [] }),
  ],
});

describe('A catalogue as a spreadsheet', () => {
  it('is read back as it was written', async () => {
    const document = parsed(FULL);
    const {
      kind: _kind,
      file: _file,
      line,
      bytes: _bytes,
      ...item
    } = await readOne(spreadsheetHeader(CALENDARS) + spreadsheetRows(formatted(document), CALENDARS));
    const { ok: _ok, ...expected } = document;
    assert.deepEqual(item, expected);
    assert.equal(line, 2);
  });

  it('leaves calendars as they are where it has none', async () => {
    const item = await readOne(spreadsheetHeader() + spreadsheetRows(formatted(parsed(FULL))));
    assert.deepEqual(item.keptTypeIds, ['double', 'b']);
  });

  it('has a column for each field of the document, each once', () => {
    const names = CATALOGUE_COLUMNS.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const name of [
      'propertyId',
      'name:it-IT',
      'name:en-GB',
      'city',
      'taxes',
      'guestsMax',
      'checkIn.from',
    ])
      assert.ok(names.includes(name), name);
  });

  it('has a template that can be imported', async () => {
    const items = await read(spreadsheetTemplate());
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['property', 'property'],
    );
  });

  it('takes commas, semicolons and tabs, a byte-order mark, CR LF, CR, and a line that names the separator', async () => {
    const text = `${LEAST}\n${row('a')}${row(' a ', 'suite,Suite,4')}\n${row('', 'third,Third,6')}`;
    const documents = await Promise.all(
      [
        text,
        text.replaceAll(',', ';'),
        text.replaceAll(',', '\t'),
        `\u{feff}${text}`,
        text.replaceAll('\n', '\r\n'),
        text.replaceAll('\n', '\r'),
        `sep=;\r\n${text.replaceAll(',', ';')}`,
      ].map(readOne),
    );
    for (const { property } of documents) {
      assert.deepEqual(
        property.inventoryTypes.map((type) => type.inventoryTypeId),
        ['double', 'suite', 'third'],
      );
      assert.deepEqual(property, documents[0]!.property);
    }
  });

  it('is read as Italian spreadsheets save it', async () => {
    const text = `${LEAST};rating.score;rating.count;quoting;cleaningFee;taxes\n`.replaceAll(',', ';');
    const cells = 'a;Caffè;hotel;Forlì;IT;1,5;EUR;Europe/Rome;double;Doppia;2;4,6;7;FALSO;1.040,50;';
    const rule = '"code=vat;kind=tax;logic=percent;percent=10,5;inclusive=VERO"';
    const [item] = await read(Buffer.from(`${text}${cells}${rule}\n;;;\n`, 'latin1'));
    assert.ok(item?.kind === 'property', JSON.stringify(item));
    const { property } = item;
    const { name, city, rating, quoting, taxes } = property as unknown as Record<string, unknown>;
    assert.deepEqual(
      [name, rating, quoting],
      ['Caffè', { score: 4.6, count: 7 }, false],
      JSON.stringify(city),
    );
    assert.match(JSON.stringify(taxes), /10\.?5/);
    assert.match(
      JSON.stringify(property, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
      /Forlì/,
    );
  });

  it('takes rules as they are written by hand', async () => {
    const { property } = await readOne(
      `${LEAST},taxes,quoting\n${row('a').trim()}," code = vat; kind=tax;logic=percent;percent=10;inclusive=TRUE| code=x;kind=fee;logic=per_booking;amount=3",FALSE\n`,
    );
    assert.deepEqual(
      property.taxes.map(({ code, inclusive }) => [code, inclusive]),
      [
        ['vat', true],
        ['x', false],
      ],
    );
    assert.equal(property.quoting, false);
  });

  it('runs nothing in a spreadsheet', () => {
    const name = '=HYPERLINK("http://evil.example")';
    for (const start of ['=', '+', '-', '@', '\t', "'"]) {
      const written = spreadsheetRows(formatted(parsed(hotel('a', { name: start + name }))));
      assert.match(written, /^a,"?'/);
    }
    // Programs that take a tab for the end of a cell find it in quotes.
    const inside = spreadsheetRows(formatted(parsed(hotel('a', { name: `Casa\t${name}` }))));
    assert.match(inside, /^a,"Casa\t=HYPERLINK/);
    const plain = spreadsheetRows(formatted(parsed(hotel('a', { name: 'Casa\t=1+1' }))));
    assert.match(plain, /^a,"Casa\t=1\+1",/);
  });

  it('is read back as it was written, whatever its texts are', async () => {
    const text = fc
      .array(
        fc.constantFrom('=', "'", '"', '|', ';', ',', '\n', ' ', '[', ']', '-', 'è', 'x=1', '\t', '{}'),
        {
          maxLength: 8,
        },
      )
      .map((pieces) => `x${pieces.join('')}`.slice(pieces.length % 2));
    const notBlank = text.filter((given) => given.trim() !== '');
    const localized = fc.oneof(notBlank, fc.record({ 'it-IT': notBlank, 'en-GB': notBlank }));
    await fc.assert(
      fc.asyncProperty(
        localized,
        fc.oneof(text, fc.record({ 'it-IT': text })),
        fc.array(notBlank, { maxLength: 3 }),
        notBlank,
        async (name, description, amenities, code) => {
          const tax = { code, kind: 'tax', logic: 'percent', percent: '10' };
          const document = parsed(hotel('a', { name, description, amenities, taxes: [tax] }));
          const item = await readOne(spreadsheetHeader() + spreadsheetRows(formatted(document)));
          assert.deepEqual(item.property, document.property);
        },
      ),
      { ...RUN_SEED, numRuns: 500 },
    );
  });
});

describe('A row that cannot be used', () => {
  it('is named with its line, column and reason; the others are taken', async () => {
    const text = `${LEAST}\n${row('a')}${row('b', 'double,Double,none')}${row('c')}${row('c', 'x,Y,0')}${row('d')}`;
    const items = await read(text);
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['property', 'rejected', 'rejected', 'property'],
    );
    const [second, third] = await wrong(text);
    assert.match(second!, /^3: guestsMax: must be a whole number .* not "none"/);
    assert.match(third!, /^5: guestsMax: /);
  });

  it('is named with all its mistakes, whatever found them', async () => {
    const text = `${LEAST},taxes\n`;
    const broken = row('a', ',Double,none').trim().replace('Ponte', '');
    assert.deepEqual(
      (await wrong(`${text}${broken},vat 10\n`)).map((line) => line.split(':').slice(0, 2).join(':')),
      ['2: taxes', '2: name', '2: guestsMax', '2: inventoryTypeId'],
    );
  });

  it('says how to write what it means', async () => {
    const differs = `${LEAST}\n${row('a')}${row('a', 's,S,2').replace('Ponte', 'Other')}`;
    assert.deepEqual(await wrong(differs), [
      '3: name: differs from the first row of this property; leave it blank or repeat it',
    ]);
    assert.match(
      (await wrong(`${LEAST}\n${row('a').trim()},x\n`))[0]!,
      /has 12 cells where the header names 11/,
    );
    assert.match(
      (await wrong(`${LEAST},taxes\n${row('a').trim()},vat 10\n`))[0]!,
      /taxes: must be written code=/,
    );
    assert.match((await wrong(`${LEAST},taxes\n${row('a').trim()},[{]\n`))[0]!, /taxes: begins like JSON/);
    assert.match(
      (await wrong(`${LEAST},name:it-IT\n${row('a').trim()},P\n`))[0]!,
      /name:it-IT: stands beside/,
    );
    assert.match((await wrong(`${LEAST}\n${row('', 'a,A,2')}`))[0]!, /^2: propertyId: /);
  });

  it('makes a file end at a row that is not CSV; the rows before are kept', async () => {
    const items = await read(`${LEAST}\n${row('a')}${row('b')}c,"Ponte\n`);
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['property', 'ended-badly'],
    );
    assert.match((await wrong(`${LEAST}\na,"Ponte\n`))[0]!, /^row 2 has a quote that is not closed/);
  });
});

describe('Values of a catalogue in a sheet', () => {
  it('are the same in a file with semicolons, which spreadsheet programs of Italy open in columns', async () => {
    const options = { separator: ';' } as const;
    const document = parsed(FULL);
    const text = spreadsheetHeader(options) + spreadsheetRows(formatted(document), options);
    assert.match(text, /^\ufeffpropertyId;name;/);
    const items = await read(text);
    assert.ok(items[0]?.kind === 'property', JSON.stringify(items));
    assert.deepEqual(items[0].property, document.property);
    assert.deepEqual(items[0].details, document.details);
    assert.equal((await read(spreadsheetTemplate(options))).length, 2);
  });

  it('are quoted as they are written, by their heading', async () => {
    const text = `${LEAST.replaceAll(',', ';')}\n${row('a').replaceAll(',', ';')}`;
    const withBathrooms = (cell: string): string => {
      const at = LEAST.split(',').indexOf('bathrooms');
      const [header = '', line = ''] = text.split('\n');
      return `${header}\n${line.split(';').with(at, cell).join(';')}\n`;
    };
    assert.deepEqual(await wrong(withBathrooms('1,3')), [
      '2: bathrooms: must be a multiple of 0.5, not "1,3"',
    ]);
    const [item] = await read(withBathrooms('1,5\u200b'));
    assert.ok(item?.kind === 'property', JSON.stringify(item));
    assert.equal(item.property.bathrooms, 1.5);
  });

  it('are missing by their heading, at once', async () => {
    const [header = '', line = ''] = `${LEAST}\n${row('a')}`.split('\n');
    const cells = line.split(',');
    const blank = header
      .split(',')
      .map((name, at) => (/^(?:propertyId|inventoryTypeId)$/.test(name) ? cells[at]! : ''));
    const missing = (await wrong(`${header}\n${blank.join(',')}\n`)).map((one) => one.split(':')[1]?.trim());
    const wanted = header.split(',').filter((name) => !/^(?:propertyId|inventoryTypeId)$/.test(name));
    assert.deepEqual(missing.toSorted(), wanted.toSorted());
  });
});

describe('A file without the columns of a catalogue', () => {
  it('is refused as a whole', async () => {
    assert.deepEqual(await wrong(''), ['is empty: the first line must name the columns']);
    assert.match((await wrong('propertyId,price\n'))[0]!, /unknown column "price"; remove it/);
    assert.match(
      (await wrong('propertyId\tprice\tname\tname\trate\n'))[0]!,
      /missing: propertyType, city, country, .*, inventoryTypeId, typeName, guestsMax\. It has unknown columns "price", "rate"; .* It names the column "name" twice/,
    );
    assert.match((await wrong(`${LEAST},name\n`))[0]!, /names the column "name" twice/);
    assert.match(
      (await wrong('name\n'))[0]!,
      /must name the columns; missing: propertyId, propertyType, city/,
    );
    const both = Buffer.concat([Buffer.from(`${LEAST}\nà\n`), Buffer.from('à', 'latin1')]);
    assert.match(
      (await wrong(both))[0]!,
      /^mixes two encodings, UTF-8 \(line 2\) and Windows-1252 \(line 3\)/,
    );
    assert.equal((await wrong(`${LEAST}\n${row('a').repeat(2_001)}`)).length, 1);
  });

  it(`is read to an end in ${MUTATED} mutations, and each property is read or named`, async () => {
    const document = spreadsheetHeader(CALENDARS) + spreadsheetRows(formatted(parsed(FULL)), CALENDARS);
    const random = createRandom(20_261_125);
    const pieces = [',', ';', '"', '""', '\n', "'", '[', '|', 'code=', '=1', '\u{0}', 'NaN', 'a,b'];
    const ends = new Set<string>();
    for (let index = 0; index < MUTATED; index += 1) {
      const items = await read(mutate(document, pieces, random, 12));
      assert.ok(items.length > 0);
      for (const { kind } of items) ends.add(kind);
    }
    assert.deepEqual([...ends].toSorted(), ['ended-badly', 'property', 'rejected']);
  });
});
