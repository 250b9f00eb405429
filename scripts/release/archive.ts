/** Archives that depend on their content alone: sorted names, one time, two modes, no user, nothing of the machine. */
import { createHash } from 'node:crypto';
import { chmodSync, createReadStream, lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';

export interface ArchiveInput {
  /** Holds the one folder that the archive unpacks to. */
  readonly parent: string;
  readonly top: string;
  /** The time of every entry. */
  readonly modified: Date;
  /** Paths below `top` that are programs. */
  readonly executables: readonly string[];
  /** `.tar.gz`; is replaced. */
  readonly file: string;
}

/** Writes the archive, and its hash beside it (`FILE.sha256`, as `sha256sum -c` reads it). */
export async function writeArchive({
  parent,
  top,
  modified,
  executables,
  file,
}: ArchiveInput): Promise<void> {
  const programs = new Set(executables.map((path) => `${top}/${path}`));
  const paths = pathsBelow(parent, top);
  const missing = [...programs].filter((path) => !paths.includes(path));
  if (missing.length > 0) throw new Error(`not among the files of the archive: ${missing.join(', ')}`);
  for (const path of paths) {
    const full = join(parent, path);
    chmodSync(full, programs.has(path) || lstatSync(full).isDirectory() ? 0o755 : 0o644);
  }
  await create(
    {
      file,
      cwd: parent,
      gzip: true,
      portable: true,
      noDirRecurse: true,
      strict: true,
      mtime: modified,
      // `portable` would leave folders without a time.
      onWriteEntry: (entry) => (entry.noMtime = false),
    },
    paths,
  );
  await writeHash(file);
}

/** Folders and files, sorted by their bytes whatever the file system or the language of the machine. */
function pathsBelow(parent: string, top: string): string[] {
  const paths = [top];
  for (const entry of readdirSync(join(parent, top), { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() && !entry.isDirectory())
      throw new Error(`${path} is neither a file nor a folder: links would point to this machine`);
    paths.push(path.slice(parent.length + 1));
  }
  return paths.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

async function writeHash(file: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  writeFileSync(`${file}.sha256`, `${hash.digest('hex')}  ${basename(file)}\n`);
}
