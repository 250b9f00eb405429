/**
 * The parts of an .xlsx file: a ZIP archive. yauzl reads the directory and checks sizes; nothing is written anywhere,
 * and each part is unpacked as a stream, so that an archive which unpacks to gigabytes ends as a refusal.
 */
import { Wrong } from '../../domain/wrong.ts';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { type ByteSource, UnreadableFile } from '../text/byte-source.ts';

/** Bytes of the file. */
export const WORKBOOK_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of all parts that are read, unpacked. */
export const UNPACKED_BYTES_MAX = 256 * 1024 * 1024;
/** A workbook has some dozens. */
const PARTS_MAX = 10_000;

export class WorkbookParts {
  readonly #file: string;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #unpackedBytes = 0;

  private constructor(file: string, zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#file = file;
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Throws UnreadableFile. */
  static async open(source: ByteSource): Promise<WorkbookParts> {
    const bytes = await readWhole(source);
    try {
      const zip = await fromBufferPromise(bytes);
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        entries.set(entry.fileName.toLowerCase(), entry);
        if (entries.size > PARTS_MAX) throw new Error(`more than ${PARTS_MAX} parts`);
      }
      return new WorkbookParts(source.file, zip, entries);
    } catch (error) {
      throw damaged(source.file, error);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /** Counts the bytes towards UNPACKED_BYTES_MAX; `again`: they are counted already. Throws UnreadableFile. */
  async *read(name: string, { again = false } = {}): AsyncGenerator<Buffer, void, undefined> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined)
      throw new UnreadableFile(
        this.#file,
        new Wrong('damaged', { why: new Wrong('partMissing', { part: name }) }),
      );
    try {
      const stream = await this.#zip.openReadStreamPromise(entry);
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (!again) this.#count(chunk.length);
        yield chunk;
      }
    } catch (error) {
      throw damaged(this.#file, error);
    }
  }

  #count(bytes: number): void {
    this.#unpackedBytes += bytes;
    if (this.#unpackedBytes <= UNPACKED_BYTES_MAX) return;
    throw new UnreadableFile(
      this.#file,
      new Wrong('workbookUnpacked', { max: UNPACKED_BYTES_MAX / 2 ** 20 }),
    );
  }
}

async function readWhole(source: ByteSource): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source.read()) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > WORKBOOK_BYTES_MAX)
      throw new UnreadableFile(
        source.file,
        new Wrong('workbookLarge', { max: WORKBOOK_BYTES_MAX / 2 ** 20 }),
      );
  }
  return Buffer.concat(chunks);
}

function damaged(file: string, error: unknown): Error {
  if (error instanceof UnreadableFile) return error;
  const why = new Wrong('notUnpacked', { why: (error as Error).message });
  return new UnreadableFile(file, new Wrong('damaged', { why }));
}
