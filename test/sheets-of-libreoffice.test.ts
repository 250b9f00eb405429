/** Workbooks and CSV that LibreOffice wrote (`fixtures/sheets`), imported by the commands. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { WorkplaceHere } from './kit/commands-here.ts';

const fixture = (name: string): string => join(import.meta.dirname, 'fixtures', 'sheets', name);

/** The rates of casa-1; that of May is a formula. */
const CALENDAR = [
  {
    dateFrom: '2027-01-01',
    dateTo: '2027-03-31',
    availability: 1,
    rate: '120.00',
    stopSell: false,
    minStayArrival: 2,
  },
  { dateFrom: '2027-04-01', dateTo: '2027-04-30', availability: 1, rate: '1234.50', stopSell: true },
  {
    dateFrom: '2027-05-01',
    dateTo: '2027-05-31',
    availability: 1,
    rate: '110.00',
    stopSell: false,
    minStayArrival: 3,
  },
];

describe('Sheets that LibreOffice wrote', () => {
  const workplace = new WorkplaceHere({});
  after(() => workplace.remove());

  it('a catalogue: ids as shown, formulas by their values, rows by their numbers, no hidden sheet', async () => {
    const { stdout } = await workplace.run(['import', 'catalogue', fixture('catalogue.xlsx'), '--json']);
    const report = JSON.parse(stdout.trim().split('\n').at(-1)!);
    assert.deepEqual([report.sheet, report.read, report.created], ['Flats', 7, 5]);
    assert.deepEqual(
      report.rejections.map(({ row, column }: { row: number; column: string }) => [row, column]),
      [
        [6, 'propertyId'],
        [9, 'guestsMax'],
      ],
    );
    const exported = await workplace.run(['export', 'catalogue']);
    const properties = exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      properties.map(({ propertyId, cleaningFee }) => [propertyId, cleaningFee]),
      [
        ['00007', '40'],
        ['007', '40'],
        ['100000', '40'],
        ['casa-1', '40'],
        ['casa-2', '45.5'],
      ],
    );
  });

  for (const file of ['rates.xlsx', 'rates.csv'])
    it(`rates: dates, booleans, formulas and amounts of ${file}`, async () => {
      const report = await workplace.json(['import', 'rates', fixture(file)]);
      assert.deepEqual(report.rejections, []);
      assert.equal(report.read, 4);
      const { inventoryTypes } = await workplace.json(['property', 'show', 'casa-1']);
      assert.deepEqual(inventoryTypes[0].calendar, CALENDAR);
    });

  for (const [catalogue, rates, encoding] of [
    ['merged-catalogue.xlsx', 'merged-rates.xlsx', null],
    ['italian-catalogue.csv', 'italian-rates.csv', 'Windows-1252'],
  ] as const)
    it(`cells over several rows, decimal commas, VERO and FALSO: ${catalogue} and ${rates}`, async () => {
      const own = new WorkplaceHere({});
      const report = await own.json(['import', 'catalogue', fixture(catalogue)]);
      assert.deepEqual([report.created, report.rejections, report.encoding], [2, [], encoding]);
      assert.deepEqual((await own.json(['import', 'rates', fixture(rates)])).rejections, []);
      const [one, two] = await Promise.all(
        ['casa-1', 'casa-2'].map((id) => own.json(['property', 'show', id])),
      );
      assert.deepEqual(
        [one.name['it-IT'], one.cleaningFee, two.cleaningFee],
        ['Città Alta', '40.5', '1234.5'],
      );
      assert.deepEqual(
        one.inventoryTypes.map(({ inventoryTypeId, calendar }: Readonly<Record<string, unknown>>) => [
          inventoryTypeId,
          calendar,
        ]),
        [
          ['whole', CALENDAR],
          ['studio', []],
        ],
      );
      await own.remove();
    });
});
