/** Claims of tasks. */
import { commit } from '../engine/write-result.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { change, ordinary, type Program, rows } from '../portable-sql/program.ts';
import type { ClaimTerm, TaskStore } from './store.ts';

const claim = ordinary('claimTask', function* (task: string, holder: string, term: ClaimTerm) {
  const { nowMs, untilMs, longestMs } = term;
  const claimed = yield* change(
    `INSERT INTO task_claims AS stored (task, holder, until_ms) VALUES (?, ?, ?)
     ON CONFLICT (task) DO UPDATE SET holder = excluded.holder, until_ms = excluded.until_ms
     WHERE stored.holder = excluded.holder OR stored.until_ms <= ? OR stored.until_ms > ?`,
    [task, holder, untilMs, nowMs, longestMs === undefined ? Number.MAX_SAFE_INTEGER : nowMs + longestMs],
  );
  return commit(claimed === 1);
});

function* selectClaimEnd(task: string): Program<number> {
  const found = yield* rows<{ until_ms: number }>('SELECT until_ms FROM task_claims WHERE task = ?', [task]);
  return found[0]?.until_ms ?? 0;
}

const WRITES = [claim];

export const taskConcern = concern(WRITES, taskStore);

function taskStore({ read, write }: RunnerOf<typeof WRITES>): TaskStore {
  return {
    // A clock that shows no time tells neither that a claim has ended nor when the next one ends.
    claimTask: async (task, holder, term) =>
      Number.isFinite(term.nowMs) && (await write(claim, task, holder, term)),
    readClaimEnd: (task) => read(selectClaimEnd(task)),
  };
}
