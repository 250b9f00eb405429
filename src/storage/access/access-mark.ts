/** `AccessMark`: the query that reads one, building one from rows, and comparing two. */
import { type HistoryRow, historyColumns } from '../history/history.ts';
import type { AccessMark, AccessRows } from './store.ts';
import type { Revision } from '../history/revision.ts';

/** The row that `readAccessMark` reads. */
export interface AccessMarkRow extends HistoryRow {
  readonly revision: Revision;
  readonly row_count: number;
}

/** The columns of an `AccessMarkRow`; `known` is the placeholder of the parameter. */
export function accessMarkSql(known: string): string {
  return `
  SELECT access.*, ${historyColumns(known)}
  FROM revision AS r CROSS JOIN (
    SELECT coalesce(max(revision), 0) AS revision, count(*) AS row_count FROM (
      SELECT revision FROM partners UNION ALL SELECT revision FROM credentials
      UNION ALL SELECT revision FROM handoff_keys UNION ALL SELECT revision FROM operator_tokens
      UNION ALL SELECT revision FROM site_settings
    ) AS access_rows
  ) AS access`;
}

export function markOfAccess(rows: AccessRows): AccessMark {
  const all = [
    ...rows.partners,
    ...rows.credentials,
    ...rows.handoffKeys,
    ...rows.operatorTokens,
    ...rows.siteSettings,
  ];
  return {
    revision: all.reduce((newest, row) => Math.max(newest, row.revision), 0),
    rowCount: all.length,
  };
}

export function isSameMark(mark: AccessMark, other: AccessMark): boolean {
  return mark.revision === other.revision && mark.rowCount === other.rowCount;
}
