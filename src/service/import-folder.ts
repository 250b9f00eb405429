/**
 * The folder of files that were sent to be imported: beside each its state, so that every thread and the next process
 * know of it. What has become too old is removed, whatever it is.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FILE_BYTES_MAX, type ImportList, type ImportState } from '../console/import-state.ts';
import type { Clock } from '../runtime/clock.ts';
import { databasePlace } from '../storage/open.ts';

/** Files that wait, those that are on their way included. */
export const FILES_WAITING_MAX = 8;
export const FILE_AGE_MS_MAX = 3_600_000;
/** Stays free for the database, which refuses quotes on a full disk. */
export const DISK_RESERVE_BYTES = 256 * 1024 * 1024;
/** Who works on a file says so every second; without a word for so long, nobody does. */
export const TOUCH_MS = 1_000;
const TOUCHED_MS_MAX = 10_000;

/** In the file beside it. */
export interface StoredState extends ImportState {
  readonly receivedAtMs: number;
  /** By the clock of the machine. */
  readonly touchedAtMs: number;
  /** Of the catalogue that the file was compared with. */
  readonly revision: number;
}

const ID = /^[0-9a-f-]{36}$/;
const LOCK = 'working';

export interface ImportFolderOptions {
  readonly path: string;
  readonly clock: Clock;
  /** The same as that of all threads and processes here: a test has its own `clock`. */
  readonly machineClock: Clock;
  /** Free bytes there; another one in tests. */
  readonly freeBytes?: (path: string) => Promise<number>;
}

/** Beside the database file; with PostgreSQL in a folder of this user below the one for temporary files. */
export function importFolderPath(databaseUrl: string): string {
  const { name, file } = databasePlace(databaseUrl);
  if (file !== undefined) return join(dirname(file), 'imports');
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return join(tmpdir(), `stayport-imports-${process.getuid?.() ?? 'own'}-${hash}`);
}

export class ImportFolder implements ImportList {
  readonly #options: ImportFolderOptions;

  constructor(options: ImportFolderOptions) {
    this.#options = options;
  }

