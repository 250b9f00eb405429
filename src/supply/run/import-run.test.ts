import { inEnglish } from '../../domain/wrong.ts';
import { said } from '../../../test/kit/said.ts';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { december, double, hotel, inCity, type Line, nights } from '../../../test/kit/catalogue-lines.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { openCatalogueFile } from '../native/catalogue-file.ts';
import type { PropertyWrite } from '../../domain/ledger/stored-write.ts';
import {
  CELLS_MAX,
  CELLS_OF_PROPERTY_MAX,
  ChangedCells,
  LOOKED_AT_MAX,
} from '../manual-override/changed-cells.ts';
import { runImport, type ImportOptions, type ImportProgress, type ImportResult } from './import-run.ts';
import { LINE_BYTES_MAX } from '../text/ndjson-lines.ts';
import type { Rejection } from './supply-item.ts';

interface Outcome extends ImportResult {
  readonly rejections: Rejection[];
  readonly progress: ImportProgress[];
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

function makeLine(propertyId: string, overrides: Line = {}): string {
  return JSON.stringify(hotel(propertyId, { ...inCity('Venezia'), ...overrides }));
}

async function importBytes(
  content: string | Buffer,
  given: Partial<ImportOptions> & { readonly name?: string; readonly fromStdin?: boolean } = {},
): Promise<Outcome> {
  const { name = 'catalogue.ndjson', fromStdin = false, ...options } = given;
  const bytes = Buffer.from(content);
  const file = join(folder, name);
  await writeFile(file, bytes);
  const supply = await openCatalogueFile({
    file: fromStdin ? '-' : file,
    standardInput: streamOf(bytes),
    readsTwice: options.strict === true,
  });
  const rejections: Rejection[] = [];
  const progress: ImportProgress[] = [];
  let nowMs = 0;
  const result = await runImport(supply, {
    storage: temporary.storage,
    clock: () => (nowMs += 1500),
    source: 'catalogue',
    horizonNights: 730,
    onRejection: (rejection) => rejections.push(rejection),
    onProgress: (step) => progress.push(step),
    ...options,
  });
  return { ...result, rejections, progress };
}

async function* streamOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000);
}

/** All but 0 and the seconds. */
function counts({ summary }: ImportResult): Record<string, number> {
  return Object.fromEntries(
    Object.entries(summary).filter(([name, count]) => name !== 'seconds' && count !== 0),
  );
}

async function storedIds(source = 'catalogue'): Promise<readonly string[]> {
  return temporary.storage.listPropertyIds(source, '', 1000);
}

