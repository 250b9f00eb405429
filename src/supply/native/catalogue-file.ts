/** The catalogue file: NDJSON, one property document per line. */
import { Wrong } from '../../domain/wrong.ts';
import { ID_PATTERN } from '../../domain/property.ts';
import { ByteSource, UnreadableFile } from '../text/byte-source.ts';
import { LINE_BYTES_MAX, readLines, type BrokenLine, type TextLine } from '../text/ndjson-lines.ts';
import { parsePropertyDocument } from './property-document.ts';
import { readJsonText } from './json-text.ts';
import { spoolToFile, type SpooledFile } from '../text/spooled-file.ts';
import type { RejectedItem, SuppliedProperty, Supply, SupplyItem } from '../run/supply-item.ts';

/** Stands for standard input. */
export const STANDARD_INPUT = '-';
/** The source of a catalogue file unless another one is named. */
export const STANDARD_SOURCE = 'catalogue';

export interface CatalogueFileOptions {
  /** A path, or `-`. */
  readonly file: string;
  /** As messages name the file; its path unless given. */
  readonly shownName?: string;
  readonly standardInput: AsyncIterable<Buffer>;
  /** The file will be read twice (`--strict`), so a stream has to be kept. */
  readonly readsTwice: boolean;
  /** Where a line is read; here and now unless given. */
  readonly readLine?: ReadLine;
}

export type ReadLine = (file: string, line: TextLine) => SupplyItem | Promise<SupplyItem>;

export async function openCatalogueFile(options: CatalogueFileOptions): Promise<Supply> {
  const { file, shownName = file, standardInput, readsTwice, readLine = readTextLine } = options;
  if (file !== STANDARD_INPUT) return new CatalogueFile(new ByteSource(shownName, file), readLine);
  if (!readsTwice) return new CatalogueFile(new ByteSource('stdin', standardInput), readLine);
  const spooled = await spoolToFile(standardInput);
  return new CatalogueFile(new ByteSource('stdin', spooled.path), readLine, spooled);
}

class CatalogueFile implements Supply {
  readonly #source: ByteSource;
  readonly #readLine: ReadLine;
  readonly #spooled: SpooledFile | undefined;

  constructor(source: ByteSource, readLine: ReadLine, spooled?: SpooledFile) {
    this.#source = source;
    this.#readLine = readLine;
    this.#spooled = spooled;
  }

  progress(): ReturnType<ByteSource['progress']> {
    return this.#source.progress();
  }

  async close(): Promise<void> {
    await this.#spooled?.remove();
  }

  async *open(): AsyncGenerator<SupplyItem, void, undefined> {
    const { file } = this.#source;
    let isFirst = true;
    try {
      const options = { searchBroken: (bytes: Buffer) => findPropertyIds(bytes.toString('latin1')) };
      for await (const lines of readLines(this.#source.read(), options)) {
        for (const line of lines) {
          if (isFirst && line.kind === 'text') refuseWholeJson(file, line.text);
          isFirst = false;
          yield line.kind === 'text' ? await this.#readLine(file, line) : rejectBrokenLine(file, line);
        }
      }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      yield { kind: 'ended-badly', file, reason: error.reason };
    }
  }
}

/** One JSON text where each line should be one: every line would be refused for a reason of its own. */
function refuseWholeJson(file: string, first: string): void {
  const start = first.trim();
  if (start.startsWith('['))
    throw new UnreadableFile(file, new Wrong('jsonList', { command: `"jq -c '.[]'"` }));
  if (start === '{') throw new UnreadableFile(file, new Wrong('jsonOverLines', { command: '"jq -c ."' }));
}

/** Never throws, whatever the line says. */
export function readTextLine(
  file: string,
  { number, text }: Pick<TextLine, 'number' | 'text'>,
): SuppliedProperty | RejectedItem {
  const json = readJsonText(text);
  if (!json.ok) return reject(file, number, { ...json, propertyIds: findPropertyIds(text) });
  const document = parsePropertyDocument(json.value);
  if (document.ok) {
    const { ok: _ok, ...read } = document;
    return { kind: 'property', file, line: number, bytes: text.length, ...read };
  }
  const { field, reason, others, propertyId } = document;
  const propertyIds = propertyId === undefined ? [] : [propertyId];
  return { ...reject(file, number, { field, reason, propertyIds }), others };
}

function rejectBrokenLine(file: string, { number, reason, found }: BrokenLine): RejectedItem {
  const wrong =
    reason === 'too-long'
      ? new Wrong('documentLineLong', { max: LINE_BYTES_MAX / 1024 / 1024 })
      : new Wrong('documentLineNotUtf8');
  return reject(file, number, { field: '', reason: wrong, propertyIds: found });
}

function reject(
  file: string,
  line: number,
  { field, reason, propertyIds }: Pick<RejectedItem, 'field' | 'reason' | 'propertyIds'>,
): RejectedItem {
  return { kind: 'rejected', file, line, field, reason, propertyIds, isProperty: true };
}

/**
 * The ids in the text of a line that is not JSON. Too many rather than too few: a property that a broken line may
 * mean must not be withdrawn for being missing. Quotes inside a JSON string are escaped, so a description that
 * quotes a document is not taken for one.
 */
function findPropertyIds(text: string): string[] {
  return [...text.matchAll(/"propertyId"\s*:\s*("(?:[^"\\]|\\.){1,1000}")/g)]
    .map(([, literal]) => parseString(literal!))
    .filter((id) => id !== undefined && ID_PATTERN.test(id)) as string[];
}

function parseString(literal: string): string | undefined {
  try {
    return String(JSON.parse(literal));
  } catch {
    return undefined;
  }
}
