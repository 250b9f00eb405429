/** Registered processes, in both engines. */
import { RELEASE } from '../../runtime/release.ts';
import type { SeenProcess } from '../engine/state.ts';
import { commit } from '../engine/write-result.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { change, ordinary, type Program, rows } from '../portable-sql/program.ts';
import { PROCESS_SEEN_MS, type ProcessStore, type RunningProcess, whereOf } from './store.ts';

interface ProcessRow {
  readonly release: string;
  readonly knows: number;
  readonly machine: string;
  readonly pid: number;
  readonly seen_at_ms: number;
}

const register = ordinary(
  'registerProcess',
  function* ({ processId, machine, pid, startedAtMs }: RunningProcess, knows: number, nowMs: number) {
    yield* change('DELETE FROM running_processes WHERE seen_at_ms < ?', [nowMs - PROCESS_SEEN_MS]);
    yield* change(
      `INSERT INTO running_processes (process_id, release, knows, machine, pid, started_at_ms, seen_at_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (process_id) DO UPDATE SET seen_at_ms = excluded.seen_at_ms`,
      [processId, RELEASE, knows, machine, pid, startedAtMs, nowMs],
    );
    return commit(undefined);
  },
);

const forget = ordinary('forgetProcess', function* (processId: string) {
  yield* change('DELETE FROM running_processes WHERE process_id = ?', [processId]);
  return commit(undefined);
});

const WRITES = [register, forget];

export const processConcern = concern(WRITES, processWrites);

function processWrites({
  write,
  knows,
}: RunnerOf<typeof WRITES>): Pick<ProcessStore, 'registerProcess' | 'forgetProcess'> {
  return {
    registerProcess: (running, nowMs) => write(register, running, knows, nowMs),
    forgetProcess: (processId) => write(forget, processId),
  };
}

/** One row per process; each of its threads registers separately. */
export function* readRegistered(nowMs: number): Program<readonly SeenProcess[]> {
  const found = yield* rows<ProcessRow>(
    `SELECT release, knows, machine, pid, max(seen_at_ms) AS seen_at_ms FROM running_processes
     WHERE seen_at_ms >= ? GROUP BY machine, pid, release, knows ORDER BY machine, pid`,
    [nowMs - PROCESS_SEEN_MS],
  );
  return found.map(({ release, knows, machine, pid, seen_at_ms }) => ({
    release,
    knows,
    machine,
    seenAtMs: seen_at_ms,
    where: whereOf({ machine, pid }),
  }));
}
