/**
 * Reads forms with files as browsers send them (RFC 7578), while they arrive. Only the fields are kept in memory: a file
 * is read by who asked for it, piece by piece.
 */

/** Bytes of all fields together, including the headers of parts. */
export const FIELDS_BYTES_MAX = 16_384;
const FILE_NAME_LENGTH_MAX = 120;

/** It is not a form with a file, or it breaks off. */
export class FormBroken extends Error {
  override readonly name: string = 'FormBroken';
}

/** More bytes of fields, or more parts, than the form may have. */
export class FormTooLarge extends FormBroken {
  override readonly name: string = 'FormTooLarge';
}

export interface ArrivingFile {
  /** As the sender names it, shortened. */
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
}

export interface SentForm {
  readonly fields: ReadonlyMap<string, string>;
  /** Undefined: no file was chosen. */
  readonly file: ArrivingFile | undefined;
}

/** The boundary that the header declares. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const found =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70})(?=[\s;]|$))/i.exec(
      contentType ?? '',
    );
  return found?.[1] ?? found?.[2];
}

/** The fields, and the file, which is the last part that counts. Throws FormBroken, and errors of `chunks`. */
export async function readSentForm(chunks: AsyncIterator<Buffer>, boundary: string): Promise<SentForm> {
  const reader = new PartReader(chunks, boundary, FIELDS_BYTES_MAX);
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

export interface FormLimits {
  /** All fields together, including the headers of parts. */
  readonly fieldsBytesMax: number;
  readonly partsMax: number;
}

/**
 * All fields of a form with any number of files in any place. `takeFile` gets each file with the fields before it, and
 * reads it to its end. Throws FormBroken, and errors of `chunks` and `takeFile`.
 */
export async function readFilesForm(
  chunks: AsyncIterator<Buffer>,
  boundary: string,
  { fieldsBytesMax, partsMax }: FormLimits,
  takeFile: (file: ArrivingFile, before: URLSearchParams) => Promise<void>,
): Promise<URLSearchParams> {
  const reader = new PartReader(chunks, boundary, fieldsBytesMax);
  const fields = new URLSearchParams();
  await reader.begin();
  let hasPart = await reader.hasPart();
  for (let count = 1; hasPart; count += 1) {
    if (count > partsMax) throw new FormTooLarge('it has too many parts');
    const { name, fileName } = readHead(await reader.readUntil('\r\n\r\n'));
    if (fileName === undefined) {
      fields.append(name, await reader.readPart());
      hasPart = await reader.hasPart();
    } else {
      const content = reader.stream();
      if (fileName === '') await drop(content);
      else await takeFile({ name: shownName(fileName), content }, fields);
      hasPart = reader.hasNext;
    }
  }
  return fields;
}

/** Reads to the end, and keeps nothing. */
export async function drop(content: AsyncIterable<Buffer>): Promise<void> {
  const pieces = content[Symbol.asyncIterator]();
  while ((await pieces.next()).done !== true);
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
  readonly #fieldsBytesMax: number;
  // The first delimiter has no line break before it.
  #left: Buffer = Buffer.from('\r\n');
  #fieldBytes = 0;
  /** Memory of `#left` where it was put together from several pieces, and how much of it is in use. */
  #room: Buffer = Buffer.alloc(0);
  #roomUsed = 0;
  /** Behind a part that was read as a stream: whether another one follows. */
  hasNext = false;

  constructor(chunks: AsyncIterator<Buffer>, boundary: string, fieldsBytesMax: number) {
    this.#chunks = chunks;
    this.#fieldsBytesMax = fieldsBytesMax;
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
    for (let searched = 0; ;) {
      const at = this.#left.indexOf(end, searched);
      const length = at === -1 ? this.#left.length : at;
      if (this.#fieldBytes + length > this.#fieldsBytesMax) throw new FormTooLarge('its fields are too long');
      if (at !== -1) {
        const found = this.#left.subarray(0, at);
        this.#left = this.#left.subarray(at + end.length);
        this.#fieldBytes += at;
        return found;
      }
      searched = Math.max(0, length - end.length + 1);
      await this.#fill();
    }
  }

  /** The rest of this part. */
  async *stream(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const at = this.#left.indexOf(this.#delimiter);
      const length = at === -1 ? this.#beginOfDelimiter() : at;
      if (length > 0) yield this.#left.subarray(0, length);
      this.#left = this.#left.subarray(length);
      if (at !== -1) return this.#endPart();
      await this.#fill();
    }
  }

  /**
   * Where a delimiter begins that the next chunk may go on with; seldom before the end of what is left. The rest is
   * passed on as it came: to put it together with the next chunk would leave twice the file to the garbage collector.
   */
  #beginOfDelimiter(): number {
    const left = this.#left;
    const first = this.#delimiter[0]!;
    let at = left.indexOf(first, Math.max(0, left.length - this.#delimiter.length + 1));
    while (at !== -1 && !this.#delimiter.subarray(0, left.length - at).equals(left.subarray(at)))
      at = left.indexOf(first, at + 1);
    return at === -1 ? left.length : at;
  }

  /**
   * Skips the delimiter and requires its line end: a line that merely starts like a boundary must not truncate the
   * file.
   */
  async #endPart(): Promise<void> {
    this.#left = this.#left.subarray(this.#delimiter.length);
    this.hasNext = await this.hasPart();
  }

  async #fill(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done === true) throw new FormBroken('it breaks off');
    this.#left = this.#left.length === 0 ? next.value : this.#appended(next.value);
  }

  /** The chunk behind what is left. The memory doubles: a form that comes byte by byte must not be copied each time. */
  #appended(chunk: Buffer): Buffer {
    const length = this.#left.length + chunk.length;
    if (this.#room.length - this.#roomUsed < chunk.length || !this.#endsInRoom()) {
      const larger = Buffer.allocUnsafeSlow(2 * length);
      larger.set(this.#left);
      this.#room = larger;
      this.#roomUsed = this.#left.length;
    }
    this.#room.set(chunk, this.#roomUsed);
    this.#roomUsed += chunk.length;
    return this.#room.subarray(this.#roomUsed - length, this.#roomUsed);
  }

  #endsInRoom(): boolean {
    const { buffer, byteOffset, length } = this.#left;
    return buffer === this.#room.buffer && byteOffset + length === this.#roomUsed;
  }
}
