/** Processes that serve a SQLite file. */
import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { contractSchema } from '../engine/sqlite/migrate.ts';
import type { Session } from '../engine/sqlite/session.ts';
import type { Remote } from '../engine/sqlite/writer-link.ts';
import type { SeenProcess } from '../engine/state.ts';
import { runProgram } from '../portable-sql/sqlite.ts';
import { readRegistered, type RegisteredProcess, unregistered } from './sql.ts';
import type { DatabaseSync } from 'node:sqlite';
import { type ProcessStore, whereOf } from './store.ts';

export function sqliteProcesses(
  writer: Remote<ReturnType<typeof processOperations>>,
): Pick<ProcessStore, 'readProcesses' | 'contract'> {
  return {
    readProcesses: (nowMs) => writer.readProcesses([nowMs]),
    contract: (nowMs) => writer.contract([nowMs]),
  };
}

/** Operations of the writer thread, which may read files without delaying a request. */
export function processOperations(session: Session<unknown>, path: string) {
  return {
    readProcesses: (nowMs: number) =>
      session.run((_statements, database) => readSqliteProcesses(database, path, nowMs)),
    contract: (nowMs: number) =>
      session.runRaw((database) =>
        contractSchema(database, nowMs, (needs) =>
          readSqliteProcesses(database, path, nowMs).filter(({ knows }) => knows < needs),
        ),
      ),
  };
}

/** Works on any connection. */
export function readSqliteProcesses(
  database: DatabaseSync,
  path: string,
  nowMs: number,
): readonly SeenProcess[] {
  const registered = runProgram(database, readRegistered(nowMs));
  return [...registered, ...findUnregistered(path, registered)];
}

/**
 * A connection in WAL mode holds a shared lock on the file while it is open, and Linux shows which process holds it. Of
 * those processes, returns the ones that serve and have not registered.
 */
function findUnregistered(path: string, registered: readonly RegisteredProcess[]): readonly SeenProcess[] {
  if (process.platform !== 'linux') return [];
  const machine = hostname();
  const known = new Set(registered.flatMap((one) => (one.machine === machine ? [one.pid] : [])));
  return holdersOf(path)
    .filter((pid) => pid !== process.pid && !known.has(pid) && isServing(pid))
    .map((pid) => unregistered(whereOf({ machine, pid })));
}

/** `2: POSIX  ADVISORY  READ 4711 fe:00:2155857 1073741826 1073742335`: process id, device and inode, bytes. */
const LOCK_LINE = /^\d+: (?:POSIX|OFDLCK)\s+\S+\s+\S+\s+(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /;

function holdersOf(path: string): readonly number[] {
  try {
    const inode = String(statSync(path, { bigint: true }).ino);
    const lines = readFileSync('/proc/locks', 'utf8').split('\n');
    const found = lines.map((line) => LOCK_LINE.exec(line)).filter((match) => match?.[2] === inode);
    return [...new Set(found.map((match) => Number(match?.[1])))];
  } catch {
    // The system hides it.
    return [];
  }
}

function isServing(pid: number): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return (
      words.some((word) => word.endsWith('stayport')) && words.some((word) => /^(?:serve|demo)$/.test(word))
    );
  } catch {
    // The process has just ended.
    return false;
  }
}
