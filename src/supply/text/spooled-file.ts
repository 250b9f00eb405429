/** A stream kept in a private temporary file, for the imports that read everything twice. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export interface SpooledFile {
  readonly path: string;
  remove(): Promise<void>;
}

export async function spoolToFile(stream: AsyncIterable<Buffer>): Promise<SpooledFile> {
  // mkdtemp makes a directory that only its owner can look into.
  const directory = await mkdtemp(join(tmpdir(), 'stayport-'));
  const path = join(directory, 'input');
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}
