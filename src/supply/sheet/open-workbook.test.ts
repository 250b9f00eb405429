import { inEnglish } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { sourceOf } from '../../../test/kit/byte-sources.ts';
import { createRandom } from '../../../test/kit/mutations.ts';
import { cell, makeWorkbook, makeZip, type SheetSample } from '../../../test/kit/workbooks.ts';
import { openSheet } from './open-sheet.ts';
import { MERGED_ROWS_MAX, MERGES_MAX } from './merged-cells.ts';
import { PARTS_KEPT_MAX, SHEETS_NAMED_MAX } from './open-workbook.ts';
import { CELL_LENGTH_MAX } from './shared-texts.ts';
import { CELLS_MAX } from './sheet-cells.ts';
import type { BrokenRow, SheetOptions, SheetRow } from './sheet.ts';
import { UNPACKED_BYTES_MAX } from './workbook-parts.ts';
import { OPEN_ELEMENTS_MAX, READ_MS_MAX } from './workbook-xml.ts';

const OPTIONS: SheetOptions = { rows: 'line', rowLengthMax: 64 * 1024 };
const MUTATED = 1_500;

async function rowsOf(
  bytes: Buffer,
  options: Partial<SheetOptions> = {},
): Promise<readonly (SheetRow | BrokenRow)[]> {
  const sheet = await openSheet(sourceOf('rates.xlsx', bytes), { ...OPTIONS, ...options });
  return Array.fromAsync(sheet.rows());
}

const cellsOf = async (bytes: Buffer, options: Partial<SheetOptions> = {}): Promise<unknown> =>
  (await rowsOf(bytes, options)).map((row) => ('cells' in row ? [row.row, ...row.cells] : row));

const sheetOf = (rows: SheetSample['rows'], name = 'Tariffe'): SheetSample => ({ name, rows });

