/** `audit`: who changed what. */
import { type Command, InvalidArgumentError } from 'commander';
import { AUDIT_ROWS_MAX, AUDIT_SINCE_MS, type AuditRow, reportAudit } from '../../../access/audit-trail.ts';
import { example, helpLines } from '../terminal/example.ts';
import { duration } from '../terminal/option-values.ts';
import { formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

const AUDIT_COLUMNS = ['at', 'person', 'role', 'act', 'on', 'from', 'to'] as const;

export function configureAudit(audit: Command, session: Session): void {
  audit
    .option('--since <duration>', 'not older, such as 24h; 7d unless given', sinceDuration, AUDIT_SINCE_MS)
    .addHelpText(
      'after',
      helpLines(
        `Newest first: what commands and the console changed, and who signed in. At most ${AUDIT_ROWS_MAX} rows.`,
        example('audit --since 30d'),
      ),
    )
    .action(async ({ since }: { readonly since: number }) => {
      const rows = await session.withStorage((storage) => reportAudit(storage, session.clock() - since));
      session.answer(rows, () => formatTable(AUDIT_COLUMNS, rows.map(readableRow), 'nothing was changed'));
      if (rows.length === AUDIT_ROWS_MAX) session.note(`Older rows are left out: ask for less with --since.`);
    });
}

function sinceDuration(text: string): number {
  const ms = duration(text);
  if (ms === 0) throw new InvalidArgumentError('It must be longer than nothing.');
  return ms;
}

function readableRow({ from, to, ...row }: AuditRow) {
  const text = (state: AuditRow['from']): string | null =>
    state === null || typeof state === 'string' ? state : JSON.stringify(state);
  return { ...row, from: text(from), to: text(to) };
}
