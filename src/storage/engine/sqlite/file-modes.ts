/**
 * Permissions of the database file. It holds the handoff keys: every reader of the file can seal handoff values.
 *
 * New files are readable by their owner only. Existing files lose access for all other users, which is never intended.
 * Access for the group stays, because a backup may use it, and is reported once at startup. Windows has no such modes.
 */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StorageUnavailable } from '../errors.ts';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const GROUP = 0o070;
const OTHERS = 0o007;
const WRITABLE_BY_OTHERS = 0o002;
/** A folder such as /tmp, where only its owner may replace a file. */
const STICKY = 0o1000;

/** Creates folder and file if they don't exist. SQLite gives its log and shared memory the mode of the file. */
export function createForOwner(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
  } catch (cause) {
    throw new StorageUnavailable('its folder cannot be created', { cause });
  }
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY_FILE));
  } catch {
    // Either it exists or it can't be created: SQLite reports which.
  }
}

/** Removes other users' access to the files; returns a line for each path that is still too widely accessible. */
export function protectFiles(path: string): string[] {
  if (process.platform === 'win32') return [];
  const files = [path, `${path}-wal`, `${path}-shm`].flatMap(protectFile);
  const folder = dirname(path);
  return isOpenFolder(folder)
    ? [...files, `every user may replace files in ${folder}: run "chmod o-w ${folder}"`]
    : files;
}

/** A file or folder that too many users may use. */
interface WideMode {
  readonly path: string;
  readonly who: 'its group' | 'every user';
  readonly isFolder: boolean;
}

/** The findings of `protectFiles`, without changes. */
export function findWideModes(path: string): readonly WideMode[] {
  if (process.platform === 'win32') return [];
  const files = [path, `${path}-wal`, `${path}-shm`].flatMap((file): WideMode[] => {
    const mode = modeOf(file) ?? 0;
    if ((mode & (GROUP | OTHERS)) === 0) return [];
    return [{ path: file, who: (mode & OTHERS) === 0 ? 'its group' : 'every user', isFolder: false }];
  });
  const folder = dirname(path);
  return isOpenFolder(folder) ? [...files, { path: folder, who: 'every user', isFolder: true }] : files;
}

function isOpenFolder(folder: string): boolean {
  const mode = modeOf(folder) ?? 0;
  return (mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0;
}

function protectFile(path: string): string[] {
  const mode = modeOf(path);
  if (mode === undefined || (mode & (GROUP | OTHERS)) === 0) return [];
  const isClosed = (mode & OTHERS) === 0 || tryToChange(path, mode & ~OTHERS);
  if (isClosed && (mode & GROUP) === 0) return [];
  const who = isClosed ? 'its group' : 'every user';
  return [
    `${who} may open ${path}, which holds the handoff keys: unless you want that, run "chmod 600 ${path}"`,
  ];
}

function tryToChange(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Undefined if the path does not exist. */
function modeOf(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && stats.mode & 0o7777;
}