describe('An import', () => {
  it('is refused in one line where it is one JSON text: a list, or one over several lines', async () => {
    const list = [hotel('a'), hotel('b')];
    for (const [text, reason] of [
      [
        JSON.stringify(list),
        /is a JSON list: write each property on a line of its own, as "jq -c '\.\[\]'" does$/,
      ],
      [JSON.stringify(list, null, 2), /is a JSON list: /],
      [`\n${JSON.stringify(hotel('a'), null, 4)}`, /is JSON over several lines: .* as "jq -c \." does$/],
    ] as const) {
      const { summary, failure, rejections } = await importBytes(text);
      assert.match(said(failure), reason);
      assert.deepEqual([summary.read, summary.created, rejections.length], [0, 0, 0]);
    }
  });

  it('counts what it read and created, and how long it took', async () => {
    const result = await importBytes([makeLine('a'), makeLine('b')].join('\n'));
    assert.deepEqual(result.summary, {
      read: 2,
      created: 2,
      changed: 0,
      unchanged: 0,
      withdrawn: 0,
      rejected: 0,
      seconds: 1.5,
    });
    assert.equal(result.failure, undefined);
    assert.deepEqual(await storedIds(), ['a', 'b']);
  });

  it('changes nothing the second time, and says so', async () => {
    const file = [makeLine('a'), makeLine('b')].join('\n');
    await importBytes(file);
    const revision = await temporary.storage.readRevision();
    assert.deepEqual(counts(await importBytes(file)), { read: 2, unchanged: 2 });
    assert.equal(await temporary.storage.readRevision(), revision);
  });

  it('changes what is different, calendars and source included', async () => {
    await importBytes([makeLine('a'), makeLine('b'), makeLine('c')].join('\n'));
    const inventoryTypes = [{ inventoryTypeId: 'double', name: 'Double', guestsMax: 2, calendar: [] }];
    const file = [makeLine('a', { inventoryTypes }), makeLine('b', { bathrooms: 2 }), makeLine('c')].join(
      '\n',
    );
    assert.deepEqual(counts(await importBytes(file)), { read: 3, changed: 2, unchanged: 1 });
    assert.deepEqual(counts(await importBytes(file, { source: 'other' })), { read: 3, changed: 3 });
  });

  it('writes more than one batch', async () => {
    const file = Array.from({ length: 1_201 }, (_, index) => makeLine(`p${index}`)).join('\n');
    const result = await importBytes(file);
    assert.deepEqual(counts(result), { read: 1_201, created: 1_201 });
    const last = result.progress.at(-1);
    assert.deepEqual(last, { read: 1_201, bytesRead: file.length, bytesTotal: file.length });
  });

  it('takes gzip, a byte-order mark, blank lines and CR LF', async () => {
    const file = `\u{feff}${makeLine('a')}\r\n\r\n${makeLine('b')}\r\n  \n`;
    assert.deepEqual(counts(await importBytes(gzipSync(file), { name: 'catalogue.ndjson.gz' })), {
      read: 2,
      created: 2,
    });
  });

  it('takes standard input, also twice for --strict', async () => {
    const file = gzipSync([makeLine('a'), makeLine('b')].join('\n'));
    assert.deepEqual(counts(await importBytes(file, { fromStdin: true })), { read: 2, created: 2 });
    assert.deepEqual(counts(await importBytes(file, { fromStdin: true, strict: true })), {
      read: 2,
      unchanged: 2,
    });
  });

  it('takes an empty file', async () => {
    assert.deepEqual(counts(await importBytes('')), {});
  });
});

describe('The calendar of a document', () => {
  const TYPE = { inventoryTypeId: 'double', name: 'Double', guestsMax: 2 };
  const PRICED = [{ dateFrom: '2026-12-01', dateTo: '2026-12-24', availability: 3, rate: '120.00' }];

  it('stays as it was when a later document has none', async () => {
    await importBytes(makeLine('a'));
    const { summary } = await importBytes(makeLine('a', { inventoryTypes: [TYPE] }));
    assert.equal(summary.unchanged, 1);
    const emptied = makeLine('a', { inventoryTypes: [{ ...TYPE, calendar: [] }] });
    assert.equal((await importBytes(emptied)).summary.changed, 1);
  });

  it('has no prices when they come from another source', async () => {
    const inventoryTypes = [{ ...TYPE, priceSource: 'channel', calendar: PRICED }];
    const { summary, rejections } = await importBytes(makeLine('a', { inventoryTypes }));
    assert.deepEqual([summary.created, summary.rejected], [0, 1]);
    assert.equal(rejections[0]?.field, 'inventoryTypes[0].calendar');
    assert.match(said(rejections[0]?.reason), /"channel" only/);
    const own = await importBytes(makeLine('a', { inventoryTypes }), { source: 'channel' });
    assert.equal(own.summary.created, 1);
  });
});

