/**
 * An image of the memory as a file, written beside and renamed: the file is always whole, even with several writers.
 * Each section has its length and a checksum in front: a description in JSON, then for each segment the table of its
 * pieces and their bytes.
 *
 * A segment is copied before it is written, so the writer may continue between two segments. Unpublished and retired
 * pieces are not in the file.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { systemClock } from '../../../runtime/clock.ts';
import type { HeapImage, SegmentImage } from './heap.ts';
import { SEGMENT_BYTES, SEGMENT_UNITS, UNIT_BYTES } from './memory.ts';

const SECTION_HEAD_BYTES = 8;
const DESCRIPTION_BYTES_MAX = 2 ** 20;
const PIECES_BYTES_MAX = SEGMENT_UNITS * 2 * Int32Array.BYTES_PER_ELEMENT;
/** Half of the addressable segments: each process continues after the numbers of the one before. */
const SEGMENT_NUMBER_MAX = 4_096;
/** Age at which the file of a killed writer is deleted; writing takes minutes. */
const LEFTOVER_MS = 3_600_000;
const WRITABLE_BY_OTHERS = 0o022;

const LABEL_ONLY = new Error('only the label is read');

/** The file can't be used; the message continues "the file". */
export class MemoryFileUnfit extends Error {
  override readonly name = 'MemoryFileUnfit';
}

interface Description {
  readonly version: number;
  /** Numbers of the segments, ascending. */
  readonly segments: readonly number[];
  /** The caller's description. */
  readonly label: unknown;
}

/** Rejects with the error of the file system and leaves the file unchanged. `label` is plain JSON without secrets. */
export async function writeMemoryFile(path: string, image: HeapImage, label: unknown): Promise<void> {
  await removeLeftovers(path);
  const temporary = temporaryFor(path);
  const handle = await open(temporary, 'wx', 0o600);
  try {
    try {
      await writeSections(handle, image, label);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Rejects with the error of the file system unless a file can be written at the path. */
export async function tryMemoryFile(path: string): Promise<void> {
  const temporary = temporaryFor(path);
  const handle = await open(temporary, 'wx', 0o600);
  await handle.close();
  await rm(temporary);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === false) throw new Error('is not a file');
}

/** Reads only the file's label; rejects as `readMemoryFile` does. */
export async function readMemoryLabel(path: string): Promise<unknown> {
  const found = Promise.withResolvers<unknown>();
  await readMemoryFile(path, (label) => {
    found.resolve(label);
    throw LABEL_ONLY;
  }).catch((error) => found.reject(error));
  return found.promise;
}

/** `check` sees the label first and throws `MemoryFileUnfit`. Any other fault rejects with it too. */
export async function readMemoryFile(path: string, check: (label: unknown) => void): Promise<HeapImage> {
  if (!(await stat(path)).isFile()) throw new MemoryFileUnfit('is not a file');
  const handle = await open(path, 'r');
  try {
    const { mode, size } = await handle.stat();
    if (process.platform !== 'win32' && (mode & WRITABLE_BY_OTHERS) !== 0)
      throw new MemoryFileUnfit('may be written by other users');
    const sections = new SectionReader(handle);
    const { version, segments, label } = parseDescription(await sections.read(DESCRIPTION_BYTES_MAX));
    check(label);
    const images: SegmentImage[] = [];
    for (const number of segments) images.push(await readSegment(sections, number));
    if (sections.place !== size) throw new MemoryFileUnfit('goes on behind its end');
    return { version, segments: images };
  } finally {
    await handle.close();
  }
}

async function writeSections(handle: FileHandle, image: HeapImage, label: unknown): Promise<void> {
  const { version, segments } = image;
  const description: Description = { version, segments: segments.map(({ number }) => number), label };
  let index = 0;
  const write = async (bytes: Uint8Array): Promise<void> => {
    const head = Buffer.alloc(SECTION_HEAD_BYTES);
    head.writeUInt32LE(bytes.length, 0);
    head.writeUInt32LE(crc32(bytes, index++), 4);
    await handle.writeFile(head);
    await handle.writeFile(bytes);
  };
  await write(Buffer.from(JSON.stringify(description)));
  const copy = Buffer.alloc(SEGMENT_BYTES);
  for (const segment of segments) {
    const { pieces } = segment;
    await write(new Uint8Array(pieces.buffer, pieces.byteOffset, pieces.byteLength));
    await write(copyPieces(segment, copy));
  }
}

function copyPieces({ buffer, pieces }: SegmentImage, copy: Buffer): Buffer {
  const bytes = Buffer.from(buffer);
  let end = 0;
  for (let index = 0; index < pieces.length; index += 2) {
    const start = pieces[index]! * UNIT_BYTES;
    copy.fill(0, end, start);
    end = start + pieces[index + 1]! * UNIT_BYTES;
    bytes.copy(copy, start, start, end);
  }
  return copy.subarray(0, end);
}

async function readSegment(sections: SectionReader, number: number): Promise<SegmentImage> {
  const table = await sections.read(PIECES_BYTES_MAX);
  const pieces = new Int32Array(table.buffer, table.byteOffset, table.length / Int32Array.BYTES_PER_ELEMENT);
  const buffer = new SharedArrayBuffer(SEGMENT_BYTES);
  await sections.read(SEGMENT_BYTES, Buffer.from(buffer));
  return { number, buffer, pieces };
}

function parseDescription(bytes: Buffer): Description {
  const description = JSON.parse(bytes.toString()) as Description;
  if (description.segments.some((number) => number > SEGMENT_NUMBER_MAX))
    throw new MemoryFileUnfit('has used up its addresses');
  return description;
}

class SectionReader {
  readonly #handle: FileHandle;
  /** Bytes read so far. */
  place = 0;
  #index = 0;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Reads the next section, into `into` if given. */
  async read(bytesMax: number, into?: Buffer): Promise<Buffer> {
    const head = await this.#take(Buffer.alloc(SECTION_HEAD_BYTES));
    const length = head.readUInt32LE(0);
    if (length > bytesMax) throw new MemoryFileUnfit(`is damaged in section ${this.#index}`);
    const bytes = await this.#take(into?.subarray(0, length) ?? Buffer.alloc(length));
    if (crc32(bytes, this.#index) !== head.readUInt32LE(4))
      throw new MemoryFileUnfit(`is damaged in section ${this.#index}`);
    this.#index++;
    return bytes;
  }

  async #take(into: Buffer): Promise<Buffer> {
    for (let taken = 0; taken < into.length;) {
      const { bytesRead } = await this.#handle.read(into, taken, into.length - taken, this.place);
      if (bytesRead === 0) throw new MemoryFileUnfit(`ends in section ${this.#index}`);
      taken += bytesRead;
      this.place += bytesRead;
    }
    return into;
  }
}

function temporaryFor(path: string): string {
  return `${path}.${randomBytes(8).toString('hex')}.tmp`;
}

async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    const rest = name.startsWith(basename(path)) ? name.slice(basename(path).length) : '';
    if (!/^\.[0-9a-f]{16}\.tmp$/.test(rest)) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined && systemClock() - found.mtimeMs > LEFTOVER_MS)
      await rm(join(folder, name), { force: true });
  }
}

/** Makes the new name survive a loss of power; Windows can't. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
