/** `import rates`, `close` and `open`: what a person does to calendars by hand. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { double, hotel } from './kit/catalogue-lines.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { NOW_MS } from './kit/now.ts';

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
        'hotel-ponte;double;2026-12-20;2026-12-31;210,00;;3',
        'unknown;double;2026-12-01;2026-12-02;99.00;;',
        'hotel-ponte;suite;2026-12-01;2026-12-31;99.00;fri;',
      ].join('\r\n'),
    );
  });
  after(() => workplace.remove());

  it('show what a file of rates would change, then change it, then find nothing to change', async () => {
    const before = await calendar();
    const dry = await workplace.run(['import', 'rates', ratesFile, '--dry-run', '--json']);
    const { seconds: _, changes, ...counts } = JSON.parse(dry.stdout);
    assert.deepEqual(counts, { read: 5, changed: 2, unchanged: 0, rejected: 3, changesLeftOut: 0 });
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
    assert.match(dry.stderr, /rates\.csv:4: rate: has a decimal comma: write 210\.00, not "210,00"/);
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

    const { seconds: _1, ...done } = await workplace.json(['import', 'rates', ratesFile]);
    assert.deepEqual(done, { read: 5, changed: 2, unchanged: 0, rejected: 3 });
    assert.equal((await calendar()).at(-1).rate, '250.00');
    const { seconds: _2, ...again } = await workplace.json(['import', 'rates', ratesFile, '--dry-run']);
    assert.deepEqual(again.changes, []);
  });

  it('refuse prices of a source that is not the price source, and files that are no such files', async () => {
    const foreign = await workplace.run(['import', 'rates', ratesFile, '--source', 'pms', '--json']);
    assert.match(
      foreign.stderr,
      /rates\.csv:2: rate: Prices of this inventory type come from "catalogue" only/,
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
      'propertyId,inventoryTypeId,dateFrom,dateTo,availability\nhotel-ponte,double,2026-12-25,2026-12-31,0\n',
    );
    await workplace.json(['import', 'rates', sold, '--source', 'channel']);
    await workplace.json(['close', '--property', 'hotel-ponte', ...NIGHTS]);
    const opened = await workplace.run(['open', '--property', 'hotel-ponte', ...NIGHTS]);
    assert.match(opened.stdout, /double {2}2026-12-25 to 2026-12-26 stay closed: "channel" has no unit left/);
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
});

describe('nights set', () => {
  const workplace = new WorkplaceHere({}, () => NOW_MS);
  after(() => workplace.remove());

  it('clears rate, units and minimum stay where it is given "none"', async () => {
    const ownPrices = { inventoryTypes: [double({ priceSource: 'manual', calendar: [] })] };
    await workplace.json(['import', 'catalogue', '-'], {
      input: JSON.stringify(hotel('by-hand', ownPrices)),
    });
    const shown = async () =>
      (await workplace.json(['property', 'show', 'by-hand'])).inventoryTypes[0].calendar;
    const set = ['nights', 'set', '--property', 'by-hand', '--type', 'double', ...NIGHTS];
    const before = await shown();
    await workplace.json([...set, '--rate', '210.00', '--units', '1', '--min-stay', '4']);
    assert.notDeepEqual(await shown(), before);
    await workplace.json([...set, '--rate', 'none', '--units', 'none', '--min-stay', 'none']);
    assert.deepEqual(await shown(), before);
  });
});
