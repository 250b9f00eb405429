import type { ClientBase } from 'pg';

/** Whether `holder` has the task now (see `TaskStore`). */
export async function claimTask(
  client: ClientBase,
  task: string,
  holder: string,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO task_claims AS stored (task, holder, until_ms) VALUES ($1, $2, $3)
     ON CONFLICT (task) DO UPDATE SET holder = excluded.holder, until_ms = excluded.until_ms
     WHERE stored.holder = excluded.holder OR stored.until_ms <= $4`,
    [task, holder, untilMs, nowMs],
  );
  return rowCount === 1;
}
