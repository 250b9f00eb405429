/** `import rates`, `close` and `open`: what a person does to calendars by hand. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { double, hotel } from './kit/catalogue-lines.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { NOW_MS } from './kit/now.ts';
import { makeWorkbook } from './kit/workbooks.ts';
import type { RowMistake } from '../src/supply/run/mistake-list.ts';

const NIGHTS = ['--from', '2026-12-24', '--to', '2026-12-26'];

describe('The commands for manual overrides', () => {
  const workplace = new WorkplaceHere({}, () => NOW_MS);
  const ratesFile = join(workplace.directory, 'rates.csv');
  const calendar = async () =>
    (await workplace.json(['property', 'show', 'hotel-ponte'])).inventoryTypes[0].calendar;
  before(async () => {
    await workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(hotel('hotel-ponte')) });
    writeFileSync(
      ratesFile,
      [
        'propertyId;inventoryTypeId;dateFrom;dateTo;rate;weekdays;minStayArrival',
        'hotel-ponte;double;2026-12-20;2026-12-31;210.00;;3',
        'hotel-ponte;double;2026-12-31;2026-12-31;250.00;;',
        'hotel-ponte;double;2026-12-20;2026-12-31;2,10,00;;3',
        'unknown;double;2026-12-01;2026-12-02;99.00;;',
        'hotel-ponte;suite;2026-12-01;2026-12-31;99.00;fri;',
      ].join('\r\n'),
    );
  });
  after(() => workplace.remove());

  it('show what a file of rates would change, then change it, then find nothing to change', async () => {
    const before = await calendar();
    const dry = await workplace.run(['import', 'rates', ratesFile, '--dry-run', '--json']);
    const { seconds: _, changes, rejections, ...counts } = JSON.parse(dry.stdout);
    const facts = { encoding: 'UTF-8', separator: ';', sheet: null };
    assert.deepEqual(counts, {
      read: 5,
      changed: 2,
      unchanged: 0,
      rejected: 3,
      changesLeftOut: 0,
      setByHand: [],
      setByHandLeftOut: 0,
      ...facts,
    });
    assert.deepEqual(
      rejections.map(({ row, propertyId, column }: RowMistake) => [row, propertyId, column]),
      [
        [4, 'hotel-ponte', 'rate'],
        [5, 'unknown', 'propertyId'],
        [6, 'hotel-ponte', 'inventoryTypeId'],
      ],
    );
    assert.deepEqual(changes, [
      {
        propertyId: 'hotel-ponte',
        inventoryTypeId: 'double',
        dateFrom: '2026-12-20',
        dateTo: '2026-12-30',
        before: { rate: '120.00', minStayArrival: null },
        after: { rate: '210.00', minStayArrival: 3 },
      },
      {
        propertyId: 'hotel-ponte',
        inventoryTypeId: 'double',
        dateFrom: '2026-12-31',
        dateTo: '2026-12-31',
        before: { rate: '120.00', minStayArrival: null },
        after: { rate: '250.00', minStayArrival: 3 },
      },
    ]);
    assert.match(dry.stderr, /rates\.csv:4: rate: must be a non-negative amount .* \(hotel-ponte\)/);
    assert.match(dry.stderr, /rates\.csv:5: propertyId: There is no property unknown/);
    assert.equal(
      dry.stderr.match(/rates\.csv:6: inventoryTypeId: .*has no inventory type suite/g)?.length,
      1,
    );
    assert.deepEqual(await calendar(), before);
    const readable = await workplace.run(['import', 'rates', ratesFile, '--dry-run']);
    assert.match(
      readable.stdout,
      /^ {2}double {2}2026-12-31 {2}rate 120\.00 -> 250\.00, minStayArrival not set -> 3$/m,
    );

    const done = await workplace.json(['import', 'rates', ratesFile]);
    assert.deepEqual([done.changed, done.rejections.length, done.separator], [2, 3, ';']);
    assert.equal((await calendar()).at(-1).rate, '250.00');
    const { seconds: _2, ...again } = await workplace.json(['import', 'rates', ratesFile, '--dry-run']);
    assert.deepEqual(again.changes, []);
  });

  it('name every mistake of a row of a file of rates at once, and equal ones once', async () => {
    const rows = [
      'Property;propertyId;inventoryTypeId;dateFrom;dateTo;rate;stopSell',
      ...Array.from({ length: 40 }, () => 'x;hotel-ponte;double;2026-13-20;31/12/2026;9,5;FORSE'),
      'x;unknown;double;20/12/2026;31/12/26;9,5;VERO',
    ];
    const path = join(workplace.directory, 'italian.csv');
    writeFileSync(path, rows.join('\r\n'));
    const refused = await workplace.run(['import', 'rates', path]);
    assert.match(
      refused.stderr,
      /unknown column "Property"; remove it, or leave it out with --ignore-columns/,
    );
    const { stderr, stdout } = await workplace.run([
      'import',
      'rates',
      path,
      '--ignore-columns',
      '--dry-run',
    ]);
    const lines = stderr.split('\n').filter((line) => line.includes('italian.csv'));
    const place = 'italian.csv: 40 rows (2-41)';
    assert.deepEqual(
      lines.map((line) => line.slice(line.indexOf('italian.csv'))),
      [
        `${place}: dateFrom: must be a real date written YYYY-MM-DD, not "2026-13-20" (hotel-ponte)`,
        `${place}: stopSell: must be true or false, not "FORSE" (hotel-ponte)`,
        'italian.csv:42: dateTo: must be a real date written YYYY-MM-DD, not "31/12/26" (unknown)',
        'italian.csv:42: propertyId: There is no property unknown; send its document first (unknown)',
      ],
    );
    assert.match(stdout, /^encoding +UTF-8\nseparator +semicolon$/m);
  });

  it('refuse a sheet that may be in another encoding, and read it in the one that is named', async () => {
    const path = join(workplace.directory, 'mac.csv');
    const row = 'hotel-ponte;double;20/12/2026;20/12/2026;77,00;Citt\u0088';
    writeFileSync(path, `propertyId;inventoryTypeId;dateFrom;dateTo;rate;Nota\n${row}\n`, 'latin1');
    for (const kind of ['rates', 'catalogue']) {
      const { code, stderr } = await workplace.run(['import', kind, path, '--ignore-columns', '--dry-run']);
      assert.equal(code, 1, stderr);
      assert.match(
        stderr,
        /line 2: "Cittˆ" \(.*macintosh: "Città"\): .* or name its encoding with --encoding/,
      );
      const wrong = await workplace.run(['import', kind, path, '--encoding', 'cp850']);
      assert.equal(wrong.code, 2, wrong.stderr);
      assert.match(wrong.stderr, /must be an encoding such as windows-1250, iso-8859-2, macintosh or utf-8/);
    }
    const named = ['import', 'rates', path, '--ignore-columns', '--dry-run', '--encoding', 'x-mac-roman'];
    const read = await workplace.json(named);
    assert.deepEqual([read.encoding, read.changed], ['macintosh', 1]);
  });

  it('read a workbook, and say that ids which are numbers may have lost their zeros', async () => {
    const path = join(workplace.directory, 'winter.xlsx');
    const header = ['propertyId', 'inventoryTypeId', 'dateFrom', 'dateTo', 'rate'];
    const rows = [
      header,
      ['hotel-ponte', 'double', '1/1/2027', '2/1/2027', 88.5],
      [7, 'double', '1/1/2027', '2/1/2027', 9],
    ];
    writeFileSync(
      path,
      makeWorkbook({
        sheets: [
          { name: 'Altro', rows: [] },
          { name: 'Tariffe', rows },
        ],
      }),
    );
    const dry = await workplace.run(['import', 'rates', path, '--sheet', 'Tariffe', '--dry-run', '--json']);
    const { changed, rejections, encoding, separator, sheet } = JSON.parse(dry.stdout);
    assert.deepEqual([changed, encoding, separator, sheet], [1, null, null, 'Tariffe']);
    assert.deepEqual(
      rejections.map(({ row, propertyId, column }: RowMistake) => [row, propertyId, column]),
      [[3, '7', 'propertyId']],
    );
    assert.match(dry.stderr, /Row 3: propertyId is a number in the spreadsheet, taken as shown: 7\. Zeros/);
    const none = await workplace.run(['import', 'rates', path, '--sheet', 'Estate']);
    assert.match(none.stderr, /winter\.xlsx has no sheet "Estate"; it has "Altro", "Tariffe"/);
  });

  it('refuse prices of a source that is not the price source, and files that are no such files', async () => {
    const foreign = await workplace.run(['import', 'rates', ratesFile, '--source', 'pms', '--json']);
    assert.match(
      foreign.stderr,
      /rates\.csv: 2 rows \(2-3\): rate: Prices of this inventory type come from "catalogue" only/,
    );
    assert.equal(JSON.parse(foreign.stdout).changed, 0);
    writeFileSync(join(workplace.directory, 'wrong.csv'), 'propertyId,price\n');
    const wrong = await workplace.run(['import', 'rates', join(workplace.directory, 'wrong.csv')]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /wrong\.csv the first line must name the columns; missing: inventoryTypeId/);
    const missing = await workplace.run(['import', 'rates', 'none.csv']);
    assert.match(missing.stderr, /none\.csv does not exist/);
  });

  it('write nothing of a file with a rejected row under --strict, of standard input too', async () => {
    const before = await calendar();
    const header = 'propertyId,inventoryTypeId,dateFrom,dateTo,availability\n';
    const good = 'hotel-ponte,double,2026-12-20,2026-12-20,2\n';
    const rates = (input: string) => workplace.run(['import', 'rates', '-', '--strict', '--json'], { input });
    const refused = await rates(`${header}${good}unknown,double,2026-12-20,2026-12-20,1\n`);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /1 rejected, so nothing was written \(--strict\)/);
    assert.deepEqual(await calendar(), before);
    const done = await rates(header + good);
    assert.deepEqual([done.code, JSON.parse(done.stdout).changed], [0, 1]);
    assert.notDeepEqual(await calendar(), before);
  });

  it('close nights and open them again, and say first what would change', async () => {
    const before = await calendar();
    const close = ['close', '--property', 'hotel-ponte', ...NIGHTS];
    const dry = await workplace.json([...close, '--dry-run']);
    assert.deepEqual([dry.dryRun, dry.changed], [true, true]);
    assert.deepEqual(dry.changes, [
      {
        propertyId: 'hotel-ponte',
        inventoryTypeId: 'double',
        dateFrom: '2026-12-24',
        dateTo: '2026-12-26',
        before: { stopSell: null },
        after: { stopSell: true },
      },
    ]);
    assert.deepEqual(await calendar(), before);
    const closed = await workplace.run(close);
    assert.match(
      closed.stdout,
      /To undo: stayport open --property hotel-ponte --from 2026-12-24 --to 2026-12-26/,
    );
    assert.match(closed.stdout, /double {2}2026-12-24 to 2026-12-26 {2}stopSell not set -> yes/);
    const closedNight = (await calendar()).find(
      (range: { dateFrom: string }) => range.dateFrom === '2026-12-24',
    );
    assert.equal(closedNight.stopSell, true);
    assert.match((await workplace.run(close)).stdout, /closed manually already/);

    const opened = await workplace.json(['open', '--property', 'hotel-ponte', '--type', 'double', ...NIGHTS]);
    assert.equal(opened.changed, true);
    assert.deepEqual(await calendar(), before);
    assert.match(
      (await workplace.run(['open', ...close.slice(1)])).stdout,
      /None of these nights was closed manually/,
    );
  });

  it('say who else keeps a night closed when it is opened', async () => {
    const sold = join(workplace.directory, 'sold.csv');
    writeFileSync(
      sold,
      [
        'propertyId,inventoryTypeId,dateFrom,dateTo,availability,stopSell',
        'hotel-ponte,double,2026-12-25,2026-12-31,0,',
        'hotel-ponte,double,2026-12-24,2026-12-24,,true',
        'hotel-ponte,double,2026-12-25,2026-12-25,,false',
      ].join('\n'),
    );
    await workplace.json(['import', 'rates', sold, '--source', 'channel']);
    await workplace.json(['close', '--property', 'hotel-ponte', ...NIGHTS]);
    const opened = await workplace.run(['open', '--property', 'hotel-ponte', ...NIGHTS]);
    const closed = opened.stdout.split('\n').filter((line) => line.includes('closed:'));
    assert.deepEqual(
      closed.map((line) => line.trim()),
      [
        'double  2026-12-24 stay closed: "channel" has stop-sell',
        'double  2026-12-25 to 2026-12-26 stay closed: "channel" has no unit left',
      ],
    );
  });

  it('say when each source last confirmed what', async () => {
    // All that "pms" has said was refused.
    const fresh = await workplace.json(['freshness']);
    assert.deepEqual(
      fresh.map(({ propertyId, source }: Record<string, string>) => [propertyId, source]),
      [
        ['hotel-ponte', 'catalogue'],
        ['hotel-ponte', 'channel'],
      ],
    );
    assert.match(fresh[0].confirmedAt, /^\d{4}-\d{2}-\d{2}T/);
    const stale = await workplace.run(['freshness', '--stale-hours', '1']);
    assert.equal(stale.stdout, 'No confirmation is that old.\n');
  });

  it('name what is wrong with the question', async () => {
    const wrong = async (...args: string[]) => (await workplace.run(args)).stderr;
    assert.match(await wrong('close', '--property', 'none', ...NIGHTS), /there is no property "none"/);
    assert.match(
      await wrong('close', '--property', 'hotel-ponte', '--type', 'suite', ...NIGHTS),
      /has no inventory type "suite"; it has double/,
    );
    assert.match(
      await wrong('close', '--property', 'hotel-ponte', '--from', '2026-12-26', '--to', '2026-12-24'),
      /--to must not be before --from/,
    );
  });

  describe('that set rates of a type that nobody prices', () => {
    const type = ['--property', 'unpriced', '--type', 'double'];
    const set = (...args: readonly string[]) => workplace.run(['nights', 'set', ...type, ...NIGHTS, ...args]);
    const shown = async () =>
      (await workplace.json(['property', 'show', 'unpriced'])).inventoryTypes[0].calendar as readonly Record<
        string,
        unknown
      >[];
    const stay = { dateFrom: '2026-12-24', dateTo: '2026-12-26' };
    const importHotel = (...entries: readonly object[]) => {
      const line = hotel('unpriced', { inventoryTypes: [double({ calendar: entries as never })] });
      return workplace.json(['import', 'catalogue', '-', '--source', 'pms'], { input: JSON.stringify(line) });
    };
    before(() => importHotel());

    it('sell at them, and each is taken back', async () => {
      assert.equal((await set('--rate', '210.00', '--units', '4', '--min-stay', '2')).code, 0);
      assert.deepEqual(await shown(), [{ ...stay, availability: 4, rate: '210.00', minStayArrival: 2 }]);
      assert.equal((await set('--rate', 'none')).code, 0);
      const [{ from, to }] = await workplace.json(['audit']);
      const stretch = 'double 2026-12-24 to 2026-12-26';
      assert.deepEqual(
        [from, to],
        [{ [stretch]: { rate: '210.00' } }, { changed: true, [stretch]: { rate: null } }],
      );
      assert.deepEqual(await shown(), [{ ...stay, availability: 4, minStayArrival: 2 }]);
      assert.equal((await set('--units', 'none')).code, 0);
      assert.deepEqual(await shown(), [{ ...stay, minStayArrival: 2 }]);
      assert.equal((await set('--min-stay', 'none')).code, 0);
      assert.deepEqual(await shown(), []);
    });

    it('are told of a rate of 0, and of units under a closing by hand', async () => {
      const { stdout: free } = await set('--rate', '0');
      assert.match(free, /Set manually\.[^]*Warning: With a rate of 0\.00 these nights sell for nothing\./);
      const nights = [...type, ...NIGHTS];
      await workplace.run(['close', ...nights]);
      const { stdout: hidden } = await set('--units', '3');
      assert.match(
        hidden,
        /Nothing changes for partners\.[^]*Warning: .*nothing is sold where stopSell is set/,
      );
      await workplace.run(['open', ...nights]);
      await set('--rate', 'none', '--units', 'none');
      assert.deepEqual(await shown(), []);
    });

    const BOUNDS = [
      ['--rate', 'rate', ['0.00', '9999999999.99'], ['-1', '10000000000.00', '1.001', '1,50']],
      ['--units', 'availability', ['0', '10000'], ['-1', '10001', '1.5']],
      ['--min-stay', 'minStayArrival', ['1', '60'], ['0', '61']],
    ] as const;
    for (const [option, field, allowed, refused] of BOUNDS)
      it(`${option} has its bounds`, async () => {
        for (const value of allowed) {
          assert.equal((await set(`${option}=${value}`)).code, 0, value);
          assert.equal(String((await shown())[0]?.[field]), value);
        }
        const before = await shown();
        for (const value of refused) {
          const { code, stderr } = await set(`${option}=${value}`);
          assert.notEqual(code, 0, value);
          assert.match(stderr.replaceAll(/\s+/g, ' '), /It must be (?:an amount|a whole number)/);
        }
        assert.deepEqual(await shown(), before);
        assert.equal((await set(option, 'none')).code, 0);
      });

    it('count until the system that owns the document sets its first rate, and again after its last', async () => {
      const issued = ['operator-token', 'issue', '--name', 'pms', '--source', 'pms'];
      const { operatorTokenId } = await workplace.json(issued);
      assert.equal((await set('--rate', '210.00')).code, 0);
      const rateOn = async (date: string) =>
        (await shown()).find(({ dateFrom, dateTo }) => String(dateFrom) <= date && date <= String(dateTo))?.[
          'rate'
        ];
      assert.equal(await rateOn('2026-12-24'), '210.00');
      const january = { dateFrom: '2027-01-01', dateTo: '2027-01-02', availability: 1, rate: '90.00' };
      await importHotel(january);
      assert.deepEqual([await rateOn('2026-12-24'), await rateOn('2027-01-01')], [undefined, '90.00']);
      const { code, stderr } = await set('--rate', '99.00');
      assert.notEqual(code, 0);
      assert.match(
        stderr.replaceAll(/\s+/g, ' '),
        /the source "pms" prices double of unpriced: set it there, or clear all its rates of this type there/,
      );
      assert.notEqual((await set('--units', '3')).code, 0);
      await importHotel({ ...january, rate: null });
      assert.deepEqual([await rateOn('2026-12-24'), await rateOn('2027-01-01')], ['210.00', undefined]);
      await importHotel(january);
      assert.equal((await set('--rate', 'none')).code, 0, 'what was set before is taken back at any time');
      await importHotel();
      assert.deepEqual(await shown(), []);
      await workplace.json(['operator-token', 'revoke', operatorTokenId]);
    });
  });
});

describe('Prices by hand of a type that a file prices', () => {
  // The ids of messages grow with time.
  let nowMs = NOW_MS;
  const workplace = new WorkplaceHere({}, () => (nowMs += 1));
  after(() => workplace.remove());
  const stay = { dateFrom: '2026-12-20', dateTo: '2026-12-31' };
  const type = ['--property', 'filed', '--type', 'double'];
  const filed = (rate = '100.00', more: object = {}) =>
    JSON.stringify(
      hotel('filed', { inventoryTypes: [double({ calendar: [{ ...stay, rate, ...more }] as never })] }),
    );
  const importFile = (line: string, ...args: readonly string[]) =>
    workplace.json(['import', 'catalogue', '-', '--source', 'sheet', ...args], { input: line });
  const set = (...args: readonly string[]) => workplace.run(['nights', 'set', ...type, ...NIGHTS, ...args]);
  const rateOf = async (date: string) => {
    const calendar = (await workplace.json(['property', 'show', 'filed'])).inventoryTypes[0].calendar;
    const entries = calendar as readonly Record<string, unknown>[];
    return entries.find(({ dateFrom, dateTo }) => String(dateFrom) <= date && date <= String(dateTo))?.[
      'rate'
    ];
  };
  const byHand = { propertyId: 'filed', inventoryTypeId: 'double' };
  const christmas = { ...byHand, dateFrom: '2026-12-24', dateTo: '2026-12-26' };
  before(() => importFile(filed()));

  it('change the layer of the file, say that nothing is sold without units, and are taken back', async () => {
    const { code, stdout } = await set('--rate', '140.00', '--min-stay', '2');
    assert.equal(code, 0);
    assert.match(stdout, /Warning: Without units nothing is sold/);
    assert.deepEqual([await rateOf('2026-12-23'), await rateOf('2026-12-24')], ['100.00', '140.00']);
    const { stdout: sold } = await set('--rate', '150.00', '--units', '1');
    assert.doesNotMatch(sold, /Warning/);
    assert.equal((await set('--rate', '100.00')).code, 0);
    assert.equal(await rateOf('2026-12-24'), '100.00');
  });

  it('are named by the dry run of each later file that would set them again, and by no other', async () => {
    assert.equal((await set('--rate', '160.00')).code, 0);
    const dry = await importFile(filed('110.00'), '--dry-run');
    assert.deepEqual([dry.setByHand, dry.setByHandLeftOut], [[christmas], 0]);
    const rates = (rate: string, from = '2026-12-01', to = '2026-12-25') =>
      workplace.json(['import', 'rates', '-', '--source', 'sheet', '--dry-run'], {
        input: `propertyId,inventoryTypeId,dateFrom,dateTo,rate\nfiled,double,${from},${to},${rate}\n`,
      });
    assert.deepEqual((await rates('110.00')).setByHand, [{ ...christmas, dateTo: '2026-12-25' }]);
    assert.deepEqual((await rates('160.00')).setByHand, [], 'the same price');
    assert.deepEqual((await rates('110.00', '2026-12-27', '2026-12-28')).setByHand, [], 'other nights');
    const { stdout } = await workplace.run(['import', 'catalogue', '-', '--source', 'sheet', '--dry-run'], {
      input: filed('110.00'),
    });
    assert.match(stdout, /priced by hand[^\n]*\n {2}filed\/double {2}2026-12-24 to 2026-12-26\n/);
    const done = await importFile(filed('110.00'));
    assert.deepEqual([done.changed, 'setByHand' in done, await rateOf('2026-12-24')], [1, false, '110.00']);
    assert.deepEqual((await importFile(filed('120.00'), '--dry-run')).setByHand, [], 'of the file again');
  });

  it('are named as well when they were set before the first file with prices', async () => {
    const early = (calendar: readonly object[]) =>
      JSON.stringify(hotel('early', { inventoryTypes: [double({ calendar: calendar as never })] }));
    const night = { ...christmas, propertyId: 'early' };
    const dry = async (kind: 'catalogue' | 'rates', input: string) =>
      (await workplace.json(['import', kind, '-', '--source', 'sheet', '--dry-run'], { input })).setByHand;
    const rates = (from: string, to: string, rate: string) =>
      `propertyId,inventoryTypeId,dateFrom,dateTo,rate\nearly,double,${from},${to},${rate}\n`;
    await importFile(early([{ ...stay, availability: 2 }]));
    const hand = ['nights', 'set', '--property', 'early', '--type', 'double', ...NIGHTS, '--rate', '120.50'];
    assert.equal((await workplace.run(hand)).code, 0);
    assert.deepEqual(await dry('catalogue', early([{ ...stay, availability: 2, rate: '90.00' }])), [night]);
    assert.deepEqual(await dry('rates', rates('2026-12-20', '2026-12-31', '90.00')), [night]);
    assert.deepEqual(
      await dry('rates', rates('2026-12-28', '2026-12-29', '90.00')),
      [night],
      'it has none then',
    );
    assert.deepEqual(await dry('catalogue', early([{ ...stay, availability: 2, rate: '120.50' }])), []);
    assert.deepEqual(await dry('rates', rates('2026-12-20', '2026-12-31', '120.50')), []);
    assert.deepEqual(
      await dry('catalogue', early([{ ...stay, availability: 3 }])),
      [],
      'a file without prices',
    );
  });

  it('are refused once a token may write the source, or has written it', async () => {
    const { operatorTokenId } = await workplace.json([
      'operator-token',
      'issue',
      '--name',
      'sheet',
      '--source',
      'sheet',
    ]);
    const { code, stderr } = await set('--rate', '99.00');
    assert.notEqual(code, 0);
    assert.match(stderr.replaceAll(/\s+/g, ' '), /the source "sheet" prices double of filed: set it there/);
    await workplace.json(['operator-token', 'revoke', operatorTokenId]);
    assert.equal((await set('--rate', '99.00')).code, 0);
  });
});
