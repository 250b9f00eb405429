/**
 * Workbooks (.xlsx) written by hand, as Excel and LibreOffice write them: their parts are XML in a ZIP archive. A test
 * names the parts that matter to it.
 */
import { crc32, deflateRawSync } from 'node:zlib';

export interface SheetSample {
  readonly name: string;
  readonly state?: 'hidden' | 'veryHidden';
  /** The XML of its rows: `<row r="1">…</row>`, or cells by row. */
  readonly rows: string | readonly (readonly CellSample[])[];
  /** `A2:A4`. */
  readonly merged?: readonly string[];
  /** The XML of its columns. */
  readonly columns?: string;
}

/** A text, a number, or XML that `cell` made. */
export type CellSample = string | number | { readonly xml: string };

export interface WorkbookSample {
  readonly sheets: readonly SheetSample[];
  /** Codes of number formats; the style of place n + 1 has the n-th. Style 0 is the general one. */
  readonly formats?: readonly string[];
  readonly date1904?: boolean;
  readonly texts?: readonly string[];
  /** Replaces parts, by name. */
  readonly parts?: Readonly<Record<string, string | Buffer | PackedFile>>;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';

/** A cell with attributes: `cell('<v>46000</v>', 's="1"')`. */
export function cell(content: string, attributes = ''): CellSample {
  return { xml: `<c ${attributes}>${content}</c>` };
}

export function makeWorkbook({
  sheets,
  formats = [],
  date1904 = false,
  texts,
  parts,
}: WorkbookSample): Buffer {
  const relations = [
    ...sheets.map((_sheet, index) => relation(`s${index}`, 'worksheet', `worksheets/sheet${index + 1}.xml`)),
    relation('styles', 'styles', 'styles.xml'),
    ...(texts === undefined ? [] : [relation('texts', 'sharedStrings', 'sharedStrings.xml')]),
  ];
  const named = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${escape(name)}" sheetId="${index + 1}" ${state === undefined ? '' : `state="${state}"`} r:id="s${index}"/>`,
  );
  const codes = formats.map(
    (code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escape(code)}"/>`,
  );
  const styles = formats.map((_code, index) => `<xf numFmtId="${164 + index}" applyNumberFormat="1"/>`);
  return makeZip({
    '_rels/.rels': `${HEAD}<Relationships ${PACKAGE}>${relation('r', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook ${MAIN} xmlns:r="${RELATION}"><workbookPr date1904="${Number(date1904)}"/><sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships ${PACKAGE}>${relations.join('')}</Relationships>`,
    'xl/styles.xml': `${HEAD}<styleSheet ${MAIN}><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    ...(texts && { 'xl/sharedStrings.xml': `${HEAD}<sst ${MAIN}>${texts.join('')}</sst>` }),
    ...Object.fromEntries(
      sheets.map((sheet, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheetXml(sheet)]),
    ),
    ...parts,
  });
}

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${RELATION}/${type}" Target="${target}"/>`;
}

function sheetXml({ rows, merged = [], columns = '' }: SheetSample): string {
  const data = typeof rows === 'string' ? rows : rows.map(rowXml).join('');
  const merges = merged.map((range) => `<mergeCell ref="${range}"/>`).join('');
  return `${HEAD}<worksheet ${MAIN}>${columns && `<cols>${columns}</cols>`}<sheetData>${data}</sheetData>${merges && `<mergeCells>${merges}</mergeCells>`}</worksheet>`;
}

function rowXml(cells: readonly CellSample[], index: number): string {
  const xml = cells.map((one) => {
    if (typeof one === 'object') return one.xml;
    if (typeof one === 'number') return `<c><v>${one}</v></c>`;
    return one === '' ? '<c/>' : `<c t="inlineStr"><is><t>${escape(one)}</t></is></c>`;
  });
  return `<row r="${index + 1}">${xml.join('')}</row>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A ZIP archive; a file that is packed already may lie about its size. */
export function makeZip(files: Readonly<Record<string, string | Buffer | PackedFile>>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const { packed, bytes, crc } = pack(content);
    const sizes = Buffer.alloc(22);
    sizes.writeUInt16LE(20, 0);
    sizes.writeUInt16LE(8, 4);
    sizes.writeUInt32LE(crc, 10);
    sizes.writeUInt32LE(packed.length, 14);
    sizes.writeUInt32LE(bytes, 18);
    const nameBytes = Buffer.from(name);
    const lengths = Buffer.alloc(4);
    lengths.writeUInt16LE(nameBytes.length, 0);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), sizes, lengths, nameBytes]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), sizes, lengths, rest, nameBytes]),
    );
    bodies.push(local, packed);
    offset += local.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, entries, Buffer.from('PK\u0005\u0006'), end]);
}

export interface PackedFile {
  readonly packed: Buffer;
  /** The size that the archive says it unpacks to. */
  readonly bytes: number;
  readonly crc: number;
}

function pack(content: string | Buffer | PackedFile): PackedFile {
  if (typeof content === 'object' && 'packed' in content) return content;
  const bytes = Buffer.from(content);
  return { packed: deflateRawSync(bytes), bytes: bytes.length, crc: crc32(bytes) };
}
