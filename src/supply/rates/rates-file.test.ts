import { inEnglish, sayAlone } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AnyField, FIELDS, type FieldShape, rowOf } from '../../domain/calendar-fields.ts';
import { assertShare, MUTATIONS, mutate, readMutations } from '../../../test/kit/mutations.ts';
import { formatEntry } from '../native/format-property-document.ts';
import { sourceOf } from '../../../test/kit/byte-sources.ts';
import { cell, makeWorkbook } from '../../../test/kit/workbooks.ts';
import { findSeparator } from '../sheet/csv-dialect.ts';
import type { WrongHeader } from '../sheet/sheet-header.ts';
import { LineRows } from '../sheet/sheet-rows.ts';
import { openRatesSheet, RatesReader, readRates } from './rates-file.ts';
import type { RatesRow } from './rates-row.ts';

const HEADER =
  'propertyId;inventoryTypeId;dateFrom;dateTo;availability;rate;ratesByGuests;weekdays;stopSell;maxStay';
const ROW = 'hotel-ponte;double;2026-12-01;2026-12-31;2;120.50;1:80.00 2:99.00;fri sat;false;14';

async function read(text: string | Buffer, choices = {}): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  const sheet = await openRatesSheet(sourceOf('rates.csv', text), choices);
  for await (const { row: line, read: row } of readRates(sheet, choices)) {
    if (row.ok) {
      const warnings = row.warnings.map(({ code }) => code);
      const entries = row.entries.map(formatEntry);
      rows.push({ line, propertyId: row.propertyId, entries, ...(warnings.length > 0 && { warnings }) });
    } else rows.push(...row.mistakes.map(({ field, reason }) => `${line}: ${field}: ${inEnglish(reason)}`));
  }
  return rows;
}

const short = (cells: string, column = 'rate'): string =>
  `propertyId;inventoryTypeId;dateFrom;dateTo;${column}\np;t;2026-12-01;2026-12-02;${cells}\n`;

/** A filled cell of each shape, and the value that it sets. */
const FILLED: Readonly<Record<FieldShape, readonly [cell: string, value: unknown]>> = {
  units: ['3', 3],
  nights: ['2', 2],
  flag: ['yes', true],
  money: ['120.50', '120.50'],
  moneyByGuests: ['2:99.00', { '2': '99.00' }],
};

/** The first row, or its first mistake. */
const wrong = async (text: string | Buffer): Promise<unknown> => (await read(text))[0];