describe('A workbook', () => {
  it('gives texts, numbers, flags and rows as a spreadsheet numbers them', async () => {
    const rows =
      '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2"><v>0.30000000000000004</v></c></row>' +
      '<row r="3"><c r="B3" t="inlineStr"><is><t> </t></is></c></row>' +
      '<row r="7"><c r="A7" t="s"><v>1</v></c><c r="B7" t="b"><v>1</v></c><c r="D7" t="str"><f>A1</f><v>=x</v></c></row>';
    const texts = [
      '<si><t>Caffè &amp; più</t></si>',
      '<si><r><rPr><b/></rPr><t>due_x000A_</t></r><r><t>righe</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si>',
    ];
    const bytes = makeWorkbook({ sheets: [sheetOf(rows)], texts });
    assert.deepEqual(await cellsOf(bytes), [
      [2, 'Caffè & più', '', '0.3'],
      [7, 'due\nrighe', 'TRUE', '', '=x'],
    ]);
    const { facts } = await openSheet(sourceOf('rates.xlsx', bytes), OPTIONS);
    assert.deepEqual(facts, { encoding: null, separator: null, sheet: 'Tariffe' });
  });

  it('gives dates that are numbers as dates, in both date systems, and times as times', async () => {
    const formats = ['dd/mm/yyyy', '[$-410]d mmmm yyyy;@', 'h:mm', '#,##0.00 "day"'];
    const row = [
      cell('<v>46387</v>', 's="1"'),
      cell('<v>46387.75</v>', 's="2"'),
      cell('<v>0.625</v>', 's="3"'),
      cell('<v>46387</v>', 's="4"'),
      cell('<v>2026-12-31T00:00:00</v>', 't="d"'),
      46_387,
    ];
    const sheets = [sheetOf([row])];
    assert.deepEqual(await cellsOf(makeWorkbook({ sheets, formats })), [
      [1, '2026-12-31', '2026-12-31', '15:00', '46387', '2026-12-31', '46387'],
    ]);
    const [first] = await rowsOf(makeWorkbook({ sheets, formats, date1904: true }));
    assert.ok(first !== undefined && 'cells' in first);
    assert.equal(first.cells[0], '2031-01-01');
  });

  it('shows ids that are numbers as a person sees them', async () => {
    const formats = ['000', '0.00E+00', '0E+0'];
    const row = [
      cell('<v>7</v>', 's="1"'),
      cell('<v>100000</v>', 's="2"'),
      cell('<v>100000</v>', 's="3"'),
      cell('<v>123456789012</v>'),
      cell('<v>12345678901</v>'),
    ];
    const [first] = await rowsOf(makeWorkbook({ sheets: [sheetOf([row])], formats }));
    assert.ok(first !== undefined && 'cells' in first);
    assert.deepEqual([...first.shown!.values()], ['007', '1.00E+05', '1E+5', '1.23457E+11', '12345678901']);
    assert.equal(first.cells[1], '100000');
  });

  it('counts a formula by the value that was saved, and names an error and a formula without one', async () => {
    const row = [
      cell('<f>1+1</f><v>2</v>'),
      cell('<f>A1/0</f><v>#DIV/0!</v>', 't="e"'),
      cell('<f>A1</f>'),
      cell('<f>""</f><v></v>', 't="str"'),
      'x',
    ];
    const [first] = await rowsOf(makeWorkbook({ sheets: [sheetOf([row])] }));
    assert.ok(first !== undefined && 'cells' in first);
    assert.deepEqual(first.cells, ['2', '', '', '', 'x']);
    assert.deepEqual(
      Array.from(first.wrong!, ([index, wrong]) => [index, inEnglish(wrong)]),
      [
        [1, 'has the error #DIV/0!'],
        [2, 'has a formula without a value: open the file in a spreadsheet and save it'],
      ],
    );
  });

  it('gives the value of merged cells to each row below that has something of its own', async () => {
    const rows = [
      ['id', 'rate'],
      ['a', '1'],
      ['', '2'],
      ['', ''],
      ['', '3'],
      ['b', '4'],
    ];
    const sheet = { ...sheetOf(rows), merged: ['A2:A5', 'B1:C1'] };
    assert.deepEqual(await cellsOf(makeWorkbook({ sheets: [sheet] })), [
      [1, 'id', 'rate'],
      [2, 'a', '1'],
      [3, 'a', '2'],
      [5, 'a', '3'],
      [6, 'b', '4'],
    ]);
  });

  it('is read by its first sheet that is not hidden, or by the one that is named', async () => {
    const hidden = { ...sheetOf([['no']], 'Liste'), state: 'veryHidden' } as const;
    const bytes = makeWorkbook({
      sheets: [hidden, sheetOf([['uno']], 'Inverno'), sheetOf([['due']], 'Estate')],
    });
    assert.deepEqual(await cellsOf(bytes), [[1, 'uno']]);
    assert.deepEqual(await cellsOf(bytes, { sheet: 'estate' }), [[1, 'due']]);
    assert.deepEqual(await cellsOf(bytes, { sheet: 'Liste' }), [[1, 'no']]);
    await assert.rejects(rowsOf(bytes, { sheet: 'Autunno' }), {
      message: 'has no sheet "Autunno"; it has "Liste", "Inverno", "Estate"',
    });
    await assert.rejects(
      rowsOf(makeWorkbook({ sheets: [hidden] })),
      /no sheet that is not hidden; it has "Liste"/,
    );
    await assert.rejects(rowsOf(Buffer.from('a,b'), { sheet: 'x' }), /is not a workbook/);
  });

  it('takes one of 200,000 rows, without all of it in memory', async () => {
    const rows = Array.from(
      { length: 200_000 },
      (_none, index) =>
        `<row r="${index + 1}"><c t="s"><v>0</v></c><c s="1"><v>46387</v></c><c><v>${index}.5</v></c><c t="b"><v>0</v></c></row>`,
    ).join('');
    const bytes = makeWorkbook({
      sheets: [sheetOf(rows)],
      formats: ['d/m/yyyy'],
      texts: ['<si><t>ponte</t></si>'],
    });
    const sheet = await openSheet(sourceOf('rates.xlsx', bytes), OPTIONS);
    let count = 0;
    for await (const row of sheet.rows()) {
      count += 1;
      assert.ok('cells' in row && row.row === count && row.cells[2] === `${count - 1}.5`);
    }
    assert.equal(count, 200_000);
  });
});