describe('A rejected line', () => {
  it('is counted and named, and the rest is imported', async () => {
    const lines = [
      makeLine('a'),
      '{"propertyId": "broken"',
      '',
      makeLine('b', { bathrooms: 0.3 }),
      '"just text"',
      makeLine('c'),
    ];
    const result = await importBytes(lines.join('\n'));
    assert.deepEqual(counts(result), { read: 5, created: 2, rejected: 3 });
    assert.equal(result.failure, undefined);
    assert.deepEqual(
      result.rejections.map(({ line, field }) => [line, field]),
      [
        [2, ''],
        [4, 'bathrooms'],
        [5, ''],
      ],
    );
    assert.match(said(result.rejections[0]?.reason), /is not JSON/);
    assert.ok(result.rejections[0]!.file.endsWith('catalogue.ndjson'));
  });

  it('may be no UTF-8, or longer than 8 MiB', async () => {
    const long = makeLine('long', { description: 'x'.repeat(10 * 1024 * 1024) });
    const file = Buffer.concat([
      Buffer.from(`${makeLine('a')}\n`),
      Buffer.from(makeLine('latin', { name: 'Caff\u{e8}' }), 'latin1'),
      Buffer.from(`\n${long}\n${makeLine('b')}\n`),
    ]);
    const result = await importBytes(file);
    assert.deepEqual(counts(result), { read: 4, created: 2, rejected: 2 });
    assert.deepEqual(
      result.rejections.map(({ line, reason }) => [line, inEnglish(reason)]),
      [
        [2, 'is not valid UTF-8; save the file as UTF-8'],
        [3, 'is longer than 8 MiB; give each property a line of its own'],
      ],
    );
  });

  it('is printed without control characters', async () => {
    const result = await importBytes(['{"a":\u{1b}[2J', makeLine('a', { '\u{9b}2J\n': 1 })].join('\n'));
    assert.equal(result.summary.rejected, 2);
    // oxlint-disable-next-line no-control-regex -- they are what this is about
    const control = /[\u0000-\u001f\u007f-\u009f]/;
    for (const { field, reason } of result.rejections)
      assert.doesNotMatch(field + inEnglish(reason), control);
  });

  it('may be nested a million times', async () => {
    const deep = `{"propertyId":"a","rating":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`;
    assert.deepEqual(counts(await importBytes(deep)), { read: 1, rejected: 1 });
  });

  it('is the second of two lines with one id', async () => {
    const result = await importBytes(
      [makeLine('a'), makeLine('b'), makeLine('a', { name: 'Other' })].join('\n'),
    );
    assert.deepEqual(counts(result), { read: 3, created: 2, rejected: 1 });
    assert.deepEqual(
      result.rejections.map(({ line, field }) => [line, field]),
      [[3, 'propertyId']],
    );
    assert.equal((await temporary.storage.findProperty('a'))?.property.name, 'Hotel a');
  });

  it('does not keep a good line with the same id out', async () => {
    const result = await importBytes([makeLine('a', { bathrooms: -1 }), makeLine('a')].join('\n'));
    assert.deepEqual(counts(result), { read: 2, created: 1, rejected: 1 });
  });
});

describe('--replace', () => {
  it('withdraws the properties of the same source that the file does not name', async () => {
    await importBytes([makeLine('a'), makeLine('b'), makeLine('c')].join('\n'));
    await importBytes(makeLine('d'), { source: 'other' });
    const result = await importBytes(makeLine('b'), { replace: true });
    assert.deepEqual(counts(result), { read: 1, unchanged: 1, withdrawn: 2 });
    assert.deepEqual(await storedIds(), ['b']);
    assert.deepEqual(await storedIds('other'), ['d']);
  });

  it('withdraws nothing for an input without a property, and fails: a program before it may have died', async () => {
    await importBytes([makeLine('a'), makeLine('b')].join('\n'));
    for (const dryRun of [true, false])
      for (const empty of ['', '\n\n']) {
        const result = await importBytes(empty, { replace: true, dryRun });
        assert.equal(said(result.failure), 'no property was read, so nothing was withdrawn (--replace)');
        assert.deepEqual(counts(result), {});
      }
    assert.deepEqual(await storedIds(), ['a', 'b']);
  });

  it('leaves alone what a rejected line names, however broken it is', async () => {
    const ids = ['invalid', 'cut', 'spaced', 'escaped', 'latin', 'long', 'late', 'gone'];
    await importBytes(ids.map((id) => makeLine(id)).join('\n'));
    const filler = 'x'.repeat(LINE_BYTES_MAX);
    const file = Buffer.concat([
      Buffer.from(`${makeLine('invalid', { bathrooms: -1 })}\n`),
      Buffer.from(`{"propertyId":"cut","name":"Hot\n`),
      Buffer.from(`{"propertyId" : "spaced",}\n`),
      Buffer.from(`{"propertyId":"\\u0065scaped",}\n`),
      Buffer.from(`{"propertyId":"latin","name":"Caff\u{e8}"}\n`, 'latin1'),
      Buffer.from(`{"propertyId":"long","description":"${filler}"}\n`),
      Buffer.from(`{"description":"${filler}","propertyId":"late"}\n`),
      Buffer.from(makeLine('new', { description: '"propertyId":"gone"' })),
    ]);
    const result = await importBytes(file, { replace: true });
    assert.deepEqual(counts(result), { read: 8, created: 1, rejected: 7, withdrawn: 1 });
    assert.deepEqual(await storedIds(), [
      'cut',
      'escaped',
      'invalid',
      'late',
      'latin',
      'long',
      'new',
      'spaced',
    ]);
  });

  it('brings a withdrawn property back as created', async () => {
    await importBytes([makeLine('a'), makeLine('b')].join('\n'));
    await importBytes(makeLine('a'), { replace: true });
    assert.deepEqual(counts(await importBytes(makeLine('b'), { replace: true })), {
      read: 1,
      created: 1,
      withdrawn: 1,
    });
  });

  it('withdraws more than one batch', async () => {
    const file = Array.from({ length: 1_100 }, (_, index) => makeLine(`p${index}`)).join('\n');
    await importBytes(file);
    assert.deepEqual(counts(await importBytes(makeLine('p7'), { replace: true })), {
      read: 1,
      unchanged: 1,
      withdrawn: 1_099,
    });
  });
});

