/**
 * Reads a form with a file as browsers send it (RFC 7578), while it arrives: first its fields, then the file, which is
 * the last part that counts. Only the fields are kept in memory.
 */

/** Bytes of all fields together, including the headers of parts. */
export const FIELDS_BYTES_MAX = 16_384;
const FILE_NAME_LENGTH_MAX = 120;

/** It is not a form with a file, or it breaks off. */
export class FormBroken extends Error {
  override readonly name = 'FormBroken';
}

export interface SentForm {
  readonly fields: ReadonlyMap<string, string>;
  /** Undefined: no file was chosen. */
  readonly file: { readonly name: string; readonly content: AsyncIterable<Buffer> } | undefined;
}

/** The boundary that the header declares. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const found =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70})(?=[\s;]|$))/i.exec(
      contentType ?? '',
    );
  return found?.[1] ?? found?.[2];
}

/** Throws FormBroken, and errors of `chunks`. */
export async function readSentForm(chunks: AsyncIterator<Buffer>, boundary: string): Promise<SentForm> {
  const reader = new PartReader(chunks, boundary);
  const fields = new Map<string, string>();
  await reader.begin();
  while (await reader.hasPart()) {
    const { name, fileName } = readHead(await reader.readUntil('\r\n\r\n'));
    if (fileName !== undefined) {
      const file = fileName === '' ? undefined : { name: shownName(fileName), content: reader.stream() };
      return { fields, file };
    }
    fields.set(name, await reader.readPart());
  }
  return { fields, file: undefined };
}

function readHead(bytes: Buffer): { readonly name: string; readonly fileName: string | undefined } {
  const text = bytes.toString('utf8');
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(text)?.[1] ?? '';
  const name = /(?:^|;)\s*name="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) throw new FormBroken('a part has no name');
  return { name, fileName: /(?:^|;)\s*filename="([^"]*)"/i.exec(disposition)?.[1] };
}

/** Without the folders that some browsers send, and without control characters. */
function shownName(fileName: string): string {
  const own = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  const text = own.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '_');
  return text.slice(-FILE_NAME_LENGTH_MAX) || 'file';
}

/** Reads the content between delimiters. */
class PartReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #delimiter: Buffer;
  // The first delimiter has no line break before it.
  #left: Buffer = Buffer.from('\r\n');
  #fieldBytes = 0;

  constructor(chunks: AsyncIterator<Buffer>, boundary: string) {
    this.#chunks = chunks;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  async begin(): Promise<void> {
    await this.readUntil(this.#delimiter);
  }

  /** Call it after a delimiter: whether another part follows. */
  async hasPart(): Promise<boolean> {
    while (this.#left.length < 2) await this.#fill();
    const end = this.#left.subarray(0, 2).toString('latin1');
    this.#left = this.#left.subarray(2);
    if (end === '--') return false;
    if (end !== '\r\n') throw new FormBroken('a boundary is followed by something else');
    return true;
  }

  async readPart(): Promise<string> {
    return (await this.readUntil(this.#delimiter)).toString('utf8');
  }

  /** Reads up to `end`, which is dropped. */
  async readUntil(end: string | Buffer): Promise<Buffer> {
    for (;;) {
      const at = this.#left.indexOf(end);
      const length = at === -1 ? this.#left.length : at;
      if (this.#fieldBytes + length > FIELDS_BYTES_MAX) throw new FormBroken('its fields are too long');
      if (at !== -1) {
        const found = this.#left.subarray(0, at);
        this.#left = this.#left.subarray(at + end.length);
        this.#fieldBytes += at;
        return found;
      }
      await this.#fill();
    }
  }

  /** The rest of this part. */
  async *stream(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const at = this.#left.indexOf(this.#delimiter);
      // The end may contain the beginning of a delimiter.
      const length = at === -1 ? Math.max(0, this.#left.length - this.#delimiter.length + 1) : at;
      if (length > 0) yield this.#left.subarray(0, length);
      this.#left = this.#left.subarray(length);
      if (at !== -1) return this.#endPart();
      await this.#fill();
    }
  }

  /**
   * Skips the delimiter and requires its line end: a line that merely starts like a boundary must not truncate the
   * file.
   */
  async #endPart(): Promise<void> {
    this.#left = this.#left.subarray(this.#delimiter.length);
    await this.hasPart();
  }

  async #fill(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done === true) throw new FormBroken('it breaks off');
    this.#left = this.#left.length === 0 ? next.value : Buffer.concat([this.#left, next.value]);
  }
}
