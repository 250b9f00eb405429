/** Records of a CSV file whose fields may hold line breaks, each with the line on which it starts. */
import { Wrong } from '../../domain/wrong.ts';
import type { ByteSource } from '../text/byte-source.ts';
import { LINE_BYTES_MAX, readLines, type Line } from '../text/ndjson-lines.ts';
import { hasOpenQuote, splitCsvRecord } from './csv-record.ts';

/** Length of a record over several lines; real ones stay below 100 KiB. */
export const RECORD_LENGTH_MAX = 1024 * 1024;

export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

export interface BrokenRecord {
  readonly line: number;
  readonly reason: Wrong;
  /** The readable part of its first line. */
  readonly text: string;
}

/** Kept beginning of an over-long line; long enough for the id. */
const BEGINNING_LENGTH = 200;

interface PhysicalLine {
  readonly number: number;
  readonly text: string;
  /** Why the line itself can't be read. */
  readonly reason?: Wrong;
}

/**
 * The records of a file, in batches. The first is the header: every other record has as many fields or is broken.
 * Throws UnreadableFile like the source; a record cut off by the end of the data is not returned then.
 */
export async function* readCsvRecords(
  source: ByteSource,
): AsyncGenerator<readonly (CsvRecord | BrokenRecord)[], void, undefined> {
  const assembly = new RecordAssembly();
  for await (const lines of readLines(source.read(), { searchBroken: readAsLatin1 })) {
    const records = lines.flatMap((line) => assembly.push(toPhysicalLine(line)));
    if (records.length > 0) yield records;
  }
  const last = assembly.finish();
  if (last.length > 0) yield last;
}

/** Decodes each byte as one character: enough to find quotes and the id. */
function readAsLatin1(bytes: Buffer): readonly string[] {
  return [bytes.toString('latin1')];
}

function toPhysicalLine(line: Line): PhysicalLine {
  if (line.kind === 'text') return line;
  const text = line.found[0] ?? '';
  if (line.reason === 'not-utf8') return { number: line.number, text, reason: new Wrong('lineNotUtf8') };
  // Nobody knows whether its quotes are paired, so it counts as a record that ends with the line.
  const beginning = text.slice(0, BEGINNING_LENGTH).replaceAll('"', '');
  return { number: line.number, text: beginning, reason: new Wrong('lineBytes', { max: LINE_BYTES_MAX }) };
}

class RecordAssembly {
  #fieldCount: number | undefined;
  /** Lines of the unfinished record. */
  #open: PhysicalLine[] = [];
  #openLength = 0;
  #isQuoteOpen = false;

  push(line: PhysicalLine): (CsvRecord | BrokenRecord)[] {
    if (this.#open.length === 0 && line.reason === undefined && !hasOpenQuote(line.text)) {
      const record = this.#parse([line]);
      return [record];
    }
    return this.#pushAll([line]);
  }

  /** Call it at the end of the file: a record that is still open never closes. */
  finish(): (CsvRecord | BrokenRecord)[] {
    const records: (CsvRecord | BrokenRecord)[] = [];
    while (this.#open.length > 0) {
      const { broken, rest } = this.#giveUp(new Wrong('quoteNever'));
      records.push(broken, ...this.#pushAll(rest));
    }
    return records;
  }

  #pushAll(lines: readonly PhysicalLine[]): (CsvRecord | BrokenRecord)[] {
    const records: (CsvRecord | BrokenRecord)[] = [];
    const queue = [...lines].reverse();
    for (let line = queue.pop(); line !== undefined; line = queue.pop()) {
      this.#open.push(line);
      this.#openLength += line.text.length;
      if (hasOpenQuote(line.text)) this.#isQuoteOpen = !this.#isQuoteOpen;
      if (this.#isQuoteOpen && this.#openLength <= RECORD_LENGTH_MAX) continue;
      const record = this.#isQuoteOpen ? { reason: new Wrong('quoteOpen') } : this.#parse(this.#open);
      if ('fields' in record) {
        records.push(record);
        this.#clear();
        continue;
      }
      const { broken, rest } = this.#giveUp(record.reason);
      records.push(broken);
      queue.push(...rest.toReversed());
    }
    return records;
  }

  #parse(lines: readonly PhysicalLine[]): CsvRecord | BrokenRecord {
    const { number: line, text } = lines[0]!;
    const bad = lines.find(({ reason }) => reason !== undefined);
    if (bad?.reason !== undefined)
      return { line, text, reason: new Wrong('ofFileLine', { line: bad.number, wrong: bad.reason }) };
    const fields = splitCsvRecord(joinLines(lines));
    if (fields === undefined) return { line, text, reason: new Wrong('quoteMisplaced') };
    this.#fieldCount ??= fields.length;
    if (fields.length === this.#fieldCount) return { line, fields };
    return {
      line,
      text,
      reason: new Wrong('fieldsSurplus', { count: fields.length, named: this.#fieldCount }),
    };
  }

  /**
   * Drops the open record. One stray quote makes everything up to the next quote look like one record. So the lines in
   * it that begin like a listing are read again.
   */
  #giveUp(reason: Wrong): { broken: BrokenRecord; rest: readonly PhysicalLine[] } {
    const lines = this.#open;
    this.#clear();
    const restart = lines.findIndex(({ text }, index) => index > 0 && /^"?\d{1,30}"?,/.test(text));
    const { number: line, text } = lines[0]!;
    return { broken: { line, text, reason }, rest: restart < 0 ? [] : lines.slice(restart) };
  }

  #clear(): void {
    this.#open = [];
    this.#openLength = 0;
    this.#isQuoteOpen = false;
  }
}

/** Blank lines inside a field were skipped when the file was read; the line numbers show where. */
function joinLines(lines: readonly PhysicalLine[]): string {
  let text = '';
  let previous = lines[0]?.number ?? 0;
  for (const line of lines) {
    text += '\n'.repeat(line.number - previous) + line.text;
    previous = line.number;
  }
  return text;
}
