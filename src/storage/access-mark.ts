/** Of `AccessMark`: the query that makes one, one that is made of rows, and whether two are the same. */
import type { AccessMark, AccessRows } from './port/access-store.ts';

/** The same text for every engine. */
export const ACCESS_MARK = `
  SELECT coalesce(max(revision), 0) AS revision, count(*) AS row_count FROM (
    SELECT revision FROM partners UNION ALL SELECT revision FROM credentials
    UNION ALL SELECT revision FROM handoff_keys UNION ALL SELECT revision FROM operator_tokens
  ) AS access_rows`;

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
