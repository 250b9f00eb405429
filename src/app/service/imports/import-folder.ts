/**
 * The folder of files uploaded for import. Each file's state is beside it, so that every thread and the next process
 * know of it. Everything that is too old is removed.
 */
import { Wrong } from '../../../domain/wrong.ts';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { FILE_BYTES_MAX, type ImportList, type ImportState } from '../../../console/reading/import-state.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Revision } from '../../../storage/history/revision.ts';
import { databasePlace } from '../../../storage/open.ts';
import { SHEET_ENDING } from '../../../supply/spreadsheet/read-catalogue.ts';

/** Waiting files, including those still arriving. */
export const FILES_WAITING_MAX = 8;
/** Maximum unpacked size: a compressed file can expand a thousandfold. */
export const UNPACKED_BYTES_MAX = 1024 * 1024 * 1024;
export const FILE_AGE_MS_MAX = 3_600_000;
/** Space left for the database, which refuses quotes on a full disk. */
export const DISK_RESERVE_BYTES = 256 * 1024 * 1024;
/** Work on a file updates its state this often. Without an update for much longer, nobody works on it. */
export const TOUCH_MS = 1_000;
const TOUCHED_MS_MAX = 10_000;

/** The content of the state file. */
export interface StoredState extends ImportState {
  readonly receivedAtMs: number;
  /** By the clock of the machine. */
  readonly touchedAtMs: number;
  /** The catalogue's history when the file was compared with it. */
  readonly revision: Revision;
  /** Empty in a file that the release before left. */
  readonly stamp: string;
}

/** The fields of a sheet, before it is read. */
export const UNREAD = {
  stamp: '',
  sheetNamed: null,
  encodingNamed: null,
  ignoreColumns: false,
  encoding: null,
  separator: null,
  sheet: null,
  noticesWrong: [],
  failureWrong: null,
  mistakes: [],
  mistakesLeftOut: 0,
  header: null,
  encodingDoubt: null,
  setByHand: [],
  setByHandLeftOut: 0,
  changes: [],
  changesCut: false,
} as const;

/** A second for a holder of the lock that has just begun or ended. */
const LOCK_TRIES = 50;
const LOCK_RETRY_MS = 20;

const ID = /^[0-9a-f-]{36}$/;
const LOCK = 'working';

export interface ImportFolderOptions {
  readonly path: string;
  readonly clock: Clock;
  /** The clock that all threads and processes here share; tests have their own `clock`. */
  readonly machineClock: Clock;
  /** Free bytes at the path; tests replace it. */
  readonly freeBytes?: (path: string) => Promise<number>;
}

/** Beside the database file. With PostgreSQL, in this user's folder within the one for temporary files. */
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
    // The release before leaves files that lack some fields.
    const state: StoredState = { ...UNREAD, ...(JSON.parse(text) as StoredState) };
    return isAtWork(state) && !this.#isTouched(state) ? { ...state, phase: 'interrupted' } : state;
  }

  /** The file's extension shows its format. */
  pathOf({ importId, fileName }: Pick<ImportState, 'importId' | 'fileName'>): string {
    const ending = SHEET_ENDING.exec(fileName)?.[0].toLowerCase() ?? '.data';
    return join(this.#options.path, `${importId}${ending}`);
  }

  /** Writes the whole state, touched now. */
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

  /** Stores the upload; resolves to its size. Deletes an upload that breaks off. */
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

  /** Why there is no room for another file. If many wait, the oldest of the same person is dropped. */
  async findObstacle(person: string, arriving: number): Promise<Wrong | undefined> {
    const { path, freeBytes = freeBytesOf } = this.#options;
    await this.#makeFolder();
    const waiting = (await this.list()).filter(({ phase }) => phase !== 'applied' && phase !== 'failed');
    const own = waiting.findLast((state) => state.person === person && !isAtWork(state));
    const isFull = waiting.length + arriving >= FILES_WAITING_MAX;
    if (isFull && own !== undefined) await this.remove(own);
    else if (isFull) return new Wrong('filesWaiting', { max: FILES_WAITING_MAX });
    const [free, needed] = [await freeBytes(path), DISK_RESERVE_BYTES + FILE_BYTES_MAX];
    if (free < needed) return new Wrong('diskNearlyFull', { free: inMiB(free), needed: inMiB(needed) });
    return undefined;
  }

  async remove({ importId, fileName }: Pick<ImportState, 'importId' | 'fileName'>): Promise<void> {
    await rm(this.pathOf({ importId, fileName }), { force: true });
    await rm(this.#statePath(importId), { force: true });
  }

  /** Only one file is worked on at a time, across threads and processes. */
  async lock(importId: string): Promise<boolean> {
    const path = join(this.#options.path, LOCK);
    for (let attempt = 0; attempt < LOCK_TRIES; attempt += 1) {
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
      if ((await this.atWork()) !== undefined) return false;
      // Its holder writes its first state after it has the lock, and its last one before it lets go.
      const isNew = this.#options.machineClock() - lockedAtMs < TOUCHED_MS_MAX;
      if (isNew) await sleep(LOCK_RETRY_MS);
      else await rm(path, { force: true });
    }
    return false;
  }

  async unlock(): Promise<void> {
    await rm(join(this.#options.path, LOCK), { force: true });
  }

  /** The file being worked on. */
  async atWork(): Promise<StoredState | undefined> {
    return (await this.list()).find(isAtWork);
  }

  /** Removes files that are too old or belong to no state. */
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
    // Within a folder that everybody can write to, another user may have made it.
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
function inMiB(bytes: number): string {
  return `${Math.floor(bytes / 1_048_576)} MiB`;
}

export function isDiskFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

async function freeBytesOf(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
