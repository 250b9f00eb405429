/**
 * What tells one state of access from another without reading it. Every row that is written gets a revision higher
 * than all before; so a state that differs from an earlier one has a higher newest revision, or, when rows were only
 * removed, fewer rows.
 */
import type { AccessRows, Revision } from './storage.ts';

export interface AccessMark {
  /** The highest of all rows; 0 when there is none. */
  readonly revision: Revision;
  readonly rowCount: number;
}

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
