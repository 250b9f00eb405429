/** Of `AccessMark`: the query that makes one, one that is made of rows, and whether two are the same. */
import { type HistoryRow, historyColumns } from '../history/history.ts';
import type { AccessMark, AccessRows } from './store.ts';
import type { Revision } from '../history/revision.ts';

/** What `readAccessMark` reads, as one row. */
export interface AccessMarkRow extends HistoryRow {
  readonly revision: Revision;
  readonly row_count: number;
}

/** The columns of an `AccessMarkRow`; `known` is the parameter's place in the text. */
export function accessMarkSql(known: string): string {
  return `
  SELECT access.*, ${historyColumns(known)}
  FROM revision AS r CROSS JOIN (
    SELECT coalesce(max(revision), 0) AS revision, count(*) AS row_count FROM (
      SELECT revision FROM partners UNION ALL SELECT revision FROM credentials
      UNION ALL SELECT revision FROM handoff_keys UNION ALL SELECT revision FROM operator_tokens
    ) AS access_rows
  ) AS access`;
}

export function markOfAccess(rows: AccessRows): AccessMark {
  const all = [...rows.partners, ...rows.credentials, ...rows.handoffKeys, ...rows.operatorTokens];
  return {
    revision: all.reduce((newest, row) => Math.max(newest, row.revision), 0),
    rowCount: all.length,
  };
}

export function isSameMark(mark: AccessMark, other: AccessMark): boolean {
  return mark.revision === other.revision && mark.rowCount === other.rowCount;
}
