/** The part of the storage port that keeps the audit trail. */
import type { AuditChange, Author } from '../portable-sql/program.ts';

export interface AuditEntry extends Author, AuditChange {
  readonly atMs: number;
}

export interface AuditStore {
  /**
   * Records an act whose writes are not one transaction before it begins, so that an interrupted act is in the trail
   * too. Add the result by the id that this resolves to. Needs a signed store.
   */
  beginAct(change: AuditChange): Promise<string>;
  /** `from` and `to` in place of what was begun with. */
  endAct(entryId: string, change: Omit<AuditChange, 'on'>): Promise<void>;
  /** Newest first, from `sinceMs` on. */
  readAudit(sinceMs: number, limit: number): Promise<readonly AuditEntry[]>;
}
