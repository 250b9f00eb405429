/** Who changed what: the rows of `audit`. */
import { AUDIT_ROWS_MAX, AUDIT_SINCE_MS, reportAudit } from '../../../access/audit-trail.ts';
import { parseDuration } from '../../../access/parse-duration.ts';
import type { PagePorts, PageQuestion, ShownBy } from '../../console/console-page.ts';
import { readAsked } from '../../console/paths.ts';

/** A page under 60 KB. */
export const AUDIT_ROWS_SHOWN_MAX = 40;

export type AuditShown = ShownBy<typeof readAudit>;

/** `?since=24h`, as the command takes it. */
export async function readAudit({ storage, clock }: PagePorts, { query, isJson }: PageQuestion) {
  const { asked, unread } = readAsked(query, { since: (text) => parseDuration(text) !== undefined });
  const sinceMs = clock() - (parseDuration(asked.since ?? '') ?? AUDIT_SINCE_MS);
  const rows = await reportAudit(storage, sinceMs, isJson ? AUDIT_ROWS_MAX : AUDIT_ROWS_SHOWN_MAX);
  return { rows, unread };
}