describe('A file that ends badly', () => {
  it('keeps the whole properties before the end, withdraws nothing, and fails by name', async () => {
    await importBytes(makeLine('old'));
    const file = Array.from({ length: 200 }, (_, index) =>
      makeLine(`p${index}`, { description: `${Math.sin(index)}` }),
    );
    const zipped = gzipSync(file.join('\n'));
    const result = await importBytes(zipped.subarray(0, zipped.length >> 1), {
      name: 'cut.gz',
      replace: true,
    });
    const { created, read, rejected, withdrawn } = result.summary;
    assert.ok(created > 20 && created < 200, `${created} created`);
    assert.deepEqual([read, rejected, withdrawn], [created, 0, 0]);
    assert.match(said(result.failure), /cut\.gz is cut off/);
    assert.ok((await storedIds()).includes('old'));
  });

  it('writes nothing with --strict', async () => {
    const zipped = gzipSync(`${makeLine('a')}\n${makeLine('b')}`);
    const result = await importBytes(zipped.subarray(0, zipped.length - 4), { strict: true });
    assert.match(said(result.failure), /cut off/);
    assert.deepEqual(await storedIds(), []);
  });

  it('may not exist at all', async () => {
    const supply = await openCatalogueFile({
      file: join(folder, 'none.ndjson'),
      standardInput: streamOf(Buffer.alloc(0)),
      readsTwice: false,
    });
    const { storage } = temporary;
    const options = { storage, clock: () => 0, source: 'catalogue', horizonNights: 730, replace: true };
    await importBytes(makeLine('a'));
    const result = await runImport(supply, options);
    assert.match(said(result.failure), /none\.ndjson does not exist/);
    assert.deepEqual(await storedIds(), ['a']);
  });
});

describe('--dry-run', () => {
  it('counts what would change, and writes nothing', async () => {
    await importBytes([makeLine('a'), makeLine('b'), makeLine('c')].join('\n'));
    const revision = await temporary.storage.readRevision();
    const file = [makeLine('a'), makeLine('b', { bathrooms: 2 }), makeLine('d'), makeLine('d'), 'x'].join(
      '\n',
    );
    const options = { dryRun: true, replace: true };
    const expected = { read: 5, created: 1, changed: 1, unchanged: 1, withdrawn: 1, rejected: 2 };
    assert.deepEqual(counts(await importBytes(file, options)), expected);
    assert.equal(await temporary.storage.readRevision(), revision);
    assert.deepEqual(counts(await importBytes(file, { replace: true })), expected);
  });
});

