import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertShare, MUTATIONS, mutate, readMutations } from '../../../test/kit/mutations.ts';
import { formatEntry } from '../native/format-property-document.ts';
import { ByteSource } from '../text/byte-source.ts';
import { RatesReader, readRatesFile } from './rates-file.ts';

const HEADER =
  'propertyId;inventoryTypeId;dateFrom;dateTo;availability;rate;ratesByGuests;weekdays;stopSell;maxStay';
const ROW = 'hotel-ponte;double;2026-12-01;2026-12-31;2;120.50;1:80.00 2:99.00;fri sat;false;14';

async function read(text: string | Buffer): Promise<readonly unknown[]> {
  async function* chunks(): AsyncGenerator<Buffer, void> {
    yield Buffer.from(text);
  }
  const rows: unknown[] = [];
  for await (const { line, row } of readRatesFile(new ByteSource('rates.csv', chunks()))) {
    if (row.ok) {
      const warnings = row.warnings.map(({ code }) => code);
      const entries = row.entries.map(formatEntry);
      rows.push({ line, propertyId: row.propertyId, entries, ...(warnings.length > 0 && { warnings }) });
    } else rows.push(...row.mistakes.map(({ field, reason }) => `${line}: ${field}: ${reason}`));
  }
  return rows;
}

const short = (cells: string, column = 'rate'): string =>
  `propertyId;inventoryTypeId;dateFrom;dateTo;${column}\np;t;2026-12-01;2026-12-02;${cells}\n`;

describe('A file of rates', () => {
  it('is read with commas and semicolons, a byte-order mark, CR LF, a sep line and quotes', async () => {
    const entry = { dateFrom: '2026-12-01', dateTo: '2026-12-02', rate: '120.50', stopSell: true };
    const expected = { propertyId: 'p', entries: [entry] };
    const commas =
      '\u{feff}propertyId,inventoryTypeId,dateFrom,dateTo,rate,stopSell\r\np,t,2026-12-01,2026-12-02,"120.50",TRUE\r\n';
    assert.deepEqual(await read(commas), [{ line: 2, ...expected }]);
    const semicolons = `sep=;\r\n${commas.slice(1).replaceAll(',', ';')}\r\n`;
    assert.deepEqual(await read(semicolons), [{ line: 3, ...expected }]);
    const tabs = commas.replaceAll(',', '\t');
    assert.deepEqual(await read(tabs), [{ line: 2, ...expected }]);
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
    const lines = (await read(`${header};t;2026-13-01;soon;99,00;two;maybe;funday\n`)) as string[];
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

  it('names what is wrong by line and column, and how to fix it', async () => {
    const wrong = async (text: string | Buffer): Promise<unknown> => (await read(text))[0];
    assert.equal(await wrong(short('1.120,5')), '2: rate: has a decimal comma: write 1120.5, not "1.120,5"');
    assert.match(
      String(await wrong(short('2:99,00', 'ratesByGuests'))),
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
      /has 6 cells where the header names 5 columns; .*decimal comma/,
    );
    assert.match(String(await wrong(short('"120.00'))), /has a quote that is not closed/);
    assert.match(
      String(await wrong(short('1').replace('2026-12-02', '02/12/2026'))),
      /^2: dateTo: .*YYYY-MM-DD/,
    );
    const long = `${HEADER}\np;t;0001-01-01;9999-12-31;1;;;fri;;`;
    assert.match(String(await wrong(long)), /^2: weekdays: .*shorter range/);
    const latin1 = Buffer.from(short('120.00').replace(';t;', ';té;'), 'latin1');
    assert.match(String(await wrong(latin1)), /save the file as "CSV UTF-8"/);
  });

  it('is refused as a whole when its header is not a header of rates', async () => {
    await assert.rejects(read(''), /is empty/);
    await assert.rejects(read('propertyId;rate\n'), /missing: inventoryTypeId, dateFrom, dateTo/);
    await assert.rejects(read(short('1', 'price')), /unknown column "price"; remove it \(known: propertyId/);
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
          const read = (header === undefined ? reader : readerOf(header)).take(lineOf(row));
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

const lineOf = (text: string) => ({ kind: 'text', number: 1, text }) as const;

function readerOf(header: string): RatesReader {
  const reader = new RatesReader();
  reader.take(lineOf(header));
  return reader;
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