describe('A workbook that cannot be read', () => {
  const rowsXml = '<row r="1"><c><v>1</v></c></row>';
  const good = { sheets: [sheetOf(rowsXml)] };
  const withSheet = (xml: string): Buffer =>
    makeWorkbook({ ...good, parts: { 'xl/worksheets/sheet1.xml': xml } });

  it(`is refused where it unpacks to more than ${UNPACKED_BYTES_MAX / 2 ** 20} MB, whatever it says of itself`, async () => {
    const blanks = Buffer.alloc(UNPACKED_BYTES_MAX + 1, ' ');
    const head = Buffer.from('<worksheet><sheetData>');
    const bytes = Buffer.concat([head, blanks]);
    const packed = deflateRawSync(bytes, { level: 9 });
    for (const size of [bytes.length, 1_000]) {
      const bomb = { packed, bytes: size, crc: crc32(bytes) };
      const file = makeWorkbook({ ...good, parts: { 'xl/worksheets/sheet1.xml': bomb } });
      assert.ok(file.length < 1_000_000, String(file.length));
      await assert.rejects(
        rowsOf(file),
        /holds more than 256 MB unpacked: split it|is damaged: it can't be unpacked/,
      );
    }
    const texts = makeWorkbook({
      ...good,
      texts: [],
      parts: { 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(2_000_001)}</sst>` },
    });
    await assert.rejects(rowsOf(texts), /is damaged: it has too many texts/);
    for (const [part, xml] of [
      ['xl/styles.xml', `<styleSheet><cellXfs>${'<xf/>'.repeat(PARTS_KEPT_MAX + 1)}</cellXfs></styleSheet>`],
      ['xl/workbook.xml', `<workbook><sheets>${'<sheet/>'.repeat(PARTS_KEPT_MAX + 1)}</sheets></workbook>`],
      ['_rels/.rels', `<Relationships>${'<Relationship/>'.repeat(PARTS_KEPT_MAX + 1)}</Relationships>`],
    ] as const)
      await assert.rejects(
        rowsOf(makeWorkbook({ ...good, parts: { [part]: xml } })),
        /is damaged: it has more than/,
      );
    const long = withSheet(`<worksheet><sheetData><row><c t="inlineStr"><is><t>${'x'.repeat(20_000_000)}`);
    await assert.rejects(rowsOf(long), /is damaged: one of its texts is too long/);
  });

  it(
    'is refused in time where it begins merged ranges or a format without end',
    { timeout: 30_000 },
    async () => {
      await assert.rejects(
        rowsOf(withSheet('<mergeCell '.repeat(3_000_000))),
        /is damaged: its XML is wrong/,
      );
      const codes = ['['.repeat(1_000_000)];
      assert.deepEqual(await cellsOf(makeWorkbook({ ...good, formats: codes })), [[1, '1']]);
    },
  );

  it(`is refused where more than ${OPEN_ELEMENTS_MAX} elements are open, before the parser keeps them`, async () => {
    const nested = (depth: number): Buffer =>
      withSheet(`<worksheet>${'<a>'.repeat(depth - 1)}${'</a>'.repeat(depth - 1)}</worksheet>`);
    assert.deepEqual(await cellsOf(nested(OPEN_ELEMENTS_MAX)), []);
    const refusal = /is damaged: its XML has more than 64 open elements, which no spreadsheet writes/;
    await assert.rejects(rowsOf(nested(OPEN_ELEMENTS_MAX + 1)), refusal);
    const xml = '<a>'.repeat(2_000_000);
    for (const part of ['xl/worksheets/sheet1.xml', 'xl/workbook.xml', 'xl/styles.xml', '_rels/.rels'])
      await assert.rejects(rowsOf(makeWorkbook({ ...good, parts: { [part]: xml } })), refusal, part);
    await assert.rejects(
      rowsOf(makeWorkbook({ ...good, texts: [], parts: { 'xl/sharedStrings.xml': xml } })),
      refusal,
    );
  });

  it(`is refused where a cell holds more than ${CELL_LENGTH_MAX} characters, however it is written`, async () => {
    const long = 'x'.repeat(CELL_LENGTH_MAX);
    const pieces = '<t>xx</t>'.repeat(CELL_LENGTH_MAX);
    const inSheet = (content: string): Buffer =>
      withSheet(`<worksheet><sheetData><row r="7">${content}</row></sheetData></worksheet>`);
    for (const cellOf of [
      (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`,
      (text: string) => `<c t="str"><v>${text}</v></c>`,
    ]) {
      assert.deepEqual(await cellsOf(inSheet(cellOf(long))), [[7, long]]);
      await assert.rejects(
        rowsOf(inSheet(cellOf(`${long}x`))),
        /is damaged: row 7 has a cell of more than 32767 characters, which no spreadsheet saves/,
      );
    }
    await assert.rejects(
      rowsOf(inSheet(`<c t="inlineStr"><is>${pieces}</is></c>`)),
      /a cell of more than 32767/,
    );
    const shared = (text: string): Buffer =>
      makeWorkbook({ sheets: [sheetOf('<row r="1"><c t="s"><v>0</v></c></row>')], texts: [text] });
    assert.deepEqual(await cellsOf(shared(`<si><t>${long}</t></si>`)), [[1, long]]);
    // Written in seven characters, it is one.
    assert.deepEqual(
      await cellsOf(shared(`<si><t>${'_x000A_'.repeat(9_000)}a</t></si>`), { rows: 'spanning' }),
      [[1, `${'\n'.repeat(9_000)}a`]],
    );
    await assert.rejects(rowsOf(shared(`<si><t>${long}x</t></si>`)), /a text of more than 32767 characters/);
    await assert.rejects(rowsOf(shared(`<si>${pieces}</si>`)), /a text of more than 32767 characters/);
  });

  it(`is refused where its merged ranges are over more than ${MERGED_ROWS_MAX} rows together`, async () => {
    const ranges = (rows: number, count = 1): string[] =>
      Array.from({ length: count }, (_none, index) => `A${1 + index * rows}:A${(index + 1) * rows}`);
    const merged = (all: readonly string[]): Buffer =>
      makeWorkbook({ sheets: [{ ...sheetOf(rowsXml), merged: all }] });
    assert.deepEqual(await cellsOf(merged(ranges(1_000_000, 2))), [[1, '1']]);
    const refusal = /is damaged: its merged ranges are over more than 2000000 rows together/;
    await assert.rejects(rowsOf(merged([...ranges(1_000_000, 2), 'B1:B2'])), refusal);
    await assert.rejects(rowsOf(merged(Array.from({ length: 9_999 }, () => 'A1:A1000000'))), refusal);
    assert.deepEqual(await cellsOf(merged(['A9:A2', 'A1:B1'])), [[1, '1']]);
    const many = Array.from({ length: MERGES_MAX + 1 }, () => 'A1:A2');
    assert.deepEqual(await cellsOf(merged(many.slice(1))), [[1, '1']]);
    await assert.rejects(rowsOf(merged(many)), /is damaged: it has more than 10000 merged ranges/);
  });

  it(`is refused where its rows hold more than ${CELLS_MAX} cells, those before the last one included`, async () => {
    const wide = '<row><c r="ALL1"><v>1</v></c></row>';
    const refusal = /is damaged: it has more than 20000000 cells/;
    const sheet = await openSheet(
      sourceOf('rates.xlsx', makeWorkbook({ sheets: [sheetOf(wide.repeat(20_001))] })),
      OPTIONS,
    );
    let count = 0;
    await assert.rejects(async () => {
      for await (const row of sheet.rows()) count += row.row > 0 ? 1 : 0;
    }, refusal);
    assert.ok(count > 19_000 && count <= 20_000, String(count));
  });

  it('is refused where it takes too long to be read', async () => {
    const rows = Array.from({ length: 20_000 }, (_none, index) => [index]);
    const bytes = makeWorkbook({ sheets: [sheetOf(rows)] });
    let nowMs = 0;
    const slow = { monotonicMs: () => (nowMs += READ_MS_MAX / 4) };
    await assert.rejects(
      rowsOf(bytes, slow),
      /takes more than 120 seconds to be read: split it, or save it as CSV/,
    );
    assert.equal((await rowsOf(bytes, { monotonicMs: () => 0 })).length, 20_000);
  });

  it('names at most a few of its sheets where the one that is wanted is not there', async () => {
    const sheets = Array.from({ length: SHEETS_NAMED_MAX + 2 }, (_none, index) =>
      sheetOf([], `Foglio ${index}`),
    );
    await assert.rejects(rowsOf(makeWorkbook({ sheets }), { sheet: 'Tariffe' }), /"Foglio 19" and 2 more$/);
    const count = PARTS_KEPT_MAX;
    const relations = Array.from(
      { length: count },
      (_none, index) => `<Relationship Id="s${index}" Type="x/worksheet" Target="a"/>`,
    );
    const many = Array.from({ length: count }, (_none, index) => `<sheet name="${index}" r:id="s${index}"/>`);
    const startedAtMs = performance.now();
    await assert.rejects(
      rowsOf(
        makeWorkbook({
          ...good,
          parts: {
            'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${many.join('')}</sheets></workbook>`,
            'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
          },
        }),
        { sheet: 'Tariffe' },
      ),
      /has no sheet "Tariffe"; it has "0", .* and 99980 more$/,
    );
    assert.ok(performance.now() - startedAtMs < 20_000);
  });

  it('is refused where its XML has a document type, another encoding or is broken', async () => {
    const xxe = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet>&e;</worksheet>';
    await assert.rejects(rowsOf(withSheet(xxe)), /is damaged: its XML has a document type/);
    const latin = '<?xml version="1.0" encoding="ISO-8859-1"?><worksheet/>';
    await assert.rejects(rowsOf(withSheet(latin)), /is damaged: its XML is ISO-8859-1, not UTF-8/);
    await assert.rejects(rowsOf(withSheet('<worksheet><row></worksheet>')), /is damaged: its XML is wrong/);
    const back = '<worksheet><row r="2"/><row r="1"/></worksheet>';
    await assert.rejects(rowsOf(withSheet(back)), /row 1 stands where it can't be/);
    const wide = '<worksheet><row r="1"><c r="XFD1"><v>1</v></c></row></worksheet>';
    await assert.rejects(rowsOf(withSheet(wide)), /more than 1000 columns/);
  });

  it('is refused where it is another archive, an old workbook, or cut off', async () => {
    await assert.rejects(rowsOf(makeZip({ 'a.txt': 'x' })), /is not a workbook of Excel \(\.xlsx\), nor CSV/);
    await assert.rejects(
      rowsOf(Buffer.from('d0cf11e0a1b11ae1', 'hex')),
      /is an old workbook \(\.xls\), or has a password/,
    );
    await assert.rejects(rowsOf(makeWorkbook(good).subarray(0, 400)), /is damaged: it can't be unpacked/);
  });

  it(`ends in rows or in words in ${MUTATED} mutations`, async () => {
    const random = createRandom(20_261_127);
    const whole = makeWorkbook({ ...good, formats: ['d/m/yyyy'], texts: ['<si><t>a</t></si>'] });
    const ends = { rows: 0, words: 0 };
    for (let round = 0; round < MUTATED; round += 1) {
      const bytes = Buffer.from(whole);
      for (let change = 0; change <= random(3); change += 1)
        bytes[4 + random(bytes.length - 4)] = random(256);
      try {
        await rowsOf(bytes);
        ends.rows += 1;
      } catch (error) {
        assert.equal((error as Error).name, 'UnreadableFile', (error as Error).stack);
        ends.words += 1;
      }
    }
    assert.ok(ends.rows > 10 && ends.words > 100, JSON.stringify(ends));
  });
});