describe('The cells of a dry run', () => {
  const cellsOf = async (lines: readonly string[]) => {
    const cells = new ChangedCells(temporary.storage);
    const onChange = (write: PropertyWrite) => cells.takeDocument(write);
    const { rejections } = await importBytes(lines.join('\n'), { dryRun: true, onChange });
    assert.deepEqual(rejections, []);
    return cells.found();
  };

  it('are the fields and nights that the file changes, before and after', async () => {
    const tax = { code: 'city-tax', kind: 'city_tax', logic: 'per_person_per_night', amount: '2.00' };
    await importBytes([makeLine('a', { amenities: ['wifi'], taxes: [tax] }), makeLine('same')].join('\n'));
    const priced = [december(), nights('2026-12-24', '2026-12-26', { rate: '190.00', minStayArrival: 2 })];
    const line = makeLine('a', {
      bathrooms: 2,
      amenities: ['wifi', 'pool'],
      taxes: [{ ...tax, amount: '3.50' }],
      cityAliases: ['Venedig'],
      inventoryTypes: [double({ calendar: priced })],
    });
    const { changes, changesCut } = await cellsOf([line, makeLine('same')]);
    const christmas = { inventoryTypeId: 'double', dateFrom: '2026-12-24', dateTo: '2026-12-26' };
    const cell = (field: string, before: string | null, after: string, of: unknown = null) => ({
      propertyId: 'a',
      field,
      nights: of,
      before,
      after,
    });
    assert.deepEqual(
      changes.toSorted((one, other) => (one.field < other.field ? -1 : 1)),
      [
        cell('amenities', 'wifi', 'wifi, pool'),
        cell('bathrooms', '1', '2'),
        cell('cityAliases', null, 'Venedig'),
        cell('minStayArrival', null, '2', christmas),
        cell('rate', '120.00', '190.00', christmas),
        cell('taxes[0].amount', '2.00', '3.50'),
      ],
    );
    assert.equal(changesCut, false);
    await importBytes(line);
    assert.deepEqual(await cellsOf([line, makeLine('same')]), { changes: [], changesCut: false });
  });

  it('are those of the first properties, some of each, and long texts are cut', async () => {
    const alone = await cellsOf([makeLine('a', { description: 'x'.repeat(2_000) })]);
    assert.equal(alone.changes.length, CELLS_OF_PROPERTY_MAX);
    assert.equal(alone.changesCut, true);
    assert.ok(alone.changes.every(({ before, after }) => before === null && (after ?? '').length < 130));
    const many = await cellsOf(Array.from({ length: 700 }, (_none, index) => makeLine(`p-${index}`)));
    assert.equal(many.changes.length, CELLS_MAX);
    assert.equal(many.changesCut, true);
    assert.equal(many.changes[0]!.propertyId, 'p-0');
  });
});

describe('The cells of a dry run in which no cell differs', () => {
  it('are not looked for in more properties than are named', async () => {
    const lines = Array.from({ length: LOOKED_AT_MAX + 30 }, (_none, index) => makeLine(`p-${index}`));
    await importBytes(lines.join('\n'));
    let looks = 0;
    const cells = new ChangedCells({
      findLayers(propertyId) {
        looks += 1;
        return temporary.storage.findLayers(propertyId);
      },
    });
    // With another horizon the lowest rates differ, and nothing else.
    const { summary } = await importBytes(lines.join('\n'), {
      dryRun: true,
      horizonNights: 20,
      onChange: (write) => cells.takeDocument(write),
    });
    assert.equal(summary.changed, lines.length);
    assert.deepEqual(cells.found(), { changes: [], changesCut: true });
    assert.equal(looks, LOOKED_AT_MAX);
  });
});

describe('--strict', () => {
  it('writes nothing when anything is rejected, and names it once', async () => {
    await importBytes(makeLine('old'));
    const file = [makeLine('a'), makeLine('b', { bathrooms: -1 }), makeLine('c')].join('\n');
    const result = await importBytes(file, { strict: true, replace: true });
    assert.deepEqual(counts(result), { read: 3, rejected: 1 });
    assert.equal(result.rejections.length, 1);
    assert.match(said(result.failure), /1 rejected, so nothing was written/);
    assert.deepEqual(await storedIds(), ['old']);
  });

  it('counts the second of two lines with one id as a rejection', async () => {
    const result = await importBytes([makeLine('a'), makeLine('a')].join('\n'), { strict: true });
    assert.deepEqual(counts(result), { read: 2, rejected: 1 });
    assert.deepEqual(await storedIds(), []);
  });

  it('imports a file without fault', async () => {
    const file = [makeLine('a'), makeLine('b')].join('\n');
    assert.deepEqual(counts(await importBytes(file, { strict: true })), { read: 2, created: 2 });
  });
});