  async list(): Promise<readonly StoredState[]> {
    const names = await readdir(this.#options.path).catch(() => []);
    const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
    const states = await Promise.all(ids.map((importId) => this.find(importId)));
    return states
      .filter((state) => state !== undefined)
      .toSorted((one, other) => other.receivedAtMs - one.receivedAtMs);
  }

  async find(importId: string): Promise<StoredState | undefined> {
    if (!ID.test(importId)) return undefined;
    const text = await readFile(this.#statePath(importId), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const state = JSON.parse(text) as StoredState;
    return isAtWork(state) && !this.#isTouched(state) ? { ...state, phase: 'interrupted' } : state;
  }

  /** Its ending tells what it holds. */
  pathOf({ importId, fileName }: Pick<ImportState, 'importId' | 'fileName'>): string {
    const ending = /\.csv(?:\.gz)?$/i.exec(fileName)?.[0].toLowerCase() ?? '.data';
    return join(this.#options.path, `${importId}${ending}`);
  }

  /** As a whole, and marked as touched now. */
  async write(state: Omit<StoredState, 'touchedAtMs'>): Promise<void> {
    const path = this.#statePath(state.importId);
    const touched: StoredState = { ...state, touchedAtMs: this.#options.machineClock() };
    try {
      await writeFile(`${path}.new`, JSON.stringify(touched), { mode: 0o600 });
      await rename(`${path}.new`, path);
    } catch (error) {
      await rm(`${path}.new`, { force: true });
      throw error;
    }
  }

  /** Begins to work on a file, as its state says; false where another one is worked on. */
  async begin(state: Omit<StoredState, 'touchedAtMs'>): Promise<boolean> {
    if (!(await this.lock(state.importId))) return false;
    try {
      await this.write(state);
    } catch (error) {
      await this.unlock();
      throw error;
    }
    return true;
  }

  /** Keeps what is sent; resolves to its size. Nothing stays of what broke off. */
  async keep(
    file: Pick<ImportState, 'importId' | 'fileName'>,
    content: AsyncIterable<Buffer>,
  ): Promise<number> {
    const path = this.pathOf(file);
    try {
      await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      return (await stat(path)).size;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Why there is no room for another file. Where many wait, the oldest of the same person gives way. */
  async findObstacle(person: string, arriving: number): Promise<string | undefined> {
    const { path, freeBytes = freeBytesOf } = this.#options;
    await this.#makeFolder();
    const waiting = (await this.list()).filter(({ phase }) => phase !== 'applied' && phase !== 'failed');
    const own = waiting.findLast((state) => state.person === person && !isAtWork(state));
    const isFull = waiting.length + arriving >= FILES_WAITING_MAX;
    if (isFull && own !== undefined) await this.remove(own);
    else if (isFull)
      return `${FILES_WAITING_MAX} files wait already: apply one of them, or wait until they are removed after an hour.`;
    if ((await freeBytes(path)) < DISK_RESERVE_BYTES + FILE_BYTES_MAX)
      return 'The disk is nearly full, so no file is taken: free some space first.';
    return undefined;
  }

  async remove({ importId, fileName }: Pick<ImportState, 'importId' | 'fileName'>): Promise<void> {
    await rm(this.pathOf({ importId, fileName }), { force: true });
    await rm(this.#statePath(importId), { force: true });
  }

  /** Only one works on files here, in whichever thread or process. */
  async lock(importId: string): Promise<boolean> {
    const path = join(this.#options.path, LOCK);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        await writeFile(path, importId, { flag: 'wx', mode: 0o600 });
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
          await rm(path, { force: true });
          throw error;
        }
      }
      const lockedAtMs = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      // Who has just locked it may not have said what it works on.
      const isNew = this.#options.machineClock() - lockedAtMs < TOUCHED_MS_MAX;
      if (isNew || (await this.atWork()) !== undefined) return false;
      await rm(path, { force: true });
    }
    return false;
  }

  async unlock(): Promise<void> {
    await rm(join(this.#options.path, LOCK), { force: true });
  }

  /** The file that is worked on now. */
  async atWork(): Promise<StoredState | undefined> {
    return (await this.list()).find(isAtWork);
  }

  /** Removes what is too old, and what belongs to nothing. */
  async sweep(): Promise<void> {
    const { path, clock, machineClock } = this.#options;
    const names = await readdir(path).catch(() => []);
    const kept = new Set<string>();
    for (const state of await this.list()) {
      const ageMs = clock() - state.receivedAtMs;
      if (isAtWork(state) || Math.abs(ageMs) < FILE_AGE_MS_MAX) kept.add(state.importId);
      else await this.remove(state);
    }
    for (const name of names) {
      if (kept.has(name.slice(0, 36)) || name === LOCK) continue;
      const found = await lstat(join(path, name)).catch(() => undefined);
      if (found !== undefined && machineClock() - found.mtimeMs >= FILE_AGE_MS_MAX)
        await rm(join(path, name), { force: true });
    }
  }

  async #makeFolder(): Promise<void> {
    const { path } = this.#options;
    await mkdir(path, { recursive: true, mode: 0o700 });
    const found = await lstat(path);
    // Below a folder that everybody writes to, somebody else may have made it.
    const isOwn = process.getuid === undefined || found.uid === process.getuid();
    if (!found.isDirectory() || !isOwn) throw new Error(`${path} belongs to somebody else`);
  }

  #isTouched({ touchedAtMs }: StoredState): boolean {
    return Math.abs(this.#options.machineClock() - touchedAtMs) < TOUCHED_MS_MAX;
  }

  #statePath(importId: string): string {
    return join(this.#options.path, `${importId}.json`);
  }
}

function isAtWork({ phase }: ImportState): boolean {
  return phase === 'checking' || phase === 'applying';
}

/** The disk, or what one user may fill of it. */
export function isDiskFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

async function freeBytesOf(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
