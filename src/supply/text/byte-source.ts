/** The bytes of a file, unzipped where they are gzip, with the progress of reading. */
import { inEnglish, Wrong } from '../../domain/wrong.ts';
import { open, stat } from 'node:fs/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import type { ReadProgress } from '../run/supply-item.ts';

/** One read; unzipped, 32 KiB can become 32 MiB at the most (deflate packs at best about 1000 to 1). */
const READ_BYTES = 32 * 1024;
const UNZIP_CHUNK_BYTES = 256 * 1024;
const GZIP_MAGIC = [0x1f, 0x8b];

/** The file can't be opened, read or unzipped to its end. What was read before is good. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly file: string;

  readonly reason: Wrong;

  /** `reason` goes on after the name of the file: `catalogue.gz is cut off ...`. */
  constructor(file: string, reason: Wrong) {
    super(inEnglish(reason));
    this.file = file;
    this.reason = reason;
  }
}

export class ByteSource {
  /** As messages name it. */
  readonly file: string;
  readonly #origin: string | AsyncIterable<Buffer>;
  #bytesRead = 0;
  #bytesTotal: number | undefined;

  /** `origin` is the path of a file, which can be read again and again, or a stream, which is read once. */
  constructor(file: string, origin: string | AsyncIterable<Buffer> = file) {
    this.file = file;
    this.#origin = origin;
  }

  progress(): ReadProgress {
    return { bytesRead: this.#bytesRead, bytesTotal: this.#bytesTotal };
  }

  /** Finds out how much there is to read. Throws UnreadableFile. */
  async measure(): Promise<void> {
    if (typeof this.#origin !== 'string') return;
    try {
      this.#bytesTotal = (await stat(this.#origin)).size;
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  /** From the beginning. Throws UnreadableFile after the last bytes that could be had. */
  async *read(): AsyncGenerator<Buffer, void, undefined> {
    this.#bytesRead = 0;
    const chunks = this.#count(
      typeof this.#origin === 'string' ? this.#readFile(this.#origin) : this.#origin,
    );
    try {
      const beginning = await readBeginning(chunks);
      if (beginning.length === 0) {
        if (this.file.endsWith('.gz')) throw new UnreadableFile(this.file, new Wrong('gzipEmpty'));
        return;
      }
      const all = prepend(beginning, chunks);
      yield* isGzip(beginning, this.file) ? unzip(this.file, all) : all;
    } finally {
      // A reader that has seen enough closes the file too.
      await chunks.return();
    }
  }

  async *#readFile(path: string): AsyncGenerator<Buffer, void, undefined> {
    const handle = await open(path);
    try {
      this.#bytesTotal = (await handle.stat()).size;
      for (;;) {
        const chunk = Buffer.allocUnsafe(READ_BYTES);
        const { bytesRead } = await handle.read(chunk, 0, READ_BYTES, null);
        if (bytesRead === 0) return;
        yield chunk.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }

  async *#count(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    try {
      for await (const chunk of chunks) {
        this.#bytesRead += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw this.#unreadable(error);
    }
  }

  #unreadable(error: unknown): UnreadableFile {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return new UnreadableFile(this.file, READ_ERRORS[code] ?? new Wrong('fileUnreadable', { code }));
  }
}

const READ_ERRORS: Readonly<Record<string, Wrong>> = {
  ENOENT: new Wrong('fileMissing'),
  EACCES: new Wrong('fileForbidden'),
  EISDIR: new Wrong('fileIsFolder'),
};

/** The first chunks, enough to distinguish gzip from text. */
async function readBeginning(chunks: AsyncGenerator<Buffer, void, undefined>): Promise<Buffer> {
  let beginning: Buffer = Buffer.alloc(0);
  while (beginning.length < GZIP_MAGIC.length) {
    const chunk = await chunks.next();
    if (chunk.done === true) break;
    beginning = beginning.length === 0 ? chunk.value : Buffer.concat([beginning, chunk.value]);
  }
  return beginning;
}

async function* prepend(
  beginning: Buffer,
  rest: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  yield beginning;
  yield* rest;
}

/** By its first two bytes; a file of one byte that calls itself `.gz` is a gzip file that was cut off. */
function isGzip(beginning: Buffer, file: string): boolean {
  if (beginning.length < GZIP_MAGIC.length) return file.endsWith('.gz');
  return beginning[0] === GZIP_MAGIC[0] && beginning[1] === GZIP_MAGIC[1];
}

/**
 * Chunk by chunk, and everything that a chunk gave is yielded before the next one goes in: piping would throw away
 * what is still buffered when the end of the data turns out to be missing.
 */
async function* unzip(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip({ chunkSize: UNZIP_CHUNK_BYTES });
  let unzipped: Buffer[] = [];
  let failure: Error | undefined;
  gunzip.on('data', (piece: Buffer) => unzipped.push(piece));
  gunzip.on('error', (error) => (failure = error));
  const take = (): Buffer[] => {
    const pieces = unzipped;
    unzipped = [];
    return pieces;
  };
  try {
    for await (const chunk of chunks) {
      await settled(gunzip, (done) => gunzip.write(chunk, done));
      yield* take();
      if (failure !== undefined) break;
    }
    if (failure === undefined) {
      await settled(gunzip, (done) => gunzip.once('end', done).end());
      yield* take();
    }
    if (failure !== undefined) throw new UnreadableFile(file, unzipReason(failure));
  } finally {
    gunzip.destroy();
  }
}

/** Waits for `start` to call back, or for the stream to break, in which case its callbacks never come. */
function settled(gunzip: Gunzip, start: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    gunzip.once('error', resolve);
    start(() => {
      gunzip.off('error', resolve);
      resolve();
    });
  });
}

function unzipReason(error: Error): Wrong {
  const code = 'code' in error ? String(error.code) : error.message;
  if (code === 'Z_BUF_ERROR') return new Wrong('gzipCut');
  return new Wrong('gzipDamaged', { why: error.message });
}
