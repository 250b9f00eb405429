import type { DatabaseSync } from 'node:sqlite';

/** Within a write transaction; whether `holder` has the task now (see `TaskStore`). */
export function claimTask(
  database: DatabaseSync,
  task: string,
  holder: string,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): boolean {
  const { changes } = database
    .prepare(`
      INSERT INTO task_claims (task, holder, until_ms) VALUES (?, ?, ?)
      ON CONFLICT (task) DO UPDATE SET holder = excluded.holder, until_ms = excluded.until_ms
      WHERE task_claims.holder = excluded.holder OR task_claims.until_ms <= ?`)
    .run(task, holder, untilMs, nowMs);
  return Number(changes) > 0;
}
