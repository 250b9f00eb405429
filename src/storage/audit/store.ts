/** The part of the storage port that keeps the audit trail. */
import type { AuditChange, AuditedState, Author } from '../portable-sql/program.ts';

export interface AuditEntry extends Author, AuditChange {
  readonly atMs: number;
}

export interface AuditStore {
  /**
   * Records an act whose writes are not one transaction before it begins, so that an interrupted act is in the trail
   * too. Add the result by the id that this resolves to. Needs a signed store.
   */
  beginAct(change: AuditChange): Promise<string>;
  endAct(entryId: string, to: AuditedState): Promise<void>;
  /** Newest first, from `sinceMs` on. */
  readAudit(sinceMs: number, limit: number): Promise<readonly AuditEntry[]>;
}
