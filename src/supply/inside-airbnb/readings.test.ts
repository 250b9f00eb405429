import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSourceName } from '../../domain/layers.ts';
import { parseAmenities } from './amenities.ts';
import { parseNightCount, parsePrice } from './amounts.ts';
import { hasOpenQuote, splitCsvRecord } from './csv-record.ts';
import { sourceOfCity } from './inside-airbnb.ts';
import { readBathrooms, toPlainText } from './listing-property.ts';
import { parseScore } from './listings-file.ts';

/** Undefined is written as 'rejected'. */
function table<T>(
  read: (text: string) => T | undefined,
  rows: readonly (readonly [text: string, value: unknown])[],
): void {
  for (const [text, value] of rows) {
    it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(read(text) ?? orRejected(read(text)), value));
  }
}

function orRejected(value: unknown): unknown {
  return value === undefined ? 'rejected' : value;
}

describe('A price', () => {
  table(parsePrice, [
    ['$85.00', 8_500],
    ['$1,234.00', 123_400],
    ['$109,999.00', 10_999_900],
    ['$1,234,567.89', 123_456_789],
    ['85', 8_500],
    ['€85.5', 8_550],
    ['US$ 85.00', 8_500],
    ['$0.00', null],
    ['', null],
    ['$9,999,999,999.00', 999_999_999_900],
    ['$10,000,000,000.00', 'rejected'],
    ['-$85.00', 'rejected'],
    ['$-85.00', 'rejected'],
    ['$1,23.00', 'rejected'],
    ['$85.005', 'rejected'],
    ['free', 'rejected'],
  ]);
});

describe('A number of nights', () => {
  table(parseNightCount, [
    ['1', 1],
    ['92', 92],
    ['7.0', 7],
    ['2147483647', 2_147_483_647],
    ['', null],
    ['0', null],
    ['-1', 'rejected'],
    ['1.5', 'rejected'],
    ['99999999999999999999', 'rejected'],
  ]);
});

describe('Amenities', () => {
  table(parseAmenities, [
    ['{TV,"Cable TV",Internet,"Wireless Internet"}', ['TV', 'Cable TV', 'Internet', 'Wireless Internet']],
    [
      '{"Dog(s)","Washer / Dryer","say \\"hi\\", and \\\\"}',
      ['Dog(s)', 'Washer / Dryer', 'say "hi", and \\'],
    ],
    ['{}', []],
    ['{""}', []],
    [
      '["TV", "Wifi", "Private backyard \\u2013 Fully fenced"]',
      ['TV', 'Wifi', 'Private backyard – Fully fenced'],
    ],
    ['[]', []],
    ['', []],
    ['["TV", 1]', 'rejected'],
    ['["TV"', 'rejected'],
    ['{TV,"Wifi}', 'rejected'],
    ['TV, Wifi', 'rejected'],
  ]);
});

describe('Bathrooms', () => {
  for (const [bathrooms, text, value] of [
    ['1.0', '', 1],
    ['2.5', '3 baths', 2.5],
    ['', '1.5 shared baths', 1.5],
    ['', '13 shared baths', 13],
    ['', 'Half-bath', 0.5],
    ['', 'Shared half-bath', 0.5],
    ['', 'Private half-bath', 0.5],
    ['0.0', 'Half-bath', 0],
    ['', '0 baths', 0],
    ['', '', 0],
    ['1.3', '', 1.5],
    ['1.2', '', 1],
  ] as const) {
    it(`${JSON.stringify(bathrooms)} and ${JSON.stringify(text)} are ${value}`, () => {
      assert.equal(readBathrooms(bathrooms, text), value);
    });
  }
});

describe('A score', () => {
  it('is kept on a scale of 5', () => assert.equal(parseScore('4.87', 5), 4.87));
  it('is divided by 20 on a scale of 100', () => {
    for (let score = 1; score <= 100; score += 1) {
      // As written with two decimals: 93 is 4.65, not 4.6500000000000004.
      assert.equal(String(parseScore(String(score), 100)), String(Number((score / 20).toFixed(2))));
    }
  });
  it('is none when it is missing or 0', () => {
    for (const text of ['', '0', '0.0']) assert.equal(parseScore(text, 5), null);
  });
  it('is rejected when it is not a number', () => assert.equal(parseScore('good', 5), undefined));
});

describe('A description', () => {
  table(toPlainText, [
    ['Plain text, as it is\nwith a second line', 'Plain text, as it is\nwith a second line'],
    ['One.<br /><br /><b>The space</b><br />Two', 'One.\n\nThe space\nTwo'],
    ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
    ['caf&eacute; &amp; bar&#39;s &#189;', "café & bar's ½"],
    ['<100m from the sea, < 5 min, a <3', '<100m from the sea, < 5 min, a <3'],
    ['<script>alert(1)</script>Safe <a href="https://example.com">link</a>', 'Safe link'],
    ['🌊 sea<br/>🌞 sun', '🌊 sea\n🌞 sun'],
    ['  ', ''],
  ]);
});

describe('A CSV record', () => {
  table(splitCsvRecord, [
    ['a,b,,c', ['a', 'b', '', 'c']],
    ['', ['']],
    [',', ['', '']],
    ['1,"$1,234.00",t', ['1', '$1,234.00', 't']],
    ['"a ""quoted"" word","",x', ['a "quoted" word', '', 'x']],
    ['"two\nlines",b', ['two\nlines', 'b']],
    ['a,"b",', ['a', 'b', '']],
    ['"open,b', 'rejected'],
    ['"a"b,c', 'rejected'],
    ['a"b,c', 'rejected'],
  ]);

  it('goes on after a line whose quotes are not paired', () => {
    assert.deepEqual(['a,"b', 'a,"b"', 'a,"b""c', '"""'].map(hasOpenQuote), [true, false, true, true]);
  });
});

describe('The source of a city', () => {
  for (const [city, source] of [
    ['Antwerp', 'inside-airbnb:Antwerp'],
    ['New York', 'inside-airbnb:New-York'],
    ['São Paulo', 'inside-airbnb:Sao-Paulo'],
    ["L'Aquila", 'inside-airbnb:L-Aquila'],
  ] as const) {
    it(`${city} is ${source}`, () => assert.equal(sourceOfCity(city), source));
  }

  it('is a name that no other city has, where letters are lost or cut off', () => {
    const long = 'Taumatawhakatangihangakoauauotamateaturipukakapikimaungahoronukupokaiwhenuakitanatahu';
    const cities = ['東京', '大阪', 'Tromsø', 'Tromsa', long, `${long}u`, 'x'.repeat(51), '٣', '٤'];
    const sources = cities.map(sourceOfCity);
    assert.equal(new Set(sources).size, cities.length);
    for (const source of sources) assert.ok(isSourceName(source), source);
  });
});