describe('A file of rates', () => {
  it('is read with commas and semicolons, a byte-order mark, CR LF, CR, a sep line and quotes', async () => {
    const entry = { dateFrom: '2026-12-01', dateTo: '2026-12-02', rate: '120.50', stopSell: true };
    const expected = { propertyId: 'p', entries: [entry] };
    const commas =
      '\u{feff}propertyId,inventoryTypeId,dateFrom,dateTo,rate,stopSell\r\np,t,2026-12-01,2026-12-02,"120.50",TRUE\r\n';
    assert.deepEqual(await read(commas), [{ line: 2, ...expected }]);
    const semicolons = `sep=;\r\n${commas.slice(1).replaceAll(',', ';')}\r\n`;
    assert.deepEqual(await read(semicolons), [{ line: 2, ...expected }], 'as a spreadsheet counts rows');
    const tabs = commas.replaceAll(',', '\t');
    assert.deepEqual(await read(tabs), [{ line: 2, ...expected }]);
    assert.deepEqual(await read(commas.replaceAll('\r\n', '\r')), [{ line: 2, ...expected }]);
  });

  it('leaves out rows without a filled cell, and columns without a name', async () => {
    const blank = ';;;;;\n \t; ; "" ;;;\n';
    const header = 'PROPERTYID;inventoryTypeId;;dateFrom;dateTo;rate;;\n';
    const rows = `p;t;;2026-12-01;2026-12-02;120.50;;\n${blank}p;t;x;2026-12-01;2026-12-02;120.50;;\n`;
    assert.deepEqual(await read(blank + header + blank + rows), [
      {
        line: 6,
        propertyId: 'p',
        entries: [{ dateFrom: '2026-12-01', dateTo: '2026-12-02', rate: '120.50' }],
      },
      '9: : has a cell in column 3, which has no name in the header',
    ]);
  });

  it('names all mistakes of a row', async () => {
    const header = 'propertyId;inventoryTypeId;dateFrom;dateTo;rate;availability;stopSell;weekdays\n';
    const lines = (await read(`${header};t;2026-13-01;soon;9,9,00;two;maybe;funday\n`)) as string[];
    const fields = lines.map((line) => line.split(':')[1]!.trim());
    assert.deepEqual(
      new Set(fields),
      new Set(['propertyId', 'dateFrom', 'dateTo', 'availability', 'stopSell', 'weekdays[0]', 'rate']),
    );
  });

  it('takes units below zero and stays of 0 nights as other systems mean them', async () => {
    const header = 'propertyId;inventoryTypeId;dateFrom;dateTo;availability;maxStay;minStayArrival;rate\n';
    assert.deepEqual(await read(`${header}p;t;2026-12-01;2026-12-02;-1;0;0;0.00\n`), [
      {
        line: 2,
        propertyId: 'p',
        entries: [
          {
            dateFrom: '2026-12-01',
            dateTo: '2026-12-02',
            availability: 0,
            rate: '0.00',
            maxStay: null,
            minStayArrival: null,
          },
        ],
        warnings: ['UNITS_BELOW_ZERO', 'RATE_ZERO'],
      },
    ]);
  });

  it('takes rates by guests, weekdays, cleared fields and leaves empty cells alone', async () => {
    assert.deepEqual(await read(short('1:80.00 2:99.00', 'ratesByGuests')), [
      {
        line: 2,
        propertyId: 'p',
        entries: [
          { dateFrom: '2026-12-01', dateTo: '2026-12-02', ratesByGuests: { '1': '80.00', '2': '99.00' } },
        ],
      },
    ]);
    assert.deepEqual(await read(short('null')), [
      { line: 2, propertyId: 'p', entries: [{ dateFrom: '2026-12-01', dateTo: '2026-12-02', rate: null }] },
    ]);
    const fridays = `${HEADER}\np;t;2026-12-01;2026-12-12;0;;;fri;;\n`;
    assert.deepEqual(await read(fridays), [
      {
        line: 2,
        propertyId: 'p',
        entries: [
          { dateFrom: '2026-12-04', dateTo: '2026-12-04', availability: 0 },
          { dateFrom: '2026-12-11', dateTo: '2026-12-11', availability: 0 },
        ],
      },
    ]);
  });

  it('sets each field that has a filled cell, and clears it with null alone', async () => {
    for (const field of FIELDS) {
      const [filled, value] = FILLED[rowOf(field).shape];
      const setBy = async (text: string) => (await read(short(text, field)))[0];
      const line = (set: Partial<Record<AnyField, unknown>>) => ({
        line: 2,
        propertyId: 'p',
        entries: [{ dateFrom: '2026-12-01', dateTo: '2026-12-02', ...set }],
      });
      assert.deepEqual(await setBy(filled), line({ [field]: value }));
      assert.deepEqual(await setBy('null'), line({ [field]: null }));
    }
  });

  it('takes decimal commas and days before months, where commas do not separate cells', async () => {
    const expected = { dateFrom: '2026-12-01', dateTo: '2026-12-31', rate: '1234.50', stopSell: true };
    const header = 'propertyId;inventoryTypeId;dateFrom;dateTo;rate;stopSell\n';
    for (const row of ['1/12/2026;31/12/2026;1.234,50;VERO', '2026-12-01;31/12/2026;1234,50;vero'])
      for (const separator of [';', '\t']) {
        const text = `${header}p;t;${row}\n`.replaceAll(';', separator);
        assert.deepEqual(await read(text), [{ line: 2, propertyId: 'p', entries: [expected] }]);
      }
    const guests = await read(short('1:80,00 2:1.099,5', 'ratesByGuests'));
    assert.match(JSON.stringify(guests), /"1":"80.00","2":"1099.50"/);
    for (const [cells, field] of [
      ['12/31/2026;31/12/2026;1;FALSO', 'dateFrom'],
      ['01/12/26;31/12/2026;1;FALSO', 'dateFrom'],
      ['31/11/2026;31/12/2026;1;FALSO', 'dateFrom'],
      ['1/12/2026;31/12/2026;1,234.50;FALSO', 'rate'],
      ['1/12/2026;31/12/2026;1.234;FALSO', 'rate'],
      ['1/12/2026;31/12/2026;12.34,50;FALSO', 'rate'],
    ]) {
      const [mistake, ...others] = await read(`${header}p;t;${cells}\n`);
      assert.ok(String(mistake).startsWith(`2: ${field}: `) && others.length === 0, String(mistake));
    }
  });

  it('takes no date with slashes where commas separate cells: nobody knows whose it is', async () => {
    const text = short('1').replace('2026-12-02', '02/12/2026').replaceAll(';', ',');
    assert.match(String(await read(text)), /^2: dateTo: must be a real date/);
  });

  it('is read in Windows-1252 as in UTF-8, and not where it mixes them', async () => {
    const names = (text: string): string => `${text}note\n`;
    const utf8 = short('120,00', 'rate').replace(';rate', ';rate;') + 'p;t;2026-12-03;2026-12-03;1;\u2019\n';
    const surplus = ['3: : has a cell in column 6, which has no name in the header'];
    assert.deepEqual((await read(utf8)).slice(1), surplus);
    const windows = Buffer.from(utf8.replace('\u2019', '\u0092'), 'latin1');
    assert.deepEqual((await read(windows)).slice(1), surplus);
    assert.equal((await openRatesSheet(sourceOf('r.csv', windows))).facts.encoding, 'Windows-1252');
    assert.equal((await openRatesSheet(sourceOf('r.csv', utf8))).facts.encoding, 'UTF-8');
    const both = Buffer.concat([Buffer.from(utf8), Buffer.from(names('\u00e9'), 'latin1')]);
    await assert.rejects(
      read(both),
      /mixes two encodings, UTF-8 \(line 3\) and Windows-1252 \(line 4\): save it/,
    );
    await assert.rejects(
      read(Buffer.from([0x61, 0x81, 0x0a])),
      /not UTF-8, and read as Windows-1252 it has signs/,
    );
    await assert.rejects(read(Buffer.from('\ufeffa', 'utf16le')), /is UTF-16/);
  });

  it('names all unknown and missing columns at once, and leaves the unknown out on request', async () => {
    const text = `propertyId;Note;inventoryTypeId;dateFrom;dateTo;Prezzo;rate\np;x;t;2026-12-01;2026-12-02;y;1\n`;
    await assert.rejects(read(text), /has unknown columns "Note", "Prezzo"; remove them/);
    const [row] = (await read(text, { ignoreColumns: true })) as [{ entries: unknown }];
    assert.deepEqual(row.entries, [{ dateFrom: '2026-12-01', dateTo: '2026-12-02', rate: '1.00' }]);
    await assert.rejects(read('a;b;dateTo\n'), (error: WrongHeader) => {
      const missing = ['propertyId', 'inventoryTypeId', 'dateFrom'];
      assert.deepEqual(error.mistakes, { missing, unknown: ['a', 'b'], twice: [] });
      return true;
    });
    await assert.rejects(read('propertyId\np\n', { ignoreColumns: true }), /missing: inventoryTypeId/);
  });

  it('names what is wrong by line and column, and how to fix it', async () => {
    const withCommas = (text: string): string => text.replaceAll(';', ',');
    assert.equal(
      await wrong(withCommas(short('"1.120|5"')).replace('|', ',')),
      '2: rate: has a decimal comma: write 1120.5, not "1.120,5"',
    );
    assert.match(
      String(await wrong(withCommas(short('"2:99|00"', 'ratesByGuests')).replace('|', ','))),
      /^2: ratesByGuests: has a decimal comma: write 99\.00/,
    );
    assert.match(
      String(await wrong(short('two', 'availability'))),
      /^2: availability: must be a whole number .*, not "two"/,
    );
    assert.match(
      String(await wrong(short('maybe', 'stopSell'))),
      /^2: stopSell: must be true or false, not "maybe"/,
    );
    assert.match(String(await wrong(short(''))), /sets nothing/);
    assert.match(
      String(await wrong(short('120.00;7'))),
      /has 6 cells where the header names 5 columns; .*in quotes/,
    );
    assert.match(String(await wrong(short('"120.00'))), /has a quote that is not closed/);
    assert.match(
      String(await wrong(short('1').replace('2026-12-02', '12/31/2026'))),
      /^2: dateTo: .*YYYY-MM-DD/,
    );
  });

  it('takes weekdays of ten years, and none of a night more', async () => {
    const row = (dateTo: string, weekdays: string) => `${HEADER}\np;t;2026-01-01;${dateTo};1;;;${weekdays};;`;
    assert.doesNotMatch(String(await wrong(row('2036-01-08', 'fri'))), /shorter range/);
    assert.match(String(await wrong(row('2036-01-09', 'fri'))), /^2: weekdays: .*shorter range/);
    const long = `${HEADER}\np;t;0001-01-01;9999-12-31;1;;;fri;;`;
    assert.match(String(await wrong(long)), /^2: weekdays: .*shorter range/);
    assert.doesNotMatch(String(await wrong(row('2036-01-09', ''))), /shorter range/);
  });

  it('takes grouped thousands, dates with points, flags of other languages, and ignores invisible characters', async () => {
    const header = 'propertyId\u200b;inventoryTypeId;dateFrom;dateTo;\ufeffrate\u200b;stopSell;ratesByGuests';
    const nights = { dateFrom: '2026-12-05', dateTo: '2026-12-06' };
    for (const sign of ['\u00a0', '\u202f', '\u2009', ' ', '’', "'"]) {
      const text = `${header}\ncasa\u200b;u\u2060;05.12.2026;6.12.2026;1${sign}120,50\u200b;WAHR;\n`;
      const entries = [{ ...nights, rate: '1120.50', stopSell: true }];
      assert.deepEqual(await read(text), [{ line: 2, propertyId: 'casa', entries }]);
    }
    const guests = `${header}\ncasa;u;05.12.2026;06.12.2026;;falsch;1:1\u00a0080,00 2:1.100,50\n`;
    const ratesByGuests = { 1: '1080.00', 2: '1100.50' };
    const entries = [{ ...nights, ratesByGuests, stopSell: false }];
    assert.deepEqual(await read(guests), [{ line: 2, propertyId: 'casa', entries }]);
    const commas = short('1\u00a0120.50').replaceAll(';', ',').replace('2026-12-02', '02.12.2026');
    const until = { dateFrom: '2026-12-01', dateTo: '2026-12-02', rate: '1120.50' };
    assert.deepEqual(await read(commas), [{ line: 2, propertyId: 'p', entries: [until] }]);
  });

  it('quotes a cell as it is written, and invisible characters by their number', async () => {
    for (const [cell, column, quoted] of [
      ['1 12,50', 'rate', '"1 12,50"'],
      ['1.234,567', 'rate', '"1.234,567"'],
      ['1\u00a0120,5x', 'rate', '"1\u00a0120,5x"'],
      ['9 9', 'availability', '"9 9"'],
      ['1\u200b2,50x', 'rate', '"1\\u200b2,50x"'],
    ] as const)
      assert.ok(
        String(await wrong(short(cell, column))).endsWith(`, not ${quoted}`),
        String(await wrong(short(cell, column))),
      );
    const inCommas = short('"1\u00a0120|50"').replaceAll(';', ',').replace('|', ',');
    assert.equal(await wrong(inCommas), '2: rate: has a decimal comma: write 1120.50, not "1\u00a0120,50"');
  });

  it('says that hidden rows are read, once', async () => {
    const values = (id: string) => [id, 'u', '2026-12-05', '2026-12-05', '99'];
    const cells = (all: readonly string[]) => all.map((text) => `<c t="str"><v>${text}</v></c>`).join('');
    const header = cells(['propertyId', 'inventoryTypeId', 'dateFrom', 'dateTo', 'rate']);
    const rows = ['a', 'b', 'c'].map(
      (id) => `<row${id === 'a' ? '' : ' hidden="1"'}>${cells(values(id))}</row>`,
    );
    const bytes = makeWorkbook({ sheets: [{ name: 'x', rows: `<row>${header}</row>${rows.join('')}` }] });
    const sheet = await openRatesSheet(sourceOf('rates.xlsx', bytes));
    const found = await Array.fromAsync(readRates(sheet));
    assert.equal(found.length, 3);
    assert.deepEqual(
      found.flatMap(({ notices }) => notices.map((notice) => sayAlone(notice, 'en-GB'))),
      [
        'Row 3 is hidden in the spreadsheet; hidden rows are read like the others: delete those that do not count.',
      ],
    );
  });

  it('names hidden columns that are read, once', async () => {
    const cells = (all: readonly string[]) => all.map((text) => `<c t="str"><v>${text}</v></c>`).join('');
    const header = cells(['propertyId', 'inventoryTypeId', 'dateFrom', 'dateTo', 'rate', 'maxStay', 'note']);
    const row = cells(['a', 'u', '2026-12-05', '2026-12-05', '99', '3', 'x']);
    const columns =
      '<col min="1" max="4" hidden="0"/><col min="5" max="5" hidden="1"/><col min="6" max="9" hidden="true"/>';
    const rows = `<row>${header}</row><row>${row}</row><row>${row}</row>`;
    const sheets = [{ name: 'x', rows, columns }];
    const sheet = await openRatesSheet(sourceOf('rates.xlsx', makeWorkbook({ sheets })));
    const found = await Array.fromAsync(readRates(sheet, { ignoreColumns: true }));
    assert.deepEqual(
      found.flatMap(({ notices }) => notices.map((notice) => sayAlone(notice, 'en-GB'))),
      [
        'Hidden in the spreadsheet: rate, maxStay; hidden columns are read like the others: delete those that do not count.',
      ],
    );
  });

  it('refuses ids that are numbers of more digits than a spreadsheet keeps, with the cure', async () => {
    const header = ['propertyId', 'inventoryTypeId', 'dateFrom', 'dateTo', 'rate'];
    const rowOf = (id: string, style: string) => [
      cell(`<v>${id}</v>`, style),
      'u',
      '2026-12-05',
      '2026-12-05',
      99,
    ];
    const rows = [
      header,
      rowOf('738291028374650123', 's="1"'),
      rowOf('738291028374650123', ''),
      rowOf('1000000000000000', 's="1"'),
      rowOf('999999999999999', 's="1"'),
    ];
    const bytes = makeWorkbook({ sheets: [{ name: 'Tariffe', rows }], formats: ['0'] });
    const reason =
      'is a number of more than 15 digits, of which spreadsheets keep 15: format the column as text, and write it again';
    const [first, second, third, fourth] = await read(bytes);
    assert.deepEqual(
      [first, second, third],
      [2, 3, 4].map((row) => `${row}: propertyId: ${reason}`),
    );
    assert.equal((fourth as { propertyId: string }).propertyId, '999999999999999');
    const sheet = await openRatesSheet(sourceOf('rates.xlsx', bytes));
    const notices = (await Array.fromAsync(readRates(sheet))).flatMap((row) => row.notices);
    assert.equal(notices.length, 1, 'of the one that is taken');
  });

  it('is refused as a whole when its header is not a header of rates', async () => {
    await assert.rejects(read(''), /is empty/);
    await assert.rejects(read('propertyId;rate\n'), /missing: inventoryTypeId, dateFrom, dateTo/);
    await assert.rejects(
      read(short('1', 'price')),
      /unknown column "price"; remove it, or leave it out .*\(known: propertyId/,
    );
    await assert.rejects(read(short('1', 'dateTo')), /names the column "dateTo" twice/);
  });

  it(`is read to an end in ${MUTATIONS} mutations`, async () => {
    let reader = readerOf(HEADER);
    const counts = await readMutations({
      seed: 20_261_121,
      make: (random) => ({
        // One in ten has another header, for this row only.
        header: random(10) === 0 ? mutate(HEADER, PIECES, random, 30) : undefined,
        row: mutate(ROW, PIECES, random, 30),
      }),
      read({ header, row }) {
        try {
          const one = header === undefined ? reader : readerOf(header);
          const read = one(row);
          return read?.ok === true ? 'good' : 'wrong';
        } catch (error) {
          assert.equal((error as Error).name, 'WrongHeader', String(error));
          reader = readerOf(HEADER);
          return 'refused';
        }
      },
    });
    assertShare(counts.good, 1);
    assertShare(counts.wrong, 10);
    assertShare(counts.refused, 1);
  });
});

/** Reads one row below this header. */
function readerOf(header: string): (row: string) => RatesRow | undefined {
  const dialect = findSeparator(header);
  const rows = new LineRows({ ...dialect, linesBefore: 0 }, 64 * 1024);
  const reader = new RatesReader({ european: dialect.separator !== ',' });
  const take = (text: string): RatesRow | undefined => {
    const row = rows.take({ kind: 'text', number: 1, text });
    return row && reader.take(row);
  };
  take(header);
  return take;
}

const PIECES = [
  ';',
  ',',
  '"',
  '""',
  '-1',
  '1e9',
  'null',
  '\u0000',
  '\ud800',
  '0001-01-01',
  '9999-12-31',
  ':',
  '120,50',
  ' ',
  'mon',
  '__proto__',
  '31',
  '\r',
];
